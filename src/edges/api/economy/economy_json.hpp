// The economy's words in JSON, and how the OpenAPI document describes them.
#pragma once

#include "edges/api/economy/economy_api.hpp"
#include "edges/http/query.hpp"

namespace larder::api {

json::object to_json(economy::Roll const& roll);
json::object to_json(economy::Inventory const& inventory);
json::object to_json(economy::ActiveEffect const& effect);
json::object to_json(economy::PlayerView const& player);
json::object to_json(economy::Standing const& standing);
json::object to_json(economy::Item const& item, economy::Catalogue const& catalogue);
json::object to_json(economy::EconomyEvent const& event);

// A player's id in the path: {id}.
UserId read_player_path(QueryReader& in, std::string_view name = "id");

extern FieldType const roll_type;
extern Field const roll_field;
extern FieldType const inventory_type;
extern FieldType const effect_type;
extern Field const balance_field;
std::vector<Field> realm_path(std::vector<Field> more = {});
std::vector<Field> event_fields();

}  // namespace larder::api
