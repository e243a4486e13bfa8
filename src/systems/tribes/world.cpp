#include "systems/tribes/world.hpp"

#include "base/hash.hpp"
#include "systems/tribes/town.hpp"

#include <fmt/format.h>

namespace larder::tribes {

WorldKeys::WorldKeys(WorldId const& world) {
  bool const bare = world.str() == default_world;
  prefix_ = bare ? "" : fmt::format("{{tribes:{}}}:", world.str());
  own_ = bare ? "tribes:" : prefix_;
}

std::string WorldKeys::of(UserId const& user, std::string_view what) const {
  return fmt::format("{}user:{}:{}", prefix_, user.str(), what);
}

std::string WorldKeys::zone(int x, int y) const { return fmt::format("{}zone:{},{}", own_, x, y); }

std::string WorldKeys::refusals(UserId const& user) const { return own_ + "refusals:" + user.str(); }

std::string WorldKeys::idempotency_key(IdempotencyKey const& key, TimeMs started_at) const {
  return own_ + "once:" + key_hash(fmt::format("{}:{}", started_at.value, key.key));
}

Rules const& WorldInfo::rules_at(GameMs at) const {
  auto const later = std::ranges::upper_bound(eras, at, {}, &Era::from);
  return *std::prev(later)->rules;
}

Rules const& WorldInfo::rules_until(GameMs at) const {
  auto const later = std::ranges::lower_bound(eras, at, {}, &Era::from);
  return later == eras.begin() ? *later->rules : *std::prev(later)->rules;
}

std::optional<GameMs> advance(Town& town, WorldInfo const& world, GameMs to) {
  std::optional<GameMs> reached;
  // New rules may have a lower goal. A town that already has that many coins reaches the goal when the rules
  // begin.
  auto const notice_lower_goal = [&] {
    bool const lowered = town.coins() >= world.rules_at(town.at).goal_coins &&
                         town.coins() < world.rules_until(town.at).goal_coins;
    if (lowered && !reached) reached = town.at;
  };
  notice_lower_goal();
  for (std::size_t i = 0; i < world.eras.size(); ++i) {
    bool const last = i + 1 == world.eras.size();
    auto const end = last ? to : std::min(to, world.eras[i + 1].from);
    if (town.at > end || (town.at == end && !last)) continue;
    auto const& rules = *world.eras[i].rules;
    auto before = town;
    advance(town, rules, end);
    // Only production and thieves that return change the coins here, so the coins never decrease.
    bool const crossed = before.coins() < rules.goal_coins && town.coins() >= rules.goal_coins;
    if (crossed && !reached) reached = goal_reached_at(std::move(before), rules, end);
    notice_lower_goal();
    if (end == to) break;
  }
  return reached;
}

void World::put(WorldInfoPtr info, WorldInfoPtr const& known) {
  std::lock_guard const lock(mutex_);
  auto const present = info_.load();
  bool const went_back = known && info->revision < known->revision;
  if (!present || went_back || present->revision <= info->revision) info_.store(std::move(info));
}

WorldPtr WorldBook::find(WorldId const& id) const {
  std::lock_guard const lock(mutex_);
  auto const found = worlds_.find(id.str());
  return found == worlds_.end() ? nullptr : found->second;
}

std::pair<WorldPtr, bool> WorldBook::add(WorldId const& id, WorldInfoPtr info) {
  std::lock_guard const lock(mutex_);
  auto const [place, added] = worlds_.try_emplace(id.str());
  if (added) place->second = std::make_shared<World>(id);
  place->second->put(std::move(info));
  return {place->second, added};
}

std::vector<WorldPtr> WorldBook::all() const {
  std::lock_guard const lock(mutex_);
  std::vector<WorldPtr> all;
  for (auto const& [id, world] : worlds_) all.push_back(world);
  return all;
}

}  // namespace larder::tribes
