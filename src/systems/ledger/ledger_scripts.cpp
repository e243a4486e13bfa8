#include "systems/ledger/ledger_scripts.hpp"

#include "kit/schedule/due_set.hpp"
#include "larder_ledger_scripts.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <map>

namespace larder::ledger {

namespace scripts {

namespace {

Keys::OfShard const& shard_of(Keys const& keys, UserId const& uid) {
  return keys.shards()[keys.shard_of(uid)];
}

std::int64_t order_ttl_ms(ScoreType const& type) { return type.order_ttl_days * day_ms; }

// Adds what open_account() of account.lua reads.
void add_account(redis::ScriptCall& call, Keys const& keys, Account const& account, ScoreType const& type) {
  auto const& shard = shard_of(keys, account.uid);
  auto const of_account = keys.account(account);
  call.keys(shard.schedule, shard.open_holds, of_account.balance, of_account.more, of_account.expiring,
            of_account.due, shard.revision(type.id));
  call.args(account.uid, account.type, account.domain, keys_expire_at(type), type.ends_revision,
            limits::lots_max);
}

// A call that begins with the outbox and the keys of one account.
redis::ScriptCall call_for(redis::Script const& script, Keys const& keys, Account const& account,
                           ScoreType const& type) {
  auto call = redis::ScriptCall(script).keys(shard_of(keys, account.uid).outbox);
  add_account(call, keys, account, type);
  return call;
}

}  // namespace

Task<redis::Reply> run(redis::Redis& redis, redis::Use use, redis::ScriptCall call) {
  try {
    co_return co_await redis.run(use, std::move(call));
  } catch (redis::ReplyError const& error) {
    constexpr std::string_view mark = "FOREIGN_RECORD ";  // of foreign.lua; the key follows
    std::string_view const text = error.what();
    auto const at = text.find(mark);
    if (at == std::string_view::npos) throw;
    auto const key = text.substr(at + mark.size());
    throw ForeignRecord(std::string(key.substr(0, key.find(' '))));
  }
}

redis::ScriptCall post_entry(Keys const& keys, std::span<Posting const> postings, TimeMs now) {
  redis::ScriptCall call(lua::post_entry);
  for (auto const& [entry, type, may_decide] : postings) {
    auto const& [account_type, domain, uid] = entry.account;
    auto const balance = keys.balance(entry.account);
    auto const& shard = shard_of(keys, uid);
    call.keys(shard.outbox, balance, keys.order(uid, entry.order_id), Keys::more(balance),
              shard.revision(type.id));
    call.args(name_of(entry.op), entry.amount, type.id, domain, order_ttl_ms(type), keys_expire_at(type), uid,
              entry.order_id, entry.remark, now, may_decide, type.ends_revision);
  }
  return call;
}

redis::ScriptCall post_entries(Keys const& keys, std::span<Posting const> postings, Posted posted,
                               TimeMs now) {
  std::map<std::string, std::int64_t> numbers;  // account numbers, from 1, by balance key
  std::vector<Posting const*> firsts;           // the first posting of each account
  std::vector<std::int64_t> number_of;          // account number of each posting
  for (auto const& posting : postings) {
    auto const [at, fresh] =
        numbers.emplace(keys.balance(posting.entry.account), std::int64_t(numbers.size()) + 1);
    if (fresh) firsts.push_back(&posting);
    number_of.push_back(at->second);
  }
  redis::ScriptCall call(lua::post_entries);
  call.args(firsts.size(), postings.size(), posted == Posted::as_batch);
  for (auto const* const first : firsts) call.keys(shard_of(keys, first->entry.account.uid).outbox);
  for (auto const* const first : firsts) add_account(call, keys, first->entry.account, first->type);
  for (std::size_t i = 0; i < postings.size(); ++i) {
    auto const& [entry, type, may_decide] = postings[i];
    call.keys(keys.order(entry.account.uid, entry.order_id));
    call.args(number_of[i], name_of(entry.op), entry.amount, terms_of(entry).detail(),
              entry.effective_at.value_or(TimeMs{}), entry.expires_at.value_or(TimeMs{}), entry.order_id,
              entry.remark, order_ttl_ms(type), may_decide);
  }
  call.args(now);
  return call;
}

redis::ScriptCall hold(Keys const& keys, Hold const& hold, ScoreType const& type, bool may_decide,
                       TimeMs now) {
  return call_for(lua::hold, keys, hold.account, type)
      .keys(keys.order(hold.account.uid, hold.order_id))
      .args(hold.amount, hold.expires_at.value_or(TimeMs{}), hold.order_id, hold.remark, order_ttl_ms(type),
            may_decide, now);
}

redis::ScriptCall close_hold(Keys const& keys, Account const& account, ScoreType const& type,
                             OrderId const& order_id, std::optional<Amount> captured, TimeMs now) {
  auto call =
      call_for(lua::close_hold, keys, account, type).keys(keys.order(account.uid, order_id)).args(order_id);
  captured ? call.args(*captured) : call.args("all");
  call.args(order_ttl_ms(type), now);
  return call;
}

redis::ScriptCall transfer(Keys const& keys, Move const& move, TimeMs now) {
  redis::ScriptCall call(lua::transfer);
  call.keys(shard_of(keys, move.from.uid).outbox, shard_of(keys, move.to.uid).outbox);
  call.args(move.kind, move.amount, move.credited, move.detail, move.order_id, move.remark,
            order_ttl_ms(move.from_type), move.may_decide);
  add_account(call, keys, move.from, move.from_type);
  add_account(call, keys, move.to, move.to_type);
  call.keys(keys.order(move.from.uid, move.order_id));
  call.args(now);
  return call;
}

redis::ScriptCall send_transfer(Keys const& keys, Transfer const& transfer, ScoreType const& type,
                                bool may_decide, TimeMs relay_at, TimeMs now) {
  Account const from{.type = transfer.type, .domain = transfer.domain, .uid = transfer.from};
  return call_for(lua::send_transfer, keys, from, type)
      .keys(shard_of(keys, from.uid).relay, keys.order(from.uid, transfer.order_id))
      .args(transfer.to, transfer.amount, transfer.order_id, transfer.remark, order_ttl_ms(type), may_decide,
            relay_at, now);
}

redis::ScriptCall receive_transfer(Keys const& keys, Account const& from, OrderId const& order_id,
                                   Intent const& intent, ScoreType const& type, Decides decides, TimeMs now) {
  std::string_view refusal;
  if (problem_of_inactive_type(type, now)) refusal = name_of(Status::type_not_active);
  if (decides == Decides::person_who_withdraws) refusal = name_of(Status::transfer_withdrawn);
  auto const remembered_ms =
      decides == Decides::server ? days_surely_remembered(type, intent.sent_at) * day_ms : limits::amount_max;
  Account const to{.type = from.type, .domain = from.domain, .uid = intent.to};
  return call_for(lua::receive_transfer, keys, to, type)
      .keys(keys.arrival(to.uid, from.uid, order_id))
      .args(from.uid, order_id, intent.amount, intent.parts, intent.remark, intent.sent_at,
            order_ttl_ms(type), refusal, remembered_ms, now);
}

redis::ScriptCall close_transfer(Keys const& keys, Account const& from, ScoreType const& type,
                                 OrderId const& order_id, Outcome const& arrival, OrderId const& return_order,
                                 TimeMs now) {
  return call_for(lua::close_transfer, keys, from, type)
      .keys(shard_of(keys, from.uid).relay, keys.order(from.uid, order_id),
            keys.order(from.uid, return_order))
      .args(order_id, name_of(arrival.status), arrival.balance, return_order, order_ttl_ms(type), now);
}

redis::ScriptCall adopt_account(Keys const& keys, Account const& account, ScoreType const& type,
                                OrderId const& order_id, TimeMs now) {
  return call_for(lua::adopt_account, keys, account, type)
      .keys(keys.order(account.uid, order_id))
      .args(order_id, order_ttl_ms(type), now);
}

redis::ScriptCall forget_account(Keys const& keys, Account const& account, UserId const& pseudonym,
                                 TimeMs now) {
  auto const& shard = shard_of(keys, account.uid);
  schedule::DueSetKeys const schedule(shard.schedule);
  auto call = redis::ScriptCall(lua::forget_account)
                  .keys(shard.outbox, schedule.due, schedule.failures, schedule.dead, schedule.reasons);
  for (auto const& uid : {account.uid, pseudonym}) {
    auto const [balance, more, expiring, due] =
        keys.account({.type = account.type, .domain = account.domain, .uid = uid});
    call.keys(balance, more, expiring, due);
  }
  call.args(account.uid, pseudonym, account.type, account.domain,
            fmt::format("forgotten:{}:{}", account.type, account.domain.str()), now);
  return call;
}

redis::ScriptCall rename_order(Keys const& keys, Account const& account, OrderId const& before,
                               OrderId const& after) {
  auto const of_account = keys.account(account);
  return redis::ScriptCall(lua::rename_order)
      .keys(keys.order(account.uid, before), keys.order(account.uid, after), of_account.more, of_account.due)
      .args(before, after);
}

redis::ScriptCall settle_account(Keys const& keys, Account const& account, ScoreType const& type,
                                 TimeMs now) {
  return call_for(lua::settle_account, keys, account, type).args(now);
}

redis::ScriptCall read_account(Keys const& keys, Account const& account) {
  auto const [balance, more, expiring, due] = keys.account(account);
  auto const& shard = shard_of(keys, account.uid);
  return redis::ScriptCall(lua::read_account)
      .keys(shard.outbox, balance, more, expiring, due, shard.revision(account.type));
}

redis::ScriptCall read_order(Keys const& keys, UserId const& uid, OrderId const& order_id) {
  return redis::ScriptCall(lua::read_order).keys(shard_of(keys, uid).outbox, keys.order(uid, order_id));
}

redis::ScriptCall raise_revision(Keys::OfShard const& shard, ScoreType const& type) {
  return redis::ScriptCall(lua::raise_revision).keys(shard.revision(type.id)).args(type.ends_revision);
}

redis::ScriptCall renew_account(Keys const& keys, Account const& account, ScoreType const& type) {
  auto const [balance, more, expiring, due] = keys.account(account);
  return redis::ScriptCall(lua::renew_account)
      .keys(balance, more, expiring, due, shard_of(keys, account.uid).revision(type.id))
      .args(keys_expire_at(type), type.ends_revision);
}

redis::ScriptCall renew_order(Keys const& keys, Account const& account, ScoreType const& type,
                              std::string_view field) {
  auto const order = OrderId::from(field.substr(2)).value();
  auto const forgotten_at = type.ends_at ? keys_expire_at(type) + order_ttl_ms(type) : TimeMs{};
  return redis::ScriptCall(lua::renew_order)
      .keys(keys.account(account).more, keys.order(account.uid, order),
            shard_of(keys, account.uid).revision(type.id))
      .args(field, forgotten_at, type.ends_revision);
}

}  // namespace scripts

}  // namespace larder::ledger
