#include "stores/sql/sqlite_copy.hpp"

#include "base/error.hpp"
#include "stores/sql/database.hpp"
#include "stores/sql/migrations.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace larder::sql {
namespace {

class SqliteCopyTest : public testing::Test {
 protected:
  void SetUp() override {
    sql.write_now([](Session& session) {
      session.execute("CREATE TABLE t (n BIGINT NOT NULL PRIMARY KEY, text VARCHAR(2000))");
    });
    add(0, 100);
  }
  void add(int from, int to) {
    sql.write_now([&](Session& session) {
      std::vector<Values> rows;
      for (int n = from; n < to; ++n) rows.push_back({std::int64_t(n), std::string(1000, 'x')});
      session.bulk_insert("t", {"n", "text"}, rows);
    });
  }
  std::int64_t rows_of(std::string const& file) {
    Database copied("sqlite:" + file, 1, metrics);
    EXPECT_EQ(copied.read_now(
                  [](Session& session) { return session.query("PRAGMA integrity_check").at(0).text(0); }),
              "ok");
    return copied.read_now(
        [](Session& session) { return session.query("SELECT COUNT(*) FROM t").at(0).int64(0); });
  }

  test::TempDir dir;
  Metrics metrics;
  std::string path = dir.file("live.db");
  Database sql{"sqlite:" + path, 1, metrics};
};

TEST_F(SqliteCopyTest, shows_the_moment_of_the_freeze_however_much_is_written_after_it) {
  SqliteCopy copy(path);
  add(100, 200);
  { auto const frozen = copy.freeze(); }
  add(200, 5000);
  std::uint64_t last = 0;
  copy.write_to(dir.file("copy.db"), [&](auto done, auto total) {
    EXPECT_LE(last, done);
    EXPECT_LE(done, total);
    last = done;
  });
  EXPECT_GT(last, 200'000U);
  EXPECT_EQ(rows_of(dir.file("copy.db")), 200);
  EXPECT_EQ(rows_of(path), 5000);
}

TEST_F(SqliteCopyTest, the_last_freeze_counts) {
  SqliteCopy copy(path);
  { auto const frozen = copy.freeze(); }
  add(100, 200);
  { auto const frozen = copy.freeze(); }
  add(200, 300);
  copy.write_to(dir.file("copy.db"));
  EXPECT_EQ(rows_of(dir.file("copy.db")), 200);
}

TEST_F(SqliteCopyTest, nobody_writes_while_the_lock_is_held) {
  SqliteCopy copy(path);
  std::thread writer;
  std::atomic<bool> written = false;
  {
    auto const frozen = copy.freeze();
    writer = std::thread([&] {
      add(100, 200);
      written = true;
    });
    copy.write_to(dir.file("copy.db"));
    EXPECT_FALSE(written);
  }
  writer.join();
  EXPECT_EQ(rows_of(dir.file("copy.db")), 100);
  EXPECT_EQ(rows_of(path), 200);
}

TEST_F(SqliteCopyTest, makes_no_checkpoint_and_leaves_the_log_alone) {
  auto const size = [&] { return std::filesystem::file_size(path + "-wal"); };
  auto const before = size();
  EXPECT_GT(before, 100'000U);
  {
    SqliteCopy copy(path);
    { auto const frozen = copy.freeze(); }
    copy.write_to(dir.file("copy.db"));
  }
  EXPECT_EQ(size(), before);
}

TEST_F(SqliteCopyTest, knows_the_versions_of_the_schema) {
  SqliteCopy copy(path);
  { auto const frozen = copy.freeze(); }
  EXPECT_EQ(copy.versions(), (std::map<std::string, std::int64_t>{}));
  std::vector<Migration> const two{{1, "a", {"CREATE TABLE a (id {id})"}},
                                   {2, "b", {"CREATE TABLE b (id {id})"}}};
  migrate(sql, "letters", two);
  { auto const frozen = copy.freeze(); }
  EXPECT_EQ(copy.versions(), (std::map<std::string, std::int64_t>{{"letters", 2}}));
}

TEST_F(SqliteCopyTest, a_missing_database_is_not_made) {
  EXPECT_THROW(SqliteCopy(dir.file("none.db")), UnusableError);
  EXPECT_FALSE(std::filesystem::exists(dir.file("none.db")));
  EXPECT_FALSE(std::filesystem::exists(dir.file("none.db.lock")));
}

TEST_F(SqliteCopyTest, a_file_that_is_no_database_and_a_goal_that_cannot_be_written_are_told) {
  std::ofstream(dir.file("text.db")) << std::string(10'000, 'x');
  EXPECT_THROW(SqliteCopy(dir.file("text.db")), StoreError);
  SqliteCopy copy(path);
  { auto const frozen = copy.freeze(); }
  EXPECT_THROW(copy.write_to(dir.file("none/copy.db")), StoreError);
  EXPECT_THROW(copy.write_to("/dev/full"), StoreError);
  copy.write_to(dir.file("copy.db"));
  EXPECT_EQ(rows_of(dir.file("copy.db")), 100);
}

}  // namespace
}  // namespace larder::sql
