#include "edges/api/tribes/tribes_operator.hpp"

#include "edges/http/uri.hpp"
#include "kit/accounts/account_keys.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

std::vector<std::string> worlds_after(tribes::Shared const& shared, std::string const& after,
                                      std::size_t limit) {
  std::vector<std::string> worlds;
  for (auto const& world : shared.worlds.all()) {
    if (world->id.str() > after && !world->info()->deleted) worlds.push_back(world->id.str());
  }
  std::ranges::sort(worlds);
  if (worlds.size() > limit) worlds.resize(limit);
  return worlds;
}

DueSets sets_of_worlds(redis::Redis& redis, tribes::Shared const& shared, std::string_view schedule,
                       std::string_view members, std::string (tribes::WorldKeys::*key)() const) {
  return {.schedule = schedule,
          .members = members,
          .redis = redis,
          .places = [&shared](std::string const& after,
                              std::size_t limit) { return worlds_after(shared, after, limit); },
          .key = [&shared, key](std::string_view place) -> std::optional<std::string> {
            auto const id = tribes::WorldId::from(place);
            auto const world = id ? shared.worlds.find(*id) : nullptr;
            if (!world || world->info()->deleted) return std::nullopt;
            return (world->keys.*key)();
          }};
}

Task<std::vector<SearchHit>> find_in_tribes(TribesPart& part, std::string text) {
  std::vector<SearchHit> hits;
  auto const user = UserId::from(text);
  if (!user) co_return hits;
  auto worlds = worlds_after(part.shared, "", std::size_t(limits::search_places_max));
  for (auto const& found : co_await part.tribes.find_player(*user, std::move(worlds))) {
    if (std::int64_t(hits.size()) == limits::search_hits_max) break;
    hits.push_back({.kind = "player",
                    .id = text,
                    .name = found.username.empty() ? std::nullopt : std::optional(found.username),
                    .world = found.world,
                    .path = fmt::format("/v1/tribes/worlds/{}/state?player={}", percent_encode(found.world),
                                        percent_encode(text))});
  }
  co_return hits;
}

}  // namespace

std::vector<DueSets> tribes_due_sets(redis::Redis& redis, TribesPart& part) {
  using tribes::WorldKeys;
  std::vector<DueSets> sets;
  sets.push_back(sets_of_worlds(redis, part.shared, "tribes_updates", "a player whose town changes by itself",
                                &WorldKeys::updates));
  sets.push_back(sets_of_worlds(redis, part.shared, "tribes_jobs", "a job of the world, such as its end",
                                &WorldKeys::jobs));
  sets.push_back({.schedule = "tribes_deletions",
                  .members = "a deleted account whose towns become ruins",
                  .redis = redis,
                  .key = [](std::string_view) { return std::optional(accounts::AccountKeys::deletions()); }});
  return sets;
}

SearchOf tribes_search(TribesPart& part) {
  return {.system = "tribes",
          .find = [&part](std::string text) { return find_in_tribes(part, std::move(text)); }};
}

}  // namespace larder::api
