// The calls of the ledger's scripts. The head of each script says what the script does and returns. The call
// of audit/inspect_user.lua is in audit/user_inspector.hpp.
#pragma once

#include "stores/redis/redis.hpp"
#include "stores/redis/script_call.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_types.hpp"
#include "systems/ledger/order_record.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace larder::ledger {

struct Posting {
  Entry const& entry;
  ScoreType const& type;
  bool may_decide = true;  // false: only answers if the order is already decided
};

// Points that move between two accounts of one slot.
struct Move {
  std::string_view kind;  // transfer or exchange
  Account from;
  Account to;
  ScoreType const& from_type;
  ScoreType const& to_type;
  Amount amount;
  std::int64_t credited = 0;  // may exceed the largest balance
  std::string detail;
  OrderId order_id;
  std::string remark;
  bool may_decide = true;
};

namespace scripts {

// Runs one of these calls. Throws ForeignRecord if the script has met a value that it cannot read.
Task<redis::Reply> run(redis::Redis& redis, redis::Use use, redis::ScriptCall call);

redis::ScriptCall post_entry(Keys const& keys, std::span<Posting const> postings, TimeMs now);
enum class Posted { alone, as_batch };
redis::ScriptCall post_entries(Keys const& keys, std::span<Posting const> postings, Posted posted,
                               TimeMs now);

redis::ScriptCall hold(Keys const& keys, Hold const& hold, ScoreType const& type, bool may_decide,
                       TimeMs now);
// Without `captured`, captures all held points. With 0, releases the hold.
redis::ScriptCall close_hold(Keys const& keys, Account const& account, ScoreType const& type,
                             OrderId const& order_id, std::optional<Amount> captured, TimeMs now);

redis::ScriptCall transfer(Keys const& keys, Move const& move, TimeMs now);
redis::ScriptCall send_transfer(Keys const& keys, Transfer const& transfer, ScoreType const& type,
                                bool may_decide, TimeMs relay_at, TimeMs now);
// Who decides whether the points of a transfer arrive. A person has made sure that they have not arrived yet.
// Without a person, nothing is decided if an earlier arrival may have been forgotten.
enum class Decides { server, person, person_who_withdraws };
redis::ScriptCall receive_transfer(Keys const& keys, Account const& from, OrderId const& order_id,
                                   Intent const& intent, ScoreType const& type, Decides decides, TimeMs now);
redis::ScriptCall close_transfer(Keys const& keys, Account const& from, ScoreType const& type,
                                 OrderId const& order_id, Outcome const& arrival, OrderId const& return_order,
                                 TimeMs now);

redis::ScriptCall adopt_account(Keys const& keys, Account const& account, ScoreType const& type,
                                OrderId const& order_id, TimeMs now);
// For a user who is forgotten.
redis::ScriptCall forget_account(Keys const& keys, Account const& account, UserId const& pseudonym,
                                 TimeMs now);
redis::ScriptCall rename_order(Keys const& keys, Account const& account, OrderId const& before,
                               OrderId const& after);
redis::ScriptCall settle_account(Keys const& keys, Account const& account, ScoreType const& type, TimeMs now);
redis::ScriptCall read_account(Keys const& keys, Account const& account);
redis::ScriptCall read_order(Keys const& keys, UserId const& uid, OrderId const& order_id);

// These three bring a new end of the type to the keys.
redis::ScriptCall raise_revision(Keys::OfShard const& shard, ScoreType const& type);
redis::ScriptCall renew_account(Keys const& keys, Account const& account, ScoreType const& type);
// `field` is the field of the hold or the transfer in `...:score_more`: "h:<order>" or "t:<order>". Its order
// is remembered until the keys of the account vanish, and after that for order_ttl_days.
redis::ScriptCall renew_order(Keys const& keys, Account const& account, ScoreType const& type,
                              std::string_view field);

}  // namespace scripts

}  // namespace larder::ledger
