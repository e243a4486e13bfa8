// Holds: points put aside.
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

Error no_hold(OrderId const& order_id) {
  return {.code = errors::hold_not_found, .detail = fmt::format("no hold {} is remembered", order_id.str())};
}

Error closed_hold(OrderId const& order_id, std::string_view state) {
  Error error{.code = errors::hold_closed,
              .detail = fmt::format("hold {} is {} already", order_id.str(), state)};
  error.more["state"] = state;
  return error;
}

}  // namespace

Task<Result<Receipt>> Ledger::hold(Hold hold) {
  return with_newest_types([this, hold = std::move(hold)] { return hold_once(hold); });
}

Task<Result<Receipt>> Ledger::hold_once(Hold const& hold) {
  Stopwatch const watch;
  if (auto problem = problem_of_amount(hold.amount, "hold")) co_return std::unexpected(std::move(*problem));
  if (auto problem = problem_of_remark(hold.remark)) co_return std::unexpected(std::move(*problem));
  auto const type = co_await find_type(hold.account.type);
  if (!type) co_return std::unexpected(type.error());
  auto const now = shared_.clock.now();
  auto problem = co_await problem_of_order_now(hold.order_id, **type, hold.expires_at, now);
  auto const reply = co_await run(scripts::hold(shared_.keys, hold, **type, !problem, now), hold.order_id);
  metrics_.took(Op::hold, watch.seconds());
  redis::ReplyReader in(reply);
  if (in.at_end()) co_return std::unexpected(std::move(*problem));
  after(hold.account.uid, in.text());
  auto held = receipt(hold, reply, in, now);
  if (held) tell_expiry(held->outcome, now);
  co_return held;
}

Task<Result<Receipt>> Ledger::capture(UserId uid, OrderId order_id, std::optional<Amount> amount) {
  if (amount) {
    if (auto problem = problem_of_amount(*amount, "capture")) co_return std::unexpected(std::move(*problem));
  }
  co_return co_await close_hold(std::move(uid), std::move(order_id), Op::capture, amount);
}

Task<Result<Receipt>> Ledger::release(UserId uid, OrderId order_id) {
  return close_hold(std::move(uid), std::move(order_id), Op::release, std::nullopt);
}

Task<Result<Receipt>> Ledger::close_hold(UserId uid, OrderId order_id, Op op, std::optional<Amount> amount) {
  return with_newest_types([this, uid = std::move(uid), order_id = std::move(order_id), op, amount] {
    return close_hold_once(uid, order_id, op, amount);
  });
}

Task<Result<Receipt>> Ledger::close_hold_once(UserId const& uid, OrderId const& order_id, Op op,
                                              std::optional<Amount> amount) {
  Stopwatch const watch;
  auto const found = co_await order(uid, order_id);
  if (!found || found->op != Op::hold || found->status != Status::ok)
    co_return std::unexpected(no_hold(order_id));
  Account const account{.type = found->type, .domain = found->domain, .uid = uid};
  auto const type = co_await known_type(found->type);
  auto const captured_points = op == Op::release ? Amount() : amount;
  auto const reply = co_await run(
      scripts::close_hold(shared_.keys, account, *type, order_id, captured_points, shared_.clock.now()),
      order_id);
  metrics_.took(op, watch.seconds());
  redis::ReplyReader in(reply);
  auto const status = in.text();
  if (status == "not_found") co_return std::unexpected(no_hold(order_id));
  after(uid, "");
  auto outcome = parse_record(in.text());
  if (status == "too_much") {
    co_return refuse(errors::hold_too_small,
                     fmt::format("hold {} has {} points, {} cannot be captured", order_id.str(),
                                 outcome.amount.value(), amount->value()));
  }
  if (status == "expired") {
    if (op == Op::capture) co_return std::unexpected(closed_hold(order_id, "expired"));
    outcome.detail = fmt::format("exp={} state=expired captured=0", outcome.word("exp"));
    co_return Receipt{.outcome = std::move(outcome), .replayed = true};
  }
  bool const captured = outcome.word("state") == "captured";
  bool const same = captured == (op == Op::capture) &&
                    (!captured || outcome.number("captured") == amount.value_or(outcome.amount).value());
  if (!same) co_return std::unexpected(closed_hold(order_id, outcome.word("state")));
  // If the call was sent twice, its first attempt may have closed the hold.
  co_return Receipt{.outcome = std::move(outcome), .replayed = status == "was_closed" && !reply.repeated()};
}

}  // namespace larder::ledger
