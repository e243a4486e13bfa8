#include "systems/ledger/audit/user_inspector.hpp"

#include "kit/events/event.hpp"
#include "larder_ledger_scripts.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

using Lines = std::vector<std::string>;
using Pairs = std::map<std::string, std::string>;

Pairs read_pairs(redis::ReplyReader in) {
  Pairs pairs;
  while (!in.at_end()) {
    auto const name = in.text();
    pairs.emplace(name, in.text());
  }
  return pairs;
}

std::array<std::int64_t, 4> read_times(redis::ReplyReader in) {
  std::array<std::int64_t, 4> times{};
  for (auto& time : times) time = in.integer();
  return times;
}

// Adds "l:17 is 5 in Redis, 7 by its flows" for each value that differs.
void compare(std::string_view what, Pairs const& found, Pairs const& expected, Lines& lines) {
  auto names = expected;
  names.insert(found.begin(), found.end());
  auto const value = [](Pairs const& pairs, std::string const& name) {
    auto const at = pairs.find(name);
    return at == pairs.end() ? std::string("nothing") : fmt::format("'{}'", at->second);
  };
  for (auto const& [name, any] : names) {
    auto const is = value(found, name);
    auto const should_be = value(expected, name);
    if (is != should_be)
      lines.push_back(fmt::format("{}{} is {} in Redis, {} by its flows", what, name, is, should_be));
  }
}

Lines differences(InspectedAccount const& found, FoldedAccount const& fold) {
  Lines lines;
  auto const& state = fold.state;
  auto const expected = fmt::to_string(state.balance);
  // A missing balance counts as 0.
  if ((found.balance.empty() ? "0" : found.balance) != expected) {
    lines.push_back(fmt::format("balance {} in Redis, {} by {} flow{}",
                                found.balance.empty() ? "0" : found.balance, expected, fold.flows,
                                fold.flows == 1 ? "" : "s"));
  }
  if (state.is_plain() && found.more.empty() && found.expiring.empty() && found.due.empty()) return lines;
  auto const fields = to_more(state);
  compare("", found.more, {fields.begin(), fields.end()}, lines);
  compare("expiry of lot ", found.expiring, expiring_of(state), lines);
  compare("due time of ", found.due, due_of(state), lines);
  // The due time is not compared: it may be the end of a lease, while a scheduler works on the account.
  if (state.next_due() && !found.scheduled)
    lines.emplace_back("it changes by itself, but is not in the schedule");
  return lines;
}

// The end of a type decides when the keys of its accounts expire. While a new end is on its way to the keys,
// they may have the old end or the new one.
Lines wrong_expiries(InspectedAccount const& found, ScoreType const* type) {
  if (!type || type->ends_cursor) return {};
  auto const told = [](std::int64_t ms) {
    return ms == -1 ? std::string("never") : fmt::format("at {}", ms);
  };
  auto const expected = type->ends_at ? keys_expire_at(*type).value : -1;
  Lines lines;
  constexpr std::array names{"score", "score_more", "score_expiring", "score_due"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const is = found.vanish_at[i];
    if (is == -2 || is == expected) continue;
    lines.push_back(fmt::format("its key {} vanishes {} in Redis, {} by the end of its type", names[i],
                                told(is), told(expected)));
  }
  return lines;
}

bool is_there(InspectedAccount const& found) {
  return !found.balance.empty() || !found.more.empty() || !found.expiring.empty() || !found.due.empty();
}

// Empty if the two are equal.
std::string difference(std::string const& record, FoldedOrder const* order) {
  if (!order) return record.empty() ? "" : fmt::format("'{}' in Redis, no flow in the journal", record);
  if (record.empty()) return fmt::format("missing in Redis, decided by flow {}", order->decided_by.str());
  auto const expected = to_record(order->outcome);
  return record == expected ? "" : fmt::format("'{}' in Redis, '{}' by its flows", record, expected);
}

std::string describe_order(Keys const& keys, std::string const& key) {
  auto const order = keys.order_of(key);
  if (!order) return key;
  if (order->from)
    return fmt::format("arrival {} of order {} {}", order->uid.str(), order->from->str(), order->order.str());
  return fmt::format("order {} {}", order->uid.str(), order->order.str());
}

}  // namespace

std::map<std::string, std::string> expiring_of(AccountState const& state) {
  Pairs members;
  for (auto const& [expires, points] : state.lots) members[fmt::to_string(expires)] = fmt::to_string(expires);
  return members;
}

std::map<std::string, std::string> due_of(AccountState const& state) {
  Pairs members;
  for (auto const& [times, points] : state.waiting) {
    members[fmt::format("w:{}:{}", times.first, times.second)] = fmt::to_string(times.first);
  }
  for (auto const& [order, hold] : state.holds) {
    if (hold.expires != 0) members["h:" + order] = fmt::to_string(hold.expires);
  }
  return members;
}

redis::ScriptCall scripts::inspect_user(Keys const& keys, Inspection const& what) {
  auto const& shard = keys.shards()[keys.shard_of(what.uid)];
  auto call =
      redis::ScriptCall(lua::inspect_user).keys(shard.outbox, shard.schedule).args(what.accounts.size());
  for (auto const& [type, domain] : what.accounts) {
    auto const [balance, more, expiring, due] =
        keys.account({.type = type, .domain = domain, .uid = what.uid});
    call.keys(balance, more, expiring, due);
    call.args(fmt::format("{} {} {}", what.uid.str(), type, domain.str()));
  }
  for (auto const& order : what.orders) call.keys(order);
  return call;
}

Task<InspectedUser> inspect(redis::Redis& redis, Keys const& keys, Inspection const& what) {
  auto const reply = co_await redis.run(redis::Use::read, scripts::inspect_user(keys, what));
  redis::ReplyReader in(reply);
  auto const [ms, sequence] = events::parse_id(in.text());
  InspectedUser found{.last_flow = {.ms = ms, .sequence = sequence}, .accounts = {}, .orders = {}};
  for (std::size_t i = 0; i < what.accounts.size(); ++i) {
    auto account = in.array();
    found.accounts.push_back({.balance = std::string(account.text()),
                              .more = read_pairs(account.array()),
                              .expiring = read_pairs(account.array()),
                              .due = read_pairs(account.array()),
                              .scheduled = !account.text().empty(),
                              .vanish_at = read_times(account.array())});
  }
  while (!in.at_end()) found.orders.emplace_back(in.text());
  co_return found;
}

Differences differences(FoldRules const& rules, Inspection const& what, InspectedUser const& found,
                        UserFold const& fold) {
  Differences all{.lines = {}, .where = {.uid = what.uid}};
  for (std::size_t i = 0; i < what.accounts.size(); ++i) {
    auto const& name = what.accounts[i];
    auto const expected = fold.accounts().find(name);
    Lines lines;
    if (expected != fold.accounts().end()) {
      lines = differences(found.accounts[i], expected->second);
      auto const expiries = wrong_expiries(found.accounts[i], rules.type(name.first));
      lines.insert(lines.end(), expiries.begin(), expiries.end());
    } else if (is_there(found.accounts[i])) {
      auto const& balance = found.accounts[i].balance;
      lines = {fmt::format("balance {} in Redis, no flow in the journal", balance.empty() ? "0" : balance)};
    }
    for (auto const& line : lines)
      all.lines.push_back(fmt::format("{}: {}", describe(fold.account(name)), line));
    if (!lines.empty()) all.where.accounts.push_back(name);
  }
  for (std::size_t i = 0; i < what.orders.size(); ++i) {
    auto const expected = fold.orders().find(what.orders[i]);
    auto const line =
        difference(found.orders[i], expected == fold.orders().end() ? nullptr : &expected->second);
    if (line.empty()) continue;
    all.lines.push_back(fmt::format("{}: {}", describe_order(rules.keys, what.orders[i]), line));
    all.where.orders.push_back(what.orders[i]);
  }
  return all;
}

}  // namespace larder::ledger
