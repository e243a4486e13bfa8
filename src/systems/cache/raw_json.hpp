// JSON as text. The cache stores what Discord sent, so it cuts texts into members instead of converting them:
// 64-bit numbers, unknown fields and empty arrays come out as they went in, and nothing is copied needlessly.
//
//   CO_TRY(auto const text, compact(body));       // well-formed, without white space
//   auto member = RawObject::parse(text).value();
//   auto const user = id_in(member.find("user"));
//   member.set("user", "\"80351110224678912\"");
//   member.append_to(out);
#pragma once

#include "base/error.hpp"
#include "base/limits.hpp"

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::cache {

// The text without white space outside of strings. Refuses a text that is not one JSON value, invalid UTF-8,
// lone surrogates and values that are nested deeper than `depth_max`.
Result<std::string> compact(std::string_view text, std::size_t depth_max = limits::gateway_json_depth_max);

// The functions and classes below take texts that compact() has returned, or parts of such texts.

// An empty text stands for a member that is missing.
inline bool is_object(std::string_view value) { return value.starts_with('{'); }
inline bool is_array(std::string_view value) { return value.starts_with('['); }
inline bool is_string(std::string_view value) { return value.starts_with('"'); }
inline bool is_null(std::string_view value) { return value == "null"; }
inline bool is_true(std::string_view value) { return value == "true"; }
// Missing or null.
inline bool is_absent(std::string_view value) { return value.empty() || is_null(value); }
// The whole number that the value is; nothing if it is something else, or does not fit.
std::optional<std::int64_t> int_in(std::string_view value);
// The characters of a string without its quotes, with escapes resolved; nothing if the value is no string.
std::optional<std::string> text_in(std::string_view value);
// A text as a JSON string.
std::string quoted(std::string_view utf8);

// The elements of an array; none if the value is no array.
std::vector<std::string_view> elements_of(std::string_view array);
// [one,two,...]
std::string array_of(std::vector<std::string_view> const& elements);

// The members of one object, in their order. A view: the text must outlive the object. A name with an escape
// in it is refused: it could hide a member that must be found.
class RawObject {
 public:
  struct Member {
    std::string_view name;
    std::string_view value;
  };

  RawObject() = default;
  RawObject(RawObject&&) = default;
  RawObject& operator=(RawObject&&) = default;
  // Nothing if the text is not an object, has a name twice or with an escape, or has more than
  // limits::raw_members_max members.
  static std::optional<RawObject> parse(std::string_view text);

  // Empty if the object has no such member.
  std::string_view find(std::string_view name) const;
  bool has(std::string_view name) const { return !find(name).empty(); }
  // Replaces the value of a member or adds one. `name` must be a constant; the value is copied.
  void set(std::string_view name, std::string value);
  // The same, but `name` and `value` must outlive the object.
  void set_view(std::string_view name, std::string_view value);
  void erase(std::string_view name);
  // Each member of `newer` replaces the member of the same name, or is added. `newer` and what it points to
  // must outlive this object.
  void merge(RawObject const& newer);

  std::vector<Member> const& members() const { return members_; }
  bool empty() const { return members_.empty(); }
  void append_to(std::string& out) const;
  std::string text() const;

 private:
  std::vector<Member> members_;
  std::list<std::string> owned_;  // the values that set() has copied; a list does not move them
};

}  // namespace larder::cache
