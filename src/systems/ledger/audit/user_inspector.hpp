// Reads what Redis has of a user, and compares it with what Redis should have.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/script_call.hpp"
#include "systems/ledger/audit/user_fold.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace larder::ledger {

// Accounts and orders of one user that are inspected together.
struct Inspection {
  UserId uid;
  std::vector<UserFold::AccountName> accounts = {};
  std::vector<std::string> orders = {};  // keys

  bool empty() const { return accounts.empty() && orders.empty(); }
};

struct InspectedAccount {
  std::string balance;  // empty: no key
  std::map<std::string, std::string> more;
  std::map<std::string, std::string> expiring;
  std::map<std::string, std::string> due;
  bool scheduled = false;
  std::array<std::int64_t, 4> vanish_at = {};  // balance, more, expiring, due; -1: never, -2: no key
};

struct InspectedUser {
  FlowId last_flow;  // every flow up to the moment of the inspection has an id up to this one
  std::vector<InspectedAccount> accounts;
  std::vector<std::string> orders;  // records; empty: no record
};

namespace scripts {
redis::ScriptCall inspect_user(Keys const& keys, Inspection const& what);
}

// Reads all of it in one atomic step.
Task<InspectedUser> inspect(redis::Redis& redis, Keys const& keys, Inspection const& what);

struct Differences {
  std::vector<std::string> lines;  // one or more for each account and order in `where`
  Inspection where;
};
Differences differences(FoldRules const& rules, Inspection const& what, InspectedUser const& found,
                        UserFold const& fold);

// The members and scores of the two sorted sets of an account.
std::map<std::string, std::string> expiring_of(AccountState const& state);
std::map<std::string, std::string> due_of(AccountState const& state);

}  // namespace larder::ledger
