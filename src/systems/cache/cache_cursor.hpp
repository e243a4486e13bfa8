// Where a page of a list ended. To clients, a cursor is an opaque text.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder::cache {

// For a list that is in order: the last name that was given out. A name may be any text.
std::string cursor_after(std::string_view name);
// Nothing at the beginning of the list. Refuses what cursor_after() cannot have returned.
Result<std::optional<std::string>> read_cursor_after(std::string_view cursor);

// For a set that is scanned in portions: where Redis found the portion, and the last id from it that was
// given out.
struct ScanCursor {
  std::uint64_t position = 0;
  std::string last = {};  // empty: nothing was given out of this portion yet

  std::string text() const;
  // An empty text is the beginning.
  static Result<ScanCursor> read(std::string_view text);
};

}  // namespace larder::cache
