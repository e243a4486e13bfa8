#include "base/number.hpp"
#include "edges/api/ledger/ledger_api.hpp"
#include "edges/api/ledger/ledger_json.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using ledger::Exchange;
using ledger::Hold;
using ledger::Rate;
using ledger::Receipt;
using ledger::Status;
using ledger::Transfer;

constexpr std::string_view amount_says = "points";

ObjectSchema<Transfer> transfer_schema() {
  return ObjectSchema<Transfer>()
      .required("order_id", kind::order_id, &Transfer::order_id, order_field.description)
      .required("type", kind::number_id, &Transfer::type, type_field.description)
      .required("domain", kind::domain, &Transfer::domain, domain_field.description)
      .required("from", kind::user_id, &Transfer::from, "who gives the points")
      .required("to", kind::user_id, &Transfer::to, "who gets the points")
      .required("amount", kind::positive_amount, &Transfer::amount, amount_says)
      .optional("remark", remark_kind, &Transfer::remark, remark_field.description);
}

Schema<Rate> rate_path() {
  return Schema<Rate>()
      .path("from_type", kind::number_id, &Rate::from, "the score type to give")
      .path("to_type", kind::number_id, &Rate::to, "the score type to get");
}

Schema<Rate> rate_schema() {
  return rate_path().body(
      ObjectSchema<Rate>()
          .required("numerator", kind::integer(1), &Rate::numerator, "points that a user gets")
          .required("denominator", kind::integer(1), &Rate::denominator, "for this many points given"));
}

// A cursor is "<from>-<to>": the types of the last rate on the previous page.
bool read_rate_cursor(std::string const& cursor, ledger::RateQuery& query) {
  auto const dash = std::min(cursor.find('-'), cursor.size());
  query.after_from = parse_int(std::string_view(cursor).substr(0, dash)).value_or(0);
  query.after_to = parse_int(std::string_view(cursor).substr(std::min(dash + 1, cursor.size()))).value_or(0);
  return query.after_from >= 1 && query.after_to >= 1;
}

ObjectSchema<Exchange> exchange_schema() {
  return ObjectSchema<Exchange>()
      .required("order_id", kind::order_id, &Exchange::order_id, order_field.description)
      .required("uid", kind::user_id, &Exchange::uid, uid_field.description)
      .required("domain", kind::domain, &Exchange::domain, domain_field.description)
      .required("from_type", kind::number_id, &Exchange::from_type, "the score type to give")
      .required("to_type", kind::number_id, &Exchange::to_type, "the score type to get")
      .required("amount", kind::positive_amount, &Exchange::amount, amount_says);
}

template <class M>
auto in_account(M ledger::Account::* member) {
  return [member](Hold& hold) -> auto& { return hold.account.*member; };
}

ObjectSchema<Hold> hold_schema() {
  return ObjectSchema<Hold>()
      .required("order_id", kind::order_id, &Hold::order_id, order_field.description)
      .required("type", kind::number_id, in_account(&ledger::Account::type), type_field.description)
      .required("domain", kind::domain, in_account(&ledger::Account::domain), domain_field.description)
      .required("uid", kind::user_id, in_account(&ledger::Account::uid), uid_field.description)
      .required("amount", kind::positive_amount, &Hold::amount, amount_says)
      .optional("expires_at", kind::time, &Hold::expires_at, "when the hold is released by itself")
      .optional("remark", remark_kind, &Hold::remark, remark_field.description);
}

struct ClosedHold {
  UserId uid;
  OrderId order_id;
  std::optional<Amount> amount;
};

Schema<ClosedHold> hold_path() {
  return Schema<ClosedHold>()
      .path("uid", kind::user_id, &ClosedHold::uid, "the user")
      .path("order_id", kind::order_id, &ClosedHold::order_id, "the order");
}

Schema<ClosedHold> capture_schema() {
  return hold_path().body(
      ObjectSchema<ClosedHold>().optional("amount", kind::positive_amount, &ClosedHold::amount,
                                          "how many points to capture; all if absent"),
      EmptyBody::is_empty_object);
}

// A client that sends an amount expects to release a part of the hold. That is not possible,
// so the body has no fields.
Schema<ClosedHold> release_schema() {
  return hold_path().body(ObjectSchema<ClosedHold>(), EmptyBody::is_empty_object);
}

json::object receipt_json(OrderId const& order_id, Receipt const& receipt) {
  auto out = order_json(order_id, receipt.outcome);
  out["replayed"] = receipt.replayed;
  return out;
}

Answering post_transfer(ledger::Ledger& ledger, Transfer transfer) {
  auto const order_id = transfer.order_id;
  auto const from = transfer.from.str();
  CO_TRY(auto const receipt, co_await ledger.transfer(std::move(transfer)));
  auto const& outcome = receipt.outcome;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, receipt.replayed));
  auto out = receipt_json(order_id, receipt);
  bool const pending = outcome.word("state") == "pending";
  out["from"] = from;
  out["from_balance"] = outcome.balance.value();
  if (pending) out["to_balance"] = nullptr;
  out["state"] = pending ? "pending" : "done";
  co_return json_response(out, pending ? 202 : 200);
}

Answering put_rate(ledger::Ledger& ledger, Rate rate) {
  CO_TRY(auto const set, co_await ledger.set_rate(rate));
  co_return json_response(to_json(set));
}

Answering get_rate(ledger::Ledger& ledger, Rate asked) {
  CO_TRY(auto const rate, co_await ledger.rate(asked.from, asked.to));
  co_return json_response(to_json(rate));
}

Answering get_rates(ledger::Ledger& ledger, ledger::RateQuery query) {
  auto const rates = co_await ledger.rates(query);
  co_return page_response(
      rates, query.limit, [](Rate const& rate) { return to_json(rate); },
      [](Rate const& rate) { return fmt::format("{}-{}", rate.from, rate.to); });
}

Answering post_exchange(ledger::Ledger& ledger, Exchange exchange) {
  auto const order_id = exchange.order_id;
  CO_TRY(auto const receipt, co_await ledger.exchange(std::move(exchange)));
  auto const& outcome = receipt.outcome;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, receipt.replayed));
  auto out = receipt_json(order_id, receipt);
  out["from_type"] = outcome.type;
  out["debited"] = outcome.amount.value();
  out["from_balance"] = outcome.balance.value();
  co_return json_response(out);
}

Answering post_hold(ledger::Ledger& ledger, Hold hold) {
  auto const order_id = hold.order_id;
  auto const uid = hold.account.uid.str();
  CO_TRY(auto const receipt, co_await ledger.hold(std::move(hold)));
  if (receipt.outcome.status != Status::ok) {
    co_return std::unexpected(refusal(order_id, receipt.outcome, receipt.replayed));
  }
  auto out = receipt_json(order_id, receipt);
  out["uid"] = uid;
  co_return json_response(out);
}

Response closed_hold(ClosedHold const& hold, Receipt const& receipt) {
  auto const& outcome = receipt.outcome;
  auto const captured = outcome.number("captured");
  json::object out{{"order_id", hold.order_id.str()},
                   {"uid", hold.uid.str()},
                   {"type", outcome.type},
                   {"domain", outcome.domain.str()},
                   {"amount", outcome.amount.value()},
                   {"state", outcome.word("state")},
                   {"captured", captured},
                   {"released", outcome.amount.value() - captured},
                   {"balance", nullptr},
                   {"replayed", receipt.replayed}};
  // The record of a hold that expired does not say the balance after that.
  if (!outcome.word("after").empty()) out["balance"] = outcome.number("after");
  return json_response(out);
}

Answering post_capture(ledger::Ledger& ledger, ClosedHold hold) {
  CO_TRY(auto const receipt, co_await ledger.capture(hold.uid, hold.order_id, hold.amount));
  co_return closed_hold(hold, receipt);
}

Answering post_release(ledger::Ledger& ledger, ClosedHold hold) {
  CO_TRY(auto const receipt, co_await ledger.release(hold.uid, hold.order_id));
  co_return closed_hold(hold, receipt);
}

std::vector<Field> with(std::vector<Field> fields, std::vector<Field> const& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

std::vector<Field> moved_fields() {
  return outcome_fields({"ok"},
                        {type_field, domain_field, required("amount", type::amount, "the requested amount"),
                         required("at", type::time, "when the order was decided"), replayed_field});
}

std::vector<Field> closed_hold_fields() {
  return {order_field,
          uid_field,
          type_field,
          domain_field,
          required("amount", type::amount, "the amount of the hold"),
          required("state", type::choice({"captured", "released", "expired"}), "how the hold ended"),
          required("captured", type::amount, "the points that were captured"),
          required("released", type::amount, "the points that came back"),
          required("balance", type::amount.or_null(),
                   "the balance after the hold ended; null if the hold expired by itself"),
          replayed_field};
}

}  // namespace

std::span<Route const> ledger_moves_routes() {
  namespace errors = ledger::errors;
  using larder::errors::foreign_record;
  static Route const routes[] = {
      {Method::post,
       "/v1/ledger/transfers",
       Scope::ledger,
       handle(Schema<Transfer>().body(transfer_schema()), &post_transfer),
       {.id = "post_transfer",
        .summary = "Moves points from one user to another",
        .description =
            "The points keep their expiry. The answer is 202 with state pending if the points have left but "
            "have not arrived yet. They will arrive or come back; send the same order again to learn which.",
        .other_status = 202,
        .answer =
            with(moved_fields(),
                 {required("from", type::user_id, "who gave the points"),
                  required("to", type::user_id, "who got the points"),
                  required("from_balance", type::amount, "the giver's balance afterwards"),
                  required("to_balance", type::amount.or_null(),
                           "the receiver's balance afterwards; null while the state is pending"),
                  required("state", type::choice({"done", "pending"}), "whether the points have arrived")}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::self_target,
                     errors::order_too_old, errors::order_conflict, errors::insufficient_balance,
                     errors::balance_limit, errors::transfer_withdrawn, foreign_record},
        .retried_by_order = true}},
      {Method::put,
       "/v1/ledger/rates/{from_type}/{to_type}",
       Scope::ledger,
       handle(rate_schema(), &put_rate),
       {.id = "set_rate",
        .summary = "Sets what points of one type are worth in another",
        .answer = rate_fields,
        .answer_name = "Rate",
        .refusals = {errors::type_not_found, errors::self_target}}},
      {Method::get,
       "/v1/ledger/rates/{from_type}/{to_type}",
       Scope::ledger,
       handle(rate_path(), &get_rate),
       {.id = "get_rate",
        .summary = "Shows what points of one type are worth in another",
        .answer = rate_fields,
        .answer_name = "Rate",
        .refusals = {errors::rate_not_found}}},
      {Method::get,
       "/v1/ledger/rates",
       Scope::ledger,
       handle(Schema<ledger::RateQuery>().page(&ledger::RateQuery::limit, read_rate_cursor), &get_rates),
       {.id = "list_rates",
        .summary = "Lists the rates, sorted by from_type and then by to_type",
        .answer = rate_fields,
        .answer_name = "Rate"}},
      {Method::post,
       "/v1/ledger/exchanges",
       Scope::ledger,
       handle(Schema<Exchange>().body(exchange_schema()), &post_exchange),
       {.id = "post_exchange",
        .summary = "Exchanges a user's points for points of another type",
        .description = "The exchange uses the current rate and rounds down. The new points do not expire.",
        .answer = with(moved_fields(),
                       {required("from_type", type::integer(1), "the score type that was given"),
                        required("to_type", type::integer(1), "the score type that the user got"),
                        required("debited", type::amount, "the points that the user gave"),
                        required("credited", type::amount, "the points that the user got"),
                        required("from_balance", type::amount, "the balance of from_type afterwards"),
                        required("to_balance", type::amount, "the balance of to_type afterwards")}),
        .refusals = {errors::type_not_found, errors::rate_not_found, errors::type_not_active,
                     errors::self_target, errors::nothing_to_credit, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance, errors::balance_limit,
                     foreign_record},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds",
       Scope::ledger,
       handle(Schema<Hold>().body(hold_schema()), &post_hold),
       {.id = "post_hold",
        .summary = "Puts points on hold",
        .description = "The points are out of the balance until they are captured or released, or until the "
                       "hold expires.",
        .answer = with(
            moved_fields(),
            {uid_field, optional("expires_at", type::time, "when the hold is released by itself"),
             required("state", type::choice({"open", "captured", "released", "expired"}),
                      "open, or how the hold ended"),
             optional("captured", type::amount, "the points that were captured, once the hold has ended")}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance, foreign_record},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds/{uid}/{order_id}/capture",
       Scope::ledger,
       handle(capture_schema(), &post_capture),
       {.id = "capture_hold",
        .summary = "Takes all or part of a hold and gives the rest back",
        .description = "The same request again gets the same answer, with replayed: true.",
        .answer = closed_hold_fields(),
        .answer_name = "ClosedHold",
        .refusals = {errors::hold_not_found, errors::hold_closed, errors::hold_too_small, foreign_record},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds/{uid}/{order_id}/release",
       Scope::ledger,
       handle(release_schema(), &post_release),
       {.id = "release_hold",
        .summary = "Gives a hold back",
        .description = "The same request again gets the same answer, with replayed: true.",
        .answer = closed_hold_fields(),
        .answer_name = "ClosedHold",
        .refusals = {errors::hold_not_found, errors::hold_closed, foreign_record},
        .retried_by_order = true}},
  };
  return routes;
}

}  // namespace larder::api
