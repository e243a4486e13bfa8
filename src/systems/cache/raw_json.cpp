#include "systems/cache/raw_json.hpp"

#include "base/json.hpp"
#include "base/number.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace larder::cache {

namespace {

// Gets what the parser finds, and keeps nothing: only the parser's checks are wanted.
struct NoHandler {
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);
  using Code = json::error_code;
  using Text = json::string_view;
  static bool on_document_begin(Code&) { return true; }
  static bool on_document_end(Code&) { return true; }
  static bool on_object_begin(Code&) { return true; }
  static bool on_object_end(std::size_t, Code&) { return true; }
  static bool on_array_begin(Code&) { return true; }
  static bool on_array_end(std::size_t, Code&) { return true; }
  static bool on_key_part(Text, std::size_t, Code&) { return true; }
  static bool on_key(Text, std::size_t, Code&) { return true; }
  static bool on_string_part(Text, std::size_t, Code&) { return true; }
  static bool on_string(Text, std::size_t, Code&) { return true; }
  static bool on_number_part(Text, Code&) { return true; }
  static bool on_int64(std::int64_t, Text, Code&) { return true; }
  static bool on_uint64(std::uint64_t, Text, Code&) { return true; }
  static bool on_double(double, Text, Code&) { return true; }
  static bool on_bool(bool, Code&) { return true; }
  static bool on_null(Code&) { return true; }
  static bool on_comment_part(Text, Code&) { return true; }
  static bool on_comment(Text, Code&) { return true; }
};

constexpr std::size_t members_expected = 16;  // most objects have fewer

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The position after the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  auto const is_escaped = [&](std::size_t quote) {
    auto before = quote;
    while (text[before - 1] == '\\') --before;
    return (quote - before) % 2 == 1;
  };
  do {
    at = text.find('"', at + 1);
  } while (is_escaped(at));
  return at + 1;
}

// The position after the value that begins at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    switch (text[at]) {
      case '"':
        at = end_of_string(text, at);
        if (depth == 0) return at;
        --at;
        break;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (depth == 0) return at;  // after a number or a word
        if (--depth == 0) return at + 1;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default: break;
    }
  }
  return at;
}

// Whether one of the members has this name. `seen` has a bit for each name so far, so that most names need no
// comparison.
bool is_known(std::uint64_t& seen, std::vector<RawObject::Member> const& members, std::string_view name) {
  auto const length = name.size();
  auto const hash = name.empty() ? 0U
                                 : length * 7U + static_cast<unsigned char>(name.front()) * 5U +
                                       static_cast<unsigned char>(name.back()) * 3U +
                                       static_cast<unsigned char>(name[length / 2]);
  auto const bit = std::uint64_t(1) << hash % 64;
  bool const maybe = (std::exchange(seen, seen | bit) & bit) != 0;
  return maybe && std::ranges::find(members, name, &RawObject::Member::name) != members.end();
}

}  // namespace

Result<std::string> compact(std::string_view text, std::size_t depth_max) {
  json::parse_options options;
  options.max_depth = depth_max;
  json::basic_parser<NoHandler> parser(options);
  json::error_code code;
  auto const read = parser.write_some(false, text.data(), text.size(), code);
  if (!code && text.substr(read).find_first_not_of(" \n\t\r") != std::string_view::npos) {
    code = json::error::extra_data;
  }
  if (code == json::error::too_deep) {
    return invalid("", fmt::format("JSON nested deeper than {} levels", depth_max));
  }
  if (code) return invalid("", fmt::format("malformed JSON: {}", code.message()));
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (is_space(text[at])) {
      out.append(text, copied, at - copied);
      copied = at + 1;
    }
    ++at;
  }
  out.append(text, copied);
  return out;
}

std::optional<std::int64_t> int_in(std::string_view value) { return parse_int(value); }

std::optional<std::string> text_in(std::string_view value) {
  if (!is_string(value)) return std::nullopt;
  auto const inner = value.substr(1, value.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  return std::string(json::parse(value).as_string());
}

std::string quoted(std::string_view utf8) {
  std::string out;
  append_json_string(out, utf8);
  return out;
}

std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> elements;
  if (!is_array(array)) return elements;
  for (std::size_t at = 1; array[at] != ']';) {
    auto const end = end_of_value(array, at);
    elements.push_back(array.substr(at, end - at));
    at = array[end] == ',' ? end + 1 : end;
  }
  return elements;
}

std::string array_of(std::vector<std::string_view> const& elements) {
  std::string out = "[";
  for (auto const& element : elements) {
    if (out.size() > 1) out += ',';
    out += element;
  }
  out += ']';
  return out;
}

std::optional<RawObject> RawObject::parse(std::string_view text) {
  if (!is_object(text)) return std::nullopt;
  RawObject object;
  object.members_.reserve(members_expected);
  std::uint64_t seen = 0;
  for (std::size_t at = 1; text[at] != '}';) {
    auto const name_end = end_of_string(text, at);
    auto const value_end = end_of_value(text, name_end + 1);
    auto const name = text.substr(at + 1, name_end - at - 2);
    if (name.contains('\\') || is_known(seen, object.members_, name)) return std::nullopt;
    object.members_.push_back({name, text.substr(name_end + 1, value_end - name_end - 1)});
    if (object.members_.size() > limits::raw_members_max) return std::nullopt;
    at = text[value_end] == ',' ? value_end + 1 : value_end;
  }
  return object;
}

std::string_view RawObject::find(std::string_view name) const {
  auto const found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? std::string_view() : found->value;
}

void RawObject::set(std::string_view name, std::string value) {
  set_view(name, owned_.emplace_back(std::move(value)));
}

void RawObject::set_view(std::string_view name, std::string_view value) {
  auto const found = std::ranges::find(members_, name, &Member::name);
  if (found == members_.end()) {
    members_.push_back({name, value});
  } else {
    found->value = value;
  }
}

void RawObject::erase(std::string_view name) {
  std::erase_if(members_, [&](Member const& member) { return member.name == name; });
}

void RawObject::merge(RawObject const& newer) {
  for (auto const& member : newer.members_) set_view(member.name, member.value);
}

void RawObject::append_to(std::string& out) const {
  out += '{';
  for (bool first = true; auto const& member : members_) {
    if (!std::exchange(first, false)) out += ',';
    out += '"';
    out += member.name;
    out += "\":";
    out += member.value;
  }
  out += '}';
}

std::string RawObject::text() const {
  std::size_t size = 2;
  for (auto const& member : members_) size += member.name.size() + member.value.size() + 4;
  std::string out;
  out.reserve(size);
  append_to(out);
  return out;
}

}  // namespace larder::cache
