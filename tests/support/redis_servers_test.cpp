#include "support/redis_servers.hpp"

#include "support/run.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>

namespace larder::test {
namespace {

struct HandedOn : testing::Test {
  // Uses a server in this way, destroys it, and returns the pid of its process; 0 if the process has ended.
  static pid_t after(std::function<void(RedisServer&)> const& use) {
    RedisServer server;
    use(server);
    return server.running() ? server.pid() : 0;
  }
};

TEST_F(HandedOn, a_process_serves_one_case_after_the_other) {
  auto const pid = after([](RedisServer&) {});
  EXPECT_EQ(RedisServer().pid(), pid);
  EXPECT_EQ(RedisServer().pid(), pid);
}

TEST_F(HandedOn, nothing_of_the_case_before_is_left) {
  std::optional<Process> client;
  auto const pid = after([&](RedisServer& server) {
    server.cli({"SET", "key", "1"});
    server.cli({.database = 3}, {"SET", "elsewhere", "1"});
    server.cli({"SCRIPT", "LOAD", "return 1"});
    server.cli({"FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 1 end)"});
    client.emplace(Process::Options{.command = {"redis-cli", "-s", server.socket(), "BLPOP", "list", "0"}});
    ASSERT_TRUE(eventually([&] { return server.stat("blocked_clients") == 1; }));
    server.cli({"CLIENT", "PAUSE", "100000", "WRITE"});
  });
  RedisServer const server;
  EXPECT_EQ(server.pid(), pid);
  EXPECT_EQ(server.cli({"INFO", "keyspace"}), "# Keyspace\r");
  EXPECT_EQ(server.cli({"SCRIPT", "EXISTS", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"}), "0");
  EXPECT_EQ(server.cli({"FUNCTION", "LIST"}), "");
  EXPECT_EQ(server.stat("blocked_clients"), 0);
  EXPECT_LT(server.stat("total_commands_processed"), 10);
  EXPECT_EQ(server.cli({"RPUSH", "list", "1"}), "1");
  EXPECT_EQ(server.cli({"LLEN", "list"}), "1") << "a client of the case before took it";
}

TEST_F(HandedOn, a_disturbed_process_is_not_handed_on) {
  std::vector<std::function<void(RedisServer&)>> const disturbances = {
      [](RedisServer& server) { server.kill(); },
      [](RedisServer& server) { server.stop(); },
      [](RedisServer& server) {
        server.stop();
        server.start();
      },
      [](RedisServer& server) { server.pause(); },
      [](RedisServer& server) { ::kill(server.pid(), SIGKILL); },
      [](RedisServer& server) { server.cli({"CONFIG", "SET", "maxmemory", "100mb"}); },
      [](RedisServer& server) { server.cli({"ACL", "SETUSER", "eve", "on", "nopass", "+@all"}); },
  };
  for (auto const& disturb : disturbances) {
    auto const pid = after(disturb);
    RedisServer const server;
    EXPECT_NE(server.pid(), pid);
    EXPECT_TRUE(server.answers());
    EXPECT_EQ(server.cli({"CONFIG", "GET", "maxmemory"}), "maxmemory\n0");
    EXPECT_EQ(server.cli({"ACL", "USERS"}), "default");
  }
}

TEST_F(HandedOn, other_settings_are_another_process) {
  RedisServer::Options const durable{.settings = {"appendonly yes"}};
  auto const pid = RedisServer(durable).pid();
  EXPECT_NE(RedisServer().pid(), pid);
  EXPECT_EQ(RedisServer(durable).pid(), pid);
  RedisServer const first(durable);
  RedisServer const second(durable);
  EXPECT_NE(first.pid(), second.pid()) << "two at the same time";
}

}  // namespace
}  // namespace larder::test
