#include "base/error.hpp"
#include "stores/sql/database.hpp"
#include "support/process.hpp"
#include "support/sql_databases.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace larder::sql {
namespace {

class SqlOutageTest : public test::OnEachDatabase {
 protected:
  void write(std::int64_t n) {
    sql.write_now([n](Session& session) { session.execute("INSERT INTO t (n) VALUES (?)", {n}); });
  }
  std::size_t count() {
    return sql.read_now([](Session& session) { return session.query("SELECT n FROM t").size(); });
  }
  // True if the call works, false if it throws StoreError.
  template <class F>
  static bool works(F call) {
    try {
      call();
      return true;
    } catch (StoreError const&) {
      return false;
    }
  }
  void until_it_works(auto call) {
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!works(call)) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  Metrics metrics;
  Database sql{url, 2, metrics};
};
INSTANTIATE_TEST_SUITE_P(, SqlOutageTest, testing::Values("postgresql", "mariadb"), test::database_name);

TEST_P(SqlOutageTest, a_stopped_server_fails_fast_and_is_used_again_when_it_is_back) {
  sql.write_now([](Session& session) { session.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)"); });
  write(1);
  server->stop();
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(works([&] { write(2); }));
    EXPECT_FALSE(works([&] { count(); }));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
  server->start();
  until_it_works([&] { write(3); });
  until_it_works([&] { count(); });
  EXPECT_EQ(count(), 2u);
}

TEST_P(SqlOutageTest, a_restart_between_two_writes_goes_unnoticed) {
  sql.write_now([](Session& session) { session.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)"); });
  server->stop();
  server->start();
  write(1);
  EXPECT_EQ(count(), 1u);
}

TEST_P(SqlOutageTest, a_write_cut_off_by_the_server_has_an_unknown_outcome) {
  sql.write_now([](Session& session) { session.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)"); });
  try {
    sql.write_now([this](Session& session) {
      session.execute("INSERT INTO t (n) VALUES (1)");
      server->stop();
    });
    ADD_FAILURE();
  } catch (StoreError const& error) {
    EXPECT_TRUE(error.outcome_unknown());
  }
  try {
    write(2);
    ADD_FAILURE();
  } catch (StoreError const& error) {
    EXPECT_FALSE(error.outcome_unknown());
  }
  server->start();
  until_it_works([&] { write(3); });
}

TEST(SqlOutage, a_server_that_is_down_is_no_obstacle_to_construction) {
  Metrics metrics;
  for (std::string const url :
       {"postgresql://u:pw@/db?host=/nonexistent", "mysql://u:pw@localhost/db?socket=/nonexistent",
        "postgresql://u:pw@127.0.0.1:1/db", "mysql://u:pw@127.0.0.1:1/db"}) {
    Database sql(url, 2, metrics);
    try {
      sql.read_now([](Session& session) { session.query("SELECT 1"); });
      ADD_FAILURE() << url;
    } catch (StoreError const& error) {
      EXPECT_FALSE(error.outcome_unknown());
      EXPECT_EQ(std::string_view(error.what()).find("pw"), std::string_view::npos) << error.what();
    }
  }
}

// The name of the database in the URL, replaced.
std::string with_database(std::string url, std::string_view name) {
  auto const from = url.rfind('/', url.find('?')) + 1;
  return url.replace(from, std::min(url.find('?'), url.size()) - from, name);
}

TEST_P(SqlOutageTest, a_database_that_is_missing_is_no_outage) {
  Database missing(with_database(url, "no_such_database"), 2, metrics);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(missing.read_now([](Session& session) { session.query("SELECT 1"); }), UnusableError);
    EXPECT_THROW(missing.write_now([](Session& session) { session.query("SELECT 1"); }), UnusableError);
  }
  server->stop();
  Database stopped(url, 1, metrics);
  try {
    stopped.read_now([](Session& session) { session.query("SELECT 1"); });
    ADD_FAILURE();
  } catch (UnusableError const& error) {
    ADD_FAILURE() << error.what();
  } catch (StoreError const&) {}
  server->start();
}

TEST(SqlOnSqlite, a_file_that_waiting_does_not_repair_is_no_outage) {
  test::TempDir dir;
  std::ofstream(dir.file("text.db"))
      << "this is not a database, and it is long enough to have a header of one, "
         "which has a hundred bytes";
  Metrics metrics;
  for (auto const& path : {dir.file("none/test.db"), dir.file("text.db"), dir.path().string()}) {
    Database sql("sqlite:" + path, 1, metrics);
    EXPECT_THROW(sql.write_now([](Session& session) { session.query("SELECT 1"); }), UnusableError) << path;
  }
}

void fill(std::string const& url, std::int64_t from) {
  Metrics metrics;
  Database sql(url, 1, metrics);
  sql.write_now(
      [](Session& session) { session.execute("CREATE TABLE IF NOT EXISTS t (n BIGINT PRIMARY KEY)"); });
  for (std::int64_t n = from; n < from + 200; ++n) {
    sql.write_now([n](Session& session) { session.execute("INSERT INTO t (n) VALUES (?)", {n}); });
  }
}

// Not a test by itself: the next test runs it in another process.
TEST(SqlOnSqlite, DISABLED_child_fills_the_database) { fill(std::getenv("LARDER_TEST_URL"), 1000); }

// A server and a command use the same SQLite file like this.
TEST(SqlOnSqlite, two_processes_lose_no_write) {
  test::TempDir dir;
  auto const url = "sqlite:" + dir.file("test.db");
  test::Process child({.command = {"/proc/self/exe", "--gtest_also_run_disabled_tests",
                                   "--gtest_filter=SqlOnSqlite.DISABLED_child_fills_the_database"},
                       .environment = {"LARDER_TEST_URL=" + url}});
  fill(url, 0);
  EXPECT_EQ(child.wait(), 0);
  Metrics metrics;
  Database sql(url, 1, metrics);
  sql.read_now([](Session& session) {
    EXPECT_EQ(session.query("SELECT COUNT(*) FROM t").at(0).int64(0), 400);
    EXPECT_EQ(session.query("PRAGMA integrity_check").at(0).text(0), "ok");
  });
}

}  // namespace
}  // namespace larder::sql
