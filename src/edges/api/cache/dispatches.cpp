#include "edges/api/cache/dispatches.hpp"

#include "base/limits.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

constexpr std::string_view json_blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  auto const begin = text.find_first_not_of(json_blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(json_blanks) + 1 - begin);
}

// The index after the string whose opening quote is at `at`; npos if the string does not end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

std::unexpected<Error> too_many_dispatches() {
  return refuse(errors::invalid_request,
                fmt::format("a request has at most {} events", limits::dispatches_max));
}

Result<std::vector<std::string_view>> split_lines(std::string_view body) {
  std::vector<std::string_view> lines;
  while (!body.empty()) {
    auto const end = std::min(body.find('\n'), body.size());
    auto const line = trimmed(body.substr(0, end));
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.empty()) continue;
    if (lines.size() == limits::dispatches_max) return too_many_dispatches();
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

// In an element that is not valid JSON, brackets may not match. Then the array ends too early or not at all,
// and the whole body is refused: nobody can tell which elements were meant.
Result<std::vector<std::string_view>> split_array(std::string_view text) {
  std::vector<std::string_view> elements;
  std::size_t depth = 0;
  std::size_t begin = 1;
  for (std::size_t at = 0; at < text.size();) {
    char const c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
      continue;
    }
    bool const closes = c == ']' || c == '}';
    if (c == '[' || c == '{') ++depth;
    if (closes) --depth;
    if ((c == ',' && depth == 1) || depth == 0) {
      auto const element = trimmed(text.substr(begin, at - begin));
      bool const is_empty_array = depth == 0 && elements.empty() && element.empty();
      if (!is_empty_array) elements.push_back(element);
      if (elements.size() > limits::dispatches_max) return too_many_dispatches();
      begin = at + 1;
    }
    ++at;
    if (depth > 0) continue;
    if (!trimmed(text.substr(at)).empty())
      return refuse(errors::invalid_request, "the body goes on behind the end of the array");
    return elements;
  }
  return refuse(errors::invalid_request, "the array in the body does not end");
}

Result<std::vector<std::string_view>> split_dispatches(std::string_view body, BodyForm form) {
  auto const text = trimmed(body);
  if (text.empty()) return refuse(errors::invalid_request, "the body is empty");
  if (form == BodyForm::lines) return split_lines(text);
  if (text.front() == '{') return std::vector{text};
  if (text.front() == '[') return split_array(text);
  return refuse(errors::invalid_request, "the body must be an event or an array of events");
}

}  // namespace larder::api
