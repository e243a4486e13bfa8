#include "base/error.hpp"
#include "stores/sql/database.hpp"
#include "support/sql_databases.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <future>
#include <thread>

namespace larder::sql {
namespace {

// A row that somebody else keeps locked, as a person with an open transaction does.
class LockedRow {
 public:
  explicit LockedRow(std::string const& url) : sql_(url, 1, metrics_) {
    sql_.write_now([](Session& session) {
      session.execute("CREATE TABLE t (n BIGINT PRIMARY KEY, s BIGINT)");
      session.execute("INSERT INTO t (n, s) VALUES (1, 0)");
    });
    thread_ = std::thread([this] {
      sql_.write_now([&](Session& session) {
        session.execute("UPDATE t SET s = s WHERE n = 1");
        locked_.set_value();
        released_.get_future().wait();
      });
    });
    locked_.get_future().wait();
  }
  ~LockedRow() {
    release();
    thread_.join();
  }
  LockedRow(LockedRow const&) = delete;
  LockedRow& operator=(LockedRow const&) = delete;

  void release() {
    if (!std::exchange(over_, true)) released_.set_value();
  }

 private:
  Metrics metrics_;
  Database sql_;
  bool over_ = false;
  std::promise<void> locked_;
  std::promise<void> released_;
  std::thread thread_;
};

class SqlWaitsTest : public test::OnEachDatabase {
 protected:
  // Changes the locked row, and notes what came of it.
  Task<void> change_locked() {
    try {
      co_await sql.write([](Session& session) { session.execute("UPDATE t SET s = s + 1 WHERE n = 1"); });
      ++changed;
    } catch (StoreError const& error) {
      EXPECT_FALSE(error.outcome_unknown()) << error.what();
      ++refused;
    }
  }
  std::int64_t value() {
    return sql.read_now(
        [](Session& session) { return session.query("SELECT s FROM t WHERE n = 1").at(0).int64(0); });
  }

  LockedRow row{url};
  Metrics metrics;
  asio::io_context io;
  Database sql{url, 4, metrics};
  int changed = 0;
  int refused = 0;
};
INSTANTIATE_TEST_SUITE_P(, SqlWaitsTest, testing::Values("postgresql", "mariadb"), test::database_name);

TEST_P(SqlWaitsTest, stuck_writes_hold_up_neither_reads_nor_projectors) {
  for (int i = 0; i < 20; ++i) asio::co_spawn(io, change_locked(), asio::detached);
  bool done = false;
  asio::co_spawn(
      io,
      [&]() -> Task<void> {
        for (std::int64_t n = 2; n < 20; ++n) {
          co_await sql.ping();
          co_await sql.project(
              [n](Session& session) { session.execute("INSERT INTO t (n, s) VALUES (?, 0)", {n}); });
          auto const rows =
              co_await sql.read([](Session& session) { return session.query("SELECT n FROM t"); });
          EXPECT_EQ(std::int64_t(rows.size()), n);
        }
        EXPECT_EQ(changed, 0) << "the row is still locked";
        done = true;
        row.release();
      },
      asio::detached);
  io.run();
  EXPECT_TRUE(done);
  EXPECT_EQ(changed + refused, 20);
  EXPECT_EQ(value(), changed);
}

TEST_P(SqlWaitsTest, a_write_that_waited_too_long_to_begin_is_refused_and_never_runs) {
  for (int i = 0; i < 20; ++i) asio::co_spawn(io, change_locked(), asio::detached);
  while (refused < 18 && io.run_one() > 0) {}
  EXPECT_EQ(refused, 18) << "two of the four connections write";
  row.release();
  io.run();
  EXPECT_EQ(changed + refused, 20);
  EXPECT_EQ(value(), changed);
}

TEST_P(SqlWaitsTest, a_write_that_waits_for_a_lock_is_refused_in_the_end) {
  asio::co_spawn(io, change_locked(), asio::detached);
  io.run();
  EXPECT_EQ(refused, 1);
  row.release();
  io.restart();
  asio::co_spawn(io, change_locked(), asio::detached);
  io.run();
  EXPECT_EQ(changed, 1);
  EXPECT_EQ(value(), 1);
}

class SqlLimitTest : public test::OnEachDatabase {
 protected:
  static std::string endless(Dialect dialect) {
    switch (dialect) {
      case Dialect::sqlite:
        return "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c";
      case Dialect::postgresql: return "SELECT pg_sleep(1000000)";
      case Dialect::mysql: return "SELECT SLEEP(1000000)";
    }
    return {};
  }

  Metrics metrics;
  asio::io_context io;
  Database sql{url, 1, metrics, std::chrono::seconds(1)};
};
LARDER_ON_EACH_DATABASE(SqlLimitTest);

TEST_P(SqlLimitTest, a_statement_that_takes_too_long_is_ended_and_the_connection_goes_on) {
  sql.write_now([](Session& session) { session.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)"); });
  int refused = 0;
  asio::co_spawn(
      io,
      [&]() -> Task<void> {
        for (std::int64_t n = 0; n < 2; ++n) {
          try {
            co_await sql.write([n](Session& session) {
              session.execute("INSERT INTO t (n) VALUES (?)", {n + 100});
              session.query(endless(session.dialect()));
            });
          } catch (StoreError const& error) {
            EXPECT_FALSE(error.outcome_unknown()) << error.what();
            ++refused;
          }
          co_await sql.write([n](Session& session) { session.execute("INSERT INTO t (n) VALUES (?)", {n}); });
        }
      },
      asio::detached);
  io.run();
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(sql.read_now([](Session& session) { return session.query("SELECT n FROM t").size(); }), 2U);
}

// The tests have no MySQL, but MariaDB can say what MySQL would.
TEST_P(SqlLimitTest, a_select_that_takes_too_long_for_mysql_is_an_outage) {
  if (std::string_view(GetParam()) != "mariadb") return;
  auto const time_out = [](Session& session) {
    session.execute(
        "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3024, MESSAGE_TEXT = "
        "'Query execution was interrupted, maximum statement execution time exceeded'");
  };
  EXPECT_THROW(sql.write_now(time_out), StoreError);
}

TEST_P(SqlLimitTest, migrations_and_commands_have_no_limit) {
  auto const rows = sql.read_now([](Session& session) {
    switch (session.dialect()) {
      case Dialect::postgresql: session.query("SELECT pg_sleep(1.5)"); break;
      case Dialect::mysql: session.query("SELECT SLEEP(1.5)"); break;
      case Dialect::sqlite:
        session.query(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 5000000) "
            "SELECT COUNT(*) FROM c");
    }
    return session.query("SELECT 1").size();
  });
  EXPECT_EQ(rows, 1U);
}

}  // namespace
}  // namespace larder::sql
