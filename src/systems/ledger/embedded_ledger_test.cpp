// A ledger inside another program uses a Redis under the same rules as a server.
#include "systems/ledger/embedded_ledger.hpp"

#include "base/error.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"

#include <gtest/gtest.h>

namespace larder::ledger {
namespace {

template <class Refused>
std::string why_not(Refused refused) {
  try {
    refused();
    return "";
  } catch (SetupError const& error) {
    return error.what();
  }
}

class EmbeddedLedgerTest : public testing::Test {
 protected:
  EmbeddedLedgerOptions on(test::RedisServer const& at) {
    return {.data = dir.file("data"), .redis = at.url(), .sql = "sqlite:" + dir.file("larder.db")};
  }
  static Entry add(TypeId type, std::string_view order, std::int64_t amount) {
    return {.order_id = OrderId::from(order).value(),
            .op = Op::add,
            .account = alice(type),
            .amount = Amount::from(amount).value(),
            .remark = ""};
  }
  static Account alice(TypeId type) {
    return {.type = type, .domain = Domain::from("main").value(), .uid = UserId::from("alice").value()};
  }
  void rebuild_on(test::RedisServer const& at, Journal& journal, Keys const& keys = Keys("", false)) {
    asio::io_context io;
    redis::Redis redis(io, {.url = redis::parse_url(at.url()), .tls_ca = {}}, metrics);
    test::run(io, rebuild(redis, journal, keys, SystemClock{}, {}));
  }

  test::TempDir dir;
  test::RedisServer server;
  Metrics metrics;
};

TEST_F(EmbeddedLedgerTest, refuses_a_redis_that_lost_the_ledger_until_it_is_rebuilt) {
  TypeId gold = 0;
  {
    EmbeddedLedger points(on(server));
    gold = points.run(points.ledger().create_type({.name = "gold"})).value().id;
    ASSERT_TRUE(points.run(points.ledger().post(add(gold, "1", 10))));
  }
  test::RedisServer empty;
  EXPECT_NE(why_not([&] { EmbeddedLedger(on(empty)); }).find("run `larder rebuild` first"),
            std::string::npos);
  EXPECT_EQ(empty.cli({"KEYS", "*"}), "");
  {
    sql::Database sql(on(empty).sql, 1, metrics);
    Journal journal(sql, 2);
    rebuild_on(empty, journal);
  }
  EmbeddedLedger points(on(empty));
  EXPECT_EQ(points.run(points.ledger().account(alice(gold)))->balance.value(), 10);
}

TEST_F(EmbeddedLedgerTest, refuses_another_format_of_keys_until_it_is_rebuilt) {
  auto options = on(server);
  TypeId gold = 0;
  {
    EmbeddedLedger points(options);
    gold = points.run(points.ledger().create_type({.name = "gold"})).value().id;
    ASSERT_TRUE(points.run(points.ledger().post(add(gold, "1", 10))));
  }
  options.key_format = "game:{<uid>}:<domain>:<score_type>";
  auto const why = why_not([&] { EmbeddedLedger{options}; });
  EXPECT_NE(
      why.find("ledger.key_format is game:{<uid>}:<domain>:<score_type> on one Redis, but this ledger has "
               "its keys as {<uid>}:<domain>:<score_type> on one Redis"),
      std::string::npos)
      << why;
  test::RedisServer empty;
  {
    sql::Database sql(options.sql, 1, metrics);
    Journal journal(sql, 2);
    rebuild_on(empty, journal, Keys(options.key_format, false));
  }
  EXPECT_NE(why_not([&] { EmbeddedLedger(on(server)); }), "");
  options.redis = empty.url();
  EmbeddedLedger points(options);
  EXPECT_EQ(points.run(points.ledger().account(alice(gold)))->balance.value(), 10);
}

TEST_F(EmbeddedLedgerTest, what_fails_at_the_start_is_thrown) {
  { EmbeddedLedger const points(on(server)); }
  sql::Database(on(server).sql, 1, metrics).write_now([](sql::Session& session) {
    return session.execute("ALTER TABLE score_type RENAME TO mislaid");
  });
  EXPECT_THROW(EmbeddedLedger{on(server)}, std::exception);
  EXPECT_EQ(server.cli({"KEYS", "larder:*"}), "");
}

TEST_F(EmbeddedLedgerTest, nobody_rebuilds_beside_it) {
  {
    EmbeddedLedger points(on(server));
    EXPECT_NE(
        why_not([&] { rebuild_on(server, points.shared().journal); }).find("a server works on this Redis"),
        std::string::npos);
    EXPECT_NE(server.cli({"KEYS", "larder:server:*"}), "");
  }
  EXPECT_EQ(server.cli({"KEYS", "larder:*"}), "");
  server.cli({"SET", "larder:rebuilding", "1"});
  EXPECT_NE(why_not([&] { EmbeddedLedger(on(server)); }).find("is being rebuilt"), std::string::npos);
}

}  // namespace
}  // namespace larder::ledger
