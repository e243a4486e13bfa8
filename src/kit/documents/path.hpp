// Which part of a document somebody wants, written as in the original tribes game.
//
//   .                        the whole document
//   .population              a member; its name is letters, digits and '_', and begins with no digit
//   .lots["5"].building      a member with any name that has no '"' and no '\'
//   .trainingQueue[0]        an element, counted from 0
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace larder::documents {

namespace errors {
inline constexpr ErrorCode malformed_path{ErrorKind::invalid, "malformed_path"};
inline constexpr ErrorCode path_too_deep{ErrorKind::invalid, "path_too_deep"};
inline constexpr ErrorCode path_not_found{ErrorKind::not_found, "path_not_found"};
}  // namespace errors

// Every refusal has the field "path".
class Path {
 public:
  // Refuses malformed_path and path_too_deep: more than limits::json_depth_max steps.
  static Result<Path> parse(std::string_view text);

  // The part of the document, which must outlive the answer. Refuses path_not_found.
  Result<json::value const*> find(json::value const& document) const;

 private:
  struct Step {
    std::variant<std::string, std::size_t> what;  // name or index
    std::size_t end = 0;                          // in the text
  };
  class Parser;

  std::string text_;
  std::vector<Step> steps_;
};

}  // namespace larder::documents
