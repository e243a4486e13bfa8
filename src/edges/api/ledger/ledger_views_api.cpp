// Lists for people who look around: what a user has, the flows, the journal of all users, and totals.
#include "base/number.hpp"
#include "edges/api/ledger/ledger_api.hpp"
#include "edges/api/ledger/ledger_json.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using ledger::Account;
using ledger::AccountsQuery;
using ledger::AccountView;
using ledger::FlowQuery;
using ledger::HistoryQuery;
using ledger::OrdersQuery;

// Cuts a text at its first slashes. A domain, an order id and a user id have none.
std::optional<std::vector<std::string>> pieces_of(std::string_view cursor, std::size_t count) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    auto const slash = std::min(cursor.find('/'), cursor.size());
    pieces.emplace_back(cursor.substr(0, slash));
    if (i + 1 < count && slash == cursor.size()) return std::nullopt;
    cursor.remove_prefix(std::min(slash + 1, cursor.size()));
  }
  return cursor.empty() ? std::optional(std::move(pieces)) : std::nullopt;
}

std::optional<ledger::FlowId> read_flow_id(std::string_view text) {
  try {
    auto const [ms, sequence] = events::parse_id(text);
    if (ms >= 0 && sequence >= 0) return ledger::FlowId{.ms = ms, .sequence = sequence};
  } catch (std::runtime_error const&) {}
  return std::nullopt;
}

// "<type>/<domain>"
bool read_account_cursor(std::string const& cursor, AccountsQuery& query) {
  auto const pieces = pieces_of(cursor, 2);
  if (!pieces) return false;
  auto const type = parse_int(pieces->at(0));
  auto const domain = Domain::from(pieces->at(1));
  if (!type || !domain) return false;
  query.from = {{*type, *domain}};
  query.skips_first = true;
  return true;
}

// "<type>/<domain>/<order>"
bool read_order_cursor(std::string const& cursor, OrdersQuery& query) {
  auto const pieces = pieces_of(cursor, 3);
  if (!pieces) return false;
  auto const type = parse_int(pieces->at(0));
  auto const domain = Domain::from(pieces->at(1));
  if (!type || !domain || pieces->at(2).empty()) return false;
  query.after = ledger::OrderPlace{.type = *type, .domain = *domain, .order = pieces->at(2)};
  return true;
}

std::string cursor_of(ledger::OrderPlace const& place) {
  return fmt::format("{}/{}/{}", place.type, place.domain.str(), place.order);
}

// "<ms>-<sequence>/<uid>/<order>"
bool read_history_cursor(std::string const& cursor, HistoryQuery& query) {
  auto const pieces = pieces_of(cursor, 3);
  auto const id = pieces ? read_flow_id(pieces->at(0)) : std::nullopt;
  if (!id) return false;
  query.before = ledger::FlowPlace{.id = *id, .uid = pieces->at(1), .order = pieces->at(2)};
  return true;
}

std::string cursor_of(ledger::FlowPlace const& place) {
  return fmt::format("{}/{}/{}", place.id.str(), place.uid, place.order);
}

bool read_flow_cursor(std::string const& cursor, FlowQuery& query) {
  query.before = read_flow_id(cursor);
  return query.before.has_value();
}

Schema<FlowQuery> flow_list() {
  return Schema<FlowQuery>()
      .query("uid", kind::user_id, &FlowQuery::uid, uid_field.description)
      .optional_query("type", kind::integer(1), &FlowQuery::type, "only flows of this score type")
      .optional_query("domain", kind::domain, &FlowQuery::domain, "only flows of this domain")
      .optional_query("from", kind::time, &FlowQuery::from, "only flows from this time on")
      .optional_query("to", kind::time, &FlowQuery::to, "only flows before this time")
      .page(&FlowQuery::limit, read_flow_cursor);
}

Schema<HistoryQuery> history_list() {
  return Schema<HistoryQuery>()
      .optional_query("type", kind::integer(1), &HistoryQuery::type, "only flows of this score type")
      .optional_query("domain", kind::domain, &HistoryQuery::domain, "only flows of this domain")
      .optional_query("op", kind::choice<ledger::Op>(ledger::op_names), &HistoryQuery::op,
                      "only flows of this kind")
      .optional_query("from", kind::time, &HistoryQuery::from, "only flows recorded from this time on")
      .optional_query("to", kind::time, &HistoryQuery::to, "only flows recorded before this time")
      .page(&HistoryQuery::limit, read_history_cursor);
}

struct TotalsQuery {
  std::optional<ledger::TypeId> type;
  ledger::TypeId after = 0;
  std::int64_t limit = 0;
};

Schema<TotalsQuery> totals_list() {
  return Schema<TotalsQuery>()
      .optional_query("type", kind::integer(1), &TotalsQuery::type, "only this score type")
      .page(&TotalsQuery::limit, [](std::string const& cursor, TotalsQuery& query) {
        query.after = parse_int(cursor).value_or(0);
        return query.after >= 1;
      });
}

// A page whose end is known. If a list does only a bounded part of its work for a page, the page may have
// fewer items than asked for, or even none, although more follow.
template <class Items, class Write, class Place>
Response page_of(Items const& items, Write write, std::optional<Place> const& next) {
  json::array all;
  for (auto const& item : items) all.push_back(write(item));
  return json_response(
      {{"items", std::move(all)}, {"next_cursor", next ? json::value(cursor_of(*next)) : json::value()}});
}

json::object account_json(Account const& account) {
  return {{"type", account.type}, {"domain", account.domain.str()}};
}

json::object summary_json(AccountView const& view) {
  auto out = account_json(view.account);
  out["balance"] = view.balance.value();
  out["held"] = view.held.value();
  out["pending"] = view.pending.value();
  out["waiting"] = view.waiting.value();
  return out;
}

Answering get_accounts(ledger::Ledger& ledger, AccountsQuery query) {
  auto const limit = query.limit;
  CO_TRY(auto const views, co_await ledger.accounts(std::move(query)));
  co_return page_response(views, limit, summary_json, [](AccountView const& view) {
    return fmt::format("{}/{}", view.account.type, view.account.domain.str());
  });
}

Answering get_open_holds(ledger::Ledger& ledger, OrdersQuery query) {
  --query.limit;  // the page knows its end by itself
  CO_TRY(auto const page, co_await ledger.open_holds(std::move(query)));
  co_return page_of(
      page.items,
      [](auto const& item) {
        auto const& [account, hold] = item;
        auto out = account_json(account);
        out["order_id"] = hold.order_id.str();
        out["amount"] = hold.amount.value();
        out["expires_at"] = time_or_null(hold.expires_at);
        return out;
      },
      page.next);
}

Answering get_pending_transfers(ledger::Ledger& ledger, OrdersQuery query) {
  --query.limit;
  CO_TRY(auto const page, co_await ledger.pending_transfers(std::move(query)));
  co_return page_of(
      page.items,
      [](auto const& item) {
        auto const& [account, transfer] = item;
        auto out = account_json(account);
        out["order_id"] = transfer.order_id.str();
        out["to"] = transfer.to.str();
        out["amount"] = transfer.amount.value();
        out["sent_at"] = to_rfc3339(transfer.sent_at);
        out["remark"] = transfer.remark;
        return out;
      },
      page.next);
}

Answering get_flows(ledger::Ledger& ledger, FlowQuery query) {
  auto const flows = co_await ledger.flows(query);
  auto const write = [](ledger::Flow const& flow) { return to_json(flow); };
  co_return page_response(flows, query.limit, write, [](auto const& flow) { return flow.id.str(); });
}

Answering get_history(ledger::Ledger& ledger, HistoryQuery query) {
  --query.limit;
  auto const page = co_await ledger.history(std::move(query));
  co_return page_of(
      page.flows,
      [](ledger::UserFlow const& flow) {
        auto out = to_json(flow.flow);
        out["uid"] = flow.uid.str();
        return out;
      },
      page.next);
}

// The sums of all users may be larger than an amount, but a number in JSON must not be.
std::int64_t shown(ledger::Points points) {
  return std::int64_t(std::clamp<ledger::Points>(points, 0, limits::amount_max));
}

json::object totals_json(ledger::TypeTotals const& totals) {
  auto const& [type, sums, at] = totals;
  return {{"type", type.id},
          {"name", type.name},
          {"outstanding", shown(sums.outstanding)},
          {"held", shown(sums.held)},
          {"pending", shown(sums.pending)},
          {"waiting", shown(sums.waiting)},
          {"at", to_rfc3339(at)}};
}

Answering get_totals(ledger::Ledger& ledger, TotalsQuery query) {
  auto totals = co_await ledger.totals();
  std::erase_if(totals, [&](ledger::TypeTotals const& each) {
    return each.type.id <= query.after || (query.type && each.type.id != *query.type);
  });
  co_return page_response(
      totals, query.limit, [](ledger::TypeTotals const& each) { return totals_json(each); },
      [](ledger::TypeTotals const& each) { return fmt::to_string(each.type.id); });
}

std::vector<Field> orders_fields(std::vector<Field> const& more) {
  std::vector<Field> fields{type_field, domain_field, required("order_id", type::order_id, "the order"),
                            required("amount", type::positive_amount, "points")};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

std::vector<Field> history_fields() {
  auto fields = flow_fields();
  fields.push_back(uid_field);
  return fields;
}

Schema<OrdersQuery> orders_list() {
  return Schema<OrdersQuery>()
      .path("uid", kind::user_id, &OrdersQuery::uid, "the user")
      .page(&OrdersQuery::limit, read_order_cursor);
}

constexpr std::string_view bounded_says =
    "A page may have fewer items than asked for, even none, although more follow: go on until next_cursor is "
    "null.";

}  // namespace

std::span<Route const> ledger_views_routes() {
  using larder::errors::foreign_record;
  static Route const routes[] = {
      {Method::get,
       "/v1/ledger/users/{uid}/accounts",
       Scope::ledger,
       handle(Schema<AccountsQuery>()
                  .path("uid", kind::user_id, &AccountsQuery::uid, "the user")
                  .page(&AccountsQuery::limit, read_account_cursor),
              &get_accounts),
       {.id = "list_accounts",
        .summary = "Lists the accounts of a user by type and domain, as they are now",
        .answer = {type_field, domain_field, required("balance", type::amount, "what the user can spend now"),
                   required("held", type::amount, "the points in open holds"),
                   required("pending", type::amount, "sent to another user and not arrived yet"),
                   required("waiting", type::amount, "in lots that do not count yet")},
        .refusals = {foreign_record}}},
      {Method::get,
       "/v1/ledger/users/{uid}/holds",
       Scope::ledger,
       handle(orders_list(), &get_open_holds),
       {.id = "list_holds",
        .summary = "Lists the open holds of a user, by type, domain and order",
        .description = bounded_says,
        .answer = orders_fields(
            {required("expires_at", type::time.or_null(), "when the hold ends by itself; null: never")}),
        .refusals = {foreign_record}}},
      {Method::get,
       "/v1/ledger/users/{uid}/transfers",
       Scope::ledger,
       handle(orders_list(), &get_pending_transfers),
       {.id = "list_pending_transfers",
        .summary = "Lists the transfers that a user has sent and that are still under way",
        .description = bounded_says,
        .answer = orders_fields({required("to", type::user_id, "who gets the points"),
                                 required("sent_at", type::time, "when the points left"),
                                 required("remark", type::text(limits::remark_chars_max), "the reason")}),
        .refusals = {foreign_record}}},
      {Method::get,
       "/v1/ledger/flows",
       Scope::ledger,
       handle(flow_list(), &get_flows),
       {.id = "list_flows",
        .summary = "Lists a user's flows, newest first",
        .description = "Each flow describes one change. The state of a hold or a transfer is in its order.",
        .answer = flow_fields(),
        .answer_name = "Flow"}},
      {Method::get,
       "/v1/ledger/journal",
       Scope::ledger,
       handle(history_list(), &get_history),
       {.id = "list_journal",
        .summary = "Lists the flows of all users, newest first",
        .description = "In the order in which they were recorded: `from` and `to` mean that time, which is "
                       "the first part "
                       "of the id. A step that an account takes by itself is dated (`at`) at the moment when "
                       "it fell due, so "
                       "it may be recorded later. The newest flows may appear up to some seconds late. With "
                       "a filter, a page "
                       "may have fewer items than asked for, even none, although more follow: go on until "
                       "next_cursor is "
                       "null.",
        .answer = history_fields(),
        .answer_name = "RecordedFlow"}},
      {Method::get,
       "/v1/ledger/totals",
       Scope::ledger,
       handle(totals_list(), &get_totals),
       {.id = "get_totals",
        .summary = "Shows how many points of each type all users have together",
        .description =
            "Counted from the journal: exact for the moment `at`, which is a few minutes ago. It is older "
            "while the "
            "journal lags behind, and while a server counts a large journal for the first time. A sum above "
            "9007199254740991 is shown as that number. A type that is over has no points.",
        .answer = {type_field, required("name", type::text(), "the name of the type"),
                   required("outstanding", type::amount, "the sum of all balances"),
                   required("held", type::amount, "the points in open holds"),
                   required("pending", type::amount, "on their way to another slot"),
                   required("waiting", type::amount, "in lots that do not count yet"),
                   required("at", type::time, "the moment for which the sums are exact")}}},
  };
  return routes;
}

}  // namespace larder::api
