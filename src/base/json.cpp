#include "base/json.hpp"

#include "base/number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace larder {

namespace {

// Accepts any spelling of a whole number: 5, 5.0 and 5e0 are the same number in JSON.
std::optional<std::int64_t> whole_number(json::value const& value) {
  if (auto const* number = value.if_int64()) return *number;
  if (auto const* number = value.if_double()) {
    constexpr double exact_max = double(limits::amount_max);
    if (std::floor(*number) == *number && std::abs(*number) <= exact_max) return std::int64_t(*number);
  }
  return std::nullopt;
}

// A member as it appears in the text: the number of its object (objects are counted by their opening braces)
// and its name with the quotes.
struct Name {
  std::size_t object;
  std::string_view quoted;
};

// The members of all objects in `text`, which must be well-formed JSON.
std::vector<Name> names_in(std::string_view text) {
  std::vector<Name> names;
  std::vector<std::size_t> open;
  std::size_t objects = 0;
  std::string_view last_string;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '{': open.push_back(objects++); break;
      case '}': open.pop_back(); break;
      case ':': names.push_back({open.back(), last_string}); break;
      case '"': {
        auto const start = i++;
        for (; text[i] != '"'; ++i) {
          if (text[i] == '\\') ++i;
        }
        last_string = text.substr(start, i - start + 1);
        break;
      }
      default: break;
    }
  }
  return names;
}

std::size_t count_members(json::value const& value) {
  std::size_t count = 0;
  if (auto const* object = value.if_object()) {
    count = object->size();
    for (auto const& member : *object) count += count_members(member.value());
  } else if (auto const* array = value.if_array()) {
    for (auto const& element : *array) count += count_members(element);
  }
  return count;
}

// A name that occurs twice in one object. Such a text is ambiguous: Boost.JSON keeps the last of the two
// members, other readers keep the first.
std::optional<std::string> repeated_name(std::string_view text, json::value const& value) {
  auto const names = names_in(text);
  if (names.size() == count_members(value)) return std::nullopt;
  std::set<std::pair<std::size_t, std::string>> seen;
  for (auto const& [object, quoted] : names) {
    std::string name(json::parse(quoted).as_string());
    if (!seen.emplace(object, name).second) return name;
  }
  LARDER_ASSERT(false);
  return std::nullopt;
}

// Where a text stops being JSON. Only the stream parser of Boost.JSON reports this.
std::string place_of_error(std::string_view text, json::parse_options const& options,
                           std::size_t first_line) {
  json::stream_parser parser({}, options);
  json::error_code ignored;
  auto const before = text.substr(0, parser.write(text.data(), text.size(), ignored));
  auto const line_start = before.rfind('\n') + 1;  // 0 on the first line
  return fmt::format("line {}, column {}", first_line + std::size_t(std::ranges::count(before, '\n')),
                     count_chars(before.substr(line_start)) + 1);
}

}  // namespace

Result<json::value> parse_json(std::string_view text, json::storage_ptr storage, JsonOptions const& options) {
  json::parse_options parsing;
  parsing.max_depth = options.depth_max;
  json::error_code code;
  json::value value = json::parse(text, code, std::move(storage), parsing);
  if (!code) {
    if (auto const name = repeated_name(text, value)) {
      std::string field(clip(*name, 64));
      auto detail = fmt::format("{} appears twice", field);
      return invalid(std::move(field), std::move(detail));
    }
    return value;
  }
  if (code == json::error::too_deep) {
    return invalid("", fmt::format("JSON nested deeper than {} levels", options.depth_max));
  }
  if (!is_utf8(text)) return invalid("", "malformed JSON: it is not UTF-8");
  return invalid("", fmt::format("malformed JSON at {}: {}",
                                 place_of_error(text, parsing, options.first_line), code.message()));
}

void append_json_string(std::string& out, std::string_view utf8) {
  out += '"';
  for (char const c : utf8) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", int(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

bool is_utf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  std::string quoted;
  append_json_string(quoted, text);
  json::error_code code;
  json::parse(quoted, code);
  return !code;
}

std::size_t count_chars(std::string_view utf8) {
  return std::size_t(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view clip(std::string_view utf8, std::size_t bytes_max) {
  if (utf8.size() <= bytes_max) return utf8;
  while (bytes_max > 0 && (utf8[bytes_max] & 0xC0) == 0x80) --bytes_max;
  return utf8.substr(0, bytes_max);
}

ObjectReader::ObjectReader(json::value const& value, std::string path)
    : object_(value.if_object()), path_(std::move(path)) {
  if (!object_) {
    problem_ = Error{.code = errors::invalid_request, .detail = "must be a JSON object", .field = path_};
  }
}

json::value const* ObjectReader::find(std::string_view name) {
  known_.push_back(name);
  if (!object_) return nullptr;
  auto const* value = object_->if_contains(name);
  return value && !value->is_null() ? value : nullptr;
}

json::value const* ObjectReader::find_required(std::string_view name) {
  auto const* value = find(name);
  if (!value && object_) problem(name, "is required");
  return value;
}

std::string ObjectReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

void ObjectReader::problem(std::string_view name, std::string detail) {
  if (problem_) return;
  auto field = path_of(name);
  problem_ = Error{.code = errors::invalid_request,
                   .detail = fmt::format("{} {}", field, detail),
                   .field = std::move(field)};
}

void ObjectReader::convert_text(std::string_view name, json::value const& value, TextRule rule,
                                std::string& out) {
  auto const* text = value.if_string();
  if (!text) return problem(name, "must be a string");
  auto const chars = count_chars(*text);
  if (chars < rule.chars_min || chars > rule.chars_max) {
    return problem(name, fmt::format("must have {} to {} characters", rule.chars_min, rule.chars_max));
  }
  // SQL servers cannot store a NUL character in a text.
  if (text->find('\0') != json::string::npos) return problem(name, "must not contain the NUL character");
  out.assign(text->data(), text->size());
}

void ObjectReader::convert_int(std::string_view name, json::value const& value, IntRule rule,
                               std::int64_t& out) {
  auto const number = whole_number(value);
  if (!number || *number < rule.min || *number > rule.max) {
    return problem(name, fmt::format("must be a whole number from {} to {}", rule.min, rule.max));
  }
  out = *number;
}

std::string ObjectReader::required_text(std::string_view name, TextRule rule) {
  std::string out;
  if (auto const* value = find_required(name)) convert_text(name, *value, rule, out);
  return out;
}

std::optional<std::string> ObjectReader::optional_text(std::string_view name, TextRule rule) {
  auto const* value = find(name);
  if (!value) return std::nullopt;
  std::string out;
  convert_text(name, *value, rule, out);
  return out;
}

std::int64_t ObjectReader::required_int(std::string_view name, IntRule rule) {
  std::int64_t out = rule.min;
  if (auto const* value = find_required(name)) convert_int(name, *value, rule, out);
  return out;
}

std::optional<std::int64_t> ObjectReader::optional_int(std::string_view name, IntRule rule) {
  auto const* value = find(name);
  if (!value) return std::nullopt;
  std::int64_t out = rule.min;
  convert_int(name, *value, rule, out);
  return out;
}

std::int64_t ObjectReader::required_number_id(std::string_view name) {
  auto const* value = find_required(name);
  if (!value) return 0;
  auto id = whole_number(*value);
  if (auto const* text = value->if_string()) id = parse_int(*text);
  if (!id || *id < 1 || *id > limits::amount_max) {
    problem(name, fmt::format("must be a whole number from 1 to {}", limits::amount_max));
  }
  return id.value_or(0);
}

std::optional<std::int64_t> ObjectReader::required_int_or(std::string_view word, std::string_view name,
                                                          IntRule rule) {
  auto const* value = find_required(name);
  if (!value) return rule.min;
  if (auto const* text = value->if_string(); text && std::string_view(*text) == word) return std::nullopt;
  auto const number = whole_number(*value);
  if (number && *number >= rule.min && *number <= rule.max) return number;
  problem(name, fmt::format("must be a whole number from {} to {}, or \"{}\"", rule.min, rule.max, word));
  return rule.min;
}

bool ObjectReader::has(std::string_view name) const { return object_ && object_->contains(name); }

bool ObjectReader::is_null(std::string_view name) const {
  auto const* value = object_ ? object_->if_contains(name) : nullptr;
  return value && value->is_null();
}

json::array const& ObjectReader::required_array(std::string_view name, std::size_t min, std::size_t max) {
  static json::array const none;
  auto const* value = find_required(name);
  if (!value) return none;
  auto const* array = value->if_array();
  if (array && array->size() >= min && array->size() <= max) return *array;
  problem(name, fmt::format("must be an array with {} to {} elements", min, max));
  return none;
}

std::size_t ObjectReader::required_choice(std::string_view name, std::span<std::string_view const> choices) {
  auto const* value = find_required(name);
  return value ? convert_choice(name, *value, choices) : 0;
}

std::optional<std::size_t> ObjectReader::optional_choice(std::string_view name,
                                                         std::span<std::string_view const> choices) {
  auto const* value = find(name);
  return value ? std::optional(convert_choice(name, *value, choices)) : std::nullopt;
}

std::size_t ObjectReader::convert_choice(std::string_view name, json::value const& value,
                                         std::span<std::string_view const> choices) {
  if (auto const* text = value.if_string()) {
    auto const found = std::ranges::find(choices, std::string_view(*text));
    if (found != choices.end()) return std::size_t(found - choices.begin());
  }
  // A client that sends 1 instead of "1" must learn that the field is a string.
  problem(name, value.is_number()
                    ? fmt::format("must be one of the strings \"{}\"", fmt::join(choices, "\", \""))
                    : fmt::format("must be one of {}", fmt::join(choices, ", ")));
  return 0;
}

void ObjectReader::convert(std::string_view name, json::value const& value, Amount& out) {
  auto const number = whole_number(value);
  auto const amount = number ? Amount::from(*number) : std::nullopt;
  if (!amount) {
    return problem(name, fmt::format("must be a whole number from 0 to {}", limits::amount_max));
  }
  out = *amount;
}

void ObjectReader::convert(std::string_view name, json::value const& value, TimeMs& out) {
  auto const* text = value.if_string();
  auto const time = text ? parse_rfc3339(*text) : std::nullopt;
  if (!time) return problem(name, "must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z");
  out = *time;
}

void ObjectReader::convert(std::string_view name, json::value const& value, bool& out) {
  auto const* flag = value.if_bool();
  if (!flag) return problem(name, "must be true or false");
  out = *flag;
}

std::optional<Error> ObjectReader::finish() {
  if (!problem_ && object_) {
    for (auto const& member : *object_) {
      if (std::ranges::find(known_, std::string_view(member.key())) == known_.end()) {
        // The name comes from the caller and goes into an answer and the log, so its length is limited.
        problem(clip(member.key(), 64), "is not a known field");
        break;
      }
    }
  }
  return problem_ ? std::move(problem_) : std::move(inner_problem_);
}

}  // namespace larder
