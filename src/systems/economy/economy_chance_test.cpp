// Chance: every script draws the numbers that Dice draws, and each number is as likely as it should be. The
// seeds are fixed, so no test fails by bad luck.
#include "systems/economy/economy_test.hpp"

#include <cmath>
#include <cstdlib>

namespace larder::economy {
namespace {

using Values = std::vector<std::int64_t>;

class Chance : public EconomyTest {
 protected:
  Chance() : EconomyTest(/*check_keys=*/false) {}

  // One of 2^31 seeds, as a server would choose it.
  std::uint32_t next_seed() { return std::uint32_t(random_.next() >> 33U); }

  // Every roll is compared with the dice. The count matters only for the odds, and the seeds fix those.
  static int many(int count) {
    return std::getenv("LARDER_LONG") ? count
                                      : count / 4;  // NOLINT(concurrency-mt-unsafe): nobody changes it
  }
  // Makes a move `count` times, many of them at the same time, and passes every answer to `each`.
  template <class T>
  void repeat(int count, std::function<Task<Result<Done<T>>>(int, std::uint32_t seed)> const& make,
              std::function<void(T const&, std::uint32_t seed)> const& each) {
    for (int done = 0; done < count;) {
      std::vector<Task<Result<Done<T>>>> tasks;
      std::vector<std::uint32_t> seeds;
      for (; done < count && tasks.size() < 1000; ++done) {
        seeds.push_back(next_seed());
        tasks.push_back(make(done, seeds.back()));
      }
      auto const results = run(when_all(std::move(tasks)));
      for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_TRUE(results[i]) << results[i].error().code.name;
        each(results[i]->what, seeds[i]);
      }
    }
  }
  // Runs `body` in Redis for i = 1 to count.
  void fill(int count, std::string const& body) {
    cli({"EVAL", fmt::format("for i = 1, {} do {} end", count, body), "0"});
  }
  static std::string player(int index) { return fmt::format("p{}", index + 1); }

  // Six standard deviations: with the right chances, a right generator exceeds them once in a billion.
  static void expect_chance(std::int64_t hits, std::int64_t count, double chance, std::string_view what) {
    auto const expected = double(count) * chance;
    auto const bound = 6 * std::sqrt(expected * (1 - chance)) + 1;
    EXPECT_NEAR(double(hits), expected, bound) << what;
  }
  // Every value from low to high occurs equally often.
  static void expect_uniform(Values const& values, std::int64_t low, std::int64_t high,
                             std::string_view what) {
    std::map<std::int64_t, std::int64_t> counts;
    for (auto const value : values) ++counts[value];
    EXPECT_GE(counts.begin()->first, low) << what;
    EXPECT_LE(counts.rbegin()->first, high) << what;
    for (auto value = low; value <= high; ++value) {
      expect_chance(counts[value], std::int64_t(values.size()), 1.0 / double(high - low + 1),
                    fmt::format("{} {}", what, value));
    }
  }

 private:
  Random random_{Seed{4711}};
};

TEST_F(Chance, dice_are_what_redis_draws) {
  for (std::int64_t const seed : {0LL, 1LL, 42LL, 65'535LL, 65'536LL, 1'234'567'890LL, 2'147'483'647LL}) {
    Dice dice{std::uint32_t(seed)};
    std::string expected;
    for (auto const& [low, high] : {std::pair<std::int64_t, std::int64_t>{1, 4},
                                    {1, 100},
                                    {0, 99},
                                    {1, 100'000},
                                    {-210'000, 210'000},
                                    {7, 7},
                                    {1, 1'000'000'000}}) {
      expected += fmt::format("{}{}", expected.empty() ? "" : " ", dice.draw(low, high));
    }
    EXPECT_EQ(cli({"EVAL",
                   "math.randomseed(tonumber(ARGV[1])) local m = math.random return table.concat({m(1, 4), "
                   "m(1, 100), m(0, 99), m(1, 100000), m(-210000, 210000), m(7, 7), m(1, 1000000000)}, ' ')",
                   "0", fmt::to_string(seed)}),
              expected)
        << seed;
  }
}

TEST_F(Chance, the_same_seed_on_the_same_state_does_the_same) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Lines answers;
    for (int i = 0; i < 2; ++i) {
      cli({"FLUSHALL"});
      cli({"ZADD", "lb", "1000", "111", "1000", "222"});
      cli({"HSET", "111:inventory", ":bomb:", "1"});
      cli({"SET", "111:vampire", "60"});
      answers.push_back(told(economy.farm(move("111", seed), "n")) +
                        told(economy.gamble(move("111", seed), {})) +
                        told(economy.plant_bomb(move("111", seed), 500)) + cli({"ZSCORE", "bombs", "111"}) +
                        told(economy.discombobulate(move("222", seed), user("111"), amount(900))));
    }
    EXPECT_EQ(answers[0], answers[1]) << seed;
  }
}

TEST_F(Chance, a_seed_is_told_also_if_nobody_gave_one) {
  give("111", 1000);
  std::set<std::uint32_t> seeds;
  for (int i = 0; i < 20; ++i) {
    auto const roll = run(economy.gamble(move("111"), amount(1))).value().what.roll;
    EXPECT_LE(roll.seed, 2'147'483'647U);
    EXPECT_EQ(roll.values.at(0), Dice(roll.seed).draw(1, 4));
    seeds.insert(roll.seed);
  }
  EXPECT_EQ(seeds.size(), 20U);
}

TEST_F(Chance, one_gamble_in_four_wins_any_of_a_hundred_parts) {
  int const count = many(40'000);
  give("111", 1'000'000'000'000);
  std::int64_t wins = 0;
  Values parts;
  repeat<Gambled>(
      count, [&](int, std::uint32_t seed) { return economy.gamble(move("111", seed), amount(1000)); },
      [&](Gambled const& gambled, std::uint32_t seed) {
        Dice dice(seed);
        Values expected{dice.draw(1, 4)};
        std::int64_t change = -1000;
        if (expected[0] == 1) {
          expected.push_back(dice.draw(1, 100));
          change = 25 * expected[1];
          parts.push_back(expected[1]);
          ++wins;
        }
        EXPECT_EQ(gambled.roll.seed, seed);
        EXPECT_EQ(gambled.roll.values, expected);
        EXPECT_EQ(gambled.change, change);
      });
  expect_chance(wins, count, 0.25, "win");
  expect_uniform(parts, 1, 100, "part");
}

TEST_F(Chance, items_are_found_as_often_as_the_catalogue_says) {
  int const count = many(40'000);
  fill(count, "redis.call('ZADD', 'lb', 1000, 'p' .. i)");
  std::map<std::string, std::int64_t> found;
  repeat<Farmed>(
      count, [&](int i, std::uint32_t seed) { return economy.farm(move(player(i), seed), "n"); },
      [&](Farmed const& farmed, std::uint32_t seed) {
        EXPECT_EQ(farmed.roll.values.at(0), Dice(seed).draw(1, 100'000));
        ++found[farmed.drop ? farmed.drop->item : ""];
      });
  for (auto const& item : ajo_catalogue()->items) {
    expect_chance(found[item.id], count, double(item.drop) / 100'000, item.id);
  }
  expect_chance(found[""], count, 1 - 0.11351, "nothing");
}

TEST_F(Chance, vampires_come_and_bite_by_their_level) {
  struct Case {
    std::int64_t level;
    double chance;  // (floor(20 log10(level) + curse) + 1) of 100
    std::int64_t low, high, curse;
  };
  int const count = many(8'000);
  for (auto const& [level, chance, low, high, curse] :
       {Case{1, 0.02, 2, 2, 0}, Case{2, 0.07, 3, 4, 0}, Case{10, 0.21, 12, 20, 0}, Case{69, 0.37, 30, 40, 0},
        Case{10, 0.33, 12, 20, 12}}) {
    cli({"FLUSHALL"});
    fill(count,
         fmt::format("redis.call('ZADD', 'lb', 999999, 'p' .. i) redis.call('SET', 'p' .. i .. ':vampire', "
                     "{}) redis.call('SET', 'p' .. i .. ':vampire-curse', {})",
                     level, curse));
    open();
    std::int64_t bites = 0;
    Values percents;
    repeat<Farmed>(
        count, [&](int i, std::uint32_t seed) { return economy.farm(move(player(i), seed), "n"); },
        [&](Farmed const& farmed, std::uint32_t seed) {
          Dice dice(seed);
          Values expected{dice.draw(1, 100'000), dice.draw(0, 99)};
          if (farmed.vampire) {
            ++bites;
            expected.push_back(dice.draw(low, high));
            percents.push_back(farmed.vampire->damage / 10'000);
            EXPECT_EQ(percents.back(), expected.back());
          }
          EXPECT_EQ(farmed.roll.values, expected);
        });
    auto const name = fmt::format("level {} curse {}", level, curse);
    expect_chance(bites, count, chance, name);
    expect_uniform(percents, low, high, name);
  }
}

TEST_F(Chance, bombs_spread_evenly_around_their_time) {
  constexpr int count = 8'000;
  fill(count, "redis.call('HSET', 'p' .. i .. ':inventory', ':bomb:', 1)");
  Values minutes;
  repeat<Planted>(
      count, [&](int i, std::uint32_t seed) { return economy.plant_bomb(move(player(i), seed), 1000); },
      [&](Planted const& planted, std::uint32_t seed) {
        auto const spread = Dice(seed).draw(-210'000, 210'000);
        EXPECT_EQ(planted.roll.values, Values{spread});
        EXPECT_EQ(planted.due - clock.now(), 1'000'000 + spread);
        if (spread < 210'000) minutes.push_back((spread + 210'000) / 30'000);
      });
  expect_uniform(minutes, 0, 13, "half minute");
}

TEST_F(Chance, discombobulating_draws_any_percentage_from_69_to_200) {
  int const count = many(20'000);
  fill(count, "redis.call('ZADD', 'lb', 1000, 'p' .. i)");
  give("222", 1000);
  Values percents;
  repeat<Discombobulated>(
      count,
      [&](int i, std::uint32_t seed) {
        return economy.discombobulate(move(player(i), seed), user("222"), amount(1000));
      },
      [&](Discombobulated const& done, std::uint32_t seed) {
        percents.push_back(done.roll.values.at(0));
        EXPECT_EQ(done.roll.values, Values{Dice(seed).draw(69, 200)});
        EXPECT_EQ(done.locked_s, percents.back() * 1800);
      });
  expect_uniform(percents, 69, 200, "percent");
}

TEST_F(Chance, a_roulette_hides_any_number_from_1_to_6) {
  constexpr int count = 6'000;
  std::vector<std::pair<std::string, std::uint32_t>> roulettes;
  repeat<RouletteId>(
      count, [&](int, std::uint32_t seed) { return economy.start_roulette(move("x", seed)); },
      [&](RouletteId const& id, std::uint32_t seed) { roulettes.emplace_back(id.str(), seed); });
  Values numbers;
  for (auto const& [id, seed] : roulettes) numbers.push_back(Dice(seed).draw(1, 6));
  expect_uniform(numbers, 1, 6, "number");
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(cli({"HMGET", "roulette:" + roulettes[std::size_t(i)].first, "left", "drawn", "seed"}),
              fmt::format("{0}\n{0}\n{1}", numbers[std::size_t(i)], roulettes[std::size_t(i)].second));
  }
}

}  // namespace
}  // namespace larder::economy
