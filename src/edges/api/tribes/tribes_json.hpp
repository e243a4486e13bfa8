// Tribes as JSON and in the OpenAPI document.
#pragma once

#include "edges/api/api.hpp"
#include "systems/tribes/tribes.hpp"

namespace larder::api {

json::object to_json(tribes::WorldLine const& line);
json::object to_json(tribes::Ranked const& ranked);
json::object to_json(tribes::MapTown const& town);
json::object to_json(tribes::Fame const& fame);
json::object to_json(series::Summary const& point);
// `other_name` is the name of the other side; empty for a ruin.
json::object to_json(tribes::Report const& report, std::string_view other_name);

std::vector<Field> world_fields();
std::vector<Field> ranked_fields();
std::vector<Field> map_fields();
std::vector<Field> fame_fields();
std::vector<Field> point_fields();
std::vector<Field> report_fields();
FieldType state_type();
// The body of an action: one of several objects, by its `type`.
FieldType action_type();

}  // namespace larder::api
