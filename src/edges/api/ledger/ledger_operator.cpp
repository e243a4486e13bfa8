#include "edges/api/ledger/ledger_operator.hpp"

#include "base/number.hpp"
#include "edges/http/uri.hpp"
#include "systems/ledger/ledger_journal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::api {

namespace {

// Each shard has a due set; its place is the number of the shard.
DueSets sets_of_shards(redis::Redis& redis, ledger::Shared const& shared, std::string_view schedule,
                       std::string_view members, std::string ledger::Keys::OfShard::* key) {
  auto const& shards = shared.keys.shards();
  return {.schedule = schedule,
          .members = members,
          .redis = redis,
          .places =
              [&shards](std::string const& after, std::size_t limit) {
                std::vector<std::string> places;
                for (std::size_t i = 0; i < shards.size(); ++i) places.push_back(fmt::to_string(i));
                std::erase_if(places, [&](std::string const& place) { return place <= after; });
                std::ranges::sort(places);
                if (places.size() > limit) places.resize(limit);
                return places;
              },
          .key = [&shards, key](std::string_view place) -> std::optional<std::string> {
            auto const shard = parse_int<std::size_t>(place);
            if (!shard || *shard >= shards.size() || fmt::to_string(*shard) != place) return std::nullopt;
            return shards[*shard].*key;
          }};
}

Task<std::vector<SearchHit>> find_in_ledger(ledger::Journal& journal, std::string text) {
  std::vector<SearchHit> hits;
  if (auto const user = UserId::from(text); user && co_await journal.has_flows(*user)) {
    hits.push_back({.kind = "user",
                    .id = text,
                    .path = fmt::format("/v1/ledger/users/{}/accounts", percent_encode(text))});
  }
  auto const order = OrderId::from(text);
  if (!order) co_return hits;
  for (auto const& user : co_await journal.users_of_order(*order, limits::search_hits_max)) {
    hits.push_back(
        {.kind = "order",
         .id = text,
         .path = fmt::format("/v1/ledger/orders/{}/{}", percent_encode(user.str()), percent_encode(text))});
  }
  co_return hits;
}

}  // namespace

std::vector<DueSets> ledger_due_sets(redis::Redis& redis, ledger::Shared const& shared) {
  std::vector<DueSets> sets;
  sets.push_back(sets_of_shards(redis, shared, "ledger_accounts",
                                "an account that changes by itself: a lot begins or expires, a hold ends",
                                &ledger::Keys::OfShard::schedule));
  auto transfers = sets_of_shards(redis, shared, "ledger_transfers",
                                  "a transfer to another slot: its user, type, domain and order",
                                  &ledger::Keys::OfShard::relay);
  transfers.must_stay =
      "its points would be lost: requeue it, or end it with `larder ledger transfers complete` or `return`";
  sets.push_back(std::move(transfers));
  sets.push_back(
      {.schedule = "ledger_types",
       .members = "a type that has a new end or is over",
       .redis = redis,
       .key = [](std::string_view) { return std::optional(std::string(ledger::Keys::types_due)); }});
  return sets;
}

SearchOf ledger_search(ledger::Shared& shared) {
  return {.system = "ledger", .find = [&journal = shared.journal](std::string text) {
            return find_in_ledger(journal, std::move(text));
          }};
}

}  // namespace larder::api
