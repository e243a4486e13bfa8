// The content of the requests for moves, and how it is read.
#pragma once

#include "edges/api/economy/economy_json.hpp"
#include "edges/http/idempotency.hpp"

namespace larder::api::moves {

// The fields of each move, in addition to those that all moves have.
struct Nothing {};
struct Named {
  std::string name;
};
struct Payment {
  UserId to;
  Amount amount;
};
struct Claim {
  std::string reward;
};
struct Stake {
  std::optional<Amount> amount;  // none: the whole balance
};
struct Offer {
  UserId target;
  Amount amount;
};
struct Trade {
  UserId to;
  std::string item;
  std::int64_t quantity = 0;
};
struct Sale {
  std::string item;
  std::int64_t quantity = 0;
};
struct OneItem {
  std::string item;
};
struct Used {
  std::string item;
  std::optional<UserId> target;
};
struct Bomb {
  std::int64_t seconds = 0;
};
struct Target {
  UserId target;
};
struct InRoulette {
  economy::RouletteId roulette;
};

// A move with its own fields.
template <class Own>
struct Asked : Own {
  economy::Move move;
};

inline constexpr std::int64_t seed_max = 2'147'483'647;
inline kind::Plain<economy::RouletteId> const roulette_kind{type::text(1, limits::roulette_id_chars_max)};
inline constexpr auto item_kind = kind::text(1, 64);
inline constexpr std::string_view item_says = "the item's id or one of its short names";

// Where the request names the player: in the path, in the body, or nowhere.
enum class Mover { in_path, in_body, nobody };

template <class T>
void read_seed(ObjectReader& in, T& asked, bool allowed) {
  if (allowed) {
    if (auto const seed = in.optional_int("seed", {.min = 0, .max = seed_max}))
      asked.move.seed = std::uint32_t(*seed);
  } else if (in.has("seed")) {
    in.problem("seed", "is taken only if the server's setting economy.allow_seed is true");
  }
}

template <class T>
void read_key(RequestReader& in, T& asked) {
  auto key = read_idempotency_key(in.request());
  if (!key) return in.other_problem(std::move(key.error()));
  asked.move.idempotency_key = std::move(*key);
}

// The schema of a move: first the fields that all moves have, then `own`, the fields of this move.
template <class Own>
Schema<Asked<Own>> move_schema(Mover mover, ObjectSchema<Asked<Own>> own = {}) {
  using T = Asked<Own>;
  auto schema =
      Schema<T>().path("realm", realm_kind, [](T& asked) -> auto& { return asked.move.realm; }, realm_says);
  if (mover == Mover::in_path) {
    schema = std::move(schema).path(
        "id", player_kind, [](T& asked) -> auto& { return asked.move.player; }, player_says);
  }
  ObjectSchema<T> body;
  if (mover == Mover::in_body) {
    body = std::move(body).required(
        "player", player_kind, [](T& asked) -> auto& { return asked.move.player; }, "the player who shoots");
  }
  body = std::move(body).optional(
      "guild_id", kind::user_id, [](T& asked) -> auto& { return asked.move.guild_id; },
      "where the move happens, for the events; 0 if absent");
  return std::move(schema)
      .body(std::move(body).and_all_of(std::move(own)), EmptyBody::is_empty_object)
      .body_field(
          optional("seed", type::integer(0, seed_max),
                   "the seed of all draws; only if the setting economy.allow_seed is true"),
          [](RequestReader& in, T& asked) { read_seed(in.body(), asked, in.part<EconomyPart>().allow_seed); })
      .also([](RequestReader& in, T& asked) { read_key(in, asked); });
}

// Refuses a NUL character in the name: the name goes into SQL with the events, and
// PostgreSQL cannot store a NUL.
inline void read_name(ObjectReader& in, Asked<Named>& asked) {
  asked.name = in.required_text("name", {.chars_min = 1, .chars_max = limits::player_name_chars_max});
  if (asked.name.find('\0') != std::string::npos) in.problem("name", "must not have a NUL character");
}

// Reads a number; "all" leaves the amount empty.
inline void read_stake(ObjectReader& in, Asked<Stake>& asked) {
  auto const amount = in.required_int_or("all", "amount", {.min = 1, .max = limits::amount_max});
  if (amount) asked.amount = Amount::from(*amount);
}

// Answers with what a move did.
template <class T>
Result<Response> respond(Result<economy::Done<T>> const& done, auto to_object, int status = 200) {
  if (!done) return std::unexpected(done.error());
  auto response = json_response(to_object(done->what), status);
  return done->replayed ? std::move(response).with("Idempotency-Replayed", "true") : std::move(response);
}

// The fields of one move. Specialised for each move that has any.
template <class Own>
ObjectSchema<Asked<Own>> own() {
  return {};
}

}  // namespace larder::api::moves
