#include "edges/http/http_types.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace larder::http {

namespace {

constexpr std::array<std::string_view, 8> method_names = {"GET",   "HEAD",   "POST",    "PUT",
                                                          "PATCH", "DELETE", "OPTIONS", "OTHER"};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view method_name(Method method) { return method_names[std::size_t(method)]; }

Method parse_method(std::string_view name) {
  auto const found = std::ranges::find(method_names, name);
  return found == method_names.end() ? Method::other : Method(found - method_names.begin());
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

void Headers::add(std::string_view name, std::string_view value) {
  fields_.push_back({.at = text_.size(), .name_size = name.size(), .value_size = value.size()});
  text_.append(name).append(value);
}

void Headers::clear() {
  text_.clear();
  fields_.clear();
}

std::string_view Headers::find(std::string_view name) const {
  for (auto const& field : fields_) {
    if (equals_ignoring_case(name_of(field), name)) return value_of(field);
  }
  return {};
}

std::string_view Headers::find_last(std::string_view name) const {
  for (auto const& field : fields_ | std::views::reverse) {
    if (equals_ignoring_case(name_of(field), name)) return value_of(field);
  }
  return {};
}

std::size_t Headers::count(std::string_view name) const {
  return std::size_t(std::ranges::count_if(
      fields_, [&](Field const& field) { return equals_ignoring_case(name_of(field), name); }));
}

bool Headers::any_name(bool (*test)(std::string_view name)) const {
  return std::ranges::any_of(fields_, [&](Field const& field) { return test(name_of(field)); });
}

bool Headers::lists(std::string_view name, std::string_view token) const {
  for (auto const& field : fields_) {
    if (!equals_ignoring_case(name_of(field), name)) continue;
    for (auto rest = value_of(field); !rest.empty();) {
      auto const comma = std::min(rest.find(','), rest.size());
      if (equals_ignoring_case(trimmed(rest.substr(0, comma)), token)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

std::string_view Request::media_type() const {
  auto const content_type = header("content-type");
  return trimmed(content_type.substr(0, content_type.find(';')));
}

std::string const& Request::parameter(std::string_view name) const {
  auto const found = std::ranges::find(parameters, name, &PathParameter::name);
  LARDER_ASSERT(found != parameters.end());
  return found->value;
}

Response json_response(json::value const& value, int status) {
  return {.status = status, .body = json::serialize(value)};
}

Response no_content() { return {.status = 204, .content_type = {}}; }

}  // namespace larder::http
