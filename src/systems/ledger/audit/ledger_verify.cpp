#include "systems/ledger/audit/ledger_verify.hpp"

#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/audit/user_inspector.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/order_record.hpp"

#include <unordered_set>

namespace larder::ledger {

namespace {

// One call of a script must not block Redis for long.
constexpr std::size_t accounts_at_once = 100;
constexpr std::size_t lots_at_once = 2000;  // and holds, and transfers under way
constexpr std::size_t orders_at_once = 300;
// The id of a flow has the time of Redis; the record of its order has the time of a server. If the two clocks
// differ by more than this, the flow is still found, but not as fast.
constexpr std::int64_t clocks_apart_ms = 10 * 60 * 1000;
constexpr std::size_t told_max = 100'000;

class Verifier {
 public:
  Verifier(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock, VerifyOptions options)
      : redis_(redis),
        journal_(journal),
        clock_(clock),
        options_(std::move(options)),
        rules_{.keys = keys, .types = {}},
        reader_(journal, rules_, [this](std::string const& line) { tell(line); }) {}

  Task<VerifyReport> run() {
    co_await compare_outboxes();
    // Reads the next users while these users are compared.
    auto users = co_await reader_.next();
    while (!users.empty()) {
      std::vector<UserFold> next;
      std::vector<Task<bool>> both;
      both.push_back(read(next));
      both.push_back(compare(users));
      co_await when_all(std::move(both));
      users = std::move(next);
    }
    co_await redis_.scan("*:score*",
                         [this](std::vector<std::string> keys) { return look_up(std::move(keys)); });
    co_return report_;
  }

 private:
  // Keys of Redis that may have no flow.
  struct Suspects {
    std::vector<Account> accounts;
    std::vector<OrderClue> orders;
    std::vector<std::string> order_keys;  // parallel to `orders`
  };

  // A store that has lost data may agree with itself.
  Task<void> compare_outboxes() {
    auto const standings =
        co_await events::compare_positions(redis_, journal_.database(), rules_.keys.outboxes());
    for (auto const& standing : standings) {
      if (!standing.redis_lacks.empty()) tell("Redis lacks what SQL has: " + standing.redis_lacks);
      if (!standing.sql_lacks.empty()) tell("SQL lacks what it had: " + standing.sql_lacks);
    }
  }

  Task<bool> read(std::vector<UserFold>& next) {
    next = co_await reader_.next();
    report_.flows = reader_.flows();
    options_.progress(report_);
    co_return true;
  }

  Task<bool> compare(std::vector<UserFold>& users) {
    std::vector<Task<bool>> comparisons;
    comparisons.reserve(users.size());
    for (auto& user : users) comparisons.push_back(compare(user));
    co_await when_all(std::move(comparisons));
    co_return true;
  }

  Task<bool> compare(UserFold const& user) {
    Inspection suspects{.uid = user.uid()};
    for (auto const& what : inspections_of(user)) {
      auto const found = co_await inspect(redis_, rules_.keys, what);
      auto const where = differences(rules_, what, found, user).where;
      suspects.accounts.insert(suspects.accounts.end(), where.accounts.begin(), where.accounts.end());
      suspects.orders.insert(suspects.orders.end(), where.orders.begin(), where.orders.end());
    }
    if (!suspects.empty()) co_await compare_exactly(suspects);
    // For a user with many orders, the search in the journal would read most flows of the user for each
    // portion of the scan. The orders that Redis should have are known here.
    if (user.orders().size() > orders_at_once) {
      for (auto const& [key, order] : user.orders()) known_orders_.insert(std::hash<std::string>{}(key));
    }
    co_return true;
  }

  // Everything that must be in Redis now.
  std::vector<Inspection> inspections_of(UserFold const& user) {
    auto const soon = clock_.now() + end_margin_ms;
    std::vector<Inspection> all;
    std::size_t lots = 0;  // in the last inspection
    auto const with_room = [&](std::size_t more_lots) -> Inspection& {
      if (all.empty() || all.back().accounts.size() == accounts_at_once ||
          all.back().orders.size() == orders_at_once || (lots > 0 && lots + more_lots > lots_at_once)) {
        all.push_back({.uid = user.uid()});
        lots = 0;
      }
      lots += more_lots;
      return all.back();
    };
    for (auto const& [name, account] : user.accounts()) {
      auto const* const type = rules_.type(name.first);
      if (type && type->ends_at && keys_expire_at(*type) <= soon) continue;
      auto const& state = account.state;
      with_room(state.lots.size() + state.waiting.size() + state.holds.size() + state.sent.size())
          .accounts.push_back(name);
      ++report_.accounts;
    }
    for (auto const& [key, order] : user.orders()) {
      if (order.forgotten_at && *order.forgotten_at <= soon) continue;
      with_room(0).orders.push_back(key);
      ++report_.orders;
    }
    return all;
  }

  // The flows were not read at the same moment as Redis. So read both again, up to the same moment.
  Task<void> compare_exactly(Inspection const& what) {
    std::set<std::string> const orders(what.orders.begin(), what.orders.end());
    co_await read_types();
    InspectedUser found;
    std::optional<UserFold> fold;
    do {  // again if the end of a type changed meanwhile
      found = co_await inspect(redis_, rules_.keys, what);
      fold.emplace(what.uid, rules_, &orders);
      co_await read_user(redis_, journal_, rules_.keys, found.last_flow, *fold);
    } while (co_await read_types());
    for (auto const& line : differences(rules_, what, found, *fold).lines) tell(line);
  }

  // Returns whether the end of a type was not known, or was on its way to the keys.
  Task<bool> read_types() {
    bool changed = false;
    for (auto& type : co_await journal_.types()) {
      auto& known = rules_.types[type.id];
      changed = changed || known.ends_revision != type.ends_revision || known.ends_cursor != type.ends_cursor;
      known = std::move(type);
    }
    co_return changed;
  }

  // The other direction: every key in Redis must have a flow.
  Task<void> look_up(std::vector<std::string> keys) {
    Suspects suspects;
    std::vector<std::string> orders;
    for (auto const& key : keys) {
      if (auto account = rules_.keys.account_of(key)) {
        suspects.accounts.push_back(std::move(*account));
      } else if (known_orders_.contains(std::hash<std::string>{}(key))) {
        ++report_.keys;
      } else if (rules_.keys.order_of(key)) {
        orders.push_back(key);
      }
    }
    co_await add_orders(std::move(orders), suspects);
    report_.keys += std::int64_t(suspects.accounts.size() + suspects.orders.size());
    co_await acquit(suspects);
    auto by_user = suspects_by_user(suspects);
    if (!by_user.empty()) {
      // Most likely these keys are new, and their events are about to be journaled.
      std::set<std::string> outboxes;
      for (auto const& [uid, what] : by_user)
        outboxes.insert(rules_.keys.shards()[rules_.keys.shard_of(uid)].outbox);
      for (auto const& outbox : outboxes)
        co_await events::caught_up(redis_, outbox, options_.journal_patience);
      co_await acquit(suspects);
      by_user = suspects_by_user(suspects);
    }
    for (auto const& [uid, what] : by_user) co_await compare_exactly(what);
    options_.progress(report_);
  }

  Task<void> add_orders(std::vector<std::string> keys, Suspects& suspects) {
    std::vector<Task<std::optional<std::string>>> reads;
    for (auto const& key : keys) reads.push_back(get(key));
    auto const records = co_await when_all(std::move(reads));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!records[i]) continue;                        // forgotten in the meantime
      if (read_original_record(*records[i])) continue;  // the original service had another journal
      auto const order = rules_.keys.order_of(keys[i]);
      OrderClue clue{.uid = order->uid, .order_id = order->order};
      try {
        auto const outcome = parse_record(*records[i]);
        clue.op = outcome.op;
        clue.from_ms = outcome.at.value - clocks_apart_ms;
        clue.to_ms = outcome.at.value + clocks_apart_ms;
      } catch (std::runtime_error const&) {}  // then no flow is found for it
      suspects.orders.push_back(std::move(clue));
      suspects.order_keys.push_back(std::move(keys[i]));
    }
  }

  // Removes the suspects that have a flow.
  Task<void> acquit(Suspects& suspects) {
    auto const accounts = co_await journal_.has_accounts(suspects.accounts);
    auto const orders = co_await journal_.has_orders(suspects.orders);
    keep(suspects.accounts, accounts);
    keep(suspects.orders, orders);
    keep(suspects.order_keys, orders);
  }

  template <class T>
  static void keep(std::vector<T>& things, std::vector<bool> const& known) {
    std::vector<T> rest;
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (!known[i]) rest.push_back(std::move(things[i]));
    }
    things = std::move(rest);
  }

  static std::map<UserId, Inspection> suspects_by_user(Suspects const& suspects) {
    std::map<UserId, Inspection> by_user;
    auto const of = [&](UserId const& uid) -> Inspection& {
      return by_user.try_emplace(uid, Inspection{.uid = uid}).first->second;
    };
    for (auto const& account : suspects.accounts)
      of(account.uid).accounts.emplace_back(account.type, account.domain);
    for (std::size_t i = 0; i < suspects.orders.size(); ++i) {
      of(suspects.orders[i].uid).orders.push_back(suspects.order_keys[i]);
    }
    return by_user;
  }

  Task<std::optional<std::string>> get(std::string const& key) {
    try {
      auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
      co_return reply.optional_text();
    } catch (redis::ReplyError const& error) {
      if (!std::string_view(error.what()).starts_with("WRONGTYPE")) throw;
    }
    co_return "of another type";
  }

  void tell(std::string const& line) {
    // The same difference may be found in both directions.
    if (told_.contains(line)) return;
    if (told_.size() < told_max) told_.insert(line);
    ++report_.differences;
    options_.difference(line);
  }

  redis::Redis& redis_;
  Journal& journal_;
  Clock const& clock_;
  VerifyOptions options_;
  FoldRules rules_;
  UserReader reader_;
  VerifyReport report_;
  std::set<std::string> told_;
  // Hashes of the keys of orders that have a flow, for users with many orders: 64 bits each, because an
  // operator may have millions of them.
  std::unordered_set<std::uint64_t> known_orders_;
};

}  // namespace

Task<VerifyReport> verify(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                          VerifyOptions options) {
  Verifier verifier(redis, journal, keys, clock, std::move(options));
  co_return co_await verifier.run();
}

}  // namespace larder::ledger
