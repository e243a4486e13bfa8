// What Redis has of a user, and how that differs from what it should have.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/script_call.hpp"
#include "systems/ledger/audit/user_fold.hpp"

#include <map>
#include <string>
#include <vector>

namespace larder::ledger {

// Accounts and orders of a user that are looked at together.
struct Inspection {
  UserId uid;
  std::vector<UserFold::AccountName> accounts = {};
  std::vector<std::string> orders = {};  // keys

  bool empty() const { return accounts.empty() && orders.empty(); }
};

struct InspectedAccount {
  std::string balance;  // empty: none
  std::map<std::string, std::string> more;
  std::map<std::string, std::string> expiring;
  std::map<std::string, std::string> due;
  bool scheduled = false;
};

struct InspectedUser {
  FlowId last_flow;  // all flows up to this moment have ids up to this one
  std::vector<InspectedAccount> accounts;
  std::vector<std::string> orders;  // records; empty: none
};

namespace scripts {
redis::ScriptCall inspect_user(Keys const& keys, Inspection const& what);
}

// In one moment.
Task<InspectedUser> inspect(redis::Redis& redis, Keys const& keys, Inspection const& what);

struct Differences {
  std::vector<std::string> lines;  // one or more for each of
  Inspection where;
};
Differences differences(Keys const& keys, Inspection const& what, InspectedUser const& found,
                        UserFold const& fold);

// The sorted sets beside the fields of an account: members and scores.
std::map<std::string, std::string> expiring_of(AccountState const& state);
std::map<std::string, std::string> due_of(AccountState const& state);

}  // namespace larder::ledger
