#include "kit/series/series_test.hpp"

namespace larder::series {
namespace {

TEST_F(SeriesTest, a_missing_series_is_empty) { EXPECT_EQ(read(), Summaries{}); }

TEST_F(SeriesTest, recent_points_are_as_they_came) {
  append(0, 7);
  append(10, 0);
  append(10 * second, most);
  append(hour - 1, 3);
  EXPECT_EQ(read(), (Summaries{summary_of(0, {7}), summary_of(10, {0}), summary_of(10 * second, {most}),
                               summary_of(hour - 1, {3})}));
  EXPECT_EQ(cli({"HGET", key, "newest"}), fmt::to_string(start + hour - 1));
}

TEST_F(SeriesTest, points_of_one_moment_all_count) {
  append(5, 1);
  append(5, 9);
  append(5, 4);
  EXPECT_EQ(read(), Summaries{summary_of(5, {1, 9, 4})});
}

TEST_F(SeriesTest, a_point_of_a_clock_that_is_behind_counts_at_the_newest_moment) {
  append(hour, 1);
  append(hour - 1, 9);
  append(-day_ms, 4);
  append(hour + 1, 5);
  EXPECT_EQ(read(), (Summaries{summary_of(hour, {1, 9, 4}), summary_of(hour + 1, {5})}));
}

TEST_F(SeriesTest, points_become_summaries_and_summaries_are_forgotten_at_their_moment) {
  append(0, 10);
  append(minute, 20);
  append(6 * minute, 40);
  auto const all = summary_of(0, {10, 20});
  struct Case {
    std::int64_t newest;
    Summaries before;
  };
  for (auto const& [newest, before] :
       std::vector<Case>{{hour + 5 * minute - 1,
                          {summary_of(0, {10}), summary_of(minute, {20}), summary_of(6 * minute, {40})}},
                         {hour + 5 * minute, {all, summary_of(6 * minute, {40})}},
                         {hour + 10 * minute - 1, {all, summary_of(6 * minute, {40})}},
                         {hour + 10 * minute, {all, summary_of(5 * minute, {40})}},
                         {day_ms + hour - 1, {all, summary_of(5 * minute, {40})}},
                         {day_ms + hour, {summary_of(0, {10, 20, 40})}},
                         {week + day_ms - 1, {summary_of(0, {10, 20, 40})}},
                         {week + day_ms, {}}}) {
    append(newest, 1);
    auto found = read();
    std::erase_if(found, [](Summary const& summary) { return summary.at.value > start + 6 * minute; });
    EXPECT_EQ(found, before) << newest;
  }
}

TEST_F(SeriesTest, after_a_long_pause_everything_is_where_it_belongs) {
  append(0, 10);
  append(2 * hour, 20);
  append(25 * hour, 30);
  append(3 * day_ms + hour, 40);
  EXPECT_EQ(read(), (Summaries{summary_of(0, {10}), summary_of(2 * hour, {20}), summary_of(25 * hour, {30}),
                               summary_of(3 * day_ms + hour, {40})}));
  append(400 * day_ms, 50);
  EXPECT_EQ(read(), Summaries{summary_of(400 * day_ms, {50})});
  EXPECT_EQ(cli({"HLEN", key}), "2");
}

TEST_F(SeriesTest, a_sum_beyond_a_double_is_exact) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(most - i % 3);
    append(i, values.back());
  }
  append(9 * hour, 0);
  append(3 * day_ms, 0);
  auto const found = read();
  ASSERT_EQ(found.at(0), summary_of(0, values));
  EXPECT_TRUE(found.at(0).sum == Sum(100) * Sum(most) - 99);
}

TEST_F(SeriesTest, an_average_is_that_of_the_points) {
  EXPECT_EQ(summary_of(0, {1, 2}).average(), 1.5);
  EXPECT_EQ(summary_of(0, {most, most, most}).average(), double(most));
  EXPECT_EQ(summary_of(0, {0, 0, 1}).average(), 1.0 / 3);
}

TEST_F(SeriesTest, a_query_has_whole_stretches) {
  append(10 * minute, 1);
  append(59 * minute, 3);
  append(hour, 10);
  append(2 * hour - 1, 20);
  append(3 * hour, 30);
  Summaries const hours{summary_of(0, {1, 3}), summary_of(hour, {10, 20}), summary_of(3 * hour, {30})};
  EXPECT_EQ(read(0, day_ms, hour), hours);
  EXPECT_EQ(read(30 * minute, day_ms, hour), hours) << "the stretch that it lies in is there as a whole";
  EXPECT_EQ(read(hour - 1, 3 * hour, hour), (Summaries{hours[0], hours[1]})) << "`to` is not part of it";
  EXPECT_EQ(read(hour, 3 * hour + 1, hour), (Summaries{hours[1], hours[2]}));
  EXPECT_EQ(read(-start, day_ms, day_ms), Summaries{summary_of(0, {1, 3, 10, 20, 30})});
  EXPECT_EQ(read(-start - day_ms, day_ms, day_ms).size(), 1U) << "a time before 1970";
  EXPECT_EQ(read(hour, hour, hour), Summaries{});
  EXPECT_EQ(read(3 * hour, 0, hour), Summaries{});
}

TEST_F(SeriesTest, several_get_their_points_together_or_not_at_all) {
  test::run(io, series.append({{key, 1}, {"user:1:ts_pizzas", 2}}, {start}));
  EXPECT_EQ(read(), Summaries{summary_of(0, {1})});
  EXPECT_EQ(test::run(io, series.read("user:1:ts_pizzas", {.from = {}, .to = {most}})),
            Summaries{summary_of(0, {2})});
  cli({"SET", "foreign", "1"});
  EXPECT_NE(failure([&] {
              test::run(io, series.append({{key, 1}, {"foreign", 2}}, {start}));
            }).find("foreign is not a series: WRONGTYPE"),
            std::string::npos);
  EXPECT_EQ(read(), Summaries{summary_of(0, {1})});
}

TEST_F(SeriesTest, refuses_what_is_not_a_point) {
  append(0, 1);
  for (std::string const number : {"-1", "1.5", "9007199254740992", "1e300", "nan", "inf", "-inf", "x", ""}) {
    auto const plan = [&](std::string const& at, std::string const& value) {
      return run_lua("series_write(series_plan(KEYS[1], ARGV[1], ARGV[2]))", {at, value});
    };
    EXPECT_NE(plan("5", number).find("a point needs a time and a value"), std::string::npos) << number;
    EXPECT_NE(plan(number, "5").find("a point needs a time and a value"), std::string::npos) << number;
  }
  EXPECT_EQ(read(), Summaries{summary_of(0, {1})});
}

// Writes a point about every `step` ms from one time to another: like a town of the game, or with values that
// are worse than in any game ("wild").
std::string const fill = R"(
local at, to, step, wild = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == 'wild'
local value, seed = 500000, 1
while at < to do
  seed = seed * 16807 % 2147483647
  value = math.max(value + seed % 200 - (seed % 997 == 0 and 20000 or 0), 0)
  series_write(series_plan(KEYS[1], at, wild and seed % 2 * 9007199254740991 or value))
  at = at + step + seed % 7
end)";

class SeriesSize : public SeriesTest {
 protected:
  SeriesSize() : SeriesTest({.check_keys = false}) {}

  void fill_from(std::int64_t from, std::int64_t to, std::int64_t step, std::string const& how) {
    auto const told =
        run_lua(fill, {fmt::to_string(start + from), fmt::to_string(start + to), fmt::to_string(step), how});
    ASSERT_EQ(told, "");
  }
  // The size of the longest block in bytes.
  std::int64_t longest_block() {
    return std::stoll(
        run_lua("local longest = 0 for _, block in ipairs(redis.call('HVALS', KEYS[1])) do "
                "longest = math.max(longest, #block) end return longest"));
  }
};

TEST_F(SeriesSize, of_a_week_of_a_town_that_is_always_watched_is_small) {
  fill_from(0, week - 2 * hour, 10 * second, "town");
  EXPECT_LT(memory(), 13 * 1024);
  fill_from(week - 2 * hour, week, second, "town");  // like in a fast world
  EXPECT_LT(memory(), 25 * 1024);
}

// A town that changes several times a second gets coarser points, but no more memory.
TEST_F(SeriesSize, is_bounded) {
  fill_from(0, week, 4 * minute, "wild");
  fill_from(week, week + 70 * minute, second / 4, "wild");
  EXPECT_LT(memory(), 60 * 1024);
  EXPECT_LT(longest_block(), 2048 + 30);
  auto const busy = read(week, week + hour, 5 * minute);
  ASSERT_EQ(busy.size(), 12U);
  for (auto const& summary : busy) EXPECT_NEAR(double(summary.count), 5 * 60'000 / 253.0, 10);
}

}  // namespace
}  // namespace larder::series
