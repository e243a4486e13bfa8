// Describes the values of requests and answers for the OpenAPI document.
#pragma once

#include "base/limits.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace larder::http {

struct Field;

// What a value may be. Made with the names in the namespace `type`.
struct FieldType {
  enum class Kind {
    text,
    amount,
    positive_amount,
    time,
    user_id,
    domain,
    order_id,
    integer,
    number,
    boolean,
    choice,
    object,
    map,
    array,
    one_of,
    any
  };
  Kind kind = Kind::any;
  std::int64_t min = 0;  // of an integer, of the characters of a text, or of the elements of an array
  std::int64_t max = 0;
  std::vector<std::string_view> choices = {};
  std::shared_ptr<std::vector<Field> const> members = {};  // of an object
  std::shared_ptr<FieldType const> element = {};           // of an array or a map
  std::vector<FieldType> options = {};                     // of a one_of
  bool nullable = false;
  bool strict = false;            // an object that must not have other members
  std::string_view example = {};  // of a text
  std::string_view name = {};     // of an object that the OpenAPI document describes once, under this name

  // The same type, but the value may also be null.
  FieldType or_null() const;
  // The same type with an example, for /docs.
  FieldType such_as(std::string_view text) const;
  // The same object with a name for the OpenAPI document. Objects with one name must have the same members.
  FieldType named(std::string_view text) const;
};

struct Field {
  std::string_view name;
  FieldType type;
  std::string_view description;
  bool required = true;
};

inline FieldType FieldType::or_null() const {
  FieldType copy = *this;
  copy.nullable = true;
  return copy;
}

inline FieldType FieldType::such_as(std::string_view text) const {
  FieldType copy = *this;
  copy.example = text;
  return copy;
}

inline FieldType FieldType::named(std::string_view text) const {
  FieldType copy = *this;
  copy.name = text;
  return copy;
}

inline Field required(std::string_view name, FieldType type, std::string_view description) {
  return {name, std::move(type), description, true};
}
inline Field optional(std::string_view name, FieldType type, std::string_view description) {
  return {name, std::move(type), description, false};
}

namespace type {
inline FieldType const amount{.kind = FieldType::Kind::amount};
inline FieldType const positive_amount{.kind = FieldType::Kind::positive_amount};
inline FieldType const time{.kind = FieldType::Kind::time};
inline FieldType const user_id{.kind = FieldType::Kind::user_id};
inline FieldType const domain{.kind = FieldType::Kind::domain};
inline FieldType const order_id{.kind = FieldType::Kind::order_id};
inline FieldType const boolean{.kind = FieldType::Kind::boolean};
inline FieldType const number{.kind = FieldType::Kind::number};
inline FieldType const any{.kind = FieldType::Kind::any};

inline FieldType text(std::int64_t chars_min, std::int64_t chars_max) {
  return {.kind = FieldType::Kind::text, .min = chars_min, .max = chars_max};
}
inline FieldType text(std::int64_t chars_max) { return text(0, chars_max); }
inline FieldType text() { return text(0, 0); }  // of any length
inline FieldType integer(std::int64_t min = -limits::amount_max, std::int64_t max = limits::amount_max) {
  return {.kind = FieldType::Kind::integer, .min = min, .max = max};
}
inline FieldType choice(std::vector<std::string_view> choices) {
  return {.kind = FieldType::Kind::choice, .choices = std::move(choices)};
}
inline FieldType object(std::vector<Field> members) {
  return {.kind = FieldType::Kind::object,
          .members = std::make_shared<std::vector<Field> const>(std::move(members))};
}
// The same; unknown members are refused.
inline FieldType strict_object(std::vector<Field> members) {
  auto made = object(std::move(members));
  made.strict = true;
  return made;
}
// An object with any names and values of one type: {"apple": 3}.
inline FieldType map(FieldType value) {
  return {.kind = FieldType::Kind::map, .element = std::make_shared<FieldType const>(std::move(value))};
}
// An array with `min` to `max` elements; a `max` of 0 means no limit.
inline FieldType array(FieldType element, std::int64_t min = 0, std::int64_t max = 0) {
  return {.kind = FieldType::Kind::array,
          .min = min,
          .max = max,
          .element = std::make_shared<FieldType const>(std::move(element))};
}
// A value of exactly one of these types.
inline FieldType one_of(std::vector<FieldType> options) {
  return {.kind = FieldType::Kind::one_of, .options = std::move(options)};
}
}  // namespace type

}  // namespace larder::http
