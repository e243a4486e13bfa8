// The types of the ledger as JSON, and their description in the OpenAPI document.
#pragma once

#include "edges/api/api.hpp"
#include "systems/ledger/ledger_types.hpp"

namespace larder::api {

json::value time_or_null(std::optional<TimeMs> time);

json::object to_json(ledger::ScoreType const& type);
// The outcome of an order, with the fields of the answer to an entry.
json::object to_json(OrderId const& order_id, ledger::Outcome const& outcome);
// The same, with everything else that the order remembers.
json::object order_json(OrderId const& order_id, ledger::Outcome const& outcome);
// The flow as it happened. What became of a hold or a transfer since then is in its order and in later flows.
json::object to_json(ledger::Flow const& flow);
json::object to_json(ledger::AccountView const& view);
json::object to_json(ledger::Rate const& rate);

// The 409 for a refusal that the order remembers. It has the same fields as the answer to a success.
Error refusal(OrderId const& order_id, ledger::Outcome const& outcome, bool replayed);

// For requests where 0 makes no sense.
inline constexpr IntRule amount_rule{.min = 1, .max = limits::amount_max};
Amount read_amount(ObjectReader& in, IntRule rule = amount_rule);

inline constexpr auto remark_kind = kind::text(limits::remark_chars_max);

extern std::vector<Field> const type_fields;
extern std::vector<Field> const account_fields;
extern std::vector<Field> const rate_fields;
extern Field const type_field;
extern Field const domain_field;
extern Field const uid_field;
extern Field const order_field;
extern Field const remark_field;
extern Field const replayed_field;

// The answer to a refused request is a problem, so the answer of a route usually has one status only.
std::vector<Field> outcome_fields(std::vector<std::string_view> const& statuses,
                                  std::vector<Field> const& more);
std::vector<Field> flow_fields();
// The fields of an order, as Redis remembers it.
std::vector<Field> order_fields();

}  // namespace larder::api
