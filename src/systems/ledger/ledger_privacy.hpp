// Exports and forgets a user of the ledger.
//
// Forgetting gives everything that the user has to the pseudonym: accounts with their lots and holds, orders
// and flows. So sums, verify and rebuild stay as they are. Remarks go. Where another user's flow or order
// names the user, it names the pseudonym instead.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"

namespace larder::ledger {

struct PrivacyStores {
  redis::Redis& redis;
  Journal& journal;
  Keys const& keys;
  Clock const& clock;
};

// Sections: accounts, flows; set_aside has events that are neither in Redis' accounts nor in the journal.
Task<void> export_user(PrivacyStores stores, UserId user, privacy::ExportTo to);

// May be repeated, also after it was cut off at any point. Throws StoreError if it has to wait for something:
// events that are not in SQL yet, or a transfer between two slots that is under way. Reads the whole journal.
Task<void> forget_user(PrivacyStores stores, privacy::Subject subject);

}  // namespace larder::ledger
