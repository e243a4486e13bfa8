// The flows of users who are forgotten, in SQL.
#pragma once

#include "systems/ledger/ledger_journal.hpp"

#include <map>
#include <set>

namespace larder::ledger {

// The accounts for which the user has flows.
Task<std::vector<Account>> accounts_with_flows(Journal& journal, UserId user);

// The flows `forgotten` of a pseudonym: when it got which account. Earlier flows of that account are moved to
// the pseudonym; later ones belong to a fresh user.
struct ForgottenAccount {
  FlowId id;
  TimeMs at;
};
using ForgottenAccounts = std::map<std::pair<TypeId, Domain>, ForgottenAccount>;
Task<ForgottenAccounts> forgotten_accounts(Journal& journal, UserId pseudonym);

// Moves the user's flows of the account before that flow to the pseudonym, and drops their remarks.
Task<void> move_flows(Journal& journal, UserId user, UserId pseudonym, std::pair<TypeId, Domain> account,
                      ForgottenAccount until);

// The order ids of all flows of the user.
Task<std::set<std::string>> orders_with_flows(Journal& journal, UserId user);

// Replaces what is told of one flow.
struct RewrittenFlow {
  std::string order_id;
  std::string detail;
  std::string remark;
};
Task<void> rewrite_flow(Journal& journal, UserFlow flow, RewrittenFlow rewritten);

}  // namespace larder::ledger
