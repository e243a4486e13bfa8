// The contents of blocks, and what happens to blocks that another program wrote.
#include "base/random.hpp"
#include "kit/series/series_test.hpp"

namespace larder::series {
namespace {

using namespace std::string_literals;

std::string name_of(char kind, std::int64_t span) { return fmt::format("{}{}", kind, start / span); }
std::string const points_name = name_of('p', 5 * minute);
std::string const minutes_name = name_of('m', hour);
std::string const hours_name = name_of('h', day_ms);
std::string const most_packed = "\xff\xff\xff\xff\xff\xff\xff\x0f"s;  // 2^53 - 1

struct Broken {
  std::string name, block;
};
// Index 3, two points, from 5 to 9, last 6, sum 14.
std::string const one_summary = "\x03\x02\x05\x04\x01\x00\x0e"s;

std::vector<Broken> const broken = {
    {points_name, ""},
    {points_name, "\x05"},
    {points_name, "\x05\x80"},
    {points_name, "\x05\x07\x02"},
    {points_name, "\xe0\xa7\x12\x07"s},                          // 300 000 ms into 5 minutes
    {points_name, "\x05\x07\x0c\x01"},                           // 6 ms back from 5
    {points_name, "\x05\x07\x02\x08"},                           // 7 - 8
    {points_name, "\x05"s + most_packed + "\x03\x01"},           // above 2^53 - 1
    {points_name, "\x05\xff\xff\xff\xff\xff\xff\xff\x1f"s},      // 2^54 - 1
    {points_name, "\x05\x80\x80\x80\x80\x80\x80\x80\x80\x01"s},  // nine bytes
    {minutes_name, ""},
    {minutes_name, one_summary.substr(0, 6)},
    {minutes_name, one_summary + "\x01"},
    {minutes_name, one_summary + one_summary},        // the same summary twice
    {minutes_name, "\x0c"s + one_summary.substr(1)},  // index 12
    {minutes_name, most_packed + one_summary.substr(1)},
    {minutes_name, "\x03\x00\x05\x04\x01\x00\x0e"s},  // no points
    {minutes_name, "\x03\x02\x05\x04\x05\x00\x0e"s},  // last 10
    {minutes_name, "\x03\x02\x05\x04\x01\x00\x09"s},  // sum below 2 * 5
    {minutes_name, "\x03\x02\x05\x04\x01\x00\x13"s},  // sum above 2 * 9
    {minutes_name, "\x03\x01"s + most_packed + "\x01\x00\x00\x00"s},
    {minutes_name, "\x03"s + most_packed + "\x00\x00\x00\x00\x00"s},  // too many points
    {hours_name, "\x18"s + one_summary.substr(1)},                    // index 24
    {"p", "\x05\x07"},
    {"p-1", "\x05\x07"},
    {"p1x", "\x05\x07"},
    {"p9007199254740991", "\x05\x07"},
    {"m", one_summary},
    {"x1", "\x05\x07"},
    {"", "\x05\x07"},
    {"username", "somebody"},
};

TEST(Blocks, have_points_and_summaries_oldest_first) {
  auto const points = unpack_block(points_name, "\x05\x07\x00\x02\x07\x08"s);
  EXPECT_EQ(points, (std::vector{summary_of(2, {13}), summary_of(5, {5}), summary_of(5, {7})}));
  Summary const late{.at = {start + 15 * minute}, .count = 2, .sum = 14, .min = 5, .max = 9, .last = 6};
  auto early = late;
  early.at = {start + 10 * minute};
  EXPECT_EQ(unpack_block(minutes_name, one_summary + "\x02" + one_summary.substr(1)),
            (std::vector{early, late}));
  early.at = {start + 3 * hour};
  EXPECT_EQ(unpack_block(hours_name, one_summary), std::vector{early});
  auto const large =
      unpack_block(minutes_name, "\x00\x01"s + most_packed + "\x00\x00\xff\x0f\xff\xff\xff\xff\xff\x7f"s);
  EXPECT_EQ(large, std::vector{summary_of(0, {most})});
}

TEST(Blocks, are_refused_if_they_are_corrupt) {
  for (auto const& [name, block] : broken)
    EXPECT_FALSE(unpack_block(name, block)) << name << " " << testing::PrintToString(block);
}

TEST(Blocks, of_any_bytes_crash_nobody) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  int understood = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string block(random.below(24), '\0');
    for (auto& byte : block) byte = char(random.chance(1, 4) ? random.below(256) : random.below(16));
    auto const& name = random.chance(1, 2) ? points_name : random.chance(1, 2) ? minutes_name : hours_name;
    auto const found = unpack_block(name, block);
    if (!found) continue;
    ++understood;
    for (auto const& each : regroup(*found, {.from = {}, .to = {most}, .stretch_ms = hour})) {
      ASSERT_GE(each.average(), double(each.min));
      ASSERT_LE(each.average(), double(each.max));
    }
  }
  EXPECT_GT(understood, 100);
}

class CorruptSeries : public SeriesTest {
 protected:
  void expect_corrupt(std::string const& name, std::string const& what) {
    EXPECT_NE(what.find(fmt::format("{} is not a series: {} is corrupt", key, name)), std::string::npos)
        << what;
  }
};

TEST_F(CorruptSeries, is_told_by_a_reader_with_key_and_field) {
  for (auto const& [name, block] : broken) {
    cli({"DEL", key});
    append(day_ms, 1);
    cli({"HSET", key, name, block});
    expect_corrupt(name, failure([&] { read(); }));
  }
  cli({"DEL", key});
  cli({"SET", key, "1"});
  EXPECT_NE(failure([&] { read(); }).find(key + " is not a series: WRONGTYPE"), std::string::npos);
}

// An append does not read every block. If it reads a corrupt block, it writes nothing.
TEST_F(CorruptSeries, is_told_by_an_append_that_meets_it_and_stays_as_it_is) {
  struct Case {
    std::string name, block;
    std::int64_t next;
  };
  std::string const newest = "newest";
  std::string const cut = "\x05\x80";
  for (auto const& [name, block, next] :
       std::vector<Case>{{newest, "x", 1},
                         {newest, "", 1},
                         {newest, "-1", 1},
                         {newest, "9007199254740992", 1},
                         {points_name, cut, 10},
                         {points_name, "\x0b\x01", 10},
                         {points_name, "\x05\x07\x02\x08", 2 * hour},
                         {points_name, cut, 2 * hour},
                         {minutes_name, cut, 2 * hour},
                         {minutes_name, one_summary + "\x01", 2 * day_ms},
                         {minutes_name, "\x03\x00\x05\x04\x01\x00\x0e"s, 2 * day_ms},
                         {hours_name, cut, 2 * day_ms}}) {
    cli({"DEL", key});
    append(0, 1);
    cli({"HSET", key, name, block});
    auto const before = cli({"DUMP", key});
    expect_corrupt(name, failure([&] { append(next, 1); }));
    EXPECT_EQ(cli({"DUMP", key}), before);
  }
}

TEST_F(CorruptSeries, of_any_bytes_is_refused_or_read) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    cli({"DEL", key});
    append(0, 100);
    append(2 * hour, 200);
    for (auto const& name : {points_name, minutes_name, hours_name}) {
      std::string block(1 + random.below(16), '\0');
      for (auto& byte : block) byte = char(random.chance(1, 4) ? random.below(256) : random.below(16));
      if (random.chance(1, 2)) cli({"HSET", key, name, block});
    }
    for (auto const next : {2 * hour + 1, 3 * hour, 2 * day_ms, 9 * day_ms}) {
      for (auto const& why : {failure([&] { append(next, 1); }), failure([&] { read(); })}) {
        if (why != "nothing") ASSERT_NE(why.find(key + " is not a series: "), std::string::npos) << why;
      }
    }
  }
}

}  // namespace
}  // namespace larder::series
