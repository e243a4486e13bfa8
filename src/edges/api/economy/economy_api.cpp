#include "edges/api/economy/economy_api.hpp"

#include "edges/api/economy/economy_json.hpp"
#include "edges/http/idempotency.hpp"

namespace larder::api {

namespace {

using economy::Done;
using economy::Move;

constexpr std::int64_t seed_max = 2'147'483'647;
constexpr IntRule quantity_rule{.min = 1, .max = limits::amount_max};
constexpr TextRule item_rule{.chars_min = 1, .chars_max = 64};

// Reads what all moves have; what is the move's own is read from body().
class MoveReader {
 public:
  enum class Player { in_path, in_body, nobody };

  MoveReader(EconomyPart const& part, Request const& request, Player player = Player::in_path)
      : request_(request), path_(request), body_(parse_json(request.body.empty() ? "{}" : request.body)) {
    move_.realm = path_.path<economy::RealmId>("realm");
    reader_.emplace(body_ ? *body_ : empty_object());
    if (player == Player::in_path) move_.player = read_player_path(path_);
    if (player == Player::in_body) move_.player = this->player("player");
    if (auto guild = reader_->optional<UserId>("guild_id")) move_.guild_id = std::move(*guild);
    read_seed(part.allow_seed);
  }

  ObjectReader& body() { return *reader_; }
  UserId player(std::string_view field) {
    auto id = reader_->required<UserId>(field);
    if (auto problem = economy::problem_of_player(id)) reader_->problem(field, std::move(*problem));
    return id;
  }
  std::string item() { return reader_->required_text("item", item_rule); }
  template <class T>
  T path(std::string_view name) {
    return path_.path<T>(name);
  }
  std::string path_text(std::string_view name, TextRule rule) { return path_.path_text(name, rule); }

  Result<Move> finish() {
    if (auto problem = path_.finish()) return std::unexpected(std::move(*problem));
    if (!body_) return std::unexpected(body_.error());
    if (auto problem = reader_->finish()) return std::unexpected(std::move(*problem));
    auto key = read_idempotency_key(request_);
    if (!key) return std::unexpected(key.error());
    if (*key)
      move_.once =
          economy::Once{.key = std::move((*key)->key), .fingerprint = std::move((*key)->fingerprint)};
    return move_;
  }

 private:
  void read_seed(bool allowed) {
    if (allowed) {
      if (auto const seed = reader_->optional_int("seed", {.min = 0, .max = seed_max})) {
        move_.seed = std::uint32_t(*seed);
      }
    } else if (body_ && body_->is_object() && body_->get_object().contains("seed")) {
      reader_->problem("seed", "is taken only if the server's setting economy.allow_seed is true");
    }
  }
  static json::value const& empty_object() {
    static json::value const empty = json::object();
    return empty;
  }

  Request const& request_;
  QueryReader path_;
  Result<json::value> body_;
  std::optional<ObjectReader> reader_;
  Move move_;
};

template <class T>
Result<Response> respond(Result<Done<T>> const& done, auto to_object, int status = 200) {
  if (!done) return std::unexpected(done.error());
  auto response = json_response(to_object(done->what), status);
  return done->replayed ? std::move(response).with("Idempotency-Replayed", "true") : std::move(response);
}

Answering post_farm(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto name = in.body().required_text("name", {.chars_min = 1, .chars_max = limits::player_name_chars_max});
  if (name.find('\0') != std::string::npos) in.body().problem("name", "must not have a NUL character");
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.farm(std::move(*move), std::move(name)), [](economy::Farmed const& farmed) {
        json::object out{{"gained", farmed.gained}, {"balance", farmed.balance},
                         {"drop", nullptr},         {"vampire", nullptr},
                         {"bomb", nullptr},         {"roll", to_json(farmed.roll)}};
        if (auto const& drop = farmed.drop) {
          out["drop"] = json::object{{"item", drop->item}, {"stack", drop->stack}};
        }
        if (auto const& bite = farmed.vampire) {
          out["vampire"] = json::object{
              {"level", bite->level}, {"damage", bite->damage}, {"necklace_used", bite->necklace_used}};
        }
        if (auto const& blast = farmed.bomb) {
          out["bomb"] = json::object{{"owner", blast->owner}, {"damage", blast->damage}};
        }
        return out;
      });
}

Answering post_pay(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto to = in.player("to");
  auto const amount = in.body().required_int("amount", quantity_rule);
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(co_await part.economy.pay(std::move(*move), std::move(to), Amount::from(amount).value()),
                    [](economy::Paid const& paid) {
                      return json::object{{"balance", paid.balance}, {"to_balance", paid.to_balance}};
                    });
}

Answering post_reward(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto reward = in.path_text("reward", {.chars_min = 1, .chars_max = 32});
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(co_await part.economy.claim(std::move(*move), std::move(reward)),
                    [](economy::Rewarded const& rewarded) {
                      return json::object{{"reward", rewarded.reward}, {"balance", rewarded.balance}};
                    });
}

// A number, or nothing for "all".
std::optional<Amount> read_stake(ObjectReader& in) {
  auto const amount = in.required_int_or("all", "amount", quantity_rule);
  return amount ? Amount::from(*amount) : std::nullopt;
}

Answering post_gamble(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto const amount = read_stake(in.body());
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.gamble(std::move(*move), amount), [](economy::Gambled const& gambled) {
        return json::object{
            {"change", gambled.change}, {"balance", gambled.balance}, {"roll", to_json(gambled.roll)}};
      });
}

Answering post_discombobulate(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto target = in.player("target");
  auto const amount = in.body().required_int("amount", quantity_rule);
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.discombobulate(std::move(*move), std::move(target), Amount::from(amount).value()),
      [](economy::Discombobulated const& done) {
        return json::object{{"damage", done.damage},
                            {"balance", done.balance},
                            {"target_balance", done.target_balance},
                            {"seconds_left", done.locked_s},
                            {"roll", to_json(done.roll)}};
      });
}

Answering post_trade(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto to = in.player("to");
  auto item = in.item();
  auto const quantity = in.body().required_int("quantity", quantity_rule);
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(co_await part.economy.trade(std::move(*move), std::move(to), std::move(item), quantity),
                    [](economy::Traded const& traded) {
                      return json::object{
                          {"item", traded.item}, {"left", traded.left}, {"to_stack", traded.to_stack}};
                    });
}

Answering post_craft(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto item = in.item();
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.craft(std::move(*move), std::move(item)), [](economy::Crafted const& crafted) {
        return json::object{{"item", crafted.item}, {"stack", crafted.stack}, {"balance", crafted.balance}};
      });
}

Answering post_use(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto item = in.item();
  auto target = in.body().optional<UserId>("target");
  if (target) {
    if (auto problem = economy::problem_of_player(*target)) in.body().problem("target", std::move(*problem));
  }
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(co_await part.economy.use(std::move(*move), std::move(item), std::move(target)),
                    [](economy::Used const& used) {
                      json::object out{{"item", used.item},
                                       {"left", used.left},
                                       {"vampire_level", nullptr},
                                       {"effect", nullptr},
                                       {"bombs", nullptr}};
                      if (used.vampire_level) out["vampire_level"] = *used.vampire_level;
                      if (used.effect) out["effect"] = to_json(*used.effect);
                      if (used.bombs) {
                        auto& bombs = out["bombs"].emplace_array();
                        for (auto const& bomb : *used.bombs) {
                          bombs.push_back({{"owner", bomb.owner}, {"seconds_left", bomb.seconds_left}});
                        }
                      }
                      return out;
                    });
}

Answering post_bomb(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto const seconds = in.body().required_int("seconds", {.min = 0, .max = limits::amount_max});
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.plant_bomb(std::move(*move), seconds), [](economy::Planted const& planted) {
        return json::object{
            {"left", planted.left}, {"due_at", to_rfc3339(planted.due)}, {"roll", to_json(planted.roll)}};
      });
}

Answering post_inspect(EconomyPart& part, Request const& request) {
  MoveReader in(part, request);
  auto target = in.player("target");
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(co_await part.economy.inspect(std::move(*move), std::move(target)),
                    [](economy::Inspected const& seen) {
                      return json::object{{"balance", seen.balance}, {"inventory", to_json(seen.inventory)}};
                    });
}

Answering post_roulette(EconomyPart& part, Request const& request) {
  MoveReader in(part, request, MoveReader::Player::nobody);
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.start_roulette(std::move(*move)),
      [](economy::RouletteId const& id) { return json::object{{"id", id.str()}}; }, 201);
}

Answering post_shot(EconomyPart& part, Request const& request) {
  MoveReader in(part, request, MoveReader::Player::in_body);
  auto roulette = in.path<economy::RouletteId>("id");
  auto move = in.finish();
  if (!move) co_return std::unexpected(move.error());
  co_return respond(
      co_await part.economy.shoot(std::move(*move), std::move(roulette)), [](economy::Shot const& shot) {
        return json::object{{"outcome", shot.hit ? "shot" : "survived"},
                            {"lost", shot.lost},
                            {"balance", shot.balance},
                            {"roll", shot.roll ? json::value(to_json(*shot.roll)) : json::value()}};
      });
}

// The fields of a move's body, with those that all moves have.
std::vector<Field> body_of(std::vector<Field> fields) {
  fields.push_back(optional("guild_id", type::user_id, "where it happens, for the events; 0 if absent"));
  fields.push_back(optional("seed", type::integer(0, seed_max), "of chance; only with economy.allow_seed"));
  return fields;
}

std::vector<Field> player_path(std::vector<Field> more = {}) {
  more.insert(more.begin(), required("id", type::user_id, "the player's"));
  return realm_path(std::move(more));
}

Field const item_field = required("item", type::text(1, 64), "its id or a short name");
Field const moved_item_field = required("item", type::text(), "its id");

}  // namespace

std::span<Route const> economy_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/economy/{realm}/players/{id}/farm",
       Scope::economy,
       &post_farm,
       {.id = "farm",
        .summary = "Farms: points, perhaps an item, perhaps a vampire; or a pending bomb goes off",
        .path = player_path(),
        .body = body_of(
            {required("name", type::text(1, limits::player_name_chars_max), "the player's display name")}),
        .answer = {required("gained", type::amount, "points"), balance_field,
                   required("drop",
                            type::object(
                                {moved_item_field, required("stack", type::amount, "how many there are now")})
                                .or_null(),
                            "the item that was found"),
                   required("vampire",
                            type::object({required("level", type::amount, "of the vampire"),
                                          required("damage", type::amount, "points lost"),
                                          required("necklace_used", type::boolean,
                                                   "whether an item was lost instead")})
                                .or_null(),
                            "that came"),
                   required("bomb",
                            type::object({required("owner", type::text(), "who planted it"),
                                          required("damage", type::amount, "points lost")})
                                .or_null(),
                            "that went off; then nothing is farmed"),
                   roll_field},
        .refusals = {errors::balance_limit, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/pay",
       Scope::economy,
       &post_pay,
       {.id = "pay",
        .summary = "Gives points to another player",
        .path = player_path(),
        .body = body_of({required("to", type::user_id, "who gets them"),
                         required("amount", type::positive_amount, "points")}),
        .answer = {balance_field, required("to_balance", type::amount, "of the other player, afterwards")},
        .refusals = {errors::self_target, errors::insufficient_balance, errors::balance_limit,
                     errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/rewards/{reward}",
       Scope::economy,
       &post_reward,
       {.id = "claim_reward",
        .summary = "Claims a reward that can be had once in a while",
        .path =
            player_path({required("reward", type::text(1, 32), "its name in the catalogue: daily, weekly")}),
        .body = body_of({}),
        .answer = {required("reward", type::amount, "points"), balance_field},
        .refusals = {errors::reward_not_found, errors::reward_not_ready, errors::balance_limit,
                     errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/gamble",
       Scope::economy,
       &post_gamble,
       {.id = "gamble",
        .summary = "Wins or loses an amount",
        .path = player_path(),
        .body = body_of({required("amount", type::one_of({type::positive_amount, type::choice({"all"})}),
                                  "points, or \"all\" of them")}),
        .answer = {required("change", type::integer(), "points won, or below 0 lost"), balance_field,
                   roll_field},
        .refusals = {errors::insufficient_balance, errors::balance_limit, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/discombobulate",
       Scope::economy,
       &post_discombobulate,
       {.id = "discombobulate",
        .summary = "Burns points of another player at the price of an offer",
        .path = player_path(),
        .body = body_of({required("target", type::user_id, "who loses"),
                         required("amount", type::positive_amount, "the offer, which is gone too")}),
        .answer = {required("damage", type::amount, "points the target lost"), balance_field,
                   required("target_balance", type::amount, "the target's points afterwards"),
                   required("seconds_left", type::amount, "until the player may do it again"), roll_field},
        .refusals = {errors::self_target, errors::on_cooldown, errors::insufficient_balance,
                     errors::offer_too_low, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/trade",
       Scope::economy,
       &post_trade,
       {.id = "trade",
        .summary = "Gives items to another player",
        .path = player_path(),
        .body = body_of({required("to", type::user_id, "who gets them"), item_field,
                         required("quantity", type::positive_amount, "how many")}),
        .answer = {moved_item_field, required("left", type::amount, "how many the player has now"),
                   required("to_stack", type::amount, "how many the other has now")},
        .refusals = {errors::self_target, errors::unknown_item, errors::not_tradable,
                     errors::not_enough_items, errors::stack_full, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/craft",
       Scope::economy,
       &post_craft,
       {.id = "craft",
        .summary = "Makes an item out of points and other items",
        .path = player_path(),
        .body = body_of({item_field}),
        .answer = {moved_item_field, required("stack", type::amount, "how many there are now"),
                   balance_field},
        .refusals = {errors::unknown_item, errors::not_craftable, errors::stack_full,
                     errors::insufficient_balance, errors::not_enough_items, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/use",
       Scope::economy,
       &post_use,
       {.id = "use_item",
        .summary = "Uses an item up",
        .path = player_path(),
        .body = body_of(
            {item_field, optional("target", type::user_id, "of an item that is used on another player")}),
        .answer = {moved_item_field, required("left", type::amount, "how many there are now"),
                   required("vampire_level", type::amount.or_null(),
                            "of the next vampire, if the item changed it"),
                   required("effect", effect_type.or_null(), "what is active now, if the item made it so"),
                   required("bombs",
                            type::array(
                                type::object({required("owner", type::text(), "who planted it"),
                                              required("seconds_left", type::amount, "until it is pending")}))
                                .or_null(),
                            "of a radar: the next ones")},
        .refusals = {errors::unknown_item, errors::not_usable, errors::self_target, errors::not_enough_items,
                     errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/bomb",
       Scope::economy,
       &post_bomb,
       {.id = "plant_bomb",
        .summary = "Plants a bomb, which goes off on whoever farms next once it is pending",
        .path = player_path(),
        .body = body_of({required("seconds", type::integer(0), "until it is pending, more or less")}),
        .answer = {required("left", type::amount, "how many bombs the player has now"),
                   required("due_at", type::time, "when it is pending"), roll_field},
        .refusals = {errors::unknown_item, errors::not_enough_items, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/inspect",
       Scope::economy,
       &post_inspect,
       {.id = "inspect",
        .summary = "Shows a player's inventory for a fee",
        .path = player_path(),
        .body = body_of({required("target", type::user_id, "whose inventory")}),
        .answer = {balance_field, required("inventory", inventory_type, "of the target")},
        .refusals = {errors::insufficient_balance, errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/roulettes",
       Scope::economy,
       &post_roulette,
       {.id = "start_roulette",
        .summary = "Loads a roulette",
        .path = realm_path(),
        .body = body_of({}),
        .status = 201,
        .answer = {required("id", type::text(), "of the roulette")},
        .refusals = {errors::realm_needs_name},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/roulettes/{id}/shots",
       Scope::economy,
       &post_shot,
       {.id = "shoot",
        .summary = "Pulls the trigger; the one that hits takes everything",
        .path = realm_path({required("id", type::text(1, limits::roulette_id_chars_max), "of the roulette")}),
        .body = body_of({required("player", type::user_id, "who shoots")}),
        .answer = {required("outcome", type::choice({"survived", "shot"}), "what happened"),
                   required("lost", type::amount, "points"), balance_field,
                   required("roll", roll_type.or_null(), "of the roulette, once it is over")},
        .refusals = {errors::roulette_not_found, errors::realm_needs_name},
        .keeps_key = true}},
  };
  return routes;
}

}  // namespace larder::api
