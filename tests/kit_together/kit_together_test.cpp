// Documents, series and boards in one script of a system: all or nothing, in one step.
#include "base/limits.hpp"
#include "kit/boards/board.hpp"
#include "kit/documents/documents.hpp"
#include "kit/series/series.hpp"
#include "kit_together_test_scripts.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder {
namespace {

constexpr std::int64_t start = 1'700'000'000'000;

class TogetherTest : public testing::Test {
 protected:
  // Returns whether the town was committed.
  bool commit(std::string user, std::int64_t revision, std::int64_t at, std::int64_t coins) {
    auto const town = fmt::format("user:{}:gamestate", user);
    auto call = redis::ScriptCall(lua::commit_town)
                    .keys(town, documents::revision_key(town), fmt::format("user:{}:ts_coins", user),
                          fmt::format("user:{}:ts_pizzas", user), "leaderboard", "user_updates")
                    .args(revision, fmt::format(R"({{"coins":{}}})", coins), start + at, user, coins, 7,
                          start + at + 900'000);
    return test::run(io, redis.run(redis::Use::write, std::move(call))).at(0).integer() == 1;
  }
  documents::Document town(std::string const& user) {
    documents::Documents documents(redis);
    return test::run(io, documents.read(fmt::format("user:{}:gamestate", user)));
  }
  std::vector<series::Summary> history(std::string const& user) {
    series::Series series(redis);
    return test::run(
        io, series.read(fmt::format("user:{}:ts_coins", user), {.from = {}, .to = {limits::amount_max}}));
  }
  std::string digest() const { return server.cli({"DEBUG", "DIGEST"}); }

  test::RedisServer server{{.settings = {"enable-debug-command yes"}}};
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
};

TEST_F(TogetherTest, a_town_is_committed_in_one_step) {
  EXPECT_TRUE(commit("a", 0, 0, 20));
  EXPECT_TRUE(commit("a", 1, 10'000, 22));
  EXPECT_TRUE(commit("b", 0, 10'000, limits::amount_max));
  EXPECT_EQ(town("a"), (documents::Document{R"({"coins":22})", 2}));
  auto const points = history("a");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].count, 2);
  EXPECT_EQ(points[0].average(), 21);
  boards::Board board(redis, "leaderboard");
  EXPECT_EQ(test::run(io, board.top(9)),
            (std::vector<boards::Place>{{1, "b", limits::amount_max}, {2, "a", 22}}));
  EXPECT_EQ(server.cli({"ZSCORE", "user_updates", "a"}), fmt::to_string(start + 910'000));
}

TEST_F(TogetherTest, of_two_who_have_seen_the_same_revision_one_commits) {
  EXPECT_TRUE(commit("a", 0, 0, 20));
  EXPECT_TRUE(commit("a", 1, 1, 21));
  auto const before = digest();
  EXPECT_FALSE(commit("a", 1, 1, 22));
  EXPECT_EQ(digest(), before);
}

TEST_F(TogetherTest, whatever_is_corrupt_nothing_is_written) {
  for (std::vector<std::string> const& by_hand :
       {std::vector<std::string>{"HSET", "user:a:ts_coins", "newest", "x"},
        {"HSET", "user:a:ts_pizzas", "newest", "x"},
        {"SET", "user:a:ts_pizzas", "x"},
        {"HSET", "user:a:gamestate", "x", "y"},
        {"SET", "user:a:gamestate:revision", "x"}}) {
    server.cli({"FLUSHALL"});
    server.cli(by_hand);
    auto const before = digest();
    EXPECT_THROW(commit("a", 0, 0, 20), redis::ReplyError) << by_hand[1];
    EXPECT_EQ(digest(), before) << by_hand[1];
  }
}

}  // namespace
}  // namespace larder
