#include "kit/accounts/table_copy.hpp"

#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace larder::accounts {
namespace {

TEST(TableCopy, what_an_older_read_has_seen_does_not_replace_what_a_newer_one_has) {
  test::TempDir directory;
  TestClock clock{{1'767'225'600'000}};
  Metrics metrics;
  sql::Database sql("sqlite:" + (directory.path() / "larder.db").string(), 1, metrics);
  std::atomic<int> reads = 0;
  TableCopy<int> copy(sql, clock, [&](sql::Session&) { return ++reads; });

  // The first read is done, but the thread that asked for it is busy with something else.
  asio::io_context busy;
  asio::co_spawn(busy, copy.refresh(), asio::detached);
  busy.poll_one();
  while (reads == 0) std::this_thread::yield();
  asio::io_context other;
  test::run(other, copy.refresh());
  EXPECT_EQ(*copy.get(), 2);
  busy.run();
  EXPECT_EQ(*copy.get(), 2);
  test::run(other, copy.refresh());
  EXPECT_EQ(*copy.get(), 3);
}

}  // namespace
}  // namespace larder::accounts
