// Where a page of a list ended. To clients, a cursor is an opaque text.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder::cache {

// Of a list that is in order: the last name that was given out. A name may be any text.
std::string cursor_after(std::string_view name);
// Nothing if the list begins. Refuses what cursor_after() cannot have returned.
Result<std::optional<std::string>> read_cursor_after(std::string_view cursor);

// Of a set that is scanned in portions: where Redis found the portion, and the last id that was given out of
// it.
struct ScanCursor {
  std::uint64_t position = 0;
  std::string last = {};  // empty: nothing was given out of this portion yet

  std::string text() const;
  // An empty text is the beginning.
  static Result<ScanCursor> read(std::string_view text);
};

}  // namespace larder::cache
