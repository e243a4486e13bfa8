// What a series keeps: the packed blocks that series.lua writes.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace larder::series {

__extension__ using Sum = unsigned __int128;

// The points of a stretch of time. A point is a summary with count 1.
struct Summary {
  TimeMs at;  // the first moment of the stretch
  std::int64_t count = 0;
  Sum sum = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::int64_t last = 0;

  double average() const;
  // Adds points that follow.
  void add(Summary const& later);
  friend bool operator==(Summary const&, Summary const&) = default;
};

// Whether the block with this name has points.
inline bool is_points(std::string_view name) { return name.starts_with('p'); }

// The summaries or points of the block with this name, oldest first. Nothing if name or block is corrupt.
std::optional<std::vector<Summary>> unpack_block(std::string_view name, std::string_view block);

}  // namespace larder::series
