// The kinds of values in requests: each documents a value and reads it. A kind has these functions:
//
//   type()                 its description in the OpenAPI document
//   required(in, name)     the value; if it is missing or wrong, a default, and `in` remembers the problem
//   optional(in, name)     the same, but nothing if the value is absent
//   path(in, name)         the value of {name} in the path
//
// `in` is an ObjectReader (a body) or a QueryReader.
#pragma once

#include "edges/http/object_schema.hpp"
#include "edges/http/query.hpp"
#include "edges/http/route.hpp"

#include <array>

namespace larder::http::kind {

// Types that the readers can read directly: ids, times and booleans.
template <class T>
struct Plain {
  FieldType what;

  FieldType type() const { return what; }
  template <class In>
  T required(In& in, std::string_view name) const {
    return in.template required<T>(name);
  }
  template <class In>
  std::optional<T> optional(In& in, std::string_view name) const {
    return in.template optional<T>(name);
  }
  T path(QueryReader& in, std::string_view name) const { return in.path<T>(name); }
};
inline Plain<UserId> const user_id{type::user_id};
inline Plain<Domain> const domain{type::domain};
inline Plain<OrderId> const order_id{type::order_id};
inline Plain<TimeMs> const time{type::time};
inline Plain<bool> const boolean{type::boolean};

// A query parameter that is false if absent, and true if the bare name is present.
struct Flag {
  FieldType type() const { return type::boolean; }
  std::optional<bool> optional(QueryReader& in, std::string_view name) const { return in.flag(name); }
};
inline constexpr Flag flag{};

struct Text {
  TextRule rule;

  FieldType type() const { return type::text(std::int64_t(rule.chars_min), std::int64_t(rule.chars_max)); }
  template <class In>
  std::string required(In& in, std::string_view name) const {
    return in.required_text(name, rule);
  }
  template <class In>
  std::optional<std::string> optional(In& in, std::string_view name) const {
    return in.optional_text(name, rule);
  }
  std::string path(QueryReader& in, std::string_view name) const { return in.path_text(name, rule); }
};
constexpr Text text(std::size_t chars_min, std::size_t chars_max) {
  return {{.chars_min = chars_min, .chars_max = chars_max}};
}
constexpr Text text(std::size_t chars_max) { return text(0, chars_max); }

struct Integer {
  IntRule rule;

  FieldType type() const { return type::integer(rule.min, rule.max); }
  template <class In>
  std::int64_t required(In& in, std::string_view name) const {
    return in.required_int(name, rule);
  }
  template <class In>
  std::optional<std::int64_t> optional(In& in, std::string_view name) const {
    return in.optional_int(name, rule);
  }
  std::int64_t path(QueryReader& in, std::string_view name) const { return in.path_int(name, rule); }
};
constexpr Integer integer(std::int64_t min, std::int64_t max = limits::amount_max) {
  return {{.min = min, .max = max}};
}

// A whole number of at least 1, documented as an amount.
struct Quantity {
  FieldType type() const { return type::positive_amount; }
  std::int64_t required(ObjectReader& in, std::string_view name) const {
    return in.required_int(name, {.min = 1, .max = limits::amount_max});
  }
};
inline constexpr Quantity quantity{};

// A number that SQL has assigned. In a body it may also be a string of digits.
struct NumberId {
  FieldType type() const { return type::integer(1); }
  std::int64_t required(ObjectReader& in, std::string_view name) const { return in.required_number_id(name); }
  std::int64_t path(QueryReader& in, std::string_view name) const {
    return in.path_int(name, {.min = 1, .max = limits::amount_max});
  }
};
inline NumberId const number_id{};

// An amount of at least 1.
struct PositiveAmount {
  FieldType type() const { return type::positive_amount; }
  Amount required(ObjectReader& in, std::string_view name) const {
    return Amount::from(in.required_int(name, {.min = 1, .max = limits::amount_max})).value_or(Amount());
  }
  std::optional<Amount> optional(ObjectReader& in, std::string_view name) const {
    return in.optional_int(name, {.min = 1, .max = limits::amount_max}).and_then(&Amount::from);
  }
};
inline PositiveAmount const positive_amount{};

// One of several words. The value is the index of the word, as an E.
template <class E>
struct Choice {
  std::span<std::string_view const> words;

  FieldType type() const { return type::choice({words.begin(), words.end()}); }
  E required(ObjectReader& in, std::string_view name) const { return E(in.required_choice(name, words)); }
  template <class In>
  std::optional<E> optional(In& in, std::string_view name) const {
    auto const found = in.optional_choice(name, words);
    return found ? std::optional(E(*found)) : std::nullopt;
  }
};
template <class E>
Choice<E> choice(std::span<std::string_view const> words) {
  return {words};
}

// An object inside a body.
template <class T>
struct Object {
  ObjectSchema<T> schema;

  FieldType type() const { return type::object(schema.fields()); }
  T required(ObjectReader& in, std::string_view name) const {
    return read(in, name, in.required_value(name)).value_or(T{});
  }
  std::optional<T> optional(ObjectReader& in, std::string_view name) const {
    return read(in, name, in.optional_value(name));
  }

 private:
  std::optional<T> read(ObjectReader& in, std::string_view name, json::value const* value) const {
    if (!value) return std::nullopt;
    auto object = schema.read(*value, in.path_of(name));
    if (object) return std::move(*object);
    in.inner_problem(std::move(object.error()));
    return std::nullopt;
  }
};
template <class T>
Object<T> object(ObjectSchema<T> schema) {
  return {std::move(schema)};
}

}  // namespace larder::http::kind
