#include "kit/accounts/session_keys.hpp"

#include "base/limits.hpp"
#include "kit/accounts/accounts_schema.hpp"
#include "support/run.hpp"
#include "support/sql_databases.hpp"

#include <thread>

namespace larder::accounts {
namespace {

class SessionKeysTest : public test::OnEachDatabase {
 protected:
  SessionKeysTest() {
    migrate_accounts(sql);
    test::run(io, keys.load());
  }

  SessionClaims claims() const {
    return {.player = UserId::from("c5oqgaq7kmk1ht7n10v0").value(),
            .session = {.id = "s", .generation = 1, .expires_at = {clock.now().value + limits::session_ms}}};
  }
  std::string sign() const { return keys.sign(claims()); }
  // Whether the token is valid.
  bool reads(SessionKeys& by, std::string const& token) { return test::run(io, by.read(token)).has_value(); }
  bool reads(std::string const& token) { return reads(keys, token); }
  void rotate() {
    sql.write_now([&](sql::Session& session) { rotate_session_keys(session, clock.now()); });
  }
  std::string numbers() {
    std::string text;
    for (auto const& key : sql.read_now(list_session_keys)) text += fmt::format(" {}", key.number);
    return text;
  }

  asio::io_context io;
  TestClock clock{{1'767'225'600'000}};
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  SessionKeys keys{sql, clock};
};
LARDER_ON_EACH_DATABASE(SessionKeysTest);

TEST_P(SessionKeysTest, the_first_start_makes_a_key_and_later_ones_use_it) {
  EXPECT_EQ(numbers(), " 1");
  auto const token = sign();
  EXPECT_EQ(test::run(io, keys.read(token)).value(), claims());
  SessionKeys other(sql, clock);
  test::run(io, other.load());
  EXPECT_EQ(numbers(), " 1");
  EXPECT_TRUE(reads(other, token));
}

TEST_P(SessionKeysTest, two_servers_that_start_at_once_make_one_key) {
  sql.write_now([](sql::Session& session) { session.execute("DELETE FROM session_key"); });
  auto const start = [&] {
    asio::io_context own;
    sql::Database database(url, 1, metrics);
    SessionKeys starting(database, clock);
    test::run(own, starting.load());
    return starting.sign(claims());
  };
  std::string there;
  std::thread beside([&] { there = start(); });
  auto const here = start();
  beside.join();
  EXPECT_EQ(numbers(), " 1");
  test::run(io, keys.refresh());
  EXPECT_TRUE(reads(here));
  EXPECT_TRUE(reads(there));
}

TEST_P(SessionKeysTest, if_the_table_is_emptied_a_new_key_signs) {
  auto const before = sign();
  sql.write_now([](sql::Session& session) { session.execute("DELETE FROM session_key"); });
  test::run(io, keys.refresh());
  EXPECT_EQ(numbers(), " 2") << "the number of a key is not used again";
  EXPECT_TRUE(reads(sign()));
  EXPECT_FALSE(reads(before));
  EXPECT_THROW(SessionKeys(sql, clock).sign(claims()), StoreError) << "before the table is read";
}

TEST_P(SessionKeysTest, a_rotation_keeps_the_key_before_and_drops_the_one_before_that) {
  auto const of_first = sign();
  rotate();
  EXPECT_EQ(numbers(), " 2 1");
  test::run(io, keys.refresh());
  clock.advance(SessionKeys::settle_ms);
  auto const of_second = sign();
  EXPECT_EQ(key_number_of(of_second), 2);
  EXPECT_TRUE(reads(of_first));
  rotate();
  EXPECT_EQ(numbers(), " 3 2");
  test::run(io, keys.refresh());
  EXPECT_FALSE(reads(of_first));
  EXPECT_TRUE(reads(of_second));
}

TEST_P(SessionKeysTest, a_rotation_is_safe_when_no_session_of_the_dropped_key_is_left) {
  auto const safe_at = [&] { return sql.read_now(rotation_is_safe_at); };
  EXPECT_LE(safe_at(), clock.now());
  rotate();
  auto const rotated = clock.now();
  test::run(io, keys.refresh());
  clock.advance(SessionKeys::settle_ms - 1);
  EXPECT_EQ(key_number_of(sign()), 1);
  EXPECT_GT(safe_at(), claims().session.expires_at);
  EXPECT_EQ(safe_at(), rotated + (SessionKeys::settle_ms + limits::session_ms));
}

TEST_P(SessionKeysTest, a_new_key_signs_when_every_server_knows_it) {
  rotate();
  test::run(io, keys.refresh());
  clock.advance(SessionKeys::settle_ms - 1);
  EXPECT_EQ(key_number_of(sign()), 1);
  clock.advance(1);
  EXPECT_EQ(key_number_of(sign()), 2);
}

TEST_P(SessionKeysTest, a_token_of_a_key_that_is_new_here_is_understood_at_once) {
  rotate();
  SessionKeys other(sql, clock);
  test::run(io, other.load());
  clock.advance(SessionKeys::settle_ms);
  auto const token = other.sign(claims());
  EXPECT_EQ(key_number_of(token), 2);
  EXPECT_TRUE(reads(token));
}

TEST_P(SessionKeysTest, replacing_the_keys_ends_every_session) {
  auto const before = sign();
  rotate();
  sql.write_now([&](sql::Session& session) { replace_session_keys(session, clock.now()); });
  EXPECT_EQ(numbers(), " 3");
  test::run(io, keys.refresh());
  EXPECT_FALSE(reads(before));
  EXPECT_TRUE(reads(sign()));
}

TEST_P(SessionKeysTest, a_token_of_another_key_with_a_known_number_is_refused) {
  SessionKey const wrong{.number = 1, .secret = std::string(32, 'x'), .created_at = {}};
  EXPECT_FALSE(reads(sign_session(wrong, claims(), clock.now())));
  SessionKey const unknown{.number = 9, .secret = std::string(32, 'x'), .created_at = {}};
  EXPECT_FALSE(reads(sign_session(unknown, claims(), clock.now())));
}

TEST_P(SessionKeysTest, known_keys_work_while_the_database_is_away) {
  if (!server) GTEST_SKIP() << "SQLite is never away";
  auto const token = sign();
  SessionKey const unknown{.number = 9, .secret = std::string(32, 'x'), .created_at = {}};
  auto const of_unknown = sign_session(unknown, claims(), clock.now());
  server->stop();
  EXPECT_TRUE(reads(token));
  EXPECT_TRUE(reads(sign()));
  EXPECT_THROW(reads(of_unknown), StoreError);
  EXPECT_THROW(reads(of_unknown), StoreError);
  server->start();
}

}  // namespace
}  // namespace larder::accounts
