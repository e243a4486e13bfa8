// Compares Redis with the journal, and the journal with itself.
#pragma once

#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

#include <functional>
#include <string>

namespace larder::ledger {

struct VerifyReport {
  std::int64_t flows = 0;
  std::int64_t accounts = 0;  // that were compared; accounts of types that are over are skipped
  std::int64_t orders = 0;
  std::int64_t keys = 0;  // keys of Redis that were looked up in the journal
  std::int64_t differences = 0;
};

struct VerifyOptions {
  std::function<void(std::string const& line)> difference;  // gets one line that names what differs
  std::function<void(VerifyReport const& so_far)> progress = [](VerifyReport const&) {};
  std::chrono::milliseconds journal_patience{2000};  // for events that are about to be journaled
};

// Changes nothing, and holds a few users in memory at a time. Servers may be running: when something seems
// to differ, verify looks again. It reads the user in one atomic step of Redis and compares that with all
// flows up to the same moment, including flows that are still in the outbox. Throws what the stores throw.
//
// Verify checks that Redis and the journal have reached the same events, so that neither is an older copy. It
// checks that each flow begins with the balance that the flow before it left, and that only one flow decides
// an order. For every account it checks the balance, lots, holds, transfers under way and everything that is
// due. For every order that must still be remembered it checks the record. And every balance and every order
// in Redis must have a flow.
Task<VerifyReport> verify(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                          VerifyOptions options);

}  // namespace larder::ledger
