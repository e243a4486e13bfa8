#include "systems/tribes/world_clock.hpp"

#include "systems/tribes/tribes_rules_test.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace larder::tribes {
namespace {

constexpr TimeMs start{1'700'000'000'000};

TEST(WorldClock, game_time_runs_s_times_as_fast) {
  WorldClock const clock{.base_real = start, .base_game = {}, .speed = 500};
  EXPECT_EQ(clock.game_at(start), GameMs{0});
  EXPECT_EQ(clock.game_at(start + 1), GameMs{500});
  EXPECT_EQ(clock.game_at(start + 3'600'000), GameMs{1'800'000'000});
  EXPECT_EQ(clock.game_at({0}), GameMs{0}) << "before its start, a world does not move";
}

TEST(WorldClock, a_moment_is_due_when_game_time_has_reached_it) {
  WorldClock const clock{.base_real = start, .base_game = {}, .speed = 500};
  EXPECT_EQ(clock.real_at({0}), start);
  EXPECT_EQ(clock.real_at({1}), start + 1);
  EXPECT_EQ(clock.real_at({500}), start + 1);
  EXPECT_EQ(clock.real_at({501}), start + 2);
}

TEST(WorldClock, another_speed_counts_from_now_on) {
  WorldClock const clock{.base_real = start, .base_game = {}, .speed = 10};
  auto const faster = clock.with_speed(1'000, start + 50);
  EXPECT_EQ(faster, (WorldClock{start + 50, {500}, 1'000}));
  EXPECT_EQ(faster.game_at(start + 51), GameMs{1'500});
  EXPECT_EQ(faster.real_at({501}), start + 51);
  EXPECT_EQ(faster.game_at(start + 49), GameMs{500}) << "time that has passed stays passed";
  EXPECT_EQ(clock.with_speed(100, start + 50).real_at({199}), start + 47) << "the past, at the speed of now";
  EXPECT_EQ(clock.with_speed(5, {0}), (WorldClock{start, {0}, 5}))
      << "a clock that goes back changes nothing";
}

TEST(WorldClock, does_not_overflow) {
  WorldClock const clock{.base_real = start, .base_game = {7}, .speed = speed_max};
  EXPECT_EQ(clock.game_at({std::numeric_limits<std::int64_t>::max()}), GameMs{game_ms_max});
  EXPECT_EQ(clock.game_at({std::numeric_limits<std::int64_t>::min()}), GameMs{7});
  EXPECT_EQ(clock.game_at(clock.real_at({game_ms_max})), GameMs{game_ms_max});
  WorldClock const slow{.base_real = start, .base_game = {}, .speed = 1};
  EXPECT_EQ(slow.real_at({game_ms_max}), start + game_ms_max);
}

TEST(WorldClock, real_time_and_game_time_agree) {
  auto const seed = test::test_seed();
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random(seed);
  WorldClock clock{.base_real = start, .base_game = {}, .speed = 1};
  auto now = start;
  for (int i = 0; i < 2'000; ++i) {
    GameMs const game{clock.game_at(now).value + test::between(random, 0, 100'000)};
    auto const real = clock.real_at(game);
    ASSERT_GE(clock.game_at(real), game);
    ASSERT_TRUE(real <= now || clock.game_at({real.value - 1}) < game) << "it is the first such moment";
    now = now + test::between(random, 0, 1'000);
    auto const before = clock.game_at(now);
    clock = clock.with_speed(test::between(random, 1, speed_max), now);
    ASSERT_EQ(clock.game_at(now), before);
  }
}

}  // namespace
}  // namespace larder::tribes
