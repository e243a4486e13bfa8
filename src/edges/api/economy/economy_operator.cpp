#include "edges/api/economy/economy_operator.hpp"

#include "edges/http/uri.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// The realms that this server has opened, and that are not being deleted.
std::vector<std::string> realms_after(economy::Shared const& shared, std::string const& after,
                                      std::size_t limit) {
  std::vector<std::string> realms;
  for (auto const& realm : shared.realms.all()) {
    if (realm->id.str() > after && realm->catalogue()) realms.push_back(realm->id.str());
  }
  std::ranges::sort(realms);
  if (realms.size() > limit) realms.resize(limit);
  return realms;
}

Task<std::vector<SearchHit>> find_in_economy(economy::EconomyJournal& journal, std::string text) {
  std::vector<SearchHit> hits;
  for (auto const& player : co_await journal.find_players(std::move(text), limits::search_hits_max)) {
    hits.push_back({.kind = "player",
                    .id = player.id,
                    .name = player.name,
                    .realm = player.realm,
                    .path = fmt::format("/v1/economy/{}/players/{}", percent_encode(player.realm),
                                        percent_encode(player.id))});
  }
  co_return hits;
}

}  // namespace

std::vector<DueSets> economy_due_sets(redis::Redis& redis, economy::Shared const& shared) {
  std::vector<DueSets> sets;
  sets.push_back({.schedule = "economy_bombs",
                  .members = "a player whose planted bomb becomes pending",
                  .redis = redis,
                  .places = [&shared](std::string const& after,
                                      std::size_t limit) { return realms_after(shared, after, limit); },
                  .key = [&shared](std::string_view place) -> std::optional<std::string> {
                    auto const id = economy::RealmId::from(place);
                    auto const realm = id ? shared.realms.find(*id) : nullptr;
                    if (!realm || !realm->catalogue()) return std::nullopt;
                    return realm->keys.bombs_schedule();
                  }});
  return sets;
}

SearchOf economy_search(economy::Shared& shared) {
  return {.system = "economy", .find = [&journal = shared.journal](std::string text) {
            return find_in_economy(journal, std::move(text));
          }};
}

}  // namespace larder::api
