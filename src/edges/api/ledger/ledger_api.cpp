#include "edges/api/ledger/ledger_api.hpp"

#include "base/number.hpp"
#include "edges/api/ledger/ledger_json.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using ledger::Entry;
using ledger::Op;
using ledger::Receipt;
using ledger::ScoreType;
using ledger::Status;
using ledger::TypeChange;

constexpr auto days_kind = kind::integer(1, limits::order_ttl_days_max);
constexpr auto name_kind = kind::text(1, limits::type_name_chars_max);
constexpr std::string_view name_says = "the unique name";
constexpr std::string_view starts_says = "entries are refused before this time";
constexpr std::string_view ends_says = "from this time on, entries are refused and balances are gone";
constexpr std::string_view remark_says = "a note for people";

ObjectSchema<ScoreType> type_schema() {
  return ObjectSchema<ScoreType>()
      .required("name", name_kind, &ScoreType::name, name_says)
      .optional("starts_at", kind::time, &ScoreType::starts_at, starts_says)
      .optional("ends_at", kind::time, &ScoreType::ends_at, ends_says)
      .optional("order_ttl_days", days_kind, &ScoreType::order_ttl_days,
                "for how many days an order is remembered; 7 if absent")
      .optional("order_age_days_max", days_kind, &ScoreType::order_age_days_max,
                "how many days old an issued order may be when it is used; 7 if absent")
      .optional("remark", remark_kind, &ScoreType::remark, remark_says);
}

struct OneType {
  ledger::TypeId id = 0;
};

Schema<OneType> one_type() {
  return Schema<OneType>().path("id", kind::number_id, &OneType::id, "the id of the type");
}

struct ChangedType {
  ledger::TypeId id = 0;
  TypeChange change;
};

template <class M>
auto in_change(M TypeChange::* member) {
  return [member](ChangedType& type) -> auto& { return type.change.*member; };
}

// A time, or null to remove it.
ObjectSchema<ChangedType>::Read read_change_of(std::string_view name,
                                               std::optional<TimeMs> TypeChange::* time,
                                               bool TypeChange::* clears) {
  return [=](ObjectReader& in, ChangedType& type) {
    type.change.*time = in.optional<TimeMs>(name);
    type.change.*clears = in.is_null(name);
  };
}

Schema<ChangedType> change_schema() {
  return Schema<ChangedType>()
      .path("id", kind::number_id, &ChangedType::id, "the id of the type")
      .body(ObjectSchema<ChangedType>()
                .optional("name", name_kind, in_change(&TypeChange::name), name_says)
                .field(optional("starts_at", type::time.or_null(), starts_says),
                       read_change_of("starts_at", &TypeChange::starts_at, &TypeChange::clears_starts_at))
                .field(optional("ends_at", type::time.or_null(), ends_says),
                       read_change_of("ends_at", &TypeChange::ends_at, &TypeChange::clears_ends_at))
                .optional("order_ttl_days", days_kind, in_change(&TypeChange::order_ttl_days),
                          "for how many days an order is remembered, if it is decided from now on")
                .optional("order_age_days_max", days_kind, in_change(&TypeChange::order_age_days_max),
                          "how many days old an issued order may be when it is used")
                .optional("remark", remark_kind, in_change(&TypeChange::remark), remark_says));
}

struct TypeList {
  std::int64_t limit = 0;
  ledger::TypeId after = 0;
  std::optional<std::string> name;
};

Schema<TypeList> type_list() {
  return Schema<TypeList>()
      .optional_query("name", name_kind, &TypeList::name, "only the type with this name")
      .page(&TypeList::limit, [](std::string const& cursor, TypeList& list) {
        list.after = parse_int(cursor).value_or(0);
        return list.after >= 1;
      });
}

// An account in the body.
template <class T>
ObjectSchema<T> account_schema(ObjectSchema<T> schema) {
  return std::move(schema)
      .required(
          "type", kind::number_id, [](T& out) -> auto& { return out.account.type; }, type_field.description)
      .required(
          "domain", kind::domain, [](T& out) -> auto& { return out.account.domain; },
          domain_field.description)
      .required("uid", kind::user_id, [](T& out) -> auto& { return out.account.uid; }, uid_field.description);
}

struct NewOrder {
  ledger::Account account;
};

ObjectSchema<Entry> entry_schema() {
  return account_schema(
             ObjectSchema<Entry>()
                 .required("order_id", kind::order_id, &Entry::order_id, order_field.description)
                 .required("op", kind::choice<Op>(ledger::entry_op_names), &Entry::op, "what to do"))
      .field(required("amount", type::amount, "at least 1; a reset may be to 0"),
             [](ObjectReader& in, Entry& entry) {
               entry.amount =
                   read_amount(in, {.min = entry.op == Op::reset ? 0 : 1, .max = limits::amount_max});
             })
      .optional("remark", remark_kind, &Entry::remark, remark_field.description)
      .optional("effective_at", kind::time, &Entry::effective_at,
                "for an add: the points begin to count at this time")
      .optional("expires_at", kind::time, &Entry::expires_at, "for an add: the points vanish at this time");
}

enum class BatchMode { each, all };
constexpr std::string_view batch_modes[] = {"continue", "atomic"};

struct Batch {
  BatchMode mode = BatchMode::each;
  std::vector<Entry> entries;
};

// Stops at the first entry that is wrong.
void read_entries(ObjectSchema<Entry> const& schema, ObjectReader& in, Batch& batch) {
  for (auto const& element : in.required_array("entries", 1, limits::batch_entries_max)) {
    auto const place = fmt::format("entries[{}]", batch.entries.size());
    auto entry = schema.read(element, place);
    auto wrong = entry ? ledger::problem_of_entry(*entry) : std::optional(entry.error());
    if (wrong) {
      if (entry) wrong->field = fmt::format("{}.{}", place, wrong->field);
      return in.inner_problem(std::move(*wrong));
    }
    batch.entries.push_back(std::move(*entry));
  }
}

ObjectSchema<Batch> batch_schema() {
  auto const entry = entry_schema();
  return ObjectSchema<Batch>()
      .required("mode", kind::choice<BatchMode>(batch_modes), &Batch::mode,
                "what happens to the other entries if one is refused")
      .field(required("entries", type::array(type::object(entry.fields()), 1, limits::batch_entries_max),
                      "1 to 1000 entries"),
             [entry](ObjectReader& in, Batch& batch) { read_entries(entry, in, batch); });
}

struct AccountAt {
  ledger::Account account;
  TimeMs time;
};

// An account in the path.
template <class T, class Target>
Schema<T> account_path(Target account) {
  return Schema<T>()
      .path(
          "type", kind::number_id, [=](T& out) -> auto& { return std::invoke(account, out).type; },
          type_field.description)
      .path(
          "domain", kind::domain, [=](T& out) -> auto& { return std::invoke(account, out).domain; },
          domain_field.description)
      .path("uid", kind::user_id, [=](T& out) -> auto& { return std::invoke(account, out).uid; }, "the user");
}

struct OneOrder {
  UserId uid;
  OrderId order_id;
};

Schema<OneOrder> one_order() {
  return Schema<OneOrder>()
      .path("uid", kind::user_id, &OneOrder::uid, "the user")
      .path("order_id", kind::order_id, &OneOrder::order_id, "the order");
}

// Writes the JSON by hand: this is the hot path, and the words need no escaping.
void append_receipt(std::string& out, OrderId const& order_id, Receipt const& receipt) {
  auto const& [outcome, replayed] = receipt;
  fmt::format_to(std::back_inserter(out),
                 R"({{"order_id":"{}","op":"{}","status":"{}","old_balance":{},"change":{},"balance":{},)"
                 R"("replayed":{}}})",
                 order_id.str(), ledger::name_of(outcome.op), ledger::name_of(outcome.status),
                 outcome.old_balance.value(), outcome.change(), outcome.balance.value(), replayed);
}

Answering post_type(ledger::Ledger& ledger, ScoreType type) {
  CO_TRY(auto const created, co_await ledger.create_type(std::move(type)));
  co_return json_response(to_json(created), 201);
}

Answering get_types(ledger::Ledger& ledger, TypeList list) {
  auto types = co_await ledger.types();
  std::erase_if(types, [&](ScoreType const& type) {
    return type.id <= list.after || (list.name && type.name != *list.name);
  });
  co_return page_response(
      types, list.limit, [](ScoreType const& type) { return to_json(type); },
      [](ScoreType const& type) { return fmt::to_string(type.id); });
}

Answering get_type(ledger::Ledger& ledger, OneType one) {
  CO_TRY(auto const type, co_await ledger.type(one.id));
  co_return json_response(to_json(type));
}

Answering patch_type(ledger::Ledger& ledger, ChangedType type) {
  CO_TRY(auto const changed, co_await ledger.change_type(type.id, std::move(type.change)));
  co_return json_response(to_json(changed));
}

Answering post_order(ledger::Ledger& ledger, NewOrder order) {
  CO_TRY(auto const id, co_await ledger.issue_order(order.account.type));
  co_return json_response(json::object{{"order_id", id.str()}}, 201);
}

// An entry of a batch that was refused without a trace.
json::object refused_entry(OrderId const& order_id, Error const& error) {
  json::object out{{"order_id", order_id.str()}, {"status", error.code.name}, {"detail", error.detail}};
  if (!error.field.empty()) out["field"] = error.field;
  for (auto const& member : error.more) out.insert(member);
  return out;
}

Answering post_entry(ledger::Ledger& ledger, Entry entry) {
  auto const order_id = entry.order_id;
  CO_TRY(auto const receipt, co_await ledger.post(std::move(entry)));
  auto const& [outcome, replayed] = receipt;
  if (outcome.status != Status::ok) co_return std::unexpected(refusal(order_id, outcome, replayed));
  Response response;
  append_receipt(response.body, order_id, receipt);
  co_return response;
}

Answering post_batch(ledger::Ledger& ledger, Batch batch) {
  std::vector<OrderId> orders;
  for (auto const& entry : batch.entries) orders.push_back(entry.order_id);
  Response response{.body = R"({"results":[)"};
  if (batch.mode == BatchMode::all) {
    CO_TRY(auto const receipts, co_await ledger.post_all(std::move(batch.entries)));
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (i > 0) response.body += ',';
      append_receipt(response.body, orders[i], receipts[i]);
    }
  } else {
    auto const results = co_await ledger.post_each(std::move(batch.entries));
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

Answering get_account(ledger::Ledger& ledger, ledger::Account account) {
  CO_TRY(auto const view, co_await ledger.account(std::move(account)));
  co_return json_response(to_json(view));
}

Answering get_account_at(ledger::Ledger& ledger, AccountAt asked) {
  auto const& [account, time] = asked;
  CO_TRY(auto const balance, co_await ledger.balance_at(account, time));
  co_return json_response({{"type", account.type},
                           {"domain", account.domain.str()},
                           {"uid", account.uid.str()},
                           {"time", to_rfc3339(time)},
                           {"balance", balance.value()}});
}

Answering get_order(ledger::Ledger& ledger, OneOrder one) {
  CO_TRY(auto const outcome, co_await ledger.order(one.uid, one.order_id));
  auto out = order_json(one.order_id, outcome);
  out["uid"] = one.uid.str();
  co_return json_response(out);
}

// An entry that was decided, or that was refused without a trace.
FieldType batch_result_type() {
  return type::one_of(
      {type::object(outcome_fields({"ok", "insufficient_balance", "balance_limit"}, {replayed_field})),
       type::object(
           {required("order_id", type::order_id, "the order"),
            required("status",
                     type::choice({"invalid_request", "type_not_found", "type_not_active", "order_too_old",
                                   "order_conflict", "foreign_record"}),
                     "why the entry was refused"),
            required("detail", type::text(), "one sentence for a person"),
            optional("field", type::text(), "for invalid_request: the field that was refused"),
            optional("fields", type::array(type::text()), "for order_conflict: the fields that differ")})});
}

}  // namespace

std::span<Route const> ledger_routes() {
  namespace errors = ledger::errors;
  using larder::errors::foreign_record;
  static Route const routes[] = {
      {Method::post,
       "/v1/ledger/types",
       Scope::ledger,
       handle(Schema<ScoreType>().body(type_schema()), &post_type),
       {.id = "create_type",
        .summary = "Creates a score type",
        .status = 201,
        .answer = type_fields,
        .answer_name = "ScoreType",
        .refusals = {errors::type_exists}}},
      {Method::get,
       "/v1/ledger/types",
       Scope::ledger,
       handle(type_list(), &get_types),
       {.id = "list_types",
        .summary = "Lists the score types",
        .answer = type_fields,
        .answer_name = "ScoreType"}},
      {Method::get,
       "/v1/ledger/types/{id}",
       Scope::ledger,
       handle(one_type(), &get_type),
       {.id = "get_type",
        .summary = "Shows a score type",
        .answer = type_fields,
        .answer_name = "ScoreType",
        .refusals = {errors::type_not_found}}},
      {Method::patch,
       "/v1/ledger/types/{id}",
       Scope::ledger,
       handle(change_schema(), &patch_type),
       {.id = "change_type",
        .summary = "Changes a score type",
        .description = "Absent fields stay as they are; null removes a time. An end in the past is taken as "
                       "now. A new end is accepted until 23 hours after the old one; later the points are "
                       "gone, and the change is refused with type_over.",
        .answer = type_fields,
        .answer_name = "ScoreType",
        .refusals = {errors::type_not_found, errors::type_exists, errors::type_over}}},
      {Method::post,
       "/v1/ledger/orders",
       Scope::ledger,
       handle(Schema<NewOrder>().body(account_schema(ObjectSchema<NewOrder>())), &post_order),
       {.id = "issue_order",
        .summary = "Issues an order id that was never issued before",
        .status = 201,
        .answer = {required("order_id", type::order_id, "the id for one order")},
        .refusals = {errors::type_not_found}}},
      {Method::post,
       "/v1/ledger/entries",
       Scope::ledger,
       handle(Schema<Entry>().body(entry_schema()), &post_entry),
       {.id = "post_entry",
        .summary = "Adds, deducts or resets points",
        .description =
            "The same order with the same parameters gets the same answer for the order_ttl_days of its "
            "type (7 by default), with replayed: true. A refusal for lack of points is remembered, too.",
        .answer = outcome_fields({"ok"}, {replayed_field}),
        .answer_name = "Receipt",
        .refusals = {errors::type_not_found, errors::type_not_active, errors::order_too_old,
                     errors::order_conflict, errors::insufficient_balance, errors::balance_limit,
                     foreign_record},
        .retried_by_order = true}},
      {Method::post,
       "/v1/ledger/entries/batch",
       Scope::ledger,
       handle(Schema<Batch>().body(batch_schema()), &post_batch),
       {.id = "post_batch",
        .summary = "Posts up to 1000 entries",
        .description = "continue: each entry is decided on its own. The answer has one result per entry, in "
                       "their order; a refused entry has its code as status. atomic: all entries or none, "
                       "for one user or for users that share a slot (on one Redis all users do). A refused "
                       "batch leaves no trace; batch_refused has the index of the refused entry and the "
                       "reason. If the same batch is sent again, each entry is replayed.",
        .answer = {required("results", type::array(batch_result_type()),
                            "one result per entry, in the order of the entries")},
        .refusals = {errors::batch_refused, errors::not_one_slot, foreign_record},
        .retried_by_order = true}},
      {Method::get,
       "/v1/ledger/accounts/{type}/{domain}/{uid}",
       Scope::ledger,
       handle(account_path<ledger::Account>(std::identity()), &get_account),
       {.id = "get_account",
        .summary = "Shows what a user can spend now",
        .answer = account_fields,
        .answer_name = "Account",
        .refusals = {errors::type_not_found, foreign_record}}},
      {Method::get,
       "/v1/ledger/accounts/{type}/{domain}/{uid}/at",
       Scope::ledger,
       handle(account_path<AccountAt>(&AccountAt::account)
                  .query("time", kind::time, &AccountAt::time,
                         "the moment; by the server's clock it must not be in the future"),
              &get_account_at),
       {.id = "get_account_at",
        .summary = "Shows the balance at a past moment",
        .answer = {type_field, domain_field, uid_field, required("time", type::time, "the moment"),
                   required("balance", type::amount, "what the user could spend at that moment")},
        .refusals = {errors::type_not_found, foreign_record}}},
      {Method::get,
       "/v1/ledger/orders/{uid}/{order_id}",
       Scope::ledger,
       handle(one_order(), &get_order),
       {.id = "get_order",
        .summary = "Shows how an order was decided",
        .answer = order_fields(),
        .answer_name = "Order",
        .refusals = {errors::order_not_found, foreign_record}}},
  };
  return routes;
}

}  // namespace larder::api
