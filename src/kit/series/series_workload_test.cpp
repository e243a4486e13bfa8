// Random points, compared with a model that keeps all of them.
#include "base/random.hpp"
#include "kit/series/series_test.hpp"

#include <boost/asio/co_spawn.hpp>

#include <map>

namespace larder::series {
namespace {

std::int64_t round_down(std::int64_t time, std::int64_t width) { return time - time % width; }

class Model {
 public:
  void append(std::int64_t at, std::int64_t value) {
    newest_ = std::max(newest_, at);
    points_.emplace_back(newest_, value);
  }
  std::int64_t newest() const { return newest_; }

  // The answer of a series to a query for everything.
  std::vector<Summary> read(std::int64_t width) const {
    std::map<std::int64_t, Summary> groups;
    for (auto const& [at, value] : points_) {
      auto const kept = kept_at(at);
      if (!kept) continue;
      auto const begin = round_down(*kept, width);
      Summary const point{
          .at = {begin}, .count = 1, .sum = Sum(value), .min = value, .max = value, .last = value};
      auto const [there, fresh] = groups.emplace(begin, point);
      if (!fresh) there->second.add(point);
    }
    std::vector<Summary> all;
    for (auto const& [at, summary] : groups) all.push_back(summary);
    return all;
  }

 private:
  // The time at which the series still has the point; nothing if the point is gone.
  std::optional<std::int64_t> kept_at(std::int64_t at) const {
    auto const ended = [&](std::int64_t span, std::int64_t ago) {
      return round_down(at, span) + span <= newest_ - ago;
    };
    if (ended(day_ms, week)) return std::nullopt;
    if (ended(hour, day_ms)) return round_down(at, hour);
    if (ended(5 * minute, hour)) return round_down(at, 5 * minute);
    return at;
  }

  std::vector<std::pair<std::int64_t, std::int64_t>> points_;
  std::int64_t newest_ = 0;
};

std::int64_t next_time(Random& random, std::int64_t newest) {
  auto const up_to = [&](std::int64_t ms) { return std::int64_t(random.below(std::uint64_t(ms))); };
  // A time around the edge of a span, where blocks become too old.
  auto const edge = [&](std::int64_t width) { return round_down(newest, width) + width + up_to(3) - 1; };
  switch (random.below(16)) {
    case 0: return newest;
    case 1: return std::max<std::int64_t>(newest - up_to(2 * hour), 0);
    case 2: return edge(5 * minute);
    case 3: return edge(hour);
    case 4: return newest + 15 * minute;
    case 5: return newest + up_to(3 * hour);
    case 6: return random.chance(1, 8) ? edge(day_ms) : newest + up_to(hour);
    case 7: return random.chance(1, 8) ? newest + up_to(3 * day_ms) : newest + 1;
    case 8: return random.chance(1, 50) ? newest + up_to(10 * day_ms) : newest + up_to(minute);
    default: return newest + 10 * second + up_to(20);
  }
}

std::int64_t next_value(Random& random, std::int64_t value) {
  switch (random.below(12)) {
    case 0: return most - std::int64_t(random.below(3));
    case 1: return std::int64_t(random.below(3));
    case 2: return std::int64_t(random.below(std::uint64_t(most) + 1));
    case 3: return std::int64_t(random.below(100'000'000));
    default: return std::clamp<std::int64_t>(value + std::int64_t(random.below(500)) - 200, 0, most);
  }
}

TEST_F(SeriesTest, answers_as_a_series_that_keeps_every_point) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  for (int round = 0; round < 6; ++round) {
    cli({"FLUSHALL"});
    Model model;
    std::int64_t at = start + std::int64_t(random.below(std::uint64_t(week)));
    std::int64_t value = 1000;
    for (int i = 0; i < 600; ++i) {
      model.append(at, value);
      append(at - start, value);
      if (i % 15 == 0 || i > 590) {
        for (auto const width : {std::int64_t(1), 7 * minute, 5 * minute, hour, day_ms, 10 * week}) {
          ASSERT_EQ(read(width), model.read(width))
              << "point " << i << " of round " << round << ", width " << width;
        }
      }
      at = next_time(random, model.newest());
      value = next_value(random, value);
    }
  }
}

TEST_F(SeriesTest, add_point_makes_the_block_that_the_script_makes) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  std::int64_t at = start;
  std::int64_t value = 1000;
  std::int64_t newest = 0;
  int added = 0;
  auto const field = [&](std::string const& name) {
    auto const reply = test::run(io, redis.command(redis::Use::read, key, {"HGET", key, name}));
    return reply.optional_text().value_or("");
  };
  for (int i = 0; i < 1500; ++i) {
    auto const name = points_block_name({at});
    auto const block = add_point({.newest = field("newest"), .block = field(name)}, {at}, value);
    append(at - start, value);
    if (block) {
      ++added;
      ASSERT_EQ(field(name), *block) << "point " << i;
    }
    newest = std::max(newest, at);
    ASSERT_EQ(field("newest"), std::to_string(newest));
    at = next_time(random, newest);
    value = next_value(random, value);
  }
  EXPECT_GT(added, 500);
  EXPECT_EQ(add_point({.newest = "corrupt", .block = {}}, {at}, 1), std::nullopt);
}

struct BusySeries : SeriesTest {
  BusySeries() : SeriesTest({.check_keys = false}) {}
};

// There are so many points in five minutes that they become summaries early.
TEST_F(BusySeries, answers_exactly_also_when_points_become_summaries_early) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  Model model;
  std::int64_t at = start;
  for (int i = 0; i < 8000; ++i) {
    auto const value = std::int64_t(random.below(std::uint64_t(most)));
    model.append(at, value);
    append(at - start, value);
    if (i > 600) at += std::int64_t(random.below(500));  // until then, all points have the same time
    if (i % 400 == 0) {
      for (auto const width : {5 * minute, hour, day_ms}) ASSERT_EQ(read(width), model.read(width)) << i;
    }
  }
  for (auto const later : {hour, day_ms, 3 * day_ms}) {
    model.append(at + later, 1);
    append(at + later - start, 1);
    for (auto const width : {5 * minute, hour, day_ms}) ASSERT_EQ(read(width), model.read(width)) << later;
  }
}

TEST_F(SeriesTest, points_of_many_clients_at_once_all_count) {
  constexpr int clients = 16;
  constexpr int rounds = 50;
  int running = clients;
  std::vector<std::unique_ptr<redis::Redis>> connections;
  auto const work = [&](redis::Redis& client) -> Task<void> {
    Series mine(client);
    for (int round = 0; round < rounds; ++round) {
      std::vector<Value> values{{.key = key, .value = round}};
      co_await mine.append(std::move(values), {start + round});
    }
    --running;
  };
  for (int i = 0; i < clients; ++i) {
    connections.push_back(std::make_unique<redis::Redis>(
        io, redis::Options{.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics));
    asio::co_spawn(io, work(*connections.back()), [](std::exception_ptr failure) {
      if (failure) std::rethrow_exception(failure);
    });
  }
  ASSERT_TRUE(test::eventually(io, [&] { return running == 0; }));
  auto const all = read(week);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].count, clients * rounds);
  EXPECT_TRUE(all[0].sum == Sum(clients * rounds * (rounds - 1) / 2));
}

}  // namespace
}  // namespace larder::series
