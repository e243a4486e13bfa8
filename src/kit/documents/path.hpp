// A path names a part of a document, in the notation of the original Pizza Tribes game.
//
//   .                        the whole document
//   .population              a member whose name has only letters, digits and '_', and no digit first
//   .lots["5"].building      a member with any name without '"' and '\'
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
  // Refusals: malformed_path; path_too_deep, if the path has more than limits::json_depth_max steps.
  static Result<Path> parse(std::string_view text);

  // A pointer to the part of the document, valid as long as the document. Refusal: path_not_found.
  Result<json::value const*> find(json::value const& document) const;

 private:
  struct Step {
    std::variant<std::string, std::size_t> what;  // name or index
    std::size_t end = 0;                          // of the step, in the text
  };
  class Parser;

  std::string text_;
  std::vector<Step> steps_;
};

}  // namespace larder::documents
