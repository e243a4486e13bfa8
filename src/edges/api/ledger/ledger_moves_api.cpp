#include "base/number.hpp"
#include "edges/api/ledger/ledger_api.hpp"
#include "edges/api/ledger/ledger_json.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using ledger::Exchange;
using ledger::Hold;
using ledger::Outcome;
using ledger::Rate;
using ledger::Receipt;
using ledger::Status;
using ledger::Transfer;

std::string read_remark(ObjectReader& in) {
  return in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
}

json::object receipt_json(OrderId const& order_id, Receipt const& receipt) {
  auto out = order_json(order_id, receipt.outcome);
  out["replayed"] = receipt.replayed;
  return out;
}

Answering post_transfer(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  Transfer transfer;
  transfer.order_id = in.required<OrderId>("order_id");
  transfer.type = in.required_number_id("type");
  transfer.domain = in.required<Domain>("domain");
  transfer.from = in.required<UserId>("from");
  transfer.to = in.required<UserId>("to");
  transfer.amount = read_amount(in);
  transfer.remark = read_remark(in);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const order_id = transfer.order_id;
  auto const from = transfer.from.str();
  auto const receipt = co_await ledger.transfer(std::move(transfer));
  if (!receipt) co_return std::unexpected(receipt.error());
  auto const& outcome = receipt->outcome;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, receipt->replayed));
  auto out = receipt_json(order_id, *receipt);
  bool const pending = outcome.word("state") == "pending";
  out["from"] = from;
  out["from_balance"] = outcome.balance.value();
  if (pending) out["to_balance"] = nullptr;
  out["state"] = pending ? "pending" : "done";
  co_return json_response(out, pending ? 202 : 200);
}

Answering put_rate(ledger::Ledger& ledger, Request const& request) {
  QueryReader path(request);
  Rate rate{.from = path.path_int("from_type", type_id_rule), .to = path.path_int("to_type", type_id_rule)};
  if (auto problem = path.finish()) co_return std::unexpected(std::move(*problem));
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  IntRule const rule{.min = 1, .max = limits::amount_max};
  rate.numerator = in.required_int("numerator", rule);
  rate.denominator = in.required_int("denominator", rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const set = co_await ledger.set_rate(rate);
  if (!set) co_return std::unexpected(set.error());
  co_return json_response(to_json(*set));
}

Answering get_rate(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const from = in.path_int("from_type", type_id_rule);
  auto const to = in.path_int("to_type", type_id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const rate = co_await ledger.rate(from, to);
  if (!rate) co_return std::unexpected(rate.error());
  co_return json_response(to_json(*rate));
}

// "<from>-<to>": the types of the last rate of the page before.
ledger::RateQuery read_rate_cursor(QueryReader& in, Page const& page) {
  ledger::RateQuery query;
  if (!page.cursor) return query;
  auto const dash = std::min(page.cursor->find('-'), page.cursor->size());
  auto const from = parse_int(std::string_view(*page.cursor).substr(0, dash));
  auto const to = parse_int(std::string_view(*page.cursor).substr(std::min(dash + 1, page.cursor->size())));
  if (!from || !to || *from < 1 || *to < 1)
    in.problem("cursor", "must be a next_cursor of an earlier answer");
  query.after_from = from.value_or(0);
  query.after_to = to.value_or(0);
  return query;
}

Answering get_rates(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const page = in.page();
  auto query = read_rate_cursor(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  query.limit = page.limit + 1;  // one more tells whether there is a next page
  auto const rates = co_await ledger.rates(query);
  json::array items;
  std::optional<std::string> next;
  for (auto const& rate : rates) {
    if (std::int64_t(items.size()) == page.limit) {
      auto const& last = rates[std::size_t(page.limit) - 1];
      next = fmt::format("{}-{}", last.from, last.to);
      break;
    }
    items.push_back(to_json(rate));
  }
  co_return page_response(std::move(items), next);
}

Answering post_exchange(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  Exchange exchange;
  exchange.order_id = in.required<OrderId>("order_id");
  exchange.uid = in.required<UserId>("uid");
  exchange.domain = in.required<Domain>("domain");
  exchange.from_type = in.required_number_id("from_type");
  exchange.to_type = in.required_number_id("to_type");
  exchange.amount = read_amount(in);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const order_id = exchange.order_id;
  auto const receipt = co_await ledger.exchange(std::move(exchange));
  if (!receipt) co_return std::unexpected(receipt.error());
  auto const& outcome = receipt->outcome;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, receipt->replayed));
  auto out = receipt_json(order_id, *receipt);
  out["from_type"] = outcome.type;
  out["debited"] = outcome.amount.value();
  out["from_balance"] = outcome.balance.value();
  co_return json_response(out);
}

Answering post_hold(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  Hold hold;
  hold.order_id = in.required<OrderId>("order_id");
  hold.account.type = in.required_number_id("type");
  hold.account.domain = in.required<Domain>("domain");
  hold.account.uid = in.required<UserId>("uid");
  hold.amount = read_amount(in);
  hold.expires_at = in.optional<TimeMs>("expires_at");
  hold.remark = read_remark(in);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const order_id = hold.order_id;
  auto const uid = hold.account.uid.str();
  auto const receipt = co_await ledger.hold(std::move(hold));
  if (!receipt) co_return std::unexpected(receipt.error());
  if (receipt->outcome.status != Status::ok) {
    co_return std::unexpected(refusal(order_id, receipt->outcome, receipt->replayed));
  }
  auto out = receipt_json(order_id, *receipt);
  out["uid"] = uid;
  co_return json_response(out);
}

Response closed_hold(UserId const& uid, OrderId const& order_id, Receipt const& receipt) {
  auto const& outcome = receipt.outcome;
  auto const captured = outcome.number("captured");
  json::object out{{"order_id", order_id.str()},
                   {"uid", uid.str()},
                   {"type", outcome.type},
                   {"domain", outcome.domain.str()},
                   {"amount", outcome.amount.value()},
                   {"state", outcome.word("state")},
                   {"captured", captured},
                   {"released", outcome.amount.value() - captured},
                   {"balance", nullptr},
                   {"replayed", receipt.replayed}};
  // Of a hold that expired nobody looked at the balance.
  if (!outcome.word("after").empty()) out["balance"] = outcome.number("after");
  return json_response(out);
}

struct HoldPath {
  UserId uid;
  OrderId order_id;
};

Result<HoldPath> read_hold_path(Request const& request) {
  QueryReader path(request);
  HoldPath hold{.uid = path.path<UserId>("uid"), .order_id = path.path<OrderId>("order_id")};
  if (auto problem = path.finish()) return std::unexpected(std::move(*problem));
  return hold;
}

Answering post_capture(ledger::Ledger& ledger, Request const& request) {
  auto const hold = read_hold_path(request);
  if (!hold) co_return std::unexpected(hold.error());
  auto const body = parse_json(request.body.empty() ? "{}" : request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  auto const amount = in.optional_int("amount", amount_rule).and_then(&Amount::from);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const receipt = co_await ledger.capture(hold->uid, hold->order_id, amount);
  if (!receipt) co_return std::unexpected(receipt.error());
  co_return closed_hold(hold->uid, hold->order_id, *receipt);
}

Answering post_release(ledger::Ledger& ledger, Request const& request) {
  auto const hold = read_hold_path(request);
  if (!hold) co_return std::unexpected(hold.error());
  // Whoever sends an amount means to release a part: that is not what would happen.
  auto const body = parse_json(request.body.empty() ? "{}" : request.body);
  if (!body) co_return std::unexpected(body.error());
  if (auto problem = ObjectReader(*body).finish()) co_return std::unexpected(std::move(*problem));
  auto const receipt = co_await ledger.release(hold->uid, hold->order_id);
  if (!receipt) co_return std::unexpected(receipt.error());
  co_return closed_hold(hold->uid, hold->order_id, *receipt);
}

std::vector<Field> with(std::vector<Field> fields, std::vector<Field> const& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Field const amount_field = required("amount", type::positive_amount, "points");

std::vector<Field> moved_fields() {
  return outcome_fields({"ok"}, {type_field, domain_field, required("amount", type::amount, "asked for"),
                                 required("at", type::time, "when"), replayed_field});
}

std::vector<Field> closed_hold_fields() {
  return {order_field,
          uid_field,
          type_field,
          domain_field,
          required("amount", type::amount, "that was put aside"),
          required("state", type::choice({"captured", "released", "expired"}), "how it ended"),
          required("captured", type::amount, "gone for good"),
          required("released", type::amount, "came back"),
          required("balance", type::amount.or_null(), "after it; null if it had expired by itself"),
          replayed_field};
}

}  // namespace

std::span<Route const> ledger_moves_routes() {
  namespace errors = ledger::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/ledger/transfers",
       Scope::ledger,
       &post_transfer,
       {.id = "post_transfer",
        .summary = "Moves points from one user to another",
        .description =
            "Points keep their expiry. 202 with state pending if they have left and not yet arrived: they "
            "will, or come back; asking again tells.",
        .body = {order_field, type_field, domain_field, required("from", type::user_id, "who gives"),
                 required("to", type::user_id, "who gets"), amount_field, remark_field},
        .other_status = 202,
        .answer = with(moved_fields(),
                       {required("from", type::user_id, "who gave"), required("to", type::user_id, "who got"),
                        required("from_balance", type::amount, "of the giver, after it"),
                        required("to_balance", type::amount.or_null(), "of the getter, after it"),
                        required("state", type::choice({"done", "pending"}), "whether they arrived")}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::self_target,
                     errors::order_too_old, errors::order_conflict, errors::insufficient_balance,
                     errors::balance_limit},
        .retried_by_order = true}},
      {Method::put,
       "/v1/ledger/rates/{from_type}/{to_type}",
       Scope::ledger,
       &put_rate,
       {.id = "set_rate",
        .summary = "Sets what points of one type are worth in another",
        .path = {required("from_type", type::integer(1), "what is given"),
                 required("to_type", type::integer(1), "what is got")},
        .body = {required("numerator", type::integer(1), "points got"),
                 required("denominator", type::integer(1), "for so many given")},
        .answer = rate_fields,
        .refusals = {errors::type_not_found, errors::self_target}}},
      {Method::get,
       "/v1/ledger/rates/{from_type}/{to_type}",
       Scope::ledger,
       &get_rate,
       {.id = "get_rate",
        .summary = "Shows what points of one type are worth in another",
        .path = {required("from_type", type::integer(1), "what is given"),
                 required("to_type", type::integer(1), "what is got")},
        .answer = rate_fields,
        .refusals = {errors::rate_not_found}}},
      {Method::get,
       "/v1/ledger/rates",
       Scope::ledger,
       &get_rates,
       {.id = "list_rates",
        .summary = "Lists the rates, by what is given and then by what is got",
        .answer = rate_fields,
        .list = true}},
      {Method::post,
       "/v1/ledger/exchanges",
       Scope::ledger,
       &post_exchange,
       {.id = "post_exchange",
        .summary = "Turns a user's points of one type into another",
        .description = "At the rate of the moment, rounded down. What is got is new and does not expire.",
        .body = {order_field, uid_field, domain_field,
                 required("from_type", type::integer(1), "what is given"),
                 required("to_type", type::integer(1), "what is got"), amount_field},
        .answer = with(moved_fields(), {required("from_type", type::integer(1), "what was given"),
                                        required("to_type", type::integer(1), "what was got"),
                                        required("debited", type::amount, "points given"),
                                        required("credited", type::amount, "points got"),
                                        required("from_balance", type::amount, "of what was given, after it"),
                                        required("to_balance", type::amount, "of what was got, after it")}),
        .refusals = {errors::type_not_found, errors::rate_not_found, errors::type_not_active,
                     errors::self_target, errors::nothing_to_credit, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance, errors::balance_limit},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds",
       Scope::ledger,
       &post_hold,
       {.id = "post_hold",
        .summary = "Puts points aside",
        .description =
            "They are out of the balance until they are captured or released, or the hold expires.",
        .body = {order_field, type_field, domain_field, uid_field, amount_field,
                 optional("expires_at", type::time, "when it is released by itself"), remark_field},
        .answer = with(moved_fields(),
                       {uid_field, optional("expires_at", type::time, "when it is released by itself"),
                        required("state", type::choice({"open", "captured", "released", "expired"}),
                                 "open, or how it ended"),
                        optional("captured", type::amount, "once it has ended: gone for good")}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds/{uid}/{order_id}/capture",
       Scope::ledger,
       &post_capture,
       {.id = "capture_hold",
        .summary = "Takes a hold, or part of it, and gives the rest back",
        .description = "The same again answers the same, with replayed: true.",
        .body = {optional("amount", type::positive_amount, "how much of it; all if absent")},
        .answer = closed_hold_fields(),
        .refusals = {errors::hold_not_found, errors::hold_closed, errors::hold_too_small},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/holds/{uid}/{order_id}/release",
       Scope::ledger,
       &post_release,
       {.id = "release_hold",
        .summary = "Gives a hold back",
        .description = "The same again answers the same, with replayed: true.",
        .answer = closed_hold_fields(),
        .refusals = {errors::hold_not_found, errors::hold_closed},
        .retried_by_order = true}},
  };
  return routes;
}

}  // namespace larder::api
