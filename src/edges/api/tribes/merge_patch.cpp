#include "edges/api/tribes/merge_patch.hpp"

namespace larder::api {

json::object merge_patch(json::object const& before, json::object const& after) {
  json::object patch;
  for (auto const& [name, value] : after) {
    auto const* const old = before.if_contains(name);
    if (old && *old == value) continue;
    if (old && old->is_object() && value.is_object()) {
      patch[name] = merge_patch(old->get_object(), value.get_object());
    } else {
      patch[name] = value;
    }
  }
  for (auto const& [name, value] : before) {
    if (!after.contains(name)) patch[name] = nullptr;
  }
  return patch;
}

}  // namespace larder::api
