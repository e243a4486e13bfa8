// What Redis should have of a user, calculated from the user's flows. Verify compares it with Redis, and
// rebuild writes it. UserFold is pure; UserReader and read_user do the reading.
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

// Clocks differ and reading takes time. So a key that ends within this time may or may not exist.
inline constexpr std::int64_t end_margin_ms = 10 * 60 * 1000;

struct FoldRules {
  Keys const& keys;
  std::map<TypeId, ScoreType> types;

  ScoreType const* type(TypeId id) const;
};

struct FoldedAccount {
  AccountState state = {};
  std::int64_t flows = 0;
  bool has_balance = false;  // a flow changed the balance: then its key exists, even at 0
  bool has_held = false;     // there was a hold at some time
  std::string closing = {};  // key of the order whose hold the last flow closed
};

// How an order was decided, and what Redis remembers of it.
struct FoldedOrder {
  OrderId order_id;
  Outcome outcome;
  FlowId decided_by;
  std::optional<TimeMs> forgotten_at;  // none: never
};

// Add a user's flows in order. The present settings of their types say how long orders are remembered; for
// orders from before order_ttl_days was raised, the earlier setting does.
class UserFold {
 public:
  // Keeps the orders that Redis should remember. With `only`, it keeps the orders with these keys, and
  // forgets none of them. `rules` and `only` must outlive this object.
  UserFold(UserId uid, FoldRules const& rules, std::set<std::string> const* only = nullptr);

  // Returns one line for each contradiction. The flow still counts.
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
  // When the record of an order is forgotten if it is remembered for order_ttl_days from `time` on.
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

// Reads the whole journal. Holds a page of flows and a few users in memory at a time.
class UserReader {
 public:
  // `problem` gets one line for each contradiction in the journal.
  UserReader(Journal& journal, FoldRules& rules, std::function<void(std::string)> problem)
      : journal_(journal), rules_(rules), problem_(std::move(problem)) {}

  // The next users with all their flows; empty at the end of the journal.
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

// Adds the flows of the user up to `last`, including flows that are still in the outbox.
Task<void> read_user(redis::Redis& redis, Journal& journal, Keys const& keys, FlowId last, UserFold& fold);

}  // namespace larder::ledger
