// The metrics of the ledger.
#pragma once

#include "base/metrics.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <unordered_map>

namespace larder::ledger {

// Thread-compatible: one per Ledger. The underlying metrics are shared.
class LedgerMetrics {
 public:
  explicit LedgerMetrics(Metrics& metrics) : metrics_(metrics) {}

  // Counts an order that was decided just now, not a replay.
  void decided(Outcome const& outcome);
  // Time from the request to its decision. Also counts replays.
  void took(Op op, double seconds);

 private:
  Metrics& metrics_;
  std::unordered_map<std::uint64_t, prometheus::Counter*> entries_;  // by type, op and status
  prometheus::Histogram* seconds_[std::size(op_names)] = {};
};

}  // namespace larder::ledger
