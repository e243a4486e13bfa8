#include "kit/presence/presence_scripts.hpp"

#include "kit/presence/clock_watch.hpp"
#include "larder_presence_scripts.hpp"

namespace larder::presence::scripts {

redis::ScriptCall say_clock(std::string_view server, std::int64_t ahead_ms, TimeMs redis_now,
                            std::int64_t lives_ms) {
  return redis::ScriptCall(lua::say_clock).keys(clocks_key).args(server, ahead_ms, redis_now, lives_ms);
}

}  // namespace larder::presence::scripts
