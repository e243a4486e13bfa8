// Strict JSON: what is not expected is refused, with the path of the field.
#pragma once

#include "base/amount.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/time.hpp"

#include <boost/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder {

namespace json = boost::json;

struct JsonOptions {
  std::size_t depth_max = limits::json_depth_max;
  std::size_t first_line = 1;  // the number of the text's first line, for what a refusal says
};

// One JSON value: at most `depth_max` deep, valid UTF-8, no name twice in one object, nothing behind it.
Result<json::value> parse_json(std::string_view text, json::storage_ptr storage = {},
                               JsonOptions const& options = {});

// Appends a valid UTF-8 text as a JSON string, quotes included: for what is written too often to build a
// value.
void append_json_string(std::string& out, std::string_view utf8);

bool is_utf8(std::string_view text);

// How many characters (code points) a valid UTF-8 text has.
std::size_t count_chars(std::string_view utf8);

// The longest front part of a valid UTF-8 text with at most `bytes_max` bytes that cuts no character in two.
std::string_view clip(std::string_view utf8, std::size_t bytes_max);

// What a field may be.
struct TextRule {
  std::size_t chars_min = 0;
  std::size_t chars_max = 0;
};
struct IntRule {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// Reads the members of one object. The first problem is kept and later reads go on with defaults, so a
// function reads all its fields in a row and asks finish() once.
//
//   ObjectReader in(body);
//   entry.uid = in.required<UserId>("uid");
//   entry.remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
//   if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
class ObjectReader {
 public:
  // `path` is put before every field name: "entries[3]".
  explicit ObjectReader(json::value const& value, std::string path = {});

  template <class T>
  T required(std::string_view name) {
    T out{};
    if (auto const* value = find_required(name)) convert(name, *value, out);
    return out;
  }
  template <class T>
  std::optional<T> optional(std::string_view name) {
    auto const* value = find(name);
    if (!value) return std::nullopt;
    T out{};
    convert(name, *value, out);
    return out;
  }
  std::string required_text(std::string_view name, TextRule rule);
  std::optional<std::string> optional_text(std::string_view name, TextRule rule);
  std::int64_t required_int(std::string_view name, IntRule rule);
  std::optional<std::int64_t> optional_int(std::string_view name, IntRule rule);
  // A number that SQL has given, 1 or above; as a JSON number or a string of digits.
  std::int64_t required_number_id(std::string_view name);
  // A number, or nothing for the one word that may stand in its place.
  std::optional<std::int64_t> required_int_or(std::string_view word, std::string_view name, IntRule rule);
  // Whether it is there, as null or anything else.
  bool has(std::string_view name) const;
  // Whether it is there as null: for what a change may clear.
  bool is_null(std::string_view name) const;
  // For a reader of its own; nullptr if it is absent.
  json::value const* optional_value(std::string_view name) { return find(name); }
  json::value const* required_value(std::string_view name) { return find_required(name); }
  // The elements of an array with `min` to `max` of them.
  json::array const& required_array(std::string_view name, std::size_t min, std::size_t max);
  // One of `choices`; its index.
  std::size_t required_choice(std::string_view name, std::span<std::string_view const> choices);
  std::optional<std::size_t> optional_choice(std::string_view name,
                                             std::span<std::string_view const> choices);

  // For rules between fields.
  void problem(std::string_view name, std::string detail);
  // A problem of an object inside of this one. It is told only if this object has none of its own.
  void inner_problem(Error error) {
    if (!inner_problem_) inner_problem_ = std::move(error);
  }
  // "entries" -> "entries", or with the path of this object "rule.tokens".
  std::string path_of(std::string_view name) const;

  // The first problem, an unknown field included; nothing if the object is as it should be.
  std::optional<Error> finish();

 private:
  json::value const* find(std::string_view name);           // null counts as absent
  json::value const* find_required(std::string_view name);  // absent is a problem
  void convert(std::string_view name, json::value const& value, Amount& out);
  void convert(std::string_view name, json::value const& value, TimeMs& out);
  void convert(std::string_view name, json::value const& value, bool& out);
  std::size_t convert_choice(std::string_view name, json::value const& value,
                             std::span<std::string_view const> choices);
  void convert_text(std::string_view name, json::value const& value, TextRule rule, std::string& out);
  void convert_int(std::string_view name, json::value const& value, IntRule rule, std::int64_t& out);
  template <class Rules>
  void convert(std::string_view name, json::value const& value, Id<Rules>& out) {
    auto const* text = value.if_string();
    auto id = text ? Id<Rules>::from(*text) : std::nullopt;
    if (!id) return problem(name, Id<Rules>::expectation() + (text ? "" : ", as a string"));
    out = std::move(*id);
  }

  json::object const* object_ = nullptr;
  std::string path_;
  std::vector<std::string_view> known_;
  std::optional<Error> problem_;
  std::optional<Error> inner_problem_;
};

}  // namespace larder
