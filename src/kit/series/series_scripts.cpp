#include "kit/series/series_scripts.hpp"

#include "base/error.hpp"
#include "base/limits.hpp"
#include "larder_series_scripts.hpp"

#include <algorithm>

namespace larder::series::scripts {

namespace {

bool in_range(std::int64_t number) { return number >= 0 && number <= limits::amount_max; }

}  // namespace

redis::ScriptCall append_points(std::span<Value const> values, TimeMs at) {
  LARDER_ASSERT(!values.empty() && in_range(at.value));
  auto call = redis::ScriptCall(lua::append_points).args(at);
  for (auto const& [key, value] : values) {
    LARDER_ASSERT(in_range(value));
    LARDER_ASSERT(std::ranges::count(values, key, &Value::key) == 1);
    call.keys(key).args(value);
  }
  return call;
}

}  // namespace larder::series::scripts
