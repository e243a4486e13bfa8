#include "tribes_workload/operator.hpp"

#include <gtest/gtest.h>

namespace larder::tribes {

using namespace std::chrono_literals;

Task<void> Operator::work(Worlds& worlds) {
  while (wanted) {
    if (game_.progress < next_) {
      co_await sleep_for(1ms);
      continue;
    }
    // A world that is closed opens again soon.
    next_ = game_.progress + 1 + random_.below(closed_ ? options_.every / 5 : 2 * options_.every);
    try {
      co_await change(worlds);
    } catch (StoreError const&) {
      ++changes["store error"];
    } catch (std::exception const& error) {
      ADD_FAILURE() << "operator: " << error.what();
    }
  }
  busy = false;
}

Task<void> Operator::change(Worlds& worlds) {
  auto const dice = random_.below(100);
  WorldChange wanted_change;
  std::string name;
  if (closed_ && dice < 85) {
    wanted_change.state = WorldState::running;
    name = "open";
  } else if (dice < 35) {
    wanted_change.speed = options_.speeds[random_.below(options_.speeds.size())];
    name = "speed";
  } else if (dice < 60) {
    wanted_change.rules = options_.rules[random_.below(options_.rules.size())];
    name = "rules";
  } else if (dice < 80) {
    wanted_change.state = WorldState::closed;
    name = "close";
  } else {
    if (ruins_ >= options_.ruins_max) co_return;
    ++ruins_;
    ++changes["ruin"];
    co_await worlds.make_ruins(game_.players[random_.below(game_.players.size())]);
    co_return;
  }
  // If this server dies meanwhile, the world may be closed.
  if (wanted_change.state) closed_ = true;
  auto const changed = co_await worlds.change(game_.world, wanted_change);
  if (wanted_change.state) closed_ = *wanted_change.state == WorldState::closed;
  ++changes[name];
  EXPECT_TRUE(changed || changed.error().code == errors::world_over)
      << name << ": " << changed.error().detail;
}

}  // namespace larder::tribes
