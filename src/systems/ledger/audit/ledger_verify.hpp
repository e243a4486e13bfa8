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
  std::int64_t accounts = 0;  // that were compared; those of types that are over have vanished
  std::int64_t orders = 0;
  std::int64_t keys = 0;  // of Redis that were looked up in the journal
  std::int64_t differences = 0;
};

struct VerifyOptions {
  std::function<void(std::string const& line)> difference;  // one line, with the name of what differs
  std::function<void(VerifyReport const& so_far)> progress = [](VerifyReport const&) {};
  std::chrono::milliseconds journal_patience{2000};  // with events that are about to be journaled
};

// Looks, changes nothing, and holds a few users in memory at a time. Servers may work meanwhile: what differs
// at first sight is looked at again exactly, in one moment of Redis against all flows up to that moment,
// those that are still in the outbox too. Throws what the stores throw.
//
// Each flow must begin with the balance that the one before left, and an order must be decided by one flow
// only. Then for every account its balance, lots, holds, transfers under way, and what is to happen to it by
// itself; for every order that must still be remembered its record. And every balance and order of Redis must
// have its flow.
Task<VerifyReport> verify(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                          VerifyOptions options);

}  // namespace larder::ledger
