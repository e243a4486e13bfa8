// The ledger's words in JSON, and how the OpenAPI document describes them.
#pragma once

#include "edges/api/api.hpp"
#include "systems/ledger/ledger_types.hpp"

namespace larder::api {

json::value time_or_null(std::optional<TimeMs> time);

json::object to_json(ledger::ScoreType const& type);
// The outcome of an order, in the words of an entry's answer.
json::object to_json(OrderId const& order_id, ledger::Outcome const& outcome);
// With everything else that is known of it.
json::object order_json(OrderId const& order_id, ledger::Outcome const& outcome);
// As it happened. What has become of a hold or a transfer since is told by its order, and by later flows.
json::object to_json(ledger::Flow const& flow);
json::object to_json(ledger::AccountView const& view);
json::object to_json(ledger::Rate const& rate);

// A remembered refusal answers 409 with the same fields as a success.
Error refusal(OrderId const& order_id, ledger::Outcome const& outcome, bool replayed);

// Where 0 means nothing, 1 is the least.
inline constexpr IntRule amount_rule{.min = 1, .max = limits::amount_max};
Amount read_amount(ObjectReader& in, IntRule rule = amount_rule);

extern std::vector<Field> const type_fields;
extern std::vector<Field> const account_fields;
extern std::vector<Field> const rate_fields;
extern Field const type_field;
extern Field const domain_field;
extern Field const uid_field;
extern Field const order_field;
extern Field const remark_field;
extern Field const replayed_field;

// A refused request is answered as a problem, so its own answer knows one status only.
std::vector<Field> outcome_fields(std::vector<std::string_view> const& statuses,
                                  std::vector<Field> const& more);
std::vector<Field> flow_fields();
// Of an order as it is remembered.
std::vector<Field> order_fields();

}  // namespace larder::api
