// Transfers and exchanges: points that move from one account to another.
#include "base/log.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

Error no_rate(TypeId from, TypeId to) {
  return {.code = errors::rate_not_found,
          .detail = fmt::format("there is no rate from type {} to type {}", from, to)};
}

}  // namespace

// Thrown when nobody can tell whether a transfer arrived, because its arrival may be forgotten.
struct NobodyKnows : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Task<Result<Receipt>> Ledger::transfer(Transfer transfer) {
  return with_newest_types([this, transfer = std::move(transfer)] { return transfer_once(transfer); });
}

Task<Result<Receipt>> Ledger::transfer_once(Transfer const& transfer) {
  Stopwatch const watch;
  if (auto problem = problem_of_amount(transfer.amount, "transfer"))
    co_return std::unexpected(std::move(*problem));
  if (auto problem = problem_of_remark(transfer.remark)) co_return std::unexpected(std::move(*problem));
  auto const type = co_await find_type(transfer.type);
  if (!type) co_return std::unexpected(type.error());
  if (transfer.from == transfer.to) co_return refuse(errors::self_target, "from and to are the same user");
  auto const now = shared_.clock.now();
  auto problem = co_await problem_of_order_now(transfer.order_id, **type, std::nullopt, now);
  Account const from{.type = transfer.type, .domain = transfer.domain, .uid = transfer.from};

  if (shared_.keys.same_slot(transfer.from, transfer.to)) {
    Move const move{.kind = "transfer",
                    .from = from,
                    .to = {.type = transfer.type, .domain = transfer.domain, .uid = transfer.to},
                    .from_type = **type,
                    .to_type = **type,
                    .amount = transfer.amount,
                    .credited = transfer.amount.value(),
                    .detail = terms_of(transfer).detail(),
                    .order_id = transfer.order_id,
                    .remark = transfer.remark,
                    .may_decide = !problem};
    auto const reply = co_await move_points(move, now);
    metrics_.took(Op::transfer_out, watch.seconds());
    redis::ReplyReader in(reply);
    if (in.at_end()) co_return std::unexpected(std::move(*problem));
    after(transfer.to, in.text());
    co_return receipt(transfer, reply, in, now);
  }

  auto const reply = co_await run(
      scripts::send_transfer(shared_.keys, transfer, **type, !problem, now + relay_after_ms, now),
      transfer.order_id);
  redis::ReplyReader in(reply);
  if (in.at_end()) co_return std::unexpected(std::move(*problem));
  after(transfer.from, "");
  auto sent = receipt(transfer, reply, in, now);
  if (sent && sent->outcome.word("state") == "pending") {
    try {
      auto const intent =
          in.at_end() ? co_await intent_of(from, transfer.order_id) : std::optional(std::string(in.text()));
      if (intent) {
        sent->outcome = co_await deliver(from, transfer.order_id, *intent);
      } else if (auto closed = co_await order(transfer.from, transfer.order_id)) {
        sent->outcome = std::move(*closed);  // the relay has just closed it
      }
    } catch (StoreError const& error) {
      log::warn("a transfer is under way", {{"order_id", transfer.order_id.str()}, {"why", error.what()}});
    } catch (NobodyKnows const& error) {
      log::warn("a transfer needs a person to resolve it", {{"why", error.what()}});
    }
  }
  metrics_.took(Op::transfer_out, watch.seconds());
  co_return sent;
}

Task<redis::Reply> Ledger::move_points(Move const& move, TimeMs now) {
  auto reply = co_await run(scripts::transfer(shared_.keys, move, now), move.order_id);
  if (reply.size() > 0) after(move.from.uid, "");
  co_return reply;
}

// Delivers the points, or decides that they cannot arrive. Then closes the transfer at the sender. Any server
// may repeat any step.
Task<Outcome> Ledger::deliver(Account from, OrderId order_id, std::string intent) {
  return with_newest_types([this, from = std::move(from), order_id = std::move(order_id),
                            intent = std::move(intent)] { return deliver_once(from, order_id, intent); });
}

Task<Outcome> Ledger::deliver_once(Account const& from, OrderId const& order_id,
                                   std::string const& intent_text) {
  auto const known = co_await known_type(from.type);
  auto const& type = *known;
  auto const intent = parse_intent(intent_text);
  auto const now = shared_.clock.now();
  auto const arrived = co_await run(
      scripts::receive_transfer(shared_.keys, from, order_id, intent, type, scripts::Decides::server, now),
      order_id);
  redis::ReplyReader in(arrived);
  if (in.at_end()) {
    throw NobodyKnows(fmt::format(
        "transfer {} of {} was sent so long ago that nobody remembers whether it arrived; `larder ledger "
        "transfers list` says what the journal knows",
        order_id.str(), from.uid.str()));
  }
  after(intent.to, "");
  in.flag();  // whether the points had already arrived makes no difference
  co_return co_await close_transfer(from, type, order_id, parse_record(in.text()));
}

Task<Outcome> Ledger::close_transfer(Account const& from, ScoreType const& type, OrderId const& order_id,
                                     Outcome const& arrival) {
  auto const return_order =
      arrival.status == Status::ok ? order_id : (co_await issue_order(from.type)).value();
  auto const closed = co_await run(
      scripts::close_transfer(shared_.keys, from, type, order_id, arrival, return_order, shared_.clock.now()),
      order_id);
  after(from.uid, "");
  redis::ReplyReader in_closed(closed);
  in_closed.flag();  // nor does it matter whether the transfer was already closed
  auto const record = in_closed.optional_text();
  if (!record) {
    throw StoreError(fmt::format("order {} is not remembered any more", order_id.str()), false);
  }
  co_return parse_record(*record);
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
    co_await deliver(from, order_id, *intent);
    co_return;
  }
  // The transfer is closed, or gone with its type.
  auto const& key = shared_.keys.shards()[shared_.keys.shard_of(from.uid)].relay;
  co_await redis_.command(redis::Use::idempotent_write, key, {"ZREM", key, member});
}

Task<Result<Rate>> Ledger::set_rate(Rate rate) {
  if (auto problem = problem_of_rate(rate)) co_return std::unexpected(std::move(*problem));
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
  return with_newest_types([this, exchange = std::move(exchange)] { return exchange_once(exchange); });
}

Task<Result<Receipt>> Ledger::exchange_once(Exchange const& exchange) {
  Stopwatch const watch;
  if (auto problem = problem_of_amount(exchange.amount, "exchange"))
    co_return std::unexpected(std::move(*problem));
  auto const from_type = co_await find_type(exchange.from_type);
  if (!from_type) co_return std::unexpected(from_type.error());
  auto const to_type = co_await find_type(exchange.to_type);
  if (!to_type) co_return std::unexpected(to_type.error());
  if (exchange.from_type == exchange.to_type) {
    co_return refuse(errors::self_target, "a type cannot be exchanged into itself");
  }
  auto const now = shared_.clock.now();
  auto problem = co_await problem_of_order_now(exchange.order_id, **from_type, std::nullopt, now);
  if (!problem) problem = problem_of_inactive_type(**to_type, now);
  // Read the rate from SQL every time: a rate is money. A retry gets its first answer,
  // whatever the rate is now.
  auto const rate = co_await shared_.journal.rate(exchange.from_type, exchange.to_type);
  // If no balance could hold the points, the script refuses them like any other sum that is too large.
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
                  .from_type = **from_type,
                  .to_type = **to_type,
                  .amount = exchange.amount,
                  .credited = credited,
                  .detail = terms_of(exchange).detail(),
                  .order_id = exchange.order_id,
                  .remark = "",
                  .may_decide = !problem};
  auto const reply = co_await move_points(move, now);
  metrics_.took(Op::exchange_out, watch.seconds());
  redis::ReplyReader in(reply);
  if (in.at_end()) co_return std::unexpected(std::move(*problem));
  after(exchange.uid, in.text());
  co_return receipt(exchange, reply, in, now);
}

}  // namespace larder::ledger
