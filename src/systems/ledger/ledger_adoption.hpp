// Takes the balances of an existing installation into the ledger, so that verify and rebuild know them.
#pragma once

#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

#include <functional>
#include <string>

namespace larder::ledger {

struct AdoptReport {
  std::int64_t adopted = 0;
  std::int64_t points = 0;   // of all adopted balances
  std::int64_t known = 0;    // balances that have flows already
  std::int64_t refused = 0;  // keys that are no balances, and balances of types that do not exist
};

struct AdoptOptions {
  bool dry_run = false;  // only says what would be done
  // Gets one line for each key that is refused.
  std::function<void(std::string const& line)> refused = [](std::string const&) {};
  std::function<void(AdoptReport const& so_far)> progress = [](AdoptReport const&) {};
};

// Every balance in Redis that no flow has made gets a first flow, `opening`, through the outbox. The next
// server journals these flows. Closes the Redis meanwhile. Throws SetupError if a server uses it: the server
// could change a balance. If the adoption fails or is cut off after it may have taken a balance in, the Redis
// stays closed; call it again: it takes in what is left.
Task<AdoptReport> adopt(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                        AdoptOptions options);

}  // namespace larder::ledger
