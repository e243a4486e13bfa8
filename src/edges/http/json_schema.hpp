// Turns the descriptions of values into JSON Schema, for the OpenAPI document.
#pragma once

#include "base/json.hpp"
#include "edges/http/field.hpp"

#include <string_view>
#include <vector>

namespace larder::http {

json::object reference(std::string_view schema);
json::object schema_of(FieldType const& type);
json::object object_schema(std::vector<Field> const& fields);

// Says of all objects inside that unknown members are refused.
void make_strict(json::object& schema);

// A named object is described once, among the components. Everywhere else there is a reference to it.
void move_named(json::value& value, json::object& components);

}  // namespace larder::http
