#include "systems/ledger/audit/ledger_rebuild.hpp"

#include "base/error.hpp"
#include "base/when_all.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/presence/presence.hpp"
#include "systems/ledger/audit/user_inspector.hpp"
#include "systems/ledger/issued_orders.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

using Words = std::vector<std::string>;

constexpr int page_flows = 5000;
// A command has little time from the moment when it is sent, and a user may have any number of orders.
constexpr std::size_t writes_at_once = 1000;

// An empty outbox exists from the first start on, and proves nothing.
Task<bool> is_empty_outbox(redis::Redis& redis, std::string key, std::vector<std::string> const& outboxes) {
  if (std::ranges::find(outboxes, key) == outboxes.end()) co_return false;
  auto const type = co_await redis.command(redis::Use::read, key, {"TYPE", key});
  co_return type.text() == "stream" &&
      (co_await redis.command(redis::Use::read, key, {"XLEN", key})).integer() == 0;
}

Task<bool> has_ledger(redis::Redis& redis, std::vector<std::string> outboxes) {
  bool found = false;
  co_await redis.scan("*:score*", [&](Words keys) -> Task<void> {
    for (auto const& key : keys) {
      if (!found && Keys::is_ledger_key(key)) found = !co_await is_empty_outbox(redis, key, outboxes);
    }
  });
  co_return found;
}

class Rebuilder {
 public:
  Rebuilder(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
            RebuildOptions options)
      : redis_(redis),
        clock_(clock),
        options_(std::move(options)),
        rules_{.keys = keys, .types = {}},
        reader_(journal, rules_,
                [this](std::string const& line) {
                  ++report_.problems;
                  options_.problem(line);
                }),
        journal_(journal),
        shards_(keys.shards().size()) {}

  Task<RebuildReport> run() {
    co_await presence::close_for_rebuild(redis_, "ledger", [this] { return has_all(); });
    for (auto& type : co_await journal_.types()) rules_.types[type.id] = type;
    auto users = co_await reader_.next();
    while (!users.empty()) {
      // Reads the next users while these users are written.
      std::vector<UserFold> next;
      std::vector<Task<bool>> both;
      both.push_back(read(next));
      both.push_back(write(users));
      co_await when_all(std::move(both));
      users = std::move(next);
    }
    co_await write_shards();
    co_await write_revisions();
    co_await write_counters();
    co_await journal_.set_key_layout(rules_.keys.layout());
    co_await presence::open(redis_);
    co_return report_;
  }

 private:
  struct OfShard {
    FlowId last_flow;
    std::map<TypeId, std::int64_t> open_holds = {};  // of types that ever had a hold
  };

  // Throws if Redis has only a part of the ledger, or an older state of it.
  Task<bool> has_all() {
    if (!co_await has_ledger(redis_, rules_.keys.outboxes())) co_return false;
    co_await events::compare_positions_or_refuse(redis_, journal_.database(), rules_.keys.outboxes());
    co_return true;
  }

  Task<bool> read(std::vector<UserFold>& next) {
    next = co_await reader_.next();
    report_.flows = reader_.flows();
    options_.progress(report_);
    co_return true;
  }

  // Sends a command whose second word is its key.
  Task<bool> send(Words words) {
    std::vector<std::string_view> const args(words.begin(), words.end());
    co_await redis_.command(redis::Use::idempotent_write, args[1], args);
    co_return true;
  }

  static Task<void> do_all(std::vector<Task<bool>> writes) {
    for (std::size_t from = 0; from < writes.size(); from += writes_at_once) {
      auto const first = writes.begin() + std::ptrdiff_t(from);
      auto const last = first + std::ptrdiff_t(std::min(writes_at_once, writes.size() - from));
      co_await when_all(std::vector(std::move_iterator(first), std::move_iterator(last)));
    }
  }

  Task<bool> write(std::vector<UserFold>& users) {
    auto const now = clock_.now();
    std::vector<Task<bool>> writes;
    for (auto const& user : users) {
      auto& shard = shards_[rules_.keys.shard_of(user.uid())];
      shard.last_flow = std::max(shard.last_flow, user.last_flow());
      for (auto const& [name, account] : user.accounts()) {
        auto const* const type = rules_.type(name.first);
        auto const expires_at = type ? keys_expire_at(*type) : TimeMs{};
        if (expires_at != TimeMs{} && expires_at <= now) continue;
        if (account.has_held) shard.open_holds[name.first] += std::int64_t(account.state.holds.size());
        ++report_.accounts;
        if (account.has_balance) writes.push_back(write_balance(user.account(name), account, expires_at));
        for (auto const& [order_id, sent] : account.state.sent)
          writes.push_back(write_arrival(user.uid(), UserId::from(sent.to).value(), order_id, now));
        if (!account.state.is_plain())
          writes.push_back(write_more(user.account(name), account.state, expires_at));
      }
      for (auto const& [key, order] : user.orders()) {
        if (order.forgotten_at && *order.forgotten_at <= now) continue;
        ++report_.orders;
        writes.push_back(write_order(key, order, now));
      }
      for (auto const& [number_shard, number] : user.numbers()) {
        auto& highest = numbers_[number_shard];
        highest = std::max(highest, number);
      }
    }
    co_await do_all(std::move(writes));
    co_return true;
  }

  Task<bool> write_balance(Account const& account, FoldedAccount const& folded, TimeMs expires_at) {
    Words words{"SET", rules_.keys.balance(account), fmt::to_string(folded.state.balance)};
    if (expires_at != TimeMs{}) words.insert(words.end(), {"PXAT", fmt::to_string(expires_at.value)});
    return send(std::move(words));
  }

  Task<bool> write_order(std::string const& key, FoldedOrder const& order, TimeMs now) {
    Words words{"SET", key, to_record(order.outcome)};
    if (order.forgotten_at) words.insert(words.end(), {"PX", fmt::to_string(*order.forgotten_at - now)});
    return send(std::move(words));
  }

  // A transfer between two slots may have arrived while it is still under way for its sender. It
  // must not arrive again. If sender and receiver now share a slot, the receiver's flows do not show
  // that it was such a transfer.
  Task<bool> write_arrival(UserId from, UserId to, std::string order_id, TimeMs now) {
    if (!rules_.keys.same_slot(from, to)) co_return true;
    std::set<std::string> const only{rules_.keys.arrival(to, from, OrderId::from(order_id).value())};
    UserFold receiver(to, rules_, &only);
    std::optional<UserFlow> last;
    for (;;) {
      auto const page = co_await journal_.page_of(to, last, page_flows);
      if (page.empty()) break;
      for (auto const& [uid, flow] : page) receiver.add(flow);
      last = page.back();
    }
    for (auto const& [key, order] : receiver.orders()) {
      if (*order.forgotten_at > now) co_await write_order(key, order, now);
    }
    co_return true;
  }

  Task<bool> write_more(Account account, AccountState const& state, TimeMs expires_at) {
    auto const keys = rules_.keys.account(account);
    auto const& shard = rules_.keys.shards()[rules_.keys.shard_of(account.uid)];
    auto const member = fmt::format("{} {} {}", account.uid.str(), account.type, account.domain.str());
    Words fields;
    for (auto& [name, value] : to_more(state))
      fields.insert(fields.end(), {std::move(name), std::move(value)});
    co_await send_in_portions("HSET", keys.more, fields);
    co_await write_set(keys.expiring, expiring_of(state));
    co_await write_set(keys.due, due_of(state));
    if (expires_at != TimeMs{}) {
      for (auto const* const key : {&keys.more, &keys.expiring, &keys.due}) {
        co_await send({"PEXPIREAT", *key, fmt::to_string(expires_at.value)});
      }
    }
    if (auto const due = state.next_due())
      co_await write_set(shard.schedule, {{member, fmt::to_string(due->value)}});
    std::map<std::string, std::string> under_way;
    for (auto const& [order, sent] : state.sent) {
      under_way[fmt::format("{} {}", member, order)] = fmt::to_string(sent.sent_at + relay_after_ms);
    }
    co_return co_await write_set(shard.relay, under_way);
  }

  Task<bool> write_set(std::string const& key, std::map<std::string, std::string> const& members) {
    Words words;
    for (auto const& [member, score] : members) words.insert(words.end(), {score, member});
    co_return co_await send_in_portions("ZADD", key, words);
  }

  // Sends a command that takes any number of pairs. One command must not block Redis for long.
  Task<bool> send_in_portions(std::string command, std::string key, Words const& pairs) {
    for (std::size_t from = 0; from < pairs.size(); from += 2 * writes_at_once) {
      auto const first = pairs.begin() + std::ptrdiff_t(from);
      Words words{command, key};
      words.insert(words.end(), first,
                   first + std::ptrdiff_t(std::min(2 * writes_at_once, pairs.size() - from)));
      co_await send(std::move(words));
    }
    co_return true;
  }

  Task<void> write_shards() {
    events::Positions newest;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      auto const& keys = rules_.keys.shards()[i];
      for (auto const& [type, holds] : shards_[i].open_holds) {
        co_await send({"HSET", keys.open_holds, fmt::to_string(type), fmt::to_string(holds)});
      }
      // The ids continue after the last flow, whatever the clock of this Redis says. So the flows of a user
      // stay in order.
      auto const last = shards_[i].last_flow;
      newest[keys.outbox] = {.ms = last.ms, .sequence = last.sequence};
    }
    co_await events::restore_outboxes(redis_, journal_.database(), std::move(newest));
  }

  Task<void> write_revisions() {
    std::vector<Task<bool>> writes;
    for (auto const& [id, type] : rules_.types) {
      if (type.ends_revision == 0) continue;
      for (auto const& shard : rules_.keys.shards()) {
        writes.push_back(send({"SET", shard.revision(id), fmt::to_string(type.ends_revision)}));
      }
    }
    co_await do_all(std::move(writes));
  }

  Task<void> write_counters() {
    for (auto const& [id, type] : rules_.types) {
      for (std::int64_t i = 0; i < options_.order_shards; ++i)
        numbers_.try_emplace(id * shards_per_type + i, 0);
    }
    std::vector<Task<bool>> writes;
    for (auto const& [shard, number] : numbers_) {
      writes.push_back(send(
          {"SET", Keys::counter(shard / shards_per_type, shard), fmt::to_string(number + numbers_skipped)}));
    }
    co_await do_all(std::move(writes));
  }

  redis::Redis& redis_;
  Clock const& clock_;
  RebuildOptions options_;
  FoldRules rules_;
  UserReader reader_;
  Journal& journal_;
  std::vector<OfShard> shards_;
  std::map<std::int64_t, std::int64_t> numbers_;  // highest used number, by order shard
  RebuildReport report_;
};

}  // namespace

Task<RebuildReport> rebuild(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                            RebuildOptions options) {
  Rebuilder rebuilder(redis, journal, keys, clock, std::move(options));
  co_return co_await rebuilder.run();
}

}  // namespace larder::ledger
