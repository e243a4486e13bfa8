// For tests of whole worlds.
#pragma once

#include "systems/tribes/tribes_test.hpp"

namespace larder::tribes {

class TribesWorldsTest : public TribesTest {
 protected:
  std::string change(WorldChange change) {
    auto const changed = run(larder->worlds.change(world(), std::move(change)));
    return changed ? std::string(world_state_names[std::size_t(changed->info->state)])
                   : std::string(changed.error().code.name);
  }
  WorldLine line(std::string_view name = "w") {
    for (auto& each : run(larder->tribes.worlds())) {
      if (each.id == world(name)) return each;
    }
    return {};
  }
};

}  // namespace larder::tribes
