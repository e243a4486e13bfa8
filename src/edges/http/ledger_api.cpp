#include "edges/http/ledger_api.hpp"

#include "edges/http/query.hpp"

#include <fmt/format.h>

#include <charconv>

namespace larder {

namespace {

using ledger::Account;
using ledger::Entry;
using ledger::Flow;
using ledger::FlowQuery;
using ledger::Op;
using ledger::Outcome;
using ledger::ScoreType;
using ledger::Status;

json::value time_or_null(std::optional<TimeMs> time) {
  if (!time) return nullptr;
  return json::string(to_rfc3339(*time));
}

json::object to_json(ScoreType const& type) {
  return {{"id", type.id},
          {"name", type.name},
          {"starts_at", time_or_null(type.starts_at)},
          {"ends_at", time_or_null(type.ends_at)},
          {"order_ttl_days", type.order_ttl_days},
          {"order_age_days_max", type.order_age_days_max},
          {"remark", type.remark},
          {"created_at", to_rfc3339(type.created_at)}};
}

// The outcome of an order, in the words of an entry's answer.
json::object to_json(OrderId const& order_id, Outcome const& outcome) {
  return {{"order_id", order_id.str()},
          {"op", ledger::name_of(outcome.op)},
          {"status", ledger::name_of(outcome.status)},
          {"old_balance", outcome.old_balance.value()},
          {"change", outcome.change()},
          {"balance", outcome.balance.value()}};
}

json::object to_json(Flow const& flow) {
  auto out = to_json(flow.order_id, flow.outcome);
  out["type"] = flow.outcome.type;
  out["domain"] = flow.outcome.domain.str();
  out["amount"] = flow.outcome.amount.value();
  out["remark"] = flow.remark;
  out["at"] = to_rfc3339(flow.outcome.at);
  return out;
}

Result<ScoreType> read_type(Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) return std::unexpected(body.error());
  ObjectReader in(*body);
  ScoreType type;
  type.name = in.required_text("name", {.chars_min = 1, .chars_max = limits::type_name_chars_max});
  type.starts_at = in.optional<TimeMs>("starts_at");
  type.ends_at = in.optional<TimeMs>("ends_at");
  IntRule const days{.min = 1, .max = limits::order_ttl_days_max};
  type.order_ttl_days = in.optional_int("order_ttl_days", days).value_or(type.order_ttl_days);
  type.order_age_days_max = in.optional_int("order_age_days_max", days).value_or(type.order_age_days_max);
  type.remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
  if (type.starts_at && type.ends_at && *type.ends_at <= *type.starts_at) {
    in.problem("ends_at", "must be after starts_at");
  }
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return type;
}

Result<Entry> read_entry(Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) return std::unexpected(body.error());
  ObjectReader in(*body);
  Entry entry;
  entry.order_id = in.required<OrderId>("order_id");
  entry.op = Op(in.required_choice("op", ledger::op_names));
  entry.account.type = in.required_number_id("type");
  entry.account.domain = in.required<Domain>("domain");
  entry.account.uid = in.required<UserId>("uid");
  entry.amount = in.required<Amount>("amount");
  entry.remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return entry;
}

// A remembered refusal answers 409 with the same fields as a success.
Error refusal(OrderId const& order_id, Outcome const& outcome, bool replayed) {
  Error error{.code = outcome.status == Status::insufficient_balance ? ledger::errors::insufficient_balance
                                                                     : ledger::errors::balance_limit,
              .detail = outcome.status == Status::insufficient_balance
                            ? fmt::format("the balance is {}, {} are needed", outcome.old_balance.value(),
                                          outcome.amount.value())
                            : fmt::format("the balance would go beyond {}", limits::amount_max)};
  // `status` belongs to the problem document, where it is the HTTP status; `code` says the same.
  error.more = to_json(order_id, outcome);
  error.more.erase("status");
  error.more["replayed"] = replayed;
  return error;
}

Task<Result<Response>> post_type(Services& services, Request const& request) {
  auto type = read_type(request);
  if (!type) co_return std::unexpected(type.error());
  auto const created = co_await ledger_of(services).create_type(std::move(*type));
  if (!created) co_return std::unexpected(created.error());
  co_return json_response(to_json(*created), 201);
}

std::optional<ledger::FlowId> read_flow_cursor(QueryReader& in, Page const& page) {
  if (!page.cursor) return std::nullopt;
  try {
    auto const [ms, sequence] = events::parse_id(*page.cursor);
    if (ms >= 0 && sequence >= 0) return ledger::FlowId{.ms = ms, .sequence = sequence};
  } catch (std::runtime_error const&) {}
  in.problem("cursor", "must be a next_cursor of an earlier answer");
  return std::nullopt;
}

std::int64_t read_type_cursor(QueryReader& in, Page const& page) {
  std::int64_t id = 0;
  if (!page.cursor) return id;
  auto const* const end = page.cursor->data() + page.cursor->size();
  auto const parsed = std::from_chars(page.cursor->data(), end, id);
  if (parsed.ec != std::errc{} || parsed.ptr != end || id < 1) {
    in.problem("cursor", "must be a next_cursor of an earlier answer");
  }
  return id;
}

Task<Result<Response>> get_types(Services& services, Request const& request) {
  QueryReader in(request);
  auto const page = in.page();
  auto const after = read_type_cursor(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  json::array items;
  std::int64_t last = 0;
  std::optional<std::string> next;
  for (auto const& type : co_await ledger_of(services).types()) {
    if (type.id <= after) continue;
    if (std::int64_t(items.size()) == page.limit) {
      next = std::to_string(last);
      break;
    }
    last = type.id;
    items.push_back(to_json(type));
  }
  co_return page_response(std::move(items), next);
}

constexpr IntRule type_id_rule{.min = 1, .max = limits::amount_max};

Task<Result<Response>> get_type(Services& services, Request const& request) {
  QueryReader in(request);
  auto const id = in.path_int("id", type_id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const type = co_await ledger_of(services).type(id);
  if (!type) co_return std::unexpected(type.error());
  co_return json_response(to_json(*type));
}

Task<Result<Response>> post_order(Services& services, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  auto const type = in.required_number_id("type");
  in.required<Domain>("domain");
  in.required<UserId>("uid");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const order = co_await ledger_of(services).issue_order(type);
  if (!order) co_return std::unexpected(order.error());
  co_return json_response(json::object{{"order_id", order->str()}}, 201);
}

Task<Result<Response>> post_entry(Services& services, Request const& request) {
  auto entry = read_entry(request);
  if (!entry) co_return std::unexpected(entry.error());
  auto const order_id = entry->order_id;
  auto const receipt = co_await ledger_of(services).post(std::move(*entry));
  if (!receipt) co_return std::unexpected(receipt.error());
  auto const& [outcome, replayed] = *receipt;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, replayed));
  // By hand: this is the hot path, and the words need no escaping.
  co_return Response{
      .body = fmt::format(
          R"({{"order_id":"{}","op":"{}","status":"ok","old_balance":{},"change":{},"balance":{},)"
          R"("replayed":{}}})",
          order_id.str(), ledger::name_of(outcome.op), outcome.old_balance.value(), outcome.change(),
          outcome.balance.value(), replayed)};
}

Task<Result<Response>> get_account(Services& services, Request const& request) {
  QueryReader in(request);
  Account const account{.type = in.path_int("type", type_id_rule),
                        .domain = in.path<Domain>("domain"),
                        .uid = in.path<UserId>("uid")};
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const balance = co_await ledger_of(services).balance(account);
  if (!balance) co_return std::unexpected(balance.error());
  co_return json_response({{"type", account.type},
                           {"domain", account.domain.str()},
                           {"uid", account.uid.str()},
                           {"balance", balance->value()},
                           {"held", 0},
                           {"pending", 0},
                           {"lots", json::array()}});
}

Task<Result<Response>> get_order(Services& services, Request const& request) {
  QueryReader in(request);
  auto const uid = in.path<UserId>("uid");
  auto const order_id = in.path<OrderId>("order_id");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const outcome = co_await ledger_of(services).order(uid, order_id);
  if (!outcome) co_return std::unexpected(outcome.error());
  auto out = to_json(order_id, *outcome);
  out["type"] = outcome->type;
  out["domain"] = outcome->domain.str();
  out["uid"] = uid.str();
  out["amount"] = outcome->amount.value();
  out["at"] = to_rfc3339(outcome->at);
  co_return json_response(out);
}

Task<Result<Response>> get_flows(Services& services, Request const& request) {
  QueryReader in(request);
  FlowQuery query;
  query.uid = in.required<UserId>("uid");
  query.type = in.optional_int("type", type_id_rule);
  query.domain = in.optional<Domain>("domain");
  query.from = in.optional<TimeMs>("from");
  query.to = in.optional<TimeMs>("to");
  auto const page = in.page();
  query.before = read_flow_cursor(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));

  query.limit = page.limit + 1;  // one more tells whether there is a next page
  auto const flows = co_await ledger_of(services).flows(query);
  json::array items;
  std::optional<std::string> next;
  for (auto const& flow : flows) {
    if (std::int64_t(items.size()) == page.limit) {
      auto const& last = flows[std::size_t(page.limit) - 1].id;
      next = fmt::format("{}-{}", last.ms, last.sequence);
      break;
    }
    items.push_back(to_json(flow));
  }
  co_return page_response(std::move(items), next);
}

std::vector<Field> const type_fields = {
    required("id", type::integer(1), "numeric id, given by the server"),
    required("name", type::text(1, limits::type_name_chars_max), "unique name"),
    required("starts_at", type::time.or_null(), "entries are refused before"),
    required("ends_at", type::time.or_null(), "entries are refused from then on, balances vanish"),
    required("order_ttl_days", type::integer(1, limits::order_ttl_days_max),
             "how long an order is remembered"),
    required("order_age_days_max", type::integer(1, limits::order_ttl_days_max),
             "how old an issued order may be; kept, not checked yet"),
    required("remark", type::text(limits::remark_chars_max), "for people"),
    required("created_at", type::time, "when it was made"),
};

std::vector<std::string_view> const op_choices(std::begin(ledger::op_names), std::end(ledger::op_names));
std::vector<std::string_view> const status_choices(std::begin(ledger::status_names),
                                                   std::end(ledger::status_names));

// A refused entry is answered as a problem, so an entry's own answer knows one status only.
std::vector<Field> outcome_fields(std::vector<std::string_view> const& statuses,
                                  std::vector<Field> const& more) {
  std::vector<Field> fields = {
      required("order_id", type::order_id, "the order"),
      required("op", type::choice(op_choices), "what was asked for"),
      required("status", type::choice(statuses), "how it was decided"),
      required("old_balance", type::amount, "balance before"),
      required("change", type::integer(), "balance minus old_balance"),
      required("balance", type::amount, "balance after"),
  };
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Field const type_field =
    required("type", type::integer(1), "id of the score type; digits in a string do, too");
Field const domain_field = required("domain", type::domain, "a partition of the type, such as a season");
Field const uid_field = required("uid", type::user_id, "the user");

}  // namespace

std::span<Route const> ledger_routes() {
  namespace errors = ledger::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/ledger/types",
       Scope::ledger,
       &post_type,
       {.id = "create_type",
        .summary = "Makes a score type",
        .body = {required("name", type::text(1, limits::type_name_chars_max), "unique name"),
                 optional("starts_at", type::time, "entries are refused before"),
                 optional("ends_at", type::time, "entries are refused from then on, balances vanish"),
                 optional("order_ttl_days", type::integer(1, limits::order_ttl_days_max),
                          "how long an order is remembered; 7 if absent"),
                 optional("order_age_days_max", type::integer(1, limits::order_ttl_days_max),
                          "how old an issued order may be; 7 if absent; kept, not checked yet"),
                 optional("remark", type::text(limits::remark_chars_max), "for people")},
        .status = 201,
        .answer = type_fields,
        .refusals = {errors::type_exists}}},
      {Method::get,
       "/v1/ledger/types",
       Scope::ledger,
       &get_types,
       {.id = "list_types", .summary = "Lists the score types", .answer = type_fields, .list = true}},
      {Method::get,
       "/v1/ledger/types/{id}",
       Scope::ledger,
       &get_type,
       {.id = "get_type",
        .summary = "Shows a score type",
        .path = {required("id", type::integer(1), "of the type")},
        .answer = type_fields,
        .refusals = {errors::type_not_found}}},
      {Method::post,
       "/v1/ledger/orders",
       Scope::ledger,
       &post_order,
       {.id = "issue_order",
        .summary = "Gives an order id that nobody was given before",
        .body = {type_field, domain_field, uid_field},
        .status = 201,
        .answer = {required("order_id", type::order_id, "for one entry")},
        .refusals = {errors::type_not_found}}},
      {Method::post,
       "/v1/ledger/entries",
       Scope::ledger,
       &post_entry,
       {.id = "post_entry",
        .summary = "Adds, deducts or resets points",
        .description = "The same order with the same parameters answers the same again, with replayed: true, "
                       "however often it is sent. A refusal for lack of points is remembered, too.",
        .body = {required("order_id", type::order_id, "issued, or your own"),
                 required("op", type::choice(op_choices), "what to do"), type_field, domain_field, uid_field,
                 required("amount", type::amount, "at least 1, or 0 to reset"),
                 optional("remark", type::text(limits::remark_chars_max), "why; kept in the journal")},
        .answer =
            outcome_fields({"ok"}, {required("replayed", type::boolean, "decided by an earlier request")}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::order_conflict,
                     errors::insufficient_balance, errors::balance_limit},
        .retried_by_order = true}},
      {Method::get,
       "/v1/ledger/accounts/{type}/{domain}/{uid}",
       Scope::ledger,
       &get_account,
       {.id = "get_account",
        .summary = "Shows what a user can spend now",
        .path = {type_field},
        .answer = {type_field, domain_field, uid_field, required("balance", type::amount, "can be spent now"),
                   required("held", type::amount, "reserved"), required("pending", type::amount, "under way"),
                   required("lots", type::array(type::any), "points that mature or expire")},
        .refusals = {errors::type_not_found}}},
      {Method::get,
       "/v1/ledger/orders/{uid}/{order_id}",
       Scope::ledger,
       &get_order,
       {.id = "get_order",
        .summary = "Shows how an order was decided",
        .answer = outcome_fields(status_choices, {type_field, domain_field, uid_field,
                                                  required("amount", type::amount, "asked for"),
                                                  required("at", type::time, "when")}),
        .refusals = {errors::order_not_found}}},
      {Method::get,
       "/v1/ledger/flows",
       Scope::ledger,
       &get_flows,
       {.id = "list_flows",
        .summary = "Lists a user's journal, newest first",
        .query = {uid_field, optional("type", type::integer(1), "only this type"),
                  optional("domain", type::domain, "only this domain"),
                  optional("from", type::time, "not before"), optional("to", type::time, "before")},
        .answer = outcome_fields(status_choices,
                                 {type_field, domain_field, required("amount", type::amount, "asked for"),
                                  required("remark", type::text(limits::remark_chars_max), "why"),
                                  required("at", type::time, "when")}),
        .list = true}},
  };
  return routes;
}

}  // namespace larder
