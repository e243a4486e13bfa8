#include "kit/limiter/limiter_test.hpp"

namespace larder::limiter {
namespace {

constexpr auto continuous = Refill::continuous;
constexpr std::int64_t slack_ms = 60'000;

// One call of a row: takes `cost` at `at`; the rest is the expected answer.
struct Step {
  std::int64_t at;
  std::int64_t cost;
  bool taken;
  std::int64_t tokens;
  std::int64_t ready_at;
  std::int64_t full_at;
};
struct Row {
  std::string_view name;
  Rule rule;
  std::vector<Step> steps;
};

std::vector<Row> const rows = {
    {"full at first, empties, full again at the interval and not one ms before",
     {.tokens = 2, .seconds = 10},
     {{0, 1, true, 1, 0, 10'000},
      {3000, 1, true, 0, 10'000, 10'000},
      {3001, 1, false, 0, 10'000, 10'000},
      {9999, 1, false, 0, 10'000, 10'000},
      {10'000, 1, true, 1, 10'000, 20'000}}},
    {"the interval counts from the last reset, which is the first take out of a full bucket",
     {.tokens = 2, .seconds = 10},
     {{0, 2, true, 0, 10'000, 10'000},
      {15'000, 1, true, 1, 15'000, 25'000},
      {20'000, 1, true, 0, 25'000, 25'000},
      {24'999, 1, false, 0, 25'000, 25'000},
      {25'000, 2, true, 0, 35'000, 35'000}}},
    {"a cost of several waits for all of them",
     {.tokens = 5, .seconds = 1},
     {{0, 3, true, 2, 1000, 1000},
      {1, 3, false, 2, 1000, 1000},
      {2, 2, true, 0, 1000, 1000},
      {1000, 5, true, 0, 2000, 2000}}},
    {"continuously, token i comes at ceil(i * period / capacity)",
     {.tokens = 7, .seconds = 1, .refill = continuous},
     {{0, 7, true, 0, 1000, 1000},
      {142, 1, false, 0, 143, 1000},
      {143, 1, true, 0, 286, 1143},
      {285, 1, false, 0, 286, 1143},
      {286, 1, true, 0, 429, 1286},
      {1000, 5, true, 0, 1715, 2000},
      {1714, 5, false, 4, 1715, 2000},
      {1715, 5, true, 0, 2429, 2715}}},
    {"continuously, a cost of several comes one by one, and a full bucket takes in no more",
     {.tokens = 4, .seconds = 2, .refill = continuous},
     {{0, 3, true, 1, 1000, 1500},
      {499, 3, false, 1, 1000, 1500},
      {500, 3, false, 2, 1000, 1500},
      {1000, 3, true, 0, 2500, 3000},
      {90'000, 4, true, 0, 92'000, 92'000},
      {90'499, 1, false, 0, 90'500, 92'000}}},
    {"a billion a second: a million every ms",
     {.tokens = 1'000'000'000, .seconds = 1, .refill = continuous},
     {{0, 1'000'000'000, true, 0, 1000, 1000},
      {0, 1, false, 0, 1, 1000},
      {1, 1'000'000, true, 0, 2, 1001},
      {2, 999'999, true, 1, 3, 1002},
      {999, 997'000'001, true, 0, 1997, 1999}}},
    {"a billion a second, at once",
     {.tokens = 1'000'000'000, .seconds = 1},
     {{0, 999'999'999, true, 1, 1000, 1000},
      {999, 2, false, 1, 1000, 1000},
      {1000, 2, true, 999'999'998, 1000, 2000}}},
    {"one in a billion seconds",
     {.tokens = 1, .seconds = 1'000'000'000, .refill = continuous},
     {{0, 1, true, 0, 1'000'000'000'000, 1'000'000'000'000},
      {999'999'999'999, 1, false, 0, 1'000'000'000'000, 1'000'000'000'000},
      {1'000'000'000'000, 1, true, 0, 2'000'000'000'000, 2'000'000'000'000}}},
    {"one in a billion seconds, at once",
     {.tokens = 1, .seconds = 1'000'000'000},
     {{0, 1, true, 0, 1'000'000'000'000, 1'000'000'000'000},
      {999'999'999'999, 1, false, 0, 1'000'000'000'000, 1'000'000'000'000},
      {1'000'000'000'000, 1, true, 0, 2'000'000'000'000, 2'000'000'000'000}}},
};

TEST_F(LimiterTest, tokens_come_as_the_rule_says) {
  for (auto const& row : rows) {
    SCOPED_TRACE(row.name);
    forget();
    for (auto const& step : row.steps) {
      SCOPED_TRACE(step.at);
      auto const taken = take(row.rule, step.cost, step.at);
      EXPECT_EQ(taken.taken, step.taken);
      EXPECT_EQ(taken.levels.at(0), level(step.tokens, step.ready_at, step.full_at));
    }
  }
}

TEST_F(LimiterTest, the_keys_are_those_of_the_original) {
  take({.tokens = 3, .seconds = 10}, 1, 0);
  EXPECT_EQ(get("{t}:b:last_reset"), "1700000000.123");
  EXPECT_EQ(get("{t}:b:tokens"), "2");
  forget();
  take({.tokens = 3, .seconds = 10, .refill = continuous}, 3, 0);
  take({.tokens = 3, .seconds = 10, .refill = continuous}, 1, 4000);
  EXPECT_EQ(get("{t}:b:last_reset"), "1700000004.123");
  EXPECT_EQ(get("{t}:b:tokens"), "0.2000000000000");
}

TEST_F(LimiterTest, a_look_writes_nothing) {
  Rule const rule{.tokens = 3, .seconds = 9, .refill = continuous};
  EXPECT_EQ(peek(rule, 0), level(3, 0, 0));
  EXPECT_TRUE(take(rule, 0, 0));
  EXPECT_EQ(everything(), "");
  take(rule, 2, 0);
  auto const before = everything();
  EXPECT_EQ(peek(rule, 1), level(1, 1, 6000));
  EXPECT_EQ(peek(rule, 5999), level(2, 5999, 6000));
  EXPECT_EQ(peek(rule, 6000), level(3, 6000, 6000));
  EXPECT_EQ(take(rule, 0, 3000).levels.at(0), level(2, 3000, 6000));
  EXPECT_EQ(everything(), before);
}

TEST_F(LimiterTest, a_look_and_a_take_in_one_call) {
  Bucket const looked{.name = "{t}:looked", .rule = {.tokens = 5, .seconds = 10}, .cost = 0};
  Bucket const used{.name = "{t}:used", .rule = {.tokens = 5, .seconds = 10}, .cost = 5};
  auto const taken = take({looked, used}, 0);
  EXPECT_TRUE(taken);
  EXPECT_EQ(taken.levels, (std::vector<Level>{level(5, 0, 0), level(0, 10'000, 10'000)}));
  EXPECT_EQ(server.cli({"EXISTS", "{t}:looked:tokens", "{t}:looked:last_reset"}), "0");
}

TEST_F(LimiterTest, several_buckets_give_all_or_nothing) {
  Bucket const minute{.name = "{t}:minute", .rule = {.tokens = 3, .seconds = 60}, .cost = 2};
  Bucket const second{.name = "{t}:second", .rule = {.tokens = 2, .seconds = 1, .refill = continuous}};
  Bucket const fresh{.name = "{t}:fresh", .rule = {.tokens = 9, .seconds = 1}};
  ASSERT_TRUE(take({minute, second}, 0));
  auto const before = everything();
  for (auto const& order : {std::vector{minute, second, fresh}, {second, fresh, minute}, {fresh, minute}}) {
    auto const refused = take(order, 100);
    EXPECT_FALSE(refused);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i].name == minute.name) EXPECT_EQ(refused.levels[i], level(1, 60'000, 60'000));
      if (order[i].name == second.name) EXPECT_EQ(refused.levels[i], level(1, 100, 500));
      if (order[i].name == fresh.name) EXPECT_EQ(refused.levels[i], level(9, 100, 100));
    }
    EXPECT_EQ(everything(), before);
  }
  EXPECT_TRUE(take({second, fresh}, 100));
}

TEST_F(LimiterTest, keys_go_with_the_moment_the_bucket_is_full) {
  for (auto const refill : {Refill::interval, continuous}) {
    for (auto const& [tokens, seconds] :
         {std::pair{10, 100}, {1, 1}, {1'000'000'000, 1}, {1, 1'000'000'000}}) {
      forget();
      Rule const rule{.tokens = tokens, .seconds = seconds, .refill = refill};
      for (int at : {0, 1, 700, 1000, 1000}) {
        auto const taken = take(rule, 1, at);
        auto const wait = taken.levels[0].full_at - TimeMs{start + at};
        for (std::string const key : {"{t}:b:tokens", "{t}:b:last_reset"}) {
          auto const ttl = ttl_ms(key);
          ASSERT_GT(ttl, 0);
          if (!taken) continue;  // the keys are from an earlier take
          EXPECT_LE(ttl, wait + slack_ms);
          EXPECT_GT(ttl, wait + slack_ms - 10'000);
        }
      }
    }
  }
}

TEST_F(LimiterTest, a_refund_gives_back_no_more_than_is_missing) {
  Rule const rule{.tokens = 5, .seconds = 10};
  take(rule, 2, 0);
  take(rule, 2, 100);
  EXPECT_EQ(refund(rule, 2, 100, 200), 2);
  EXPECT_EQ(peek(rule, 200), level(3, 200, 10'000));
  EXPECT_EQ(refund(rule, 5, 0, 200), 2);
  EXPECT_EQ(everything(), "") << "a full bucket has no keys";
  EXPECT_EQ(refund(rule, 5, 0, 200), 0);
  EXPECT_EQ(everything(), "");
}

TEST_F(LimiterTest, a_bucket_that_was_reset_gets_no_refund) {
  Rule const rule{.tokens = 5, .seconds = 10};
  take(rule, 2, 0);
  EXPECT_EQ(refund(rule, 2, 0, 10'000), 0) << "full by now";
  take(rule, 4, 11'000);
  auto const before = everything();
  EXPECT_EQ(refund(rule, 2, 0, 11'000), 0) << "that was before the reset";
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(refund(rule, 1, 11'000, 11'000), 1);
}

TEST_F(LimiterTest, what_came_by_itself_is_not_refunded) {
  Rule const rule{.tokens = 10, .seconds = 10, .refill = continuous};
  take(rule, 6, 0);
  EXPECT_EQ(refund(rule, 1, 0, 999), 1);
  EXPECT_EQ(peek(rule, 999), level(5, 999, 5000));
  // The bucket was full at 5000 and is empty now: the other five tokens had come by themselves.
  ASSERT_TRUE(take(rule, 10, 5000));
  EXPECT_EQ(refund(rule, 5, 0, 5000), 0);
  EXPECT_EQ(refund(rule, 10, 5000, 7500), 8);
  EXPECT_EQ(everything(), "");
}

TEST_F(LimiterTest, refunds_go_to_each_bucket) {
  Bucket const one{.name = "{t}:one", .rule = {.tokens = 3, .seconds = 60}, .cost = 2};
  Bucket const full{.name = "{t}:full", .rule = {.tokens = 2, .seconds = 1}};
  ASSERT_TRUE(take({one}, 0));
  auto const given = test::run(io, limiter.refund({full, one}, {start}, {start + 5}));
  EXPECT_EQ(given, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(everything(), "");
}

TEST_F(LimiterTest, a_changed_rule_goes_on_with_what_is_there) {
  struct Change {
    std::string_view name;
    Rule before;  // two tokens are taken at 0
    Rule after;
    std::int64_t at;
    Level expected;
  };
  std::vector<Change> const changes = {
      {"smaller", {10, 10}, {5, 10}, 1, level(5, 1, 1)},
      {"smaller than what was taken", {10, 10}, {1, 10}, 1, level(1, 1, 1)},
      {"larger: at the next reset", {10, 10}, {20, 10}, 1, level(8, 1, 10'000)},
      {"shorter, not over", {10, 10}, {10, 5}, 4999, level(8, 4999, 5000)},
      {"shorter, over", {10, 10}, {10, 5}, 5000, level(10, 5000, 5000)},
      {"longer", {10, 10}, {10, 20}, 10'000, level(8, 10'000, 20'000)},
      {"continuously smaller", {10, 10, continuous}, {5, 10, continuous}, 1, level(5, 1, 1)},
      {"continuously larger", {10, 10, continuous}, {20, 10, continuous}, 1000, level(10, 1000, 6000)},
      {"continuously shorter", {10, 10, continuous}, {10, 5, continuous}, 500, level(9, 500, 1000)},
      {"continuously longer", {10, 10, continuous}, {10, 20, continuous}, 2000, level(9, 2000, 4000)},
      {"from interval to continuous", {10, 10}, {10, 10, continuous}, 1000, level(9, 1000, 2000)},
      {"from continuous to interval", {10, 10, continuous}, {10, 10}, 1000, level(8, 1000, 10'000)},
  };
  for (auto const& change : changes) {
    SCOPED_TRACE(change.name);
    forget();
    ASSERT_TRUE(take(change.before, 2, 0));
    EXPECT_EQ(peek(change.after, change.at), change.expected);
    auto const taken = take(change.after, 1, change.at);
    EXPECT_TRUE(taken);
    EXPECT_EQ(taken.levels[0].tokens, change.expected.tokens - 1);
  }
}

TEST_F(LimiterTest, a_part_of_a_token_survives_a_change_of_the_rule) {
  Rule const slow{.tokens = 3, .seconds = 10, .refill = continuous};
  take(slow, 3, 0);
  take(slow, 1, 4000);  // 0.2 of the next token has come
  EXPECT_EQ(peek({.tokens = 5, .seconds = 1, .refill = continuous}, 4159).tokens, 0);
  EXPECT_EQ(peek({.tokens = 5, .seconds = 1, .refill = continuous}, 4160).tokens, 1);
  EXPECT_EQ(peek({.tokens = 5, .seconds = 1}, 4160).tokens, 0);
}

TEST_F(LimiterTest, a_clock_that_goes_backwards_brings_no_tokens) {
  for (auto const refill : {Refill::interval, continuous}) {
    forget();
    Rule const rule{.tokens = 2, .seconds = 10, .refill = refill};
    auto const next = refill == continuous ? 5000 : 10'000;
    ASSERT_TRUE(take(rule, 2, 0));
    for (int at : {-1, -5000, -60'000, 0, -3000}) {
      auto const refused = take(rule, 1, at);
      EXPECT_FALSE(refused);
      EXPECT_EQ(refused.levels[0], level(0, next, 10'000));
    }
    EXPECT_FALSE(take(rule, 1, next - 1));
    EXPECT_TRUE(take(rule, 1, next));
  }
}

TEST_F(LimiterTest, servers_whose_clocks_differ_count_no_time_twice) {
  Rule const rule{.tokens = 100, .seconds = 1, .refill = continuous};
  ASSERT_TRUE(take(rule, 100, 50));
  std::int64_t taken = 0;
  for (int at = 0; at < 2000; ++at) {
    if (take(rule, 1, at)) ++taken;
    if (take(rule, 1, at + 50)) ++taken;
  }
  EXPECT_EQ(taken, 1999 / 10);
}

TEST_F(LimiterTest, a_clock_that_was_wrong_by_far_does_not_block_for_longer_than_the_rule) {
  Rule const rule{.tokens = 2, .seconds = 10};
  constexpr std::int64_t year = 365 * 86'400'000LL;
  ASSERT_TRUE(take(rule, 1, year));
  EXPECT_LE(ttl_ms("{t}:b:tokens"), 10'000 + slack_ms);
  auto const taken = take(rule, 1, 0);
  EXPECT_TRUE(taken);
  EXPECT_EQ(taken.levels[0], level(0, 10'000, 10'000));
  EXPECT_TRUE(take(rule, 1, 10'000));
}

TEST_F(LimiterTest, parts_of_a_token_add_up_to_none_in_large_buckets) {
  Rule const rule{.tokens = 999'999'999, .seconds = 1'000'000'000, .refill = continuous};
  ASSERT_TRUE(take(rule, 10, 0));
  for (std::int64_t taken = 1; taken <= 20; ++taken) {
    EXPECT_EQ(take(rule, 1, 1000).levels[0].tokens, rule.tokens - 10 - taken);
  }
}

TEST_F(LimiterTest, what_cannot_be_read_is_a_full_bucket) {
  for (auto const& [last_reset, tokens] :
       {std::pair{"x", "1"}, {"1700000000", "x"}, {"", ""}, {"1700000000", "-5"}, {"nan", "3"}}) {
    for (auto const refill : {Refill::interval, continuous}) {
      server.cli({"SET", "{t}:b:last_reset", last_reset});
      server.cli({"SET", "{t}:b:tokens", tokens});
      EXPECT_TRUE(take({.tokens = 3, .seconds = 10, .refill = refill}, 3, 0)) << last_reset << " " << tokens;
      EXPECT_GT(ttl_ms("{t}:b:last_reset"), 0);
    }
  }
}

using LimiterDeathTest = LimiterTest;

TEST_F(LimiterDeathTest, what_is_out_of_range_is_a_bug) {
  Bucket const good{.name = "{t}:b", .rule = {.tokens = 1, .seconds = 1}};
  for (auto const& bad : std::vector<std::vector<Bucket>>{
           {},
           {good, good},
           {{.name = "b", .rule = {.tokens = 0, .seconds = 1}, .cost = 0}},
           {{.name = "b", .rule = {.tokens = 1, .seconds = 0}}},
           {{.name = "b", .rule = {.tokens = limits::bucket_tokens_max + 1, .seconds = 1}}},
           {{.name = "b", .rule = {.tokens = 1, .seconds = limits::bucket_seconds_max + 1}}},
           {{.name = "b", .rule = {.tokens = 1, .seconds = 1}, .cost = 2}},
           {{.name = "b", .rule = {.tokens = 1, .seconds = 1}, .cost = -1}}}) {
    EXPECT_DEATH(take(bad, 0), "");
  }
}

}  // namespace
}  // namespace larder::limiter
