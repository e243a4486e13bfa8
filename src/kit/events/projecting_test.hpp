// Outboxes full of numbers, and servers whose projectors write them into a table.
#pragma once

#include "kit/events/projector.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace larder::events {

using namespace std::chrono_literals;

using Numbers = std::vector<std::int64_t>;

// A server with a projector. If it is destroyed without stop(), it acts like a killed one.
struct Larder {
  Larder(std::string const& redis_url, std::string const& sql_url, ProjectorOptions with)
      : redis(io, {.url = redis::parse_url(redis_url), .timeout = 5000ms, .tls_ca = {}}, metrics),
        options(std::move(with)),
        sql(sql_url, 2, metrics) {}

  void start() {
    make();
    projector->start();
  }
  void make() {
    projector.emplace(
        io, redis, sql, clock, options,
        [this](sql::Session& session, std::string const& stream, std::span<Event const> events) {
          apply(session, stream, events);
        },
        metrics);
  }

  void apply(sql::Session& session, std::string const& stream, std::span<Event const> events) {
    if (before_write) before_write();
    if (stream == poison) throw sql::StatementError("a stream without a table");
    std::vector<sql::Values> rows;
    for (auto const& event : events) {
      EXPECT_EQ(event.field("stream"), stream);
      if (auto const* const bad = event.find("bad"); bad && takes_bad != *bad)
        throw std::runtime_error("bad: " + *bad);
      rows.push_back({stream, event.id, std::int64_t(std::stoll(event.field("n")))});
    }
    applied += int(events.size());
    session.bulk_insert("event", {"stream", "event_id", "n"}, rows, sql::OnConflict::ignore);
    if (after_write) after_write();
  }

  asio::io_context io;
  Metrics metrics;
  SystemClock clock;
  redis::Redis redis;
  ProjectorOptions options;
  std::atomic<int> applied = 0;        // events, including those of failed transactions
  std::function<void()> before_write;  // this and the next run on the thread of the SQL job
  std::function<void()> after_write;
  std::string poison;     // a stream whose table is missing
  std::string takes_bad;  // bad events that SQL takes, after all
  std::optional<Projector> projector;
  sql::Database sql;  // last, so that it is destroyed first: its remaining jobs use the projector
};

class ProjectingTest : public testing::Test {
 protected:
  explicit ProjectingTest(ProjectorOptions with)
      : options(std::move(with)), streams(options.streams), added(streams.size()) {
    replace_larder();
  }
  void SetUp() override { make_table(larder->sql); }

  static void make_table(sql::Database& sql) {
    migrate_positions(sql);
    sql.write_now([](sql::Session& session) {
      auto const id =
          session.dialect() == sql::Dialect::sqlite ? "INTEGER PRIMARY KEY" : "BIGSERIAL PRIMARY KEY";
      session.execute(
          fmt::format("CREATE TABLE event (id {}, stream VARCHAR(40) NOT NULL, "
                      "event_id VARCHAR(40) NOT NULL, n BIGINT NOT NULL, UNIQUE (stream, event_id))",
                      id));
    });
  }
  void replace_larder() {
    larder.reset();
    larder.emplace(server.url(), url, options);
  }

  // Adds events with numbers that continue from the last call.
  void add(std::size_t stream, int count) {
    server.cli({"EVAL",
                "for i = ARGV[1], ARGV[2] do redis.call('XADD', KEYS[1], '*', 'stream', KEYS[1], 'n', "
                "string.format('%d', i)) end",
                "1", streams[stream], std::to_string(added[stream] + 1),
                std::to_string(added[stream] + count)});
    added[stream] += count;
  }
  // Adds an event that SQL refuses, unless it is told to take bad events with this reason.
  void add_bad(std::size_t stream, std::string const& why) {
    server.cli({"XADD", streams[stream], "*", "stream", streams[stream], "n", std::to_string(++added[stream]),
                "bad", why});
  }
  // The numbers of all added events.
  Numbers all_of(std::size_t stream) const {
    auto all = Numbers(std::size_t(added[stream]));
    std::iota(all.begin(), all.end(), 1);
    return all;
  }
  // The number of events that are not projected yet.
  std::int64_t waiting(std::size_t stream) {
    return std::stoll(server.cli({"EVAL",
                                  "local place = redis.call('GET', KEYS[2])\n"
                                  "return #redis.call('XRANGE', KEYS[1], place and '(' .. place or '-', '+')",
                                  "2", streams[stream], projected_key(streams[stream])}));
  }
  std::int64_t waiting() {
    std::int64_t sum = 0;
    for (std::size_t stream = 0; stream < streams.size(); ++stream) sum += waiting(stream);
    return sum;
  }

  test::TempDir dir;
  test::RedisServer server{{.settings = {"appendonly yes", "appendfsync always"}}};
  std::string url = "sqlite:" + dir.file("test.db");
  ProjectorOptions options;
  std::vector<std::string> streams;
  std::vector<int> added;
  std::optional<Larder> larder;
};

}  // namespace larder::events
