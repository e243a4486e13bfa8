// Totals: how far the journal can be counted, and what it comes to.
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::ledger {

namespace {

constexpr int portions_max = 3;  // of one request
constexpr std::size_t asked_at_once = 256;

}  // namespace

// From now on, every event gets an id that is not older than this moment minus the margin. An event that
// still waits in an outbox may be older.
Task<TimeMs> Ledger::journaled_until() {
  auto until = shared_.clock.now() + -shared_.clock_margin_ms;
  auto const& shards = shared_.keys.shards();
  for (std::size_t first = 0; first < shards.size(); first += asked_at_once) {
    std::vector<Task<std::optional<TimeMs>>> asked;
    for (auto i = first; i < std::min(first + asked_at_once, shards.size()); ++i)
      asked.push_back(events::oldest_waiting(redis_, shards[i].outbox));
    for (auto const& oldest : co_await when_all(std::move(asked))) {
      if (oldest) until = std::min(until, *oldest + -1);
    }
  }
  co_return until;
}

Task<std::optional<CountMark>> Ledger::count_totals() {
  auto const until = co_await journaled_until();
  auto const mark = co_await shared_.journal.count_flows(until);
  if (!mark) co_return std::nullopt;
  co_return CountMark{.counted_ms = std::max(mark->counted_ms, until.value), .epoch = mark->epoch};
}

Task<std::vector<TypeTotals>> Ledger::totals() {
  std::optional<CountMark> counted;
  for (int portion = 0; portion < portions_max && !counted; ++portion) counted = co_await count_totals();
  auto const totals = co_await shared_.journal.totals();
  auto at = TimeMs{totals.mark.counted_ms};
  if (counted && counted->epoch == totals.mark.epoch) at = std::max(at, TimeMs{counted->counted_ms});

  auto const now = shared_.clock.now();
  std::vector<TypeTotals> all;
  for (auto& type : co_await types()) {
    auto const found = totals.by_type.find(type.id);
    // With the end of a type, all its points are gone.
    bool const over = type.ends_at && now >= *type.ends_at;
    auto const sums = over || found == totals.by_type.end() ? Sums{} : found->second;
    all.push_back({.type = std::move(type), .sums = sums, .at = at});
  }
  co_return all;
}

Task<HistoryPage> Ledger::history(HistoryQuery query) { return shared_.journal.history(std::move(query)); }

}  // namespace larder::ledger
