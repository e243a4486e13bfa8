#include "edges/http/json_schema.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

// Marks an object that `move_named` makes a component.
constexpr std::string_view name_mark = "x-name";

json::object plain_schema(FieldType const& type) {
  using Kind = FieldType::Kind;
  switch (type.kind) {
    case Kind::text: {
      json::object schema{{"type", "string"}};
      if (type.min > 0) schema["minLength"] = type.min;
      if (type.max > 0) schema["maxLength"] = type.max;
      if (!type.example.empty()) schema["examples"] = json::array{json::string(type.example)};
      return schema;
    }
    case Kind::amount: return reference("Amount");
    case Kind::positive_amount: return reference("PositiveAmount");
    case Kind::time: return reference("Time");
    case Kind::user_id: return reference("UserId");
    case Kind::domain: return reference("Domain");
    case Kind::order_id: return reference("OrderId");
    case Kind::integer: return {{"type", "integer"}, {"minimum", type.min}, {"maximum", type.max}};
    case Kind::number: return {{"type", "number"}};
    case Kind::boolean: return {{"type", "boolean"}};
    case Kind::choice:
      return {{"type", "string"}, {"enum", json::array(type.choices.begin(), type.choices.end())}};
    case Kind::object: {
      auto schema = object_schema(*type.members);
      if (type.strict) schema["additionalProperties"] = false;
      if (!type.name.empty()) schema[name_mark] = type.name;
      return schema;
    }
    case Kind::map: return {{"type", "object"}, {"additionalProperties", schema_of(*type.element)}};
    case Kind::array: {
      json::object schema{{"type", "array"}, {"items", schema_of(*type.element)}};
      if (type.min > 0) schema["minItems"] = type.min;
      if (type.max > 0) schema["maxItems"] = type.max;
      return schema;
    }
    case Kind::one_of: {
      json::array options;
      for (auto const& option : type.options) options.push_back(schema_of(option));
      return {{"oneOf", std::move(options)}};
    }
    case Kind::any: return {};
  }
  return {};
}

}  // namespace

json::object reference(std::string_view schema) {
  return {{"$ref", fmt::format("#/components/schemas/{}", schema)}};
}

json::object schema_of(FieldType const& type) {
  if (!type.nullable) return plain_schema(type);
  return {{"oneOf", json::array{plain_schema(type), json::object{{"type", "null"}}}}};
}

json::object object_schema(std::vector<Field> const& fields) {
  json::object properties;
  json::array required;
  for (auto const& field : fields) {
    auto schema = schema_of(field.type);
    schema["description"] = field.description;
    properties[field.name] = std::move(schema);
    if (field.required) required.push_back(json::string(field.name));
  }
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

void make_strict(json::object& schema) {
  if (schema.contains("properties")) {
    schema["additionalProperties"] = false;
    for (auto& property : schema["properties"].as_object()) make_strict(property.value().as_object());
  }
  if (auto* const options = schema.if_contains("oneOf")) {
    for (auto& option : options->as_array()) make_strict(option.as_object());
  }
  for (auto const* const name : {"items", "additionalProperties"}) {
    auto* const inner = schema.if_contains(name);
    if (inner && inner->is_object()) make_strict(inner->as_object());
  }
}

void move_named(json::value& value, json::object& components) {
  if (auto* const array = value.if_array()) {
    for (auto& element : *array) move_named(element, components);
  }
  auto* const object = value.if_object();
  if (!object) return;
  for (auto& member : *object) move_named(member.value(), components);
  auto const* const mark = object->if_contains(name_mark);
  if (!mark) return;
  auto const name = mark->as_string();
  auto referring = reference(name);
  // This says what the object is here, not what it is.
  if (auto const* const description = object->if_contains("description"))
    referring["description"] = *description;
  object->erase("description");
  object->erase(name_mark);
  auto const [found, is_new] = components.emplace(name, *object);
  LARDER_ASSERT(is_new || found->value() == *object);
  *object = std::move(referring);
}

}  // namespace larder::http
