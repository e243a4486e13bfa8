// Reads and extends the packed blocks of a series. series.lua describes their format.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::series {

__extension__ using Sum = unsigned __int128;

// All points within a stretch of time. A point is a summary with count 1.
struct Summary {
  TimeMs at;  // the beginning of the stretch
  std::int64_t count = 0;
  Sum sum = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::int64_t last = 0;

  double average() const;
  // Adds later points to this summary.
  void add(Summary const& later);
  friend bool operator==(Summary const&, Summary const&) = default;
};

// True if the block with this name has points, false if it has summaries.
inline bool is_points(std::string_view name) { return name.starts_with('p'); }

// The summaries or points of the block with this name, oldest first. Returns nothing if the name or the
// block is corrupt.
std::optional<std::vector<Summary>> unpack_block(std::string_view name, std::string_view block);

// The name of the block that gets a point of this time.
std::string points_block_name(TimeMs at);

// What a series has before a point is added: its field `newest`, and the block of points_block_name(). Empty
// if the series does not have the field.
struct SeriesEnd {
  std::string newest;
  std::string block;
};
// The block with one more point, the newest of the series. Returns nothing if adding the point takes more
// than that: then series.lua has to do it. The value is from 0 to limits::amount_max.
std::optional<std::string> add_point(SeriesEnd const& end, TimeMs at, std::int64_t value);

}  // namespace larder::series
