// Points from one account to another: to another user, or into another type.
#include "base/log.hpp"
#include "base/number.hpp"
#include "larder_ledger_scripts.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

redis::Script const transfer_script{lua::transfer};
redis::Script const send_transfer_script{lua::send_transfer};
redis::Script const receive_transfer_script{lua::receive_transfer};
redis::Script const close_transfer_script{lua::close_transfer};

// "amount to sent_at parts remark", as send_transfer.lua keeps it.
struct Intent {
  std::string amount;
  UserId to;
  TimeMs sent_at;
  std::string parts;
  std::string remark;
};

Intent parse_intent(std::string_view text) {
  auto const word = [&] {
    auto const space = std::min(text.find(' '), text.size());
    std::string const found(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
    return found;
  };
  Intent intent{.amount = word(),
                .to = UserId::from(word()).value(),
                .sent_at = {parse_int(word()).value()},
                .parts = word(),
                .remark = {}};
  intent.remark = text;
  return intent;
}

Error no_rate(TypeId from, TypeId to) {
  return {.code = errors::rate_not_found,
          .detail = fmt::format("there is no rate from type {} to type {}", from, to)};
}

}  // namespace

// Whether a transfer has arrived: an earlier arrival may be forgotten.
struct NobodyKnows : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Points between two accounts of one slot.
struct Move {
  char const* kind;
  Account from;
  Account to;
  Amount amount;
  std::int64_t credited;  // may be more than any balance can have
  std::string detail;
  OrderId order_id;
  std::string remark;
  bool may_decide;
};

Task<Result<Receipt>> Ledger::transfer(Transfer transfer) {
  Stopwatch const watch;
  if (auto problem = check_amount(transfer.amount, "transfer"))
    co_return std::unexpected(std::move(*problem));
  if (auto problem = check_remark(transfer.remark)) co_return std::unexpected(std::move(*problem));
  auto const type = co_await find_type(transfer.type);
  if (!type) co_return std::unexpected(type.error());
  if (transfer.from == transfer.to) co_return refuse(errors::self_target, "from and to are the same user");
  auto const now = shared_.clock.now();
  auto problem = co_await check_now(transfer.order_id, **type, std::nullopt, now);
  Account const from{.type = transfer.type, .domain = transfer.domain, .uid = transfer.from};
  auto const terms = terms_of(transfer);
  auto const& from_shard = shared_.keys.shards()[shared_.keys.shard_of(transfer.from)];

  if (shared_.keys.same_slot(transfer.from, transfer.to)) {
    Move const move{.kind = "transfer",
                    .from = from,
                    .to = {.type = transfer.type, .domain = transfer.domain, .uid = transfer.to},
                    .amount = transfer.amount,
                    .credited = transfer.amount.value(),
                    .detail = terms.detail(),
                    .order_id = transfer.order_id,
                    .remark = transfer.remark,
                    .may_decide = !problem};
    auto const reply = co_await move_points(move, **type, **type, now);
    metrics_.took(Op::transfer_out, watch.seconds());
    if (reply.size() == 0) co_return std::unexpected(std::move(*problem));
    co_return receipt(transfer, reply, reply.at(1), reply.at(2), now);
  }

  redis::ScriptCall call;
  call.key(from_shard.outbox);
  add_account(call, from, **type);
  call.key(from_shard.relay);
  call.key(shared_.keys.order(transfer.from, transfer.order_id));
  call.arg(transfer.to.str());
  call.arg(transfer.amount.value());
  call.arg(transfer.order_id.str());
  call.arg(transfer.remark);
  call.arg((*type)->order_ttl_days * day_ms);
  call.arg(!problem);
  call.arg(now + relay_after_ms);
  call.arg(now);
  auto const reply = co_await run(send_transfer_script, call, transfer.order_id);
  if (reply.size() == 0) co_return std::unexpected(std::move(*problem));
  after(transfer.from, "");
  auto sent = receipt(transfer, reply, reply.at(0), reply.at(1), now);
  if (sent && sent->outcome.word("state") == "pending") {
    try {
      auto intent = reply.at(0).integer() == 0 ? std::optional(std::string(reply.at(2).text()))
                                               : co_await intent_of(from, transfer.order_id);
      if (intent) {
        sent->outcome = co_await deliver(from, **type, transfer.order_id, *intent);
      } else if (auto closed = co_await order(transfer.from, transfer.order_id)) {
        sent->outcome = std::move(*closed);  // by the relay, just now
      }
    } catch (StoreError const& error) {
      log::warn("a transfer is under way", {{"order_id", transfer.order_id.str()}, {"why", error.what()}});
    } catch (NobodyKnows const& error) {
      log::warn("a transfer is left to people", {{"why", error.what()}});
    }
  }
  metrics_.took(Op::transfer_out, watch.seconds());
  co_return sent;
}

Task<redis::Reply> Ledger::move_points(Move const& move, ScoreType const& from_type, ScoreType const& to_type,
                                       TimeMs now) {
  redis::ScriptCall call;
  call.key(shared_.keys.shards()[shared_.keys.shard_of(move.from.uid)].outbox);
  call.key(shared_.keys.shards()[shared_.keys.shard_of(move.to.uid)].outbox);
  call.arg(move.kind);
  call.arg(move.amount.value());
  call.arg(move.credited);
  call.arg(move.detail);
  call.arg(move.order_id.str());
  call.arg(move.remark);
  call.arg(from_type.order_ttl_days * day_ms);
  call.arg(move.may_decide);
  add_account(call, move.from, from_type);
  add_account(call, move.to, to_type);
  call.key(shared_.keys.order(move.from.uid, move.order_id));
  call.arg(now);
  auto reply = co_await run(transfer_script, call, move.order_id);
  if (reply.size() > 0) {
    after(move.from.uid, "");
    after(move.to.uid, reply.at(0).text());
  }
  co_return reply;
}

// The points arrive, or it is decided that they cannot; then the transfer is closed where it began. Every
// step may be repeated, by anybody.
Task<Outcome> Ledger::deliver(Account const& from, ScoreType const& type, OrderId const& order_id,
                              std::string const& intent_text) {
  auto const intent = parse_intent(intent_text);
  auto const now = shared_.clock.now();
  auto const ttl_ms = type.order_ttl_days * day_ms;
  Account const to{.type = from.type, .domain = from.domain, .uid = intent.to};
  redis::ScriptCall receive;
  receive.key(shared_.keys.shards()[shared_.keys.shard_of(to.uid)].outbox);
  add_account(receive, to, type);
  receive.key(shared_.keys.arrival(to.uid, from.uid, order_id));
  receive.arg(from.uid.str());
  receive.arg(order_id.str());
  receive.arg(intent.amount);
  receive.arg(intent.parts);
  receive.arg(intent.remark);
  receive.arg(intent.sent_at);
  receive.arg(ttl_ms);
  receive.arg(!check_active(type, now));
  receive.arg(days_surely_remembered(type, intent.sent_at) * day_ms);
  receive.arg(now);
  auto const arrived = co_await run(receive_transfer_script, receive, order_id);
  if (arrived.size() == 0) {
    throw NobodyKnows(fmt::format(
        "transfer {} of {} was sent so long ago that nobody remembers whether it arrived; compare the "
        "flows of {} and {}",
        order_id.str(), from.uid.str(), from.uid.str(), to.uid.str()));
  }
  after(to.uid, "");
  auto const arrival = parse_outcome(arrived.at(1).text());

  auto const return_order =
      arrival.status == Status::ok ? order_id : (co_await issue_order(from.type)).value();
  auto const& shard = shared_.keys.shards()[shared_.keys.shard_of(from.uid)];
  redis::ScriptCall close;
  close.key(shard.outbox);
  add_account(close, from, type);
  close.key(shard.relay);
  close.key(shared_.keys.order(from.uid, order_id));
  close.key(shared_.keys.order(from.uid, return_order));
  close.arg(order_id.str());
  close.arg(std::string(name_of(arrival.status)));
  close.arg(arrival.balance.value());
  close.arg(return_order.str());
  close.arg(ttl_ms);
  close.arg(now);
  auto const closed = co_await run(close_transfer_script, close, order_id);
  after(from.uid, "");
  if (closed.size() < 2 || closed.at(1).is_nil()) {
    throw StoreError(fmt::format("order {} is not remembered any more", order_id.str()), false);
  }
  co_return parse_outcome(closed.at(1).text());
}

Task<std::optional<std::string>> Ledger::intent_of(Account const& from, OrderId const& order_id) {
  auto const key = shared_.keys.account(from).more;
  auto const field = "t:" + order_id.str();
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGET", key, field});
  co_return reply.optional_text();
}

Task<void> Ledger::relay(std::string member) {
  auto const space = member.rfind(' ');
  auto const from = parse_account(std::string_view(member).substr(0, space));
  auto const order_id = OrderId::from(std::string_view(member).substr(space + 1)).value();
  auto const intent = co_await intent_of(from, order_id);
  if (intent) {
    auto const type = co_await known_type(from.type);
    co_await deliver(from, *type, order_id, *intent);
    co_return;
  }
  // Closed; or gone with its type.
  auto const& key = shared_.keys.shards()[shared_.keys.shard_of(from.uid)].relay;
  co_await redis_.command(redis::Use::idempotent_write, key, {"ZREM", key, member});
}

Task<Result<Rate>> Ledger::set_rate(Rate rate) {
  if (auto problem = check_rate(rate)) co_return std::unexpected(std::move(*problem));
  for (auto const id : {rate.from, rate.to}) {
    auto const type = co_await find_type(id);
    if (!type) co_return std::unexpected(type.error());
  }
  if (rate.from == rate.to) co_return refuse(errors::self_target, "a type cannot be exchanged into itself");
  co_await shared_.journal.set_rate(rate);
  co_return rate;
}

Task<Result<Rate>> Ledger::rate(TypeId from, TypeId to) {
  auto const rate = co_await shared_.journal.rate(from, to);
  if (!rate) co_return std::unexpected(no_rate(from, to));
  co_return *rate;
}

Task<std::vector<Rate>> Ledger::rates(RateQuery query) { co_return co_await shared_.journal.rates(query); }

Task<Result<Receipt>> Ledger::exchange(Exchange exchange) {
  Stopwatch const watch;
  if (auto problem = check_amount(exchange.amount, "exchange"))
    co_return std::unexpected(std::move(*problem));
  auto const from_type = co_await find_type(exchange.from_type);
  if (!from_type) co_return std::unexpected(from_type.error());
  auto const to_type = co_await find_type(exchange.to_type);
  if (!to_type) co_return std::unexpected(to_type.error());
  if (exchange.from_type == exchange.to_type) {
    co_return refuse(errors::self_target, "a type cannot be exchanged into itself");
  }
  auto const now = shared_.clock.now();
  auto problem = co_await check_now(exchange.order_id, **from_type, std::nullopt, now);
  if (!problem) problem = check_active(**to_type, now);
  // Always as SQL has it: a rate is money. A retry gets its first answer at whatever rate it was.
  auto const rate = co_await shared_.journal.rate(exchange.from_type, exchange.to_type);
  // Too many for any balance is decided like too many for this one.
  auto const credited =
      rate ? exchanged(exchange.amount, *rate).transform(&Amount::value).value_or(limits::amount_max + 1) : 0;
  if (!problem && !rate) {
    problem = no_rate(exchange.from_type, exchange.to_type);
  }
  if (!problem && credited == 0) {
    problem = refuse(errors::nothing_to_credit,
                     fmt::format("{} points of type {} are worth less than one of type {}",
                                 exchange.amount.value(), exchange.from_type, exchange.to_type))
                  .error();
  }
  Move const move{.kind = "exchange",
                  .from = {.type = exchange.from_type, .domain = exchange.domain, .uid = exchange.uid},
                  .to = {.type = exchange.to_type, .domain = exchange.domain, .uid = exchange.uid},
                  .amount = exchange.amount,
                  .credited = credited,
                  .detail = terms_of(exchange).detail(),
                  .order_id = exchange.order_id,
                  .remark = "",
                  .may_decide = !problem};
  auto const reply = co_await move_points(move, **from_type, **to_type, now);
  metrics_.took(Op::exchange_out, watch.seconds());
  if (reply.size() == 0) co_return std::unexpected(std::move(*problem));
  co_return receipt(exchange, reply, reply.at(1), reply.at(2), now);
}

}  // namespace larder::ledger
