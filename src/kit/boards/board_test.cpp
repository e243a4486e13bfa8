#include "kit/boards/board.hpp"

#include "base/random.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace larder::boards {

void PrintTo(Place const& place, std::ostream* out) {
  *out << fmt::format("{}. {} {}", place.rank, place.member, place.score);
}

namespace {

using Places = std::vector<Place>;

class BoardTest : public testing::Test {
 protected:
  void set(std::string member, std::int64_t score) {
    test::run(io, board.set(std::move(member), Amount::from(score).value()));
  }
  // The new score, or -1 if the call is refused.
  std::int64_t add(std::string member, std::int64_t by) {
    auto const score = test::run(io, board.add(std::move(member), by));
    return score ? score->value() : -1;
  }
  Places top(std::int64_t places) { return test::run(io, board.top(places)); }
  Places around(std::string member, std::int64_t places) {
    return test::run(io, board.around(std::move(member), places));
  }
  std::optional<Place> place(std::string member) { return test::run(io, board.place(std::move(member))); }
  std::int64_t count() { return test::run(io, board.count()); }
  std::string cli(std::vector<std::string> const& words) { return server.cli(words); }

  test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Board board{redis, "leaderboard"};
};

TEST_F(BoardTest, an_empty_board_has_nobody) {
  EXPECT_EQ(top(20), Places{});
  EXPECT_EQ(around("a", 20), Places{});
  EXPECT_EQ(place("a"), std::nullopt);
  EXPECT_EQ(count(), 0);
  test::run(io, board.remove("a"));
  EXPECT_EQ(cli({"EXISTS", "leaderboard"}), "0");
}

TEST_F(BoardTest, the_highest_comes_first_and_of_equals_the_greater_name) {
  set("b", 5);
  set("a", 5);
  set("B", 5);
  set("aa", 5);
  set("low", 0);
  set("high", 6);
  EXPECT_EQ(top(20),
            (Places{{1, "high", 6}, {2, "b", 5}, {3, "aa", 5}, {4, "a", 5}, {5, "B", 5}, {6, "low", 0}}));
  EXPECT_EQ(top(1), (Places{{1, "high", 6}}));
  EXPECT_EQ(place("a"), (Place{4, "a", 5}));
  EXPECT_EQ(count(), 6);
}

TEST_F(BoardTest, around_a_member_are_as_many_before_as_fit) {
  for (int i = 1; i <= 9; ++i) set(fmt::format("m{}", i), 100 - i);
  auto const ranks = [&](std::string member, std::int64_t places) {
    std::string text;
    for (auto const& each : around(std::move(member), places)) text += fmt::format("{} ", each.rank);
    return text;
  };
  EXPECT_EQ(ranks("m5", 1), "5 ");
  EXPECT_EQ(ranks("m5", 2), "4 5 ");
  EXPECT_EQ(ranks("m5", 3), "4 5 6 ");
  EXPECT_EQ(ranks("m1", 3), "1 2 3 ");
  EXPECT_EQ(ranks("m2", 4), "1 2 3 4 ");
  EXPECT_EQ(ranks("m9", 3), "8 9 ");
  EXPECT_EQ(ranks("m5", 100), "1 2 3 4 5 6 7 8 9 ");
  EXPECT_EQ(ranks("nobody", 3), "");
}

TEST_F(BoardTest, scores_are_exact_up_to_2_to_the_53_minus_1) {
  constexpr auto most = limits::amount_max;
  set("a", most);
  set("b", most - 1);
  EXPECT_EQ(top(2), (Places{{1, "a", most}, {2, "b", most - 1}}));
  EXPECT_EQ(cli({"ZSCORE", "leaderboard", "a"}), "9007199254740991");
  EXPECT_EQ(add("a", 1), -1);
  EXPECT_EQ(add("b", 2), -1);
  EXPECT_EQ(add("b", 1), most);
  EXPECT_EQ(add("b", -most), 0);
  EXPECT_EQ(add("b", -1), -1);
  EXPECT_EQ(add("c", -1), -1);
  EXPECT_EQ(add("c", 100'000'000'000'000), 100'000'000'000'000);
  EXPECT_EQ(add("c", most), -1);
  EXPECT_EQ(top(9), (Places{{1, "a", most}, {2, "c", 100'000'000'000'000}, {3, "b", 0}}));
}

TEST_F(BoardTest, a_refused_add_leaves_nothing) {
  EXPECT_EQ(add("a", -1), -1);
  EXPECT_EQ(count(), 0);
}

TEST_F(BoardTest, scores_written_by_hand_are_shown_with_their_whole_part) {
  cli({"ZADD", "leaderboard", "inf", "a", "1e17", "b", "23.5", "c", "-0.5", "d", "-7", "e", "-inf", "f"});
  constexpr auto large = std::int64_t(1) << 62;
  EXPECT_EQ(top(9), (Places{{1, "a", large},
                            {2, "b", 100'000'000'000'000'000},
                            {3, "c", 23},
                            {4, "d", 0},
                            {5, "e", -7},
                            {6, "f", -large}}));
  EXPECT_EQ(add("a", 1), -1);
  EXPECT_EQ(add("e", 1), -1);
  EXPECT_EQ(add("e", 8), 1);
}

TEST_F(BoardTest, what_is_not_a_board_stays_as_it_is) {
  cli({"SET", "leaderboard", "x"});
  EXPECT_THROW(set("a", 1), redis::ReplyError);
  EXPECT_THROW(add("a", 1), redis::ReplyError);
  EXPECT_THROW(test::run(io, board.remove("a")), redis::ReplyError);
  EXPECT_THROW(top(1), redis::ReplyError);
  EXPECT_THROW(around("a", 1), redis::ReplyError);
  EXPECT_THROW(count(), redis::ReplyError);
  EXPECT_EQ(cli({"GET", "leaderboard"}), "x");
}

// The same board as a sorted list.
class Model {
 public:
  std::map<std::string, std::int64_t> scores;

  Places all() const {
    Places places;
    for (auto const& [member, score] : scores) places.push_back({.member = member, .score = score});
    std::ranges::sort(places, [](Place const& a, Place const& b) {
      return std::tie(a.score, a.member) > std::tie(b.score, b.member);
    });
    for (std::size_t i = 0; i < places.size(); ++i) places[i].rank = std::int64_t(i) + 1;
    return places;
  }
  Places part(std::int64_t first, std::int64_t places) const {
    auto const every = all();
    auto const from = std::min(std::size_t(std::max<std::int64_t>(first, 0)), every.size());
    auto const to = std::min(from + std::size_t(places), every.size());
    return {every.begin() + std::ptrdiff_t(from), every.begin() + std::ptrdiff_t(to)};
  }
};

TEST_F(BoardTest, answers_as_a_sorted_list) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  Model model;
  for (int i = 0; i < 3000; ++i) {
    auto const member = fmt::format("m{}", random.below(60));
    auto const places = 1 + std::int64_t(random.below(12));
    switch (random.below(6)) {
      case 0: {
        auto const score = std::int64_t(
            random.chance(1, 2) ? random.below(5) : random.below(std::uint64_t(limits::amount_max)));
        set(member, score);
        model.scores[member] = score;
        break;
      }
      case 1: {
        auto const by = std::int64_t(random.below(7)) - 3;
        auto const found = model.scores.find(member);
        auto const score = (found == model.scores.end() ? 0 : found->second) + by;
        bool const fits = score >= 0 && score <= limits::amount_max;
        ASSERT_EQ(add(member, by), fits ? score : -1);
        if (fits) model.scores[member] = score;
        break;
      }
      case 2:
        if (!random.chance(1, 4)) break;
        test::run(io, board.remove(member));
        model.scores.erase(member);
        break;
      case 3: ASSERT_EQ(top(places), model.part(0, places)); break;
      case 4: {
        auto const own = place(member);
        ASSERT_EQ(own.has_value(), model.scores.contains(member));
        auto const expected = own ? model.part(own->rank - 1 - places / 2, places) : Places{};
        ASSERT_EQ(around(member, places), expected);
        if (own) ASSERT_EQ(*own, model.all().at(std::size_t(own->rank - 1)));
        break;
      }
      default: ASSERT_EQ(count(), std::int64_t(model.scores.size()));
    }
  }
  ASSERT_EQ(top(100), model.all());
}

}  // namespace
}  // namespace larder::boards
