// When days begin in a time zone. Knows daylight saving time, through ICU.
#pragma once

#include "base/time.hpp"

#include <string>
#include <string_view>

namespace larder::economy {

// Whether it is a name of the time zone database, such as "Europe/Berlin" or "UTC".
bool is_time_zone(std::string_view name);

// When the day begins that is `days` after the day of `now`, there. With 1: the next midnight. If the clocks
// skip midnight, the day begins when they go on; if midnight comes twice, the day begins with the first one.
// `zone` must be a time zone.
TimeMs midnight_after(TimeMs now, std::string const& zone, std::int64_t days);

}  // namespace larder::economy
