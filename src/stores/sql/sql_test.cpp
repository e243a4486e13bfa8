#include "base/error.hpp"
#include "stores/sql/database.hpp"
#include "support/sql_databases.hpp"

#include <boost/asio/co_spawn.hpp>

#include <future>
#include <limits>
#include <thread>

namespace larder::sql {
namespace {

std::vector<std::string> const hostile_texts = {
    "",
    " padded ",
    "it's",
    "''",
    "\"double\" `tick`",
    "back\\slash",
    "ends with \\",
    "\\' OR 1=1 -- ",
    ":x :name ::text @y $1 ? %s",
    "'; DROP TABLE t; --",
    "line\nfeed\r\n\ttab",
    "\xF0\x9F\x8D\x95 \xC3\xA9 \xE6\xBC\xA2",
    "/* */ -- #",
};

class SqlTest : public test::OnEachDatabase {
 protected:
  SqlTest() {
    sql.write_now([](Session& session) {
      session.execute(session.dialect() == Dialect::mysql
                          ? "CREATE TABLE t (n BIGINT NOT NULL PRIMARY KEY, s LONGTEXT) CHARSET=utf8mb4 "
                            "COLLATE=utf8mb4_bin"
                          : "CREATE TABLE t (n BIGINT NOT NULL PRIMARY KEY, s TEXT)");
    });
  }
  void insert(std::int64_t n, Value s) {
    sql.write_now([&](Session& session) { session.execute("INSERT INTO t (n, s) VALUES (?, ?)", {n, s}); });
  }
  std::int64_t count() {
    return sql.read_now(
        [](Session& session) { return session.query("SELECT COUNT(*) FROM t").at(0).int64(0); });
  }
  std::vector<Row> all() {
    return sql.read_now([](Session& session) { return session.query("SELECT n, s FROM t ORDER BY n"); });
  }

  Metrics metrics;
  Database sql{url, 2, metrics};
};
LARDER_ON_EACH_DATABASE(SqlTest);

TEST_P(SqlTest, numbers_and_nulls_come_back_as_they_went_in) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (std::int64_t n :
       {Limits::min(), std::int64_t(-1), std::int64_t(0), std::int64_t(1) << 40, Limits::max()}) {
    insert(n, nullptr);
    auto const rows = sql.read_now(
        [&](Session& session) { return session.query("SELECT n, s, n FROM t WHERE n = ?", {n}); });
    ASSERT_EQ(rows.size(), 1u) << n;
    EXPECT_EQ(rows[0].size(), 3u);
    EXPECT_EQ(rows[0].int64(0), n);
    EXPECT_TRUE(rows[0].is_null(1));
    EXPECT_EQ(rows[0].optional_int64(1), std::nullopt);
    EXPECT_EQ(rows[0].optional_int64(2), n);
    EXPECT_THROW(rows[0].text(1), std::runtime_error);
  }
}

TEST_P(SqlTest, sums_are_exact_beyond_what_a_double_holds) {
  insert(9'007'199'254'740'993, nullptr);
  insert(2, nullptr);
  auto const sum =
      sql.read_now([](Session& session) { return session.query("SELECT SUM(n) FROM t").at(0).int64(0); });
  EXPECT_EQ(sum, 9'007'199'254'740'995);
}

TEST_P(SqlTest, hostile_texts_come_back_as_parameters_and_in_bulk) {
  std::vector<Values> bulk;
  for (std::size_t i = 0; i < hostile_texts.size(); ++i) {
    insert(std::int64_t(i), hostile_texts[i]);
    bulk.push_back({std::int64_t(i + hostile_texts.size()), hostile_texts[i]});
  }
  sql.write_now([&](Session& session) { session.bulk_insert("t", {"n", "s"}, bulk); });
  auto const rows = all();
  ASSERT_EQ(rows.size(), 2 * hostile_texts.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(rows[i].text(1), hostile_texts[i % hostile_texts.size()]);
  for (auto const& text : hostile_texts) {
    auto const found = sql.read_now(
        [&](Session& session) { return session.query("SELECT n FROM t WHERE s = ?", {text}).size(); });
    EXPECT_EQ(found, 2u) << text;
  }
}

TEST_P(SqlTest, a_nul_character_is_refused_rather_than_cut_off) {
  EXPECT_THROW(insert(1, std::string("a\0b", 3)), std::runtime_error);
  EXPECT_EQ(count(), 0);
}

TEST_P(SqlTest, a_write_that_throws_leaves_nothing_behind) {
  struct Stop {};
  EXPECT_THROW(sql.write_now([](Session& session) {
    session.execute("INSERT INTO t (n) VALUES (1)");
    throw Stop{};
  }),
               Stop);
  EXPECT_EQ(count(), 0);
  insert(2, "the connection works on");
  EXPECT_EQ(count(), 1);
}

TEST_P(SqlTest, a_write_that_swallows_a_failed_statement_is_rolled_back) {
  EXPECT_THROW(sql.write_now([](Session& session) {
    session.execute("INSERT INTO t (n) VALUES (1)");
    try {
      session.execute("INSERT INTO t (n) VALUES (1)");
    } catch (ConstraintError const&) {}
  }),
               std::runtime_error);
  EXPECT_EQ(count(), 0);
}

TEST_P(SqlTest, a_constraint_violation_has_a_type_of_its_own) {
  insert(1, "first");
  EXPECT_THROW(insert(1, "second"), ConstraintError);
  EXPECT_EQ(all().at(0).text(1), "first");
}

TEST_P(SqlTest, a_wrong_statement_is_neither_a_constraint_nor_an_outage) {
  auto const wrong = [&] {
    sql.read_now([](Session& session) { session.query("SELECT nonsense FROM nowhere"); });
  };
  try {
    wrong();
    FAIL();
  } catch (StoreError const& error) {
    FAIL() << error.what();
  } catch (ConstraintError const& error) {
    FAIL() << error.what();
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string_view(error.what()).find("no"), std::string_view::npos);
  }
}

TEST_P(SqlTest, what_no_value_could_change_is_a_statement_error_and_a_wrong_value_is_not) {
  auto const run = [&](std::string const& statement) {
    sql.write_now([&](Session& session) { session.execute(statement); });
  };
  EXPECT_THROW(run("INSERT INTO nowhere (n) VALUES (1)"), StatementError);
  EXPECT_THROW(run("INSERT INTO t (nothing) VALUES (1)"), StatementError);
  run("CREATE TABLE whole (n INTEGER PRIMARY KEY)");
  try {
    run("INSERT INTO whole (n) VALUES ('one')");
    FAIL();
  } catch (StatementError const& error) {
    FAIL() << error.what();
  } catch (std::runtime_error const&) {}
}

TEST_P(SqlTest, execute_tells_how_many_rows_matched) {
  insert(1, "same");
  insert(2, "other");
  auto const matched =
      sql.write_now([](Session& session) { return session.execute("UPDATE t SET s = 'same'"); });
  EXPECT_EQ(matched, 2);
}

TEST_P(SqlTest, bulk_insert_of_the_same_rows_again_changes_nothing) {
  std::vector<Values> rows;
  for (std::int64_t n = 0; n < 2500; ++n) rows.push_back({n, "row"});
  for (int i = 0; i < 2; ++i) {
    sql.write_now([&](Session& session) { session.bulk_insert("t", {"n", "s"}, rows, OnConflict::ignore); });
  }
  EXPECT_EQ(count(), 2500);
  EXPECT_THROW(sql.write_now([&](Session& session) { session.bulk_insert("t", {"n", "s"}, rows); }),
               ConstraintError);
}

TEST_P(SqlTest, bulk_insert_that_ignores_conflicts_hides_no_other_error) {
  std::vector<Values> const rows = {{1, "good"}, {nullptr, "no key"}};
  EXPECT_THROW(sql.write_now(
                   [&](Session& session) { session.bulk_insert("t", {"n", "s"}, rows, OnConflict::ignore); }),
               ConstraintError);
  EXPECT_EQ(count(), 0);
}

TEST_P(SqlTest, bulk_insert_splits_rows_that_are_too_large_for_one_statement) {
  std::vector<Values> rows;
  for (std::int64_t n = 0; n < 8; ++n) rows.push_back({n, std::string(300'000, 'x')});
  sql.write_now([&](Session& session) {
    session.bulk_insert("t", {"n", "s"}, {});
    session.bulk_insert("t", {"n", "s"}, rows);
  });
  EXPECT_EQ(all().at(7).text(1).size(), 300'000u);
}

TEST_P(SqlTest, jobs_run_off_the_io_thread_and_coroutines_go_on_there) {
  asio::io_context context;
  std::thread::id job_thread;
  std::thread::id coroutine_thread;
  std::string thrown;
  asio::co_spawn(
      context.get_executor(),
      [&]() -> Task<void> {
        co_await sql.write([&](Session& session) {
          job_thread = std::this_thread::get_id();
          session.execute("INSERT INTO t (n, s) VALUES (?, ?)", {7, "seven"});
        });
        auto const text = co_await sql.read(
            [](Session& session) { return session.query("SELECT s FROM t WHERE n = 7").at(0).text(0); });
        EXPECT_EQ(text, "seven");
        co_await sql.ping();
        coroutine_thread = std::this_thread::get_id();
        try {
          co_await sql.read([](Session&) { throw std::runtime_error("from the job"); });
        } catch (std::runtime_error const& error) {
          thrown = error.what();
        }
      },
      asio::detached);
  context.run();
  EXPECT_NE(job_thread, std::thread::id{});
  EXPECT_NE(job_thread, std::this_thread::get_id());
  EXPECT_EQ(coroutine_thread, std::this_thread::get_id());
  EXPECT_EQ(thrown, "from the job");
}

TEST_P(SqlTest, many_coroutines_at_once_lose_no_write) {
  asio::io_context context;
  for (std::int64_t n = 0; n < 200; ++n) {
    asio::co_spawn(
        context.get_executor(),
        [this, n]() -> Task<void> {
          co_await sql.write([n](Session& session) { session.execute("INSERT INTO t (n) VALUES (?)", {n}); });
          auto const found = co_await sql.read(
              [n](Session& session) { return session.query("SELECT n FROM t WHERE n = ?", {n}).size(); });
          EXPECT_EQ(found, 1u);
        },
        asio::detached);
  }
  context.run();
  EXPECT_EQ(count(), 200);
}

TEST_P(SqlTest, two_objects_on_one_database_lose_no_write) {
  Database other(url, 2, metrics);
  auto const fill = [](Database& target, std::int64_t from) {
    for (std::int64_t n = from; n < from + 100; ++n) {
      target.write_now([n](Session& session) { session.execute("INSERT INTO t (n) VALUES (?)", {n}); });
    }
  };
  std::thread beside([&] { fill(other, 1000); });
  fill(sql, 0);
  beside.join();
  EXPECT_EQ(count(), 200);
}

TEST_P(SqlTest, a_job_too_many_is_refused_at_once) {
  asio::io_context context;
  std::promise<void> gate;
  auto const open = gate.get_future().share();
  int refused = 0;
  int done = 0;
  for (int i = 0; i < 1024 + 10; ++i) {
    asio::co_spawn(
        context.get_executor(),
        [&]() -> Task<void> {
          try {
            co_await sql.read([open](Session&) { open.wait(); });
            ++done;
          } catch (StoreError const& error) {
            EXPECT_FALSE(error.outcome_unknown());
            if (++refused == 8) gate.set_value();
          }
        },
        asio::detached);
  }
  context.run();
  EXPECT_GE(refused, 8);  // at most two jobs run and 1024 wait
  EXPECT_EQ(refused + done, 1034);
}

TEST_P(SqlTest, counts_jobs_and_errors) {
  EXPECT_THROW(sql.read_now([](Session& session) { session.query("nonsense"); }), std::runtime_error);
  auto const text = metrics.text();
  EXPECT_NE(text.find("larder_sql_seconds_count{op=\"write\"} 1"), text.npos) << text;
  EXPECT_NE(text.find("larder_sql_errors_total 1"), text.npos) << text;
}

TEST(SqlOnSqlite, a_read_cannot_write) {
  test::TempDir dir;
  Metrics metrics;
  Database sql("sqlite:" + dir.file("test.db"), 1, metrics);
  EXPECT_THROW(sql.read_now([](Session& session) { session.execute("CREATE TABLE t (n BIGINT)"); }),
               std::runtime_error);
}

TEST(SqlOnSqlite, a_file_that_cannot_be_opened_is_a_store_error) {
  Metrics metrics;
  Database sql("sqlite:/nonexistent/directory/test.db", 1, metrics);
  EXPECT_THROW(sql.read_now([](Session& session) { session.query("SELECT 1"); }), StoreError);
}

}  // namespace
}  // namespace larder::sql
