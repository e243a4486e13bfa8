// Two streams of numbers, and the check of SQL and Redis after a projector has run.
#pragma once

#include "kit/events/projecting_test.hpp"

namespace larder::events {

class ProjectorTest : public ProjectingTest {
 protected:
  explicit ProjectorTest(std::int64_t kept = 0)
      : ProjectingTest({.name = "test",
                        .streams = {"{0}:out", "{1}:out"},
                        .keep = kept,
                        .batch = 10,
                        .linger = 1ms,
                        .sweep = 20ms,
                        .retry_max = 50ms}),
        keep(kept) {}

  Numbers numbers(sql::Database& sql, std::size_t stream) {
    return sql.read_now([&](sql::Session& session) {
      Numbers found;
      for (auto const& row :
           session.query("SELECT n FROM event WHERE stream = ? ORDER BY id", {streams[stream]})) {
        found.push_back(row.int64(0));
      }
      return found;
    });
  }
  std::int64_t length(std::size_t stream) { return std::stoll(server.cli({"XLEN", streams[stream]})); }

  // SQL has all added events, each once and in order, and the streams have only the events that they keep.
  void expect_all(Larder& in) {
    ASSERT_TRUE(test::eventually(in.io, [&] { return waiting() == 0; }));
    for (std::size_t stream = 0; stream < streams.size(); ++stream) {
      EXPECT_EQ(numbers(in.sql, stream), all_of(stream)) << streams[stream];
      EXPECT_GE(length(stream), std::min<std::int64_t>(keep, added[stream]));
      EXPECT_LE(length(stream), keep + keep / 8);
    }
  }
  double lag() {
    return larder->metrics
        .gauge("larder_outbox_lag_seconds", "Age of the oldest event not yet projected", {{"outbox", "test"}})
        .Value();
  }

  std::int64_t const keep;
};

}  // namespace larder::events
