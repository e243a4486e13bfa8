#include "kit/accounts/revocations.hpp"

#include "kit/accounts/accounts_test.hpp"

namespace larder::accounts {
namespace {

// Two servers.
class RevocationsTest : public AccountsTest {
 protected:
  RevocationsTest() { other.poll(); }

  void log_out(SignedIn const& session) {
    server.run(server.accounts.log_out(*server.caller(session.token).session));
  }
  Session session(std::string id, std::int64_t generation = 1) const {
    return {.id = std::move(id), .generation = generation, .expires_at = clock.now() + limits::session_ms};
  }

  TestServer other{redis.url(), "sqlite:" + dir.file("test.db"), clock};
};

TEST_F(RevocationsTest, a_logout_counts_at_once_here_and_with_the_next_poll_elsewhere) {
  auto const ada = server.sign_up("Ada");
  auto const second = other.run(other.accounts.log_in("ada", password)).value();
  EXPECT_EQ(other.who(ada.token), ada.id.str());
  log_out(ada);
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_EQ(other.who(ada.token), ada.id.str());
  other.poll();
  EXPECT_EQ(other.who(ada.token), "unauthorized");
  EXPECT_EQ(other.who(second.token), ada.id.str());
  EXPECT_TRUE(other.run(other.accounts.log_out_everywhere(ada.id)));
  EXPECT_EQ(server.who(second.token), ada.id.str());
  server.poll();
  EXPECT_EQ(server.who(second.token), "unauthorized");
}

TEST_F(RevocationsTest, a_server_that_starts_later_knows_all_of_them) {
  auto const ada = server.sign_up("Ada");
  log_out(ada);
  redis.cli({"EVAL", "for i = 1, 2500 do redis.call('XADD', KEYS[1], '*', 'session', 's' .. i) end", "1",
             AccountKeys::revoked()});
  TestServer late(redis.url(), "sqlite:" + dir.file("test.db"), clock);
  late.poll();
  EXPECT_EQ(late.who(ada.token), "unauthorized");
  for (std::string const id : {"s1", "s1000", "s2500"}) {
    EXPECT_TRUE(late.revocations.has_ended("p", session(id))) << id;
  }
  EXPECT_FALSE(late.revocations.has_ended("p", session("s2501")));
}

TEST_F(RevocationsTest, a_stream_that_lost_entries_is_read_anew_and_nothing_known_is_forgotten) {
  auto const ada = server.sign_up("Ada");
  log_out(ada);
  other.poll();
  redis.cli({"FLUSHALL"});
  other.poll();
  EXPECT_EQ(other.who(ada.token), "unauthorized");
  // The new stream begins below the ids of the old one: the clock of the new Redis is behind.
  redis.cli({"XADD", AccountKeys::revoked(), "1-1", "session", "s1"});
  other.poll();
  EXPECT_TRUE(other.revocations.has_ended("p", session("s1")));
  redis.cli({"XADD", AccountKeys::revoked(), "1-2", "user", "p", "generation", "5"});
  other.poll();
  EXPECT_TRUE(other.revocations.has_ended("p", session("s2", 4)));
  EXPECT_FALSE(other.revocations.has_ended("p", session("s2", 5)));
  // A restored backup: some entries are gone, others come instead.
  redis.cli({"DEL", AccountKeys::revoked()});
  redis.cli({"XADD", AccountKeys::revoked(), "1-1", "session", "s3"});
  other.poll();
  EXPECT_TRUE(other.revocations.has_ended("p", session("s3")));
  EXPECT_TRUE(other.revocations.has_ended("p", session("s1")));
}

TEST_F(RevocationsTest, generations_never_go_back) {
  for (std::string const generation : {"5", "3", "x", "-1"}) {
    redis.cli({"XADD", AccountKeys::revoked(), "*", "user", "p", "generation", generation});
  }
  redis.cli({"XADD", AccountKeys::revoked(), "*", "something", "else"});
  other.poll();
  EXPECT_TRUE(other.revocations.has_ended("p", session("s", 4)));
  EXPECT_FALSE(other.revocations.has_ended("p", session("s", 5)));
}

TEST_F(RevocationsTest, without_news_for_seconds_no_session_is_trusted) {
  auto const ada = server.sign_up("Ada");
  clock.advance(limits::revocations_stale_ms);
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  clock.advance(1);
  EXPECT_THROW(server.who(ada.token), StoreError);
  EXPECT_EQ(server.who(ada.token + "x"), "unauthorized") << "a token that is no good needs no news";
  server.poll();
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  clock.advance(-60'000);
  EXPECT_THROW(server.who(ada.token), StoreError) << "the clock was set back";
  server.poll();
  EXPECT_EQ(server.who(ada.token), ada.id.str());
}

TEST_F(RevocationsTest, an_outage_of_redis_ends_with_redis_back) {
  auto const ada = server.sign_up("Ada");
  redis.kill();
  EXPECT_THROW(server.poll(), StoreError);
  EXPECT_EQ(server.who(ada.token), ada.id.str()) << "for a few seconds";
  clock.advance(limits::revocations_stale_ms + 1);
  EXPECT_THROW(server.who(ada.token), StoreError);
  redis.start();
  EXPECT_TRUE(test::eventually([&] {
    try {
      server.poll();
      return true;
    } catch (StoreError const&) {
      return false;
    }
  }));
  EXPECT_EQ(server.who(ada.token), ada.id.str());
}

TEST_F(RevocationsTest, what_no_session_can_need_any_more_is_forgotten) {
  server.revocations.end_session("s1");
  server.revocations.end_older_sessions("p", 2);
  clock.advance(3'600'000);
  server.revocations.end_older_sessions("p", 3);
  server.revocations.end_session("s2");
  clock.advance(limits::revocations_kept_ms - 3'600'000 + 1);
  server.poll();
  EXPECT_FALSE(server.revocations.has_ended("q", session("s1")));
  EXPECT_TRUE(server.revocations.has_ended("q", session("s2")));
  EXPECT_TRUE(server.revocations.has_ended("p", session("s", 2)));
  clock.advance(3'600'000);
  server.poll();
  EXPECT_FALSE(server.revocations.has_ended("p", session("s", 2)));
}

TEST_F(RevocationsTest, the_stream_does_not_keep_them_for_longer) {
  auto const count = [this] { return std::stoi(redis.cli({"XLEN", AccountKeys::revoked()})); };
  auto const add = [&](std::int64_t age_ms) {
    redis.cli(
        {"EVAL",
         "for i = 1, 1000 do redis.call('XADD', KEYS[1], ARGV[1] .. '-' .. i, 'session', ARGV[1] .. i) end",
         "1", AccountKeys::revoked(), fmt::to_string(clock.now().value - age_ms)});
  };
  auto const ada = server.sign_up("Ada");
  auto const second = server.run(server.accounts.log_in("ada", password)).value();
  add(limits::revocations_kept_ms + 60'000);
  add(limits::session_ms);
  log_out(ada);
  EXPECT_GE(count(), 1001);
  EXPECT_LT(count(), 1200);  // Redis trims whole nodes only
  EXPECT_TRUE(server.run(server.accounts.log_out_everywhere(second.id)));
  other.poll();
  EXPECT_EQ(other.who(ada.token), "unauthorized");
  EXPECT_EQ(other.who(second.token), "unauthorized");
}

}  // namespace
}  // namespace larder::accounts
