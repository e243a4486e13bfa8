// Strict JSON: anything unexpected is refused, and the refusal has the path of the field.
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
  std::size_t first_line = 1;  // the line number of the text's first line, for refusals
};

// Parses one JSON value. Refuses a value that is nested deeper than `depth_max`, invalid UTF-8, an object
// that has a name twice, and text after the value.
Result<json::value> parse_json(std::string_view text, json::storage_ptr storage = {},
                               JsonOptions const& options = {});

// Appends a valid UTF-8 text as a JSON string with its quotes. Faster than building a json::value.
void append_json_string(std::string& out, std::string_view utf8);

bool is_utf8(std::string_view text);

// The number of characters (code points) in a valid UTF-8 text.
std::size_t count_chars(std::string_view utf8);

// The longest prefix of a valid UTF-8 text that has at most `bytes_max` bytes and cuts no character in two.
std::string_view clip(std::string_view utf8, std::size_t bytes_max);

// The limits of a field, both ends included.
struct TextRule {
  std::size_t chars_min = 0;
  std::size_t chars_max = 0;
};
struct IntRule {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// Reads the members of one object. The reader keeps the first problem and returns defaults from then on, so a
// function reads all its fields in a row and calls finish() once. The value and the names of the fields must
// outlive the reader.
//
//   ObjectReader in(body);
//   entry.uid = in.required<UserId>("uid");
//   entry.remark = in.optional_text("remark", {.chars_max = limits::remark_chars_max}).value_or("");
//   if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
class ObjectReader {
 public:
  // `path` is the prefix of every field name in a refusal, such as "entries[3]".
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
  // An id that SQL has assigned: 1 or above, as a JSON number or a string of digits.
  std::int64_t required_number_id(std::string_view name);
  // A number, or nothing if the value is the string `word`.
  std::optional<std::int64_t> required_int_or(std::string_view word, std::string_view name, IntRule rule);
  // True if the field is present, even as null.
  bool has(std::string_view name) const;
  // True if the field is present and null. In a change, null clears a value.
  bool is_null(std::string_view name) const;
  // The value itself, for callers that convert it on their own; nullptr if it is absent or null.
  json::value const* optional_value(std::string_view name) { return find(name); }
  json::value const* required_value(std::string_view name) { return find_required(name); }
  // An array with `min` to `max` elements.
  json::array const& required_array(std::string_view name, std::size_t min, std::size_t max);
  // The index of the value in `choices`.
  std::size_t required_choice(std::string_view name, std::span<std::string_view const> choices);
  std::optional<std::size_t> optional_choice(std::string_view name,
                                             std::span<std::string_view const> choices);

  // Reports a problem that the caller has found, such as a broken rule between two fields.
  void problem(std::string_view name, std::string detail);
  // Reports a problem of an object inside this one. finish() returns it only if this object has no
  // problem of its own.
  void inner_problem(Error error) {
    if (!inner_problem_) inner_problem_ = std::move(error);
  }
  // The field's full path: "tokens", or "rule.tokens" if this object's path is "rule".
  std::string path_of(std::string_view name) const;

  // The first problem; otherwise an unknown field, if there is one. Nothing if the object is valid.
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
