#include "systems/ledger/ledger_metrics.hpp"

namespace larder::ledger {

void LedgerMetrics::decided(Outcome const& outcome) {
  auto const key =
      std::uint64_t(outcome.type) << 16U | std::uint64_t(outcome.op) << 8U | std::uint64_t(outcome.status);
  auto& counter = entries_[key];
  if (counter == nullptr) {
    counter = &metrics_.counter("larder_ledger_entries_total", "Orders that were decided",
                                {{"type", std::to_string(outcome.type)},
                                 {"op", std::string(name_of(outcome.op))},
                                 {"status", std::string(name_of(outcome.status))}});
  }
  counter->Increment();
}

void LedgerMetrics::took(Op op, double seconds) {
  auto& histogram = seconds_[std::size_t(op)];
  if (histogram == nullptr) {
    histogram = &metrics_.seconds("larder_ledger_seconds", "Time from a request to the decision of its order",
                                  {{"op", std::string(name_of(op))}});
  }
  histogram->Observe(seconds);
}

}  // namespace larder::ledger
