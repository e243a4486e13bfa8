#include "systems/cache/cache_background.hpp"

#include "systems/cache/cache_test.hpp"
#include "systems/cache/cascade.hpp"

#include <boost/asio/co_spawn.hpp>

namespace larder::cache {
namespace {

class BackgroundTest : public CacheTest {
 protected:
  static std::string guild_with_members(std::size_t count) {
    std::string members;
    for (std::size_t i = 0; i < count; ++i) {
      members += fmt::format(R"({}{{"user":{{"id":"{}","username":"u"}}}})", i == 0 ? "" : ",", 1000 + i);
    }
    return fmt::format(R"({{"id":"1","members":[{}]}})", members);
  }
  bool eventually(auto condition) { return test::eventually(io, condition); }
};

TEST_F(BackgroundTest, takes_over_a_removal_that_was_cut_off) {
  apply("GUILD_CREATE", guild_with_members(300));
  {
    asio::io_context dying{1};
    redis::Redis its_redis(dying, {.url = redis::parse_url(server.url())}, metrics);
    Cache its_cache(its_redis, shared);
    std::vector<std::string_view> const dispatches{R"({"t":"GUILD_DELETE","d":{"id":"1"}})"};
    asio::co_spawn(dying, its_cache.apply(dispatches), [](std::exception_ptr const&, auto const&) {});
    while (cli({"ZCARD", "{drc:v1}:jobs"}) == "0") dying.run_one();
  }
  ASSERT_NE(cli({"SCARD", "drc:v1:members:1"}), "0");
  auto const takeover = std::chrono::milliseconds(job_takeover).count();
  EXPECT_EQ(cli({"ZSCORE", "{drc:v1}:jobs", "guild:1"}), std::to_string(clock.now().value + takeover));

  clock.advance(takeover);
  Background background(io, redis, redis, clock, metrics, shared.setup);
  background.start();
  EXPECT_TRUE(eventually([&] { return cli({"ZCARD", "{drc:v1}:jobs"}) == "0"; }));
  run(background.stop());
  EXPECT_EQ(cli({"EXISTS", "drc:v1:members:1", "drc:v1:members:1:1000", "{drc:v1:users:1000}:guilds"}), "0");
}

TEST_F(BackgroundTest, keeps_counts) {
  Background background(io, redis, redis, clock, metrics, shared.setup);
  background.start();
  background.shared().counts.count("TYPING_START");
  background.shared().counts.note(3, 77, clock.now());
  run(background.stop());
  EXPECT_EQ(cli({"HGET", "{drc:v1}:events", "TYPING_START"}), "1");
  EXPECT_EQ(cli({"HGET", "{drc:v1}:shards", "3"}), "77:1800000000000");
}

}  // namespace
}  // namespace larder::cache
