#include "stores/redis/rdb_copy.hpp"

#include "base/error.hpp"
#include "stores/redis/embedded.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace larder::redis {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class RdbCopyTest : public testing::Test {
 protected:
  struct Client {
    explicit Client(Url const& url) : redis(io, {.url = url, .timeout = 5000ms, .tls_ca = {}}, metrics) {}
    Reply ask(std::vector<std::string_view> args) {
      return test::run(io, redis.command(Use::idempotent_write, "", std::span<std::string_view const>(args)));
    }
    bool begin(RdbCopy& copy) { return test::run(io, copy.begin()); }
    RdbCopy::Standing look(RdbCopy& copy) { return test::run(io, copy.look()); }
    void finish(RdbCopy& copy) {
      EXPECT_TRUE(test::eventually([&] { return look(copy).complete; }));
    }

    asio::io_context io;
    Metrics metrics;
    Redis redis;
  };

  void SetUp() override {
    server.emplace(EmbeddedOptions{.directory = directory});
    client.emplace(server->url());
    for (int i = 0; i < 50; ++i) client->ask({"SET", fmt::format("key{}", i), "before"});
  }

  test::TempDir dir;
  fs::path directory = dir.path() / "redis";
  std::optional<EmbeddedRedis> server;
  std::optional<Client> client;
};

TEST_F(RdbCopyTest, has_what_was_there_when_it_began) {
  client->ask({"CONFIG", "SET", "rdb-key-save-delay", "2000"});  // a copy takes a tenth of a second
  fs::path const base = dir.path() / "other/appendonlydir";
  {
    RdbCopy copy(client->redis, directory);
    EXPECT_GT(test::run(client->io, copy.bytes_at_most()), 0U);
    ASSERT_TRUE(client->begin(copy));
    client->ask({"SET", "key7", "after"});
    client->ask({"SET", "late", "after"});
    client->finish(copy);
    fs::create_directories(base);
    fs::rename(copy.file(), base / "appendonly.aof.1.base.rdb");
    std::ofstream(base / "appendonly.aof.manifest") << "file appendonly.aof.1.base.rdb seq 1 type b\n";
  }
  // A Redis that starts with that file has it, and keeps what is written from then on.
  for (int const written : {0, 1}) {
    EmbeddedRedis const other({.directory = dir.path() / "other"});
    Client starter(other.url());
    EXPECT_EQ(starter.ask({"GET", "key7"}).text(), "before");
    EXPECT_EQ(starter.ask({"EXISTS", "late"}).integer(), 0);
    EXPECT_EQ(starter.ask({"DBSIZE"}).integer(), 50 + written);
    starter.ask({"SET", "more", "1"});
  }
  EXPECT_EQ(client->ask({"GET", "key7"}).text(), "after");
}

TEST_F(RdbCopyTest, says_how_far_it_has_come_and_waits_for_another) {
  client->ask({"CONFIG", "SET", "rdb-key-save-delay", "100000"});
  RdbCopy copy(client->redis, directory);
  ASSERT_TRUE(client->begin(copy));
  auto const standing = client->look(copy);
  EXPECT_FALSE(standing.complete);
  EXPECT_EQ(standing.keys, 50U);
  RdbCopy second(client->redis, directory);
  EXPECT_FALSE(client->begin(second));
}

TEST_F(RdbCopyTest, a_copy_that_is_not_taken_leaves_nothing) {
  {
    RdbCopy copy(client->redis, directory);
    ASSERT_TRUE(client->begin(copy));
    client->finish(copy);
    EXPECT_TRUE(fs::exists(copy.file()));
  }
  EXPECT_FALSE(fs::exists(directory / copy_name));
}

TEST_F(RdbCopyTest, a_redis_that_dies_has_not_written_it) {
  client->ask({"CONFIG", "SET", "rdb-key-save-delay", "100000"});
  auto const info = std::string(client->ask({"INFO", "server"}).text());
  auto const pid = pid_t(std::stol(info.substr(info.find("process_id:") + 11)));
  RdbCopy copy(client->redis, directory);
  ASSERT_TRUE(client->begin(copy));
  ::kill(pid, SIGKILL);
  std::string why = "it was complete";
  EXPECT_TRUE(test::eventually([&] {
    try {
      return client->look(copy).complete;
    } catch (StoreError const& error) {
      why = error.what();
      return why.contains("has not written");
    }
  })) << why;
  EXPECT_TRUE(why.contains("has not written")) << why;
}

TEST_F(RdbCopyTest, a_start_removes_what_was_left) {
  client.reset();
  server.reset();
  for (auto const* name : {"copy.rdb", "temp-4711.rdb", "other.rdb"}) std::ofstream(directory / name) << "x";
  server.emplace(EmbeddedOptions{.directory = directory});
  EXPECT_FALSE(fs::exists(directory / "copy.rdb"));
  EXPECT_FALSE(fs::exists(directory / "temp-4711.rdb"));
  EXPECT_TRUE(fs::exists(directory / "other.rdb"));
}

}  // namespace
}  // namespace larder::redis
