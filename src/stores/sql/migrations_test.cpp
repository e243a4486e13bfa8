#include "stores/sql/migrations.hpp"

#include "base/error.hpp"
#include "support/sql_databases.hpp"

#include <thread>

namespace larder::sql {
namespace {

std::vector<Migration> first_two() {
  return {{1, "a table", {"CREATE TABLE IF NOT EXISTS m (id {id}, note {text}){table_options}"}},
          {2, "a row", {"INSERT INTO m (note) VALUES ('two')"}}};
}

std::vector<Migration> first_one() { return {first_two().front()}; }

class MigrationsTest : public test::OnEachDatabase {
 protected:
  std::vector<Row> rows(std::string const& query) {
    return sql.read_now([&](Session& session) { return session.query(query); });
  }

  Metrics metrics;
  Database sql{url, 2, metrics};
};
LARDER_ON_EACH_DATABASE(MigrationsTest);

TEST_P(MigrationsTest, run_once_and_in_order) {
  auto migrations = first_two();
  EXPECT_EQ(migrate(sql, "a", migrations), (std::vector{1, 2}));
  EXPECT_EQ(migrate(sql, "a", migrations), std::vector<int>{});
  migrations.push_back({3, "another row", {"INSERT INTO m (note) VALUES ('three')"}});
  EXPECT_EQ(migrate(sql, "a", migrations), std::vector{3});

  auto const notes = rows("SELECT id, note FROM m ORDER BY id");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].int64(0), 1);
  EXPECT_EQ(notes[1].text(1), "three");
  auto const applied =
      rows("SELECT component, version, name, applied_at FROM schema_migration ORDER BY version");
  ASSERT_EQ(applied.size(), 3u);
  EXPECT_EQ(applied[2].text(0), "a");
  EXPECT_EQ(applied[2].int64(1), 3);
  EXPECT_EQ(applied[2].text(2), "another row");
  EXPECT_GT(applied[2].int64(3), 1'700'000'000'000);
}

TEST_P(MigrationsTest, each_component_counts_for_itself) {
  EXPECT_EQ(migrate(sql, "a", first_two()), (std::vector{1, 2}));
  std::vector<Migration> const other = {{1, "other", {"CREATE TABLE IF NOT EXISTS o (n BIGINT)"}}};
  EXPECT_EQ(migrate(sql, "b", other), std::vector{1});
}

TEST_P(MigrationsTest, two_that_start_at_once_apply_each_step_once) {
  Database other(url, 2, metrics);
  std::vector<int> there;
  std::thread beside([&] { there = migrate(other, "a", first_two()); });
  auto const here = migrate(sql, "a", first_two());
  beside.join();
  EXPECT_EQ(here.size() + there.size(), 2u);
  EXPECT_EQ(rows("SELECT id FROM m").size(), 1u);
}

TEST_P(MigrationsTest, a_database_of_a_newer_larder_is_refused) {
  migrate(sql, "a", first_two());
  try {
    migrate(sql, "a", first_one());
    FAIL();
  } catch (SetupError const& error) {
    EXPECT_NE(std::string_view(error.what()).find("newer larder"), std::string_view::npos);
  }
}

TEST_P(MigrationsTest, a_failed_one_is_not_recorded_and_runs_again) {
  auto migrations = first_two();
  migrations[1].statements = {"INSERT INTO nowhere (note) VALUES ('two')"};
  EXPECT_THROW(migrate(sql, "a", migrations), std::runtime_error);
  auto const again = migrate(sql, "a", first_two());
  EXPECT_EQ(again.back(), 2);
  EXPECT_EQ(rows("SELECT version FROM schema_migration").size(), 2u);
}

TEST_P(MigrationsTest, a_new_row_tells_its_id_even_beyond_32_bits) {
  migrate(sql, "a", first_one());
  auto const insert = [&](std::string const& statement, Values const& values) {
    return sql.write_now([&](Session& session) { return session.insert_returning_id(statement, values); });
  };
  EXPECT_EQ(insert("INSERT INTO m (note) VALUES (?)", {"first"}), 1);
  EXPECT_EQ(insert("INSERT INTO m (note) VALUES (?)", {"second"}), 2);
  sql.write_now([](Session& session) {
    session.execute("INSERT INTO m (id, note) VALUES (?, ?)", {std::int64_t(1) << 40, "far"});
  });
  EXPECT_EQ(rows("SELECT id FROM m ORDER BY id DESC").at(0).int64(0), std::int64_t(1) << 40);
}

}  // namespace
}  // namespace larder::sql
