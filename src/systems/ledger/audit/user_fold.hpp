// All that Redis should have of a user, by the user's flows. Pure but for the reading: verify compares it,
// rebuild writes it.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_state.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace larder::ledger {

// Clocks differ and reading takes its time: what ends within this time may be there or not.
inline constexpr std::int64_t end_margin_ms = 10 * 60 * 1000;

struct FoldRules {
  Keys const& keys;
  std::map<TypeId, ScoreType> types;

  ScoreType const* type(TypeId id) const;
};

struct FoldedAccount {
  AccountState state = {};
  std::int64_t flows = 0;
  bool has_balance = false;  // a flow has changed it: only then there is a key, which may say 0
  bool has_held = false;     // there was a hold once
  std::string closing = {};  // key of the order whose hold the last flow ended
};

// How an order was decided, and is remembered by now.
struct FoldedOrder {
  OrderId order_id;
  Outcome outcome;
  FlowId decided_by;
  std::optional<TimeMs> forgotten_at;  // none: never
};

// Flows must come in order. What a type says of the time orders are remembered is what it says today.
class UserFold {
 public:
  // Remembers the orders that Redis should, or just those whose keys are in `only`, for ever.
  UserFold(UserId uid, FoldRules const& rules, std::set<std::string> const* only = nullptr);

  // Lines about what the flow contradicts; it counts nevertheless.
  std::vector<std::string> add(Flow const& flow);
  void forget_orders(TimeMs now);

  using AccountName = std::pair<TypeId, Domain>;
  UserId const& uid() const { return uid_; }
  Account account(AccountName const& name) const {
    return {.type = name.first, .domain = name.second, .uid = uid_};
  }
  std::map<AccountName, FoldedAccount> const& accounts() const { return accounts_; }
  std::map<std::string, FoldedOrder> const& orders() const { return orders_; }      // by key
  std::map<std::int64_t, std::int64_t> const& numbers() const { return numbers_; }  // highest by order shard
  FlowId last_flow() const { return last_flow_; }

 private:
  // When an order's record is forgotten if it is kept for the order's time after this moment.
  std::optional<TimeMs> forgotten_after(Outcome const& outcome, TimeMs time) const;
  std::optional<TimeMs> forgotten_after_end(Outcome const& outcome) const;
  std::optional<TimeMs> forgotten_after_hold(Outcome const& hold) const;
  void note_order(Flow const& flow, FoldedAccount& account, std::vector<std::string>& problems);
  void note_return(Flow const& flow);
  void note_closed_hold(Flow const& flow, FoldedAccount& account);
  void note_expiry(Flow const& flow, std::string const& closing, FoldedAccount& account);
  void decide(std::string key, Flow const& flow, std::optional<TimeMs> forgotten_at,
              std::vector<std::string>& problems);
  void note_number(OrderId const& order_id);
  FoldedOrder* find(OrderId const& order_id);

  UserId uid_;
  FoldRules const* rules_;
  std::set<std::string> const* only_;
  std::map<AccountName, FoldedAccount> accounts_;
  std::map<std::string, FoldedOrder> orders_;
  std::map<std::int64_t, std::int64_t> numbers_;
  FlowId last_flow_;
  std::size_t forget_at_size_ = 1024;
};

// "account alice 1 main"
std::string describe(Account const& account);

// Reads a whole journal, never more than a page and a few users of it at a time.
class UserReader {
 public:
  // `problem` is told where the journal contradicts itself.
  UserReader(Journal& journal, FoldRules& rules, std::function<void(std::string)> problem)
      : journal_(journal), rules_(rules), problem_(std::move(problem)) {}

  // The next users with all their flows; none: that was all.
  Task<std::vector<UserFold>> next();
  std::int64_t flows() const { return flows_; }

 private:
  Task<bool> read_page();
  Task<void> know_types();

  Journal& journal_;
  FoldRules& rules_;
  std::function<void(std::string)> problem_;
  std::int64_t table_ = 0;
  std::optional<UserFlow> last_;
  std::vector<UserFlow> page_;
  std::size_t at_ = 0;
  std::optional<UserFold> user_;
  std::int64_t flows_ = 0;
};

// Adds the flows of a user up to `last`, those that are still in the outbox too.
Task<void> read_user(redis::Redis& redis, Journal& journal, Keys const& keys, FlowId last, UserFold& fold);

}  // namespace larder::ledger
