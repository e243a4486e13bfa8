// What operators do with players: adjust, import, export and delete them.
#include "edges/api/economy/move_requests.hpp"
#include "edges/http/ndjson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace larder::api {

namespace {

using namespace moves;  // NOLINT: most of these requests are like moves
using economy::NewPlayer;

struct Adjusted {
  economy::Adjustment adjustment;
};
struct OnePlayer {
  economy::RealmId realm;
  UserId id;
};
struct ImportInto {
  economy::RealmId realm;
};

constexpr std::int64_t most = limits::amount_max;
constexpr std::size_t named_chars_max = 64;  // of an item or an effect

// The value as an object whose names the caller chooses; null if it is none.
json::object const* named_members(ObjectReader& in, std::string_view name, json::value const& value) {
  auto const* const object = value.if_object();
  bool good = object && object->size() <= limits::adjusted_items_max;
  if (good) {
    for (auto const& member : *object)
      good = good && !member.key().empty() && count_chars(member.key()) <= named_chars_max;
  }
  if (good) return object;
  in.problem(name, fmt::format("must be an object with up to {} names of up to {} characters",
                               limits::adjusted_items_max, named_chars_max));
  return nullptr;
}

// An object with a number for each item.
std::map<std::string, std::int64_t> read_items(ObjectReader& in, IntRule rule) {
  std::map<std::string, std::int64_t> items;
  auto const* const value = in.optional_value("items");
  if (!value) return items;
  auto const* const object = named_members(in, "items", *value);
  if (!object) return items;
  ObjectReader numbers(*value, in.path_of("items"));
  for (auto const& member : *object) {
    auto const count = numbers.required_int(member.key(), rule);
    if (count == 0) numbers.problem(member.key(), "must not be 0");
    items.emplace(std::string(member.key()), count);
  }
  if (auto problem = numbers.finish()) in.inner_problem(std::move(*problem));
  return items;
}

void read_points(ObjectReader& in, Asked<Adjusted>& asked) {
  auto const points = in.optional_int("points", {.min = -most, .max = most});
  if (points == 0) in.problem("points", "must not be 0");
  asked.adjustment.points = points.value_or(0);
}

// An object with the strength and the duration of each effect, or null for one that ends.
void read_effects(ObjectReader& in, Asked<Adjusted>& asked) {
  auto const* const value = in.optional_value("effects");
  if (!value) return;
  auto const* const object = named_members(in, "effects", *value);
  if (!object) return;
  for (auto const& member : *object) {
    auto& effect = asked.adjustment.effects[std::string(member.key())];
    if (member.value().is_null()) continue;
    ObjectReader of(member.value(), in.path_of("effects") + "." + std::string(member.key()));
    effect = economy::Adjustment::Effect{.value = of.required_int("value", {.min = 1, .max = most}),
                                         .seconds = of.required_int("seconds", {.min = 1, .max = most})};
    if (auto problem = of.finish()) in.inner_problem(std::move(*problem));
  }
}

constexpr auto name_kind = kind::text(1, limits::player_name_chars_max);
constexpr std::string_view name_says = "the display name";

ObjectSchema<Asked<Adjusted>> adjustment_schema() {
  using T = Asked<Adjusted>;
  auto const effect = type::strict_object({required("value", type::positive_amount, "the strength"),
                                           required("seconds", type::positive_amount, "the duration")});
  return ObjectSchema<T>()
      .field(optional("points", type::integer(), "points to give; below 0: to take"), read_points)
      .field(optional("items", type::map(type::integer()), "by item, how many to give; below 0: to take"),
             [](ObjectReader& in, T& asked) {
               asked.adjustment.items = read_items(in, {.min = -most, .max = most});
             })
      .optional(
          "name", name_kind, [](T& asked) -> auto& { return asked.adjustment.name; }, name_says)
      .field(optional("effects", type::map(effect.or_null()),
                      "by name, the effects to set, each in place of an active one; null: to end"),
             read_effects)
      .required(
          "reason", kind::text(1, limits::reason_chars_max),
          [](T& asked) -> auto& { return asked.adjustment.reason; }, "why, for the events");
}

ObjectSchema<NewPlayer> new_player_schema() {
  return ObjectSchema<NewPlayer>()
      .required("id", player_kind, &NewPlayer::id, player_says)
      .optional("points", kind::integer(0), &NewPlayer::points, "points; 0 if absent")
      .field(
          optional("items", type::map(type::positive_amount), "how many the player owns, by item"),
          [](ObjectReader& in, NewPlayer& player) { player.items = read_items(in, {.min = 1, .max = most}); })
      .optional("name", name_kind, &NewPlayer::name, name_says);
}

// Reads players one after the other, and imports them in portions. So neither the memory nor the time for one
// portion depends on how many players there are.
class ImportRun {
 public:
  ImportRun(economy::Economy& economy, economy::RealmId realm)
      : economy_(economy), realm_(std::move(realm)) {}

  Task<Result<void>> add(std::size_t index, Result<json::value> value) {
    static ObjectSchema<NewPlayer> const schema = new_player_schema();
    auto player =
        value ? schema.read(*value, "") : Result<NewPlayer>(std::unexpected(std::move(value.error())));
    if (!player) {
      fail(index, std::move(player.error()));
    } else if (!seen_.insert(player->id.str()).second) {
      fail(index, invalid("id", "id is named twice in this request").error());
    } else {
      items_ += player->items.size();
      players_.push_back(std::move(*player));
      indices_.push_back(index);
    }
    // Lines that fail also count, so that other requests get their turn.
    bool const full = ++lines_ == lines_at_once || players_.size() == economy::Economy::imported_at_once ||
                      items_ >= items_at_once;
    if (full) co_return co_await flush();
    co_return Result<void>{};
  }

  Task<Result<void>> flush() {
    lines_ = items_ = 0;
    CO_TRY(auto outcomes, co_await economy_.import_players(realm_, std::exchange(players_, {})));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      auto& outcome = outcomes[i];
      if (!outcome) {
        fail(indices_[i], std::move(outcome.error()));
      } else {
        ++(*outcome == economy::Import::imported ? imported_ : unchanged_);
      }
    }
    indices_.clear();
    co_return Result<void>{};
  }

  json::object report() {
    std::ranges::sort(failures_, {}, &Failure::index);
    json::array failed;
    for (auto const& [index, error] : failures_) {
      json::object out{{"index", index}, {"code", error.code.name}, {"detail", error.detail}};
      if (!error.field.empty()) out["field"] = error.field;
      failed.push_back(std::move(out));
    }
    return {{"imported", imported_},
            {"unchanged", unchanged_},
            {"failures", failures_count_},
            {"failed", std::move(failed)}};
  }

 private:
  struct Failure {
    std::size_t index;
    Error error;
  };
  static constexpr std::size_t lines_at_once = 500;
  static constexpr std::size_t items_at_once = 500;

  void fail(std::size_t index, Error error) {
    ++failures_count_;
    if (failures_.size() < limits::listed_failures_max)
      failures_.push_back({.index = index, .error = std::move(error)});
  }

  economy::Economy& economy_;
  economy::RealmId realm_;
  std::unordered_set<std::string> seen_;
  std::vector<NewPlayer> players_;  // of the next portion
  std::vector<std::size_t> indices_;
  std::size_t items_ = 0, lines_ = 0;
  std::int64_t imported_ = 0, unchanged_ = 0, failures_count_ = 0;
  std::vector<Failure> failures_;
};

std::unexpected<Error> too_many_players(std::size_t most_players) {
  return refuse(larder::errors::invalid_request,
                fmt::format("the body has more than {} players", most_players));
}

Task<Result<void>> import_lines(ImportRun& run, std::string_view body) {
  if (std::size_t(std::ranges::count(body, '\n')) > limits::imported_players_max)
    co_return too_many_players(limits::imported_players_max);
  NdjsonReader lines(body);
  while (auto line = lines.next()) CO_TRY_DO(co_await run.add(line->index, std::move(line->value)));
  co_return Result<void>{};
}

Task<Result<void>> import_json(ImportRun& run, std::string_view body) {
  CO_TRY(auto value, parse_json(body));
  auto* const players = value.if_array();
  if (!players) co_return co_await run.add(0, std::move(value));
  if (players->size() > limits::batch_entries_max) co_return too_many_players(limits::batch_entries_max);
  for (std::size_t i = 0; i < players->size(); ++i)
    CO_TRY_DO(co_await run.add(i, Result<json::value>(std::move((*players)[i]))));
  co_return Result<void>{};
}

Answering post_players(EconomyPart& part, ImportInto into, Request const& request) {
  if (request.body.find_first_not_of(" \t\r\n") == std::string::npos)
    co_return refuse(larder::errors::invalid_request, "the body is empty");
  ImportRun run(part.economy, std::move(into.realm));
  CO_TRY_DO(co_await (is_ndjson(request) ? import_lines(run, request.body) : import_json(run, request.body)));
  CO_TRY_DO(co_await run.flush());
  co_return json_response(run.report());
}

Answering post_adjust(EconomyPart& part, Asked<Adjusted> asked) {
  co_return respond(co_await part.economy.adjust(std::move(asked.move), std::move(asked.adjustment)),
                    [](economy::PlayerView const& player) { return to_json(player); });
}

Answering delete_player(EconomyPart& part, Asked<Nothing> asked) {
  auto const done = co_await part.economy.delete_player(std::move(asked.move));
  if (!done) co_return std::unexpected(done.error());
  co_return done->replayed ? no_content().with("Idempotency-Replayed", "true") : no_content();
}

Answering get_export(EconomyPart& part, OnePlayer one) {
  CO_TRY(auto const exported, co_await part.economy.export_player(one.realm, one.id));
  CO_TRY(auto events,
         co_await part.economy.events(one.realm, {.user = one.id, .limit = limits::exported_events_max + 1}));
  json::value cursor;
  if (events.size() > std::size_t(limits::exported_events_max)) {
    events.pop_back();
    cursor = cursor_of(events.back());
  }
  json::array told;
  for (auto const& event : events) told.push_back(to_json(event));
  co_return json_response(
      {{"realm", one.realm.str()},
       {"player", to_json(exported.player)},
       {"imported", exported.imported},
       {"bomb_due_at", exported.bomb_due ? json::value(to_rfc3339(*exported.bomb_due)) : json::value()},
       {"bomb_pending", exported.bomb_pending},
       {"events", std::move(told)},
       {"events_cursor", std::move(cursor)}});
}

FieldType new_player_type() { return type::strict_object(new_player_schema().fields()).named("NewPlayer"); }

std::vector<Field> import_fields() {
  return {required("imported", type::integer(0), "how many players were imported"),
          required("unchanged", type::integer(0), "how many had been imported before"),
          required("failures", type::integer(0), "how many could not be imported"),
          required("failed",
                   type::array(
                       type::object({required("index", type::integer(0), "the index of the player, from 0"),
                                     required("code", type::text(), "the name of the refusal"),
                                     required("detail", type::text(), "one sentence for a person"),
                                     optional("field", type::text(), "the field that was refused")})),
                   "the first 1000 of these")};
}

std::vector<Field> export_fields() {
  return {required("realm", type::text(), "the name of the realm"),
          required("player", type::object(player_fields()).named("Player"), "all of one moment"),
          required("imported", type::boolean, "whether an import brought the player"),
          required("bomb_due_at", type::time.or_null(), "when the player's planted bomb becomes pending"),
          required("bomb_pending", type::boolean, "whether the pending bomb is the player's"),
          required("events", type::array(type::object(event_fields()).named("EconomyEvent")),
                   "what happened to the player, newest first: the last 1000 events"),
          required("events_cursor", type::text().or_null(),
                   "the cursor with which the list of the player's events continues; null: these are all")};
}

Schema<Asked<Nothing>> deletion_schema() {
  using T = Asked<Nothing>;
  return Schema<T>()
      .path(
          "realm", realm_kind, [](T& asked) -> auto& { return asked.move.realm; }, realm_says)
      .path(
          "id", player_kind, [](T& asked) -> auto& { return asked.move.player; }, player_says)
      .also([](RequestReader& in, T& asked) { read_key(in, asked); });
}

}  // namespace

std::span<Route const> economy_care_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/economy/{realm}/players/{id}/adjust",
       Scope::admin,
       handle(move_schema(Mover::in_path, adjustment_schema()), &post_adjust),
       {.id = "adjust_player",
        .summary =
            "Gives or takes points and items, sets or ends effects, and renames: all at once, with a reason",
        .answer = player_fields(),
        .answer_name = "Player",
        .refusals = {errors::unknown_effect, errors::unknown_item, errors::insufficient_balance,
                     errors::balance_limit, errors::not_enough_items, errors::stack_full,
                     errors::realm_needs_name, errors::foreign_record, errors::realm_closed,
                     errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players",
       Scope::admin,
       handle(realm_path<ImportInto>(), &post_players),
       {.id = "import_players",
        .summary = "Imports players with their points, items and names",
        .description =
            "The body is one player, or an array of up to 1000, or one player per line, up to 100000. "
            "A player that cannot be imported fails alone. Each player is imported once, so a "
            "request may simply be repeated: it continues where it was cut off.",
        .body_type =
            type::one_of({new_player_type(), type::array(new_player_type(), 0, limits::batch_entries_max)}),
        .body_bytes_max = limits::import_body_bytes_max,
        .ndjson = true,
        .answer = import_fields(),
        .answer_name = "ImportedPlayers",
        .refusals = {larder::errors::invalid_request, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed, errors::realm_lost},
        .repeatable = true}},
      {Method::get,
       "/v1/economy/{realm}/players/{id}/export",
       Scope::admin,
       handle(realm_path<OnePlayer>().path("id", player_kind, &OnePlayer::id, player_says), &get_export),
       {.id = "export_player",
        .summary = "Shows everything that is kept about a player",
        .answer = export_fields(),
        .answer_name = "PlayerExport",
        .refusals = {errors::realm_needs_name, errors::foreign_record, errors::realm_closed}}},
      {Method::delete_,
       "/v1/economy/{realm}/players/{id}",
       Scope::admin,
       handle(deletion_schema(), &delete_player),
       {.id = "delete_player",
        .summary = "Deletes a player's points, items, name and everything else but the history",
        .status = 204,
        .refusals = {errors::player_not_found, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
  };
  return routes;
}

}  // namespace larder::api
