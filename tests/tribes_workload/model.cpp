#include "tribes_workload/model.hpp"

#include "base/number.hpp"
#include "systems/tribes/actions.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::tribes {

namespace {

UserId user_of(std::string_view text) { return UserId::from(text).value(); }

std::string text_of(json::object const& data, std::string_view name) {
  return std::string(data.at(name).as_string());
}

RulesPtr rules_of(json::value const& value) {
  return std::make_shared<Rules const>(parse_rules(json::serialize(value)).value());
}

std::string difference(json::value const& one, json::value const& other, std::string const& path) {
  if (one == other) return {};
  if (one.is_object() && other.is_object()) {
    for (auto const& [name, value] : one.as_object()) {
      auto const* const there = other.as_object().if_contains(name);
      auto const found = difference(value, there ? *there : json::value(), path + "." + std::string(name));
      if (!found.empty()) return found;
    }
  }
  if (one.is_array() && other.is_array() && one.as_array().size() == other.as_array().size()) {
    for (std::size_t i = 0; i < one.as_array().size(); ++i) {
      auto const found = difference(one.at(i), other.at(i), fmt::format("{}[{}]", path, i));
      if (!found.empty()) return found;
    }
  }
  return fmt::format("{}: {} and {}", path, json::serialize(one), json::serialize(other));
}

}  // namespace

std::string first_difference(Town const& one, Town const& other) {
  if (one == other) return {};
  return difference(json::parse(to_document(one, 0)), json::parse(to_document(other, 0)), "");
}

Model::Model(std::vector<TribesEvent> events, Watcher watcher) : watcher_(std::move(watcher)) {
  // Two things that happen at the same moment to the same town have the order of their events.
  std::ranges::sort(events, {},
                    [](TribesEvent const& event) { return std::tuple(event.at, event.ms, event.sequence); });
  for (auto const& event : events) {
    if (event.type == "heist") continue;
    meet_until(event.at);
    at_ = event.at;
    play(event);
  }
}

void Model::finish(TimeMs now) {
  auto const end = running_ ? clock_.game_at(now) : clock_.base_game;
  if (end < at_) problems_.push_back(fmt::format("the last event is after {}", end.value));
  at_ = std::max(at_, end);
  meet_until(at_);
  for (auto& [user, town] : towns_) pass(town, at_);
}

std::optional<UserId> Model::winner() const {
  auto const first = std::ranges::min_element(
      goals_, {}, [](auto const& goal) { return std::tuple(goal.second, goal.first); });
  return first == goals_.end() ? std::nullopt : std::optional(first->first);
}

void Model::play(TribesEvent const& event) {
  auto const data = json::parse(event.data).as_object();
  if (event.type == "created") {
    TimeMs const started_at{data.at("started_at").as_int64()};
    clock_ = {.base_real = started_at, .base_game = {}, .speed = data.at("speed").as_int64()};
    eras_.push_back({.from = {}, .rules = rules_of(data.at("rules"))});
  } else if (event.type == "changed") {
    change(event, data);
  } else if (event.type == "won") {
    running_ = false;
    clock_ = {.base_real = {data.at("real_ms").as_int64()}, .base_game = event.at, .speed = clock_.speed};
    crowned_ = user_of(event.user_id);
  } else if (event.type == "joined") {
    Field const field{.x = int(data.at("x").as_int64()), .y = int(data.at("y").as_int64())};
    auto town = found_town(user_of(event.user_id), field, rules(), event.at);
    auto const [place, added] = towns_.emplace(user_of(event.user_id), std::move(town));
    if (!added) problems_.push_back(fmt::format("{} joins twice: {}", event.user_id, event.id()));
    if (watcher_) watcher_(event, place->second, clock_);
  } else if (event.type == "action") {
    act(event, data);
  } else if (event.type == "ruined") {
    make_ruin(town_at(user_of(event.user_id), event.at));
  } else {
    problems_.push_back(fmt::format("an event of type {}: {}", event.type, event.id()));
  }
}

void Model::change(TribesEvent const& event, json::object const& data) {
  if (auto const* const changed = data.if_contains("rules")) {
    for (auto& [user, town] : towns_) pass(town, event.at);
    eras_.push_back({.from = event.at, .rules = rules_of(*changed)});
  }
  if (auto const* const state = data.if_contains("state")) running_ = *state == "running";
  auto const* const speed = data.if_contains("speed");
  clock_ = {.base_real = {data.at("real_ms").as_int64()},
            .base_game = event.at,
            .speed = speed ? speed->as_int64() : clock_.speed};
}

void Model::act(TribesEvent const& event, json::object data) {
  auto& town = town_at(user_of(event.user_id), event.at);
  if (town.ruin) problems_.push_back(fmt::format("a ruin acts: {} {}", event.id(), event.data));
  auto const coins = town.coins();
  Result<void> done;
  if (auto const* const target_id = data.if_contains("target")) {
    auto const target = user_of(target_id->as_string());
    Seed const seed{parse_int<std::uint64_t>(text_of(data, "seed")).value()};
    done = send_heist(town, town_at(target, event.at), rules(), data.at("thieves").as_int64(), seed);
    if (done) coming_.insert({town.travels.back().arrival_at, town.user, ++sent_, target});
  } else {
    done = tribes::act(town, rules(), parse_action(data).value());
  }
  auto const goal = rules().goal_coins;
  if (coins < goal && town.coins() >= goal) goals_.emplace(town.user, event.at);
  if (!done) {
    problems_.push_back(fmt::format("{} of {} at {} is refused: {}", event.data, event.user_id,
                                    event.at.value, done.error().detail));
  } else if (watcher_) {
    watcher_(event, town, clock_);
  }
}

void Model::meet_until(GameMs at) {
  while (!coming_.empty() && coming_.begin()->at <= at) {
    auto const next = coming_.extract(coming_.begin()).value();
    auto& attacker = town_at(next.attacker, next.at);
    auto& target = town_at(next.target, next.at);
    auto const met = resolve_heist(attacker, target, rules(),
                                   {.at = next.at, .attacker = next.attacker, .target = next.target});
    if (met) {
      heists_.push_back(*met);
    } else {
      problems_.push_back(met.error().detail);
    }
  }
}

Town& Model::town_at(UserId const& user, GameMs at) {
  auto const found = towns_.find(user);
  if (found == towns_.end()) throw std::runtime_error(fmt::format("{} has no town in the model", user.str()));
  pass(found->second, at);
  return found->second;
}

void Model::pass(Town& town, GameMs at) {
  auto const before = town;
  advance(town, rules(), at);
  if (town.ruin || before.coins() >= rules().goal_coins || town.coins() < rules().goal_coins) return;
  goals_.emplace(town.user, goal_reached_at(before, rules(), at).value());
}

std::optional<Town> Model::to_now(Town stored) const {
  auto const encounter = next_encounter(stored);
  if (encounter && encounter->at <= at_) return std::nullopt;
  for (std::size_t i = 0; i + 1 < eras_.size(); ++i) {
    auto const end = eras_[i + 1].from;
    if (end > stored.at) advance(stored, *eras_[i].rules, end);
  }
  if (at_ > stored.at) advance(stored, rules(), at_);
  return stored;
}

}  // namespace larder::tribes
