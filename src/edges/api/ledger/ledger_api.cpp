#include "edges/api/ledger/ledger_api.hpp"

#include "base/number.hpp"
#include "edges/api/ledger/ledger_json.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using ledger::Entry;
using ledger::FlowQuery;
using ledger::Op;
using ledger::Receipt;
using ledger::ScoreType;
using ledger::Status;
using ledger::TypeChange;

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
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return type;
}

Result<TypeChange> read_type_change(Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) return std::unexpected(body.error());
  ObjectReader in(*body);
  IntRule const days{.min = 1, .max = limits::order_ttl_days_max};
  TypeChange const change{
      .name = in.optional_text("name", {.chars_min = 1, .chars_max = limits::type_name_chars_max}),
      .starts_at = in.optional<TimeMs>("starts_at"),
      .ends_at = in.optional<TimeMs>("ends_at"),
      .clears_starts_at = in.is_null("starts_at"),
      .clears_ends_at = in.is_null("ends_at"),
      .order_ttl_days = in.optional_int("order_ttl_days", days),
      .order_age_days_max = in.optional_int("order_age_days_max", days),
      .remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max})};
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return change;
}

Result<Entry> read_entry(json::value const& value, std::string path = {}) {
  ObjectReader in(value, std::move(path));
  Entry entry;
  entry.order_id = in.required<OrderId>("order_id");
  entry.op = Op(in.required_choice("op", ledger::entry_op_names));
  entry.account.type = in.required_number_id("type");
  entry.account.domain = in.required<Domain>("domain");
  entry.account.uid = in.required<UserId>("uid");
  entry.amount = read_amount(in, {.min = entry.op == Op::reset ? 0 : 1, .max = limits::amount_max});
  entry.remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
  entry.effective_at = in.optional<TimeMs>("effective_at");
  entry.expires_at = in.optional<TimeMs>("expires_at");
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return entry;
}

// By hand: this is the hot path, and the words need no escaping.
void append_receipt(std::string& out, OrderId const& order_id, Receipt const& receipt) {
  auto const& [outcome, replayed] = receipt;
  fmt::format_to(std::back_inserter(out),
                 R"({{"order_id":"{}","op":"{}","status":"{}","old_balance":{},"change":{},"balance":{},)"
                 R"("replayed":{}}})",
                 order_id.str(), ledger::name_of(outcome.op), ledger::name_of(outcome.status),
                 outcome.old_balance.value(), outcome.change(), outcome.balance.value(), replayed);
}

Answering post_type(ledger::Ledger& ledger, Request const& request) {
  auto type = read_type(request);
  if (!type) co_return std::unexpected(type.error());
  auto const created = co_await ledger.create_type(std::move(*type));
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
  if (!page.cursor) return 0;
  auto const id = parse_int(*page.cursor);
  if (!id || *id < 1) in.problem("cursor", "must be a next_cursor of an earlier answer");
  return id.value_or(0);
}

Answering get_types(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const page = in.page();
  auto const after = read_type_cursor(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  json::array items;
  std::int64_t last = 0;
  std::optional<std::string> next;
  for (auto const& type : co_await ledger.types()) {
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

Answering get_type(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const id = in.path_int("id", type_id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const type = co_await ledger.type(id);
  if (!type) co_return std::unexpected(type.error());
  co_return json_response(to_json(*type));
}

Answering post_order(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  auto const type = in.required_number_id("type");
  in.required<Domain>("domain");
  in.required<UserId>("uid");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const order = co_await ledger.issue_order(type);
  if (!order) co_return std::unexpected(order.error());
  co_return json_response(json::object{{"order_id", order->str()}}, 201);
}

// An entry of a batch that left no trace.
json::object refused_entry(OrderId const& order_id, Error const& error) {
  json::object out{{"order_id", order_id.str()}, {"status", error.code.name}, {"detail", error.detail}};
  if (!error.field.empty()) out["field"] = error.field;
  for (auto const& member : error.more) out.insert(member);
  return out;
}

Answering patch_type(ledger::Ledger& ledger, Request const& request) {
  QueryReader path(request);
  auto const id = path.path_int("id", type_id_rule);
  if (auto problem = path.finish()) co_return std::unexpected(std::move(*problem));
  auto change = read_type_change(request);
  if (!change) co_return std::unexpected(change.error());
  auto const changed = co_await ledger.change_type(id, std::move(*change));
  if (!changed) co_return std::unexpected(changed.error());
  co_return json_response(to_json(*changed));
}

Answering post_entry(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  auto entry = read_entry(*body);
  if (!entry) co_return std::unexpected(entry.error());
  auto const order_id = entry->order_id;
  auto const receipt = co_await ledger.post(std::move(*entry));
  if (!receipt) co_return std::unexpected(receipt.error());
  auto const& [outcome, replayed] = *receipt;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, replayed));
  Response response;
  append_receipt(response.body, order_id, *receipt);
  co_return response;
}

constexpr std::string_view batch_modes[] = {"continue", "atomic"};

Answering post_batch(ledger::Ledger& ledger, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  bool const atomic = in.required_choice("mode", batch_modes) == 1;
  std::vector<Entry> entries;
  std::vector<OrderId> orders;
  std::optional<Error> wrong;
  for (auto const& element : in.required_array("entries", 1, limits::batch_entries_max)) {
    auto const place = fmt::format("entries[{}]", entries.size());
    auto entry = read_entry(element, place);
    wrong = entry ? ledger::check_entry(*entry) : std::optional(entry.error());
    if (wrong) {
      if (entry) wrong->field = fmt::format("{}.{}", place, wrong->field);
      break;
    }
    orders.push_back(entry->order_id);
    entries.push_back(std::move(*entry));
  }
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  if (wrong) co_return std::unexpected(std::move(*wrong));

  Response response{.body = R"({"results":[)"};
  if (atomic) {
    auto const receipts = co_await ledger.post_all(std::move(entries));
    if (!receipts) co_return std::unexpected(receipts.error());
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (i > 0) response.body += ',';
      append_receipt(response.body, orders[i], (*receipts)[i]);
    }
  } else {
    auto const results = co_await ledger.post_each(std::move(entries));
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (i > 0) response.body += ',';
      if (results[i]) {
        append_receipt(response.body, orders[i], *results[i]);
      } else {
        response.body += json::serialize(refused_entry(orders[i], results[i].error()));
      }
    }
  }
  response.body += "]}";
  co_return response;
}

Answering get_account(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const account = read_account_path(in);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const view = co_await ledger.account(account);
  if (!view) co_return std::unexpected(view.error());
  co_return json_response(to_json(*view));
}

Answering get_account_at(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const account = read_account_path(in);
  auto const time = in.required<TimeMs>("time");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const balance = co_await ledger.balance_at(account, time);
  if (!balance) co_return std::unexpected(balance.error());
  co_return json_response({{"type", account.type},
                           {"domain", account.domain.str()},
                           {"uid", account.uid.str()},
                           {"time", to_rfc3339(time)},
                           {"balance", balance->value()}});
}

Answering get_order(ledger::Ledger& ledger, Request const& request) {
  QueryReader in(request);
  auto const uid = in.path<UserId>("uid");
  auto const order_id = in.path<OrderId>("order_id");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const outcome = co_await ledger.order(uid, order_id);
  if (!outcome) co_return std::unexpected(outcome.error());
  auto out = order_json(order_id, *outcome);
  out["uid"] = uid.str();
  co_return json_response(out);
}

Answering get_flows(ledger::Ledger& ledger, Request const& request) {
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
  auto const flows = co_await ledger.flows(query);
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

std::vector<Field> entry_fields() {
  return {order_field,
          required("op", type::choice({ledger::entry_op_names.begin(), ledger::entry_op_names.end()}),
                   "what to do"),
          type_field,
          domain_field,
          uid_field,
          required("amount", type::amount, "at least 1, or 0 to reset"),
          remark_field,
          optional("effective_at", type::time, "of an add: the points count from then on"),
          optional("expires_at", type::time, "of an add: the points vanish then")};
}

// A decided entry, or one that left no trace.
FieldType batch_result_type() {
  return type::one_of(
      {type::object(outcome_fields({"ok", "insufficient_balance", "balance_limit"}, {replayed_field})),
       type::object({required("order_id", type::order_id, "the order"),
                     required("status",
                              type::choice({"invalid_request", "type_not_found", "type_not_active",
                                            "order_too_old", "order_conflict"}),
                              "why it was refused"),
                     required("detail", type::text(), "one sentence for a person"),
                     optional("field", type::text(), "of invalid_request: the input that was refused"),
                     optional("fields", type::array(type::text()), "of order_conflict: what differs")})});
}

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
                          "how old an issued order may be when it is used; 7 if absent"),
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
      {Method::patch,
       "/v1/ledger/types/{id}",
       Scope::ledger,
       &patch_type,
       {.id = "change_type",
        .summary = "Changes a score type",
        .description = "What is not given stays; null takes a time away. An end in the past is taken as now. "
                       "A type that ended a day ago has lost its points and cannot go on: type_over.",
        .path = {required("id", type::integer(1), "of the type")},
        .body = {optional("name", type::text(1, limits::type_name_chars_max), "unique name"),
                 optional("starts_at", type::time.or_null(), "entries are refused before"),
                 optional("ends_at", type::time.or_null(),
                          "entries are refused from then on, balances vanish"),
                 optional("order_ttl_days", type::integer(1, limits::order_ttl_days_max),
                          "how long an order is remembered that is decided from now on"),
                 optional("order_age_days_max", type::integer(1, limits::order_ttl_days_max),
                          "how old an issued order may be when it is used"),
                 optional("remark", type::text(limits::remark_chars_max), "for people")},
        .answer = type_fields,
        .refusals = {errors::type_not_found, errors::type_exists, errors::type_over}}},
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
        .body = entry_fields(),
        .answer = outcome_fields({"ok"}, {replayed_field}),
        .refusals = {errors::type_not_found, errors::type_not_active, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance, errors::balance_limit},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/entries/batch",
       Scope::ledger,
       &post_batch,
       {.id = "post_batch",
        .summary = "Posts up to 1000 entries",
        .description =
            "continue: each entry on its own, one result per entry in their order; a refused one has its "
            "code as status. atomic: all or none, of one user, or of any users that share a slot (on one "
            "Redis all do); refused as batch_refused, with the index of the entry that says no and the "
            "reason, it leaves no trace. The same batch again replays entry by entry.",
        .body = {required("mode", type::choice({"continue", "atomic"}),
                          "what a refused entry means to the others"),
                 required("entries", type::array(type::object(entry_fields()), 1, limits::batch_entries_max),
                          "1 to 1000")},
        .answer = {required("results", type::array(batch_result_type()), "one per entry, in order")},
        .refusals = {errors::batch_refused, errors::not_one_slot},
        .retried_by_order = true}},
      {Method::get,
       "/v1/ledger/accounts/{type}/{domain}/{uid}",
       Scope::ledger,
       &get_account,
       {.id = "get_account",
        .summary = "Shows what a user can spend now",
        .path = {type_field},
        .answer = account_fields,
        .refusals = {errors::type_not_found}}},
      {Method::get,
       "/v1/ledger/accounts/{type}/{domain}/{uid}/at",
       Scope::ledger,
       &get_account_at,
       {.id = "get_account_at",
        .summary = "Shows the balance as it was",
        .path = {type_field},
        .query = {required("time", type::time, "the moment; not in the future, by the server's clock")},
        .answer = {type_field, domain_field, uid_field, required("time", type::time, "the moment"),
                   required("balance", type::amount, "what could be spent then")},
        .refusals = {errors::type_not_found}}},
      {Method::get,
       "/v1/ledger/orders/{uid}/{order_id}",
       Scope::ledger,
       &get_order,
       {.id = "get_order",
        .summary = "Shows how an order was decided",
        .answer = order_fields(),
        .refusals = {errors::order_not_found}}},
      {Method::get,
       "/v1/ledger/flows",
       Scope::ledger,
       &get_flows,
       {.id = "list_flows",
        .summary = "Lists a user's journal, newest first",
        .description = "Each flow tells one change, as it happened. How a hold or a transfer stands now is "
                       "the state of its order.",
        .query = {uid_field, optional("type", type::integer(1), "only this type"),
                  optional("domain", type::domain, "only this domain"),
                  optional("from", type::time, "not before"), optional("to", type::time, "before")},
        .answer = flow_fields(),
        .list = true}},
  };
  return routes;
}

}  // namespace larder::api
