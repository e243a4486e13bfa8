#include "systems/tribes/audit/replay.hpp"

#include "base/number.hpp"
#include "base/try.hpp"
#include "systems/tribes/actions.hpp"
#include "systems/tribes/heist.hpp"
#include "systems/tribes/town.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

constexpr ErrorCode impossible{ErrorKind::internal, "impossible_event"};
constexpr IntRule any_number{.min = 0, .max = limits::amount_max};

Result<void> checked(ObjectReader& in) {
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return {};
}

Result<Seed> read_seed(ObjectReader& in) {
  auto const seed = parse_int<std::uint64_t>(in.required_text("seed", {.chars_min = 1, .chars_max = 20}));
  if (!seed) return refuse(impossible, "the seed is not a number");
  return Seed{*seed};
}

Result<RulesPtr> read_rules(json::value const& value) {
  TRY(auto rules, parse_rules(json::serialize(value)));
  return std::make_shared<Rules const>(std::move(rules));
}

}  // namespace

Result<void> Replay::apply(TribesEvent const& event) {
  TRY(auto const data, parse_json(event.data));
  if (event.type == "created") return create(data);
  if (!created()) return refuse(impossible, "the world does not exist yet");
  if (event.type == "changed" || event.type == "won") return change(event, data);
  if (event.type == "deleted") {
    info_.deleted = true;
    return {};
  }
  if (event.type == "joined") return join(event, data);
  if (event.type == "action") return act(event, data);
  if (event.type == "heist") return rob(event, data);
  if (event.type == "ruined") return ruin(event);
  return refuse(impossible, fmt::format("unknown type {}", event.type));
}

Result<void> Replay::create(json::value const& data) {
  ObjectReader in(data);
  auto const speed = in.required_int("speed", {.min = 1, .max = speed_max});
  TimeMs const started_at{in.required_int("started_at", any_number)};
  auto const* const rules = in.required_value("rules");
  TRY_DO(checked(in));
  TRY(auto const read, read_rules(*rules));
  *this = Replay();
  info_ = {.clock = {.base_real = started_at, .base_game = {}, .speed = speed},
           .started_at = started_at,
           .eras = {{.from = {}, .rules = read}}};
  return {};
}

Result<void> Replay::change(TribesEvent const& event, json::value const& data) {
  ObjectReader in(data);
  bool const won = event.type == "won";
  auto const won_at = won ? std::optional(in.required_int("won_at", any_number)) : std::nullopt;
  TimeMs const now{won ? in.optional_int("real_ms", any_number).value_or(*won_at)
                       : in.required_int("real_ms", any_number)};
  auto const speed = in.optional_int("speed", {.min = 1, .max = speed_max});
  auto const state = in.optional_choice("state", world_state_names);
  auto const* const rules = in.optional_value("rules");
  if (!won) TRY_DO(checked(in));
  auto info = info_;
  if (rules) {
    TRY(auto const read, read_rules(*rules));
    info.eras.push_back({.from = event.at, .rules = read});
  }
  if (state) info.state = WorldState(*state);
  if (won) {
    info.state = WorldState::won;
    info.winner = UserId::from(event.user_id);
    info.won_at = TimeMs{*won_at};
  }
  info.clock = {.base_real = now, .base_game = event.at, .speed = speed.value_or(info.clock.speed)};
  info_ = std::move(info);
  return {};
}

Result<Town> Replay::take(std::string_view user, GameMs at) const {
  auto const id = UserId::from(user);
  auto const found = id ? towns_.find(*id) : towns_.end();
  if (found == towns_.end()) return refuse(impossible, fmt::format("{} has no town", user));
  auto town = found->second;
  if (town.at > at) return refuse(impossible, fmt::format("the town of {} is past that moment", user));
  if (auto const next = next_encounter(town); next && next->at < at)
    return refuse(impossible, fmt::format("a heist of the town of {} comes first", user));
  advance(town, info_, at);
  return town;
}

void Replay::put(Town town, GameMs before) {
  auto const user = town.user;
  auto const earlier = towns_.find(user);
  if (!goals_.contains(user)) {
    // Between the last event of the town and this one, or by this one.
    std::optional<GameMs> reached;
    if (earlier != towns_.end()) {
      auto copy = earlier->second;
      reached = advance(copy, info_, before);
    }
    if (!reached && town.coins() >= info_.rules_at(town.at).goal_coins) reached = town.at;
    if (reached) goals_.emplace(user, *reached);
  }
  towns_.insert_or_assign(user, std::move(town));
}

Result<void> Replay::join(TribesEvent const& event, json::value const& data) {
  ObjectReader in(data);
  constexpr IntRule coordinate{.min = 0, .max = 1'000'000};
  Field const field{.x = int(in.required_int("x", coordinate)), .y = int(in.required_int("y", coordinate))};
  auto name = in.required_text("username", {.chars_max = 64});
  TRY_DO(checked(in));
  auto const user = UserId::from(event.user_id);
  if (!user || towns_.contains(*user)) return refuse(impossible, "the user has a town");
  put(found_town(*user, field, info_.rules_at(event.at), event.at), event.at);
  names_[*user] = std::move(name);
  return {};
}

Result<void> Replay::act(TribesEvent const& event, json::value const& data) {
  if (!data.is_object()) return refuse(impossible, "this is not an action");
  auto fields = data.as_object();
  std::string target_id;
  Seed seed;
  if (fields.contains("target") && fields.contains("seed")) {
    json::value const extra = json::object{{"target", fields.at("target")}, {"seed", fields.at("seed")}};
    ObjectReader in(extra);
    target_id = in.required_text("target", {.chars_min = 1, .chars_max = limits::uid_chars_max});
    TRY(seed, read_seed(in));
    fields.erase("target");
    fields.erase("seed");
  }
  TRY(auto const action, parse_action(fields));
  TRY(auto town, take(event.user_id, event.at));
  auto const& rules = info_.rules_at(event.at);
  if (auto const* const steal = std::get_if<Steal>(&action)) {
    TRY(auto target, take(target_id, event.at));
    TRY_DO(send_heist(town, target, rules, steal->thieves, seed));
    put(std::move(target), event.at);
  } else {
    TRY_DO(tribes::act(town, rules, action));
  }
  put(std::move(town), event.at);
  return {};
}

Result<void> Replay::rob(TribesEvent const& event, json::value const& data) {
  ObjectReader in(data);
  auto const target_id = in.required_text("target", {.chars_min = 1, .chars_max = limits::uid_chars_max});
  auto const thieves = in.required_int("thieves", any_number);
  auto const caught = in.required_int("caught", any_number);
  auto const guards = in.required_int("guards", any_number);
  auto const loot = in.required_int("loot", any_number);
  TRY([[maybe_unused]] auto const seed, read_seed(in));
  TRY_DO(checked(in));
  TRY(auto attacker, take(event.user_id, event.at));
  TRY(auto target, take(target_id, event.at));
  auto const& rules = info_.rules_until(event.at);
  TRY(auto const result, resolve_heist(attacker, target, rules,
                                       {.at = event.at, .attacker = attacker.user, .target = target.user}));
  if (result.thieves != thieves || result.caught != caught || result.guards != guards ||
      result.loot != loot) {
    return refuse(
        impossible,
        fmt::format("{} of {} thieves were caught by {} guards and took {}, but the event says {} of "
                    "{}, {} and {}",
                    result.caught, result.thieves, result.guards, result.loot, caught, thieves, guards,
                    loot));
  }
  put(std::move(attacker), event.at);
  put(std::move(target), event.at);
  return {};
}

Result<void> Replay::ruin(TribesEvent const& event) {
  TRY(auto town, take(event.user_id, event.at));
  make_ruin(town);
  names_[town.user].clear();
  put(std::move(town), event.at);
  return {};
}

std::optional<GameMs> Replay::goal_at(UserId const& user, GameMs at) const {
  auto const known = goals_.find(user);
  if (known != goals_.end()) return known->second;
  auto const found = towns_.find(user);
  if (found == towns_.end() || !take(user.str(), at)) return std::nullopt;
  auto town = found->second;
  return advance(town, info_, at);
}

std::optional<Town> Replay::town_at(UserId const& user, GameMs at) const {
  auto town = take(user.str(), at);
  if (!town) return std::nullopt;
  return std::move(*town);
}

}  // namespace larder::tribes
