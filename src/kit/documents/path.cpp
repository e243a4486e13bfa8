#include "kit/documents/path.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

namespace larder::documents {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::unexpected<Error> refuse_path(ErrorCode code, std::string detail) {
  return std::unexpected(Error{.code = code, .detail = std::move(detail), .field = "path"});
}

}  // namespace

class Path::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Step>> parse() {
    if (!is_utf8(text_)) return refuse_path(errors::malformed_path, "a path is UTF-8");
    if (!skip(".")) return expected("'.'");
    std::vector<Step> steps;
    while (at_ < text_.size()) {
      auto what = starts_with("[") ? bracket() : name(steps.empty());
      if (!what) return std::unexpected(std::move(what).error());
      if (steps.size() == limits::json_depth_max) {
        return refuse_path(errors::path_too_deep,
                           fmt::format("a path has at most {} steps", limits::json_depth_max));
      }
      steps.push_back({.what = std::move(*what), .end = at_});
    }
    return steps;
  }

 private:
  using What = std::variant<std::string, std::size_t>;

  bool starts_with(std::string_view start) const { return text_.substr(at_).starts_with(start); }
  bool skip(std::string_view start) {
    if (!starts_with(start)) return false;
    at_ += start.size();
    return true;
  }
  std::unexpected<Error> expected(std::string_view what) const {
    return refuse_path(errors::malformed_path, fmt::format("expected {} at character {}", what,
                                                           count_chars(text_.substr(0, at_)) + 1));
  }

  Result<What> name(bool first) {
    if (!first && !skip(".")) return expected("'.' or '['");
    auto const begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || (at_ > begin && is_digit(text_[at_])))) ++at_;
    if (at_ == begin && begin < text_.size() && is_digit(text_[begin])) return name_with_digits(begin);
    if (at_ == begin) return expected("a name; others than [A-Za-z_][A-Za-z0-9_]* are written [\"...\"],");
    return std::string(text_.substr(begin, at_ - begin));
  }
  // A member such as "1" of .lots looks like a name.
  Result<What> name_with_digits(std::size_t begin) const {
    auto const end = std::min(text_.find_first_of(".[", begin), text_.size());
    return refuse_path(
        errors::malformed_path,
        fmt::format("a name does not begin with a digit; write {}[\"{}\"]",
                    text_.substr(0, std::max<std::size_t>(begin - 1, 1)), text_.substr(begin, end - begin)));
  }
  Result<What> bracket() {
    skip("[");
    if (!skip("\"")) return index();
    auto const begin = at_;
    at_ = std::min(text_.find_first_of("\"\\", begin), text_.size());
    auto const end = at_;
    if (!skip("\"]")) return expected("'\"]' after the name");
    return std::string(text_.substr(begin, end - begin));
  }
  Result<What> index() {
    auto const begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    auto const number = parse_int<std::size_t>(text_.substr(begin, at_ - begin));
    if (!number) return expected("a name in '\"' or an index");
    if (!skip("]")) return expected("']'");
    return *number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<Path> Path::parse(std::string_view text) {
  auto steps = Parser(text).parse();
  if (!steps) return std::unexpected(std::move(steps).error());
  Path path;
  path.text_ = text;
  path.steps_ = std::move(*steps);
  return path;
}

Result<json::value const*> Path::find(json::value const& document) const {
  auto const* part = &document;
  for (auto const& step : steps_) {
    if (auto const* name = std::get_if<std::string>(&step.what)) {
      part = part->is_object() ? part->get_object().if_contains(*name) : nullptr;
    } else {
      part = part->is_array() ? part->get_array().if_contains(std::get<std::size_t>(step.what)) : nullptr;
    }
    if (!part) {
      return refuse_path(errors::path_not_found,
                         fmt::format("the document has no {}", std::string_view(text_).substr(0, step.end)));
    }
  }
  return part;
}

}  // namespace larder::documents
