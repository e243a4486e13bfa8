#include "stores/redis/embedded.hpp"

#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "stores/redis/redis.hpp"
#include "support/process.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace larder::redis {
namespace {

using namespace std::chrono_literals;

// False for a zombie, too: a dead process stays a zombie until its new parent collects it.
bool alive(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string const text{std::istreambuf_iterator<char>(in), {}};
  auto const end = text.rfind(')');
  return end != text.npos && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

struct Client {
  explicit Client(Url const& url) : redis(io, {.url = url, .timeout = 5000ms, .tls_ca = {}}, metrics) {}
  std::string ask(std::initializer_list<std::string_view> args) {
    return std::string(test::run(io, redis.command(Use::idempotent_write, "", args)).text());
  }
  pid_t pid() {
    auto const info = ask({"INFO", "server"});
    return pid_t(std::stol(info.substr(info.find("process_id:") + 11)));
  }

  asio::io_context io;
  Metrics metrics;
  Redis redis;
};

std::string setup_error_of(auto call) {
  try {
    call();
  } catch (SetupError const& error) {
    return error.what();
  }
  return "no SetupError";
}

TEST(EmbeddedRedis, answers_and_keeps_its_data_until_the_next_start) {
  test::TempDir dir;
  for (std::string const want : {"1", "2", "3"}) {
    EmbeddedRedis server({.directory = dir.file("redis")});
    Client client(server.url());
    EXPECT_EQ(
        std::to_string(test::run(client.io, client.redis.command(Use::write, "n", {"INCR", "n"})).integer()),
        want);
    auto const pid = client.pid();
    EXPECT_TRUE(alive(pid));
    server.stop();
    EXPECT_FALSE(alive(pid));
    server.stop();  // a second stop does nothing
  }
}

TEST(EmbeddedRedis, is_open_to_its_owner_alone) {
  test::TempDir dir;
  EmbeddedRedis const server({.directory = dir.file("redis")});
  struct stat info{};
  ASSERT_EQ(::stat(dir.file("redis").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  Client client(server.url());
  auto const port = test::run(client.io, client.redis.command(Use::read, "", {"CONFIG", "GET", "port"}));
  EXPECT_EQ(port.at(1).text(), "0");
}

TEST(EmbeddedRedis, keeps_everything_acknowledged_when_it_is_killed_and_comes_back_by_itself) {
  test::TempDir dir;
  EmbeddedRedis const server({.directory = dir.file("redis")});
  Client client(server.url());
  std::int64_t acknowledged = 0;
  for (int round = 0; round < 3; ++round) {
    auto const pid = client.pid();
    for (int i = 0; i < 50; ++i) {
      acknowledged = test::run(client.io, client.redis.command(Use::write, "n", {"INCR", "n"})).integer();
    }
    ::kill(pid, SIGKILL);
    ASSERT_TRUE(test::eventually([&] {
      try {
        return client.pid() != pid;
      } catch (StoreError const&) {
        return false;
      }
    }));
    EXPECT_EQ(client.ask({"GET", "n"}), std::to_string(acknowledged));
  }
}

TEST(EmbeddedRedis, one_that_is_started_again_inherits_no_socket_of_ours) {
  test::TempDir dir;
  EmbeddedRedis const server({.directory = dir.file("redis")});
  Client client(server.url());
  std::array<int, 2> ours{};
  ASSERT_EQ(::pipe(ours.data()), 0);
  auto const first = client.pid();
  ::kill(first, SIGKILL);
  auto second = first;
  ASSERT_TRUE(test::eventually([&] {
    try {
      second = client.pid();
      return second != first;
    } catch (StoreError const&) {
      return false;
    }
  }));
  auto const pipe = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", ours[0]));
  for (auto const& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", second))) {
    EXPECT_NE(std::filesystem::read_symlink(entry.path()), pipe) << entry.path();
  }
  ::close(ours[0]);
  ::close(ours[1]);
}

TEST(EmbeddedRedis, dies_with_its_parent_and_leaves_the_directory_to_the_next) {
  test::TempDir dir;
  auto const data = dir.file("data");
  std::string const said = dir.file("said");
  test::Process parent({.command = {LARDER_EMBEDDED_CHILD, data}, .output = said});
  ASSERT_TRUE(test::eventually([&] {
    std::ifstream in(said);
    std::string word;
    return in >> word && word == "ready";
  }));
  pid_t pid = 0;
  {
    Client client(parse_url("unix:" + data + "/redis/redis.sock"));
    client.ask({"SET", "k", "acknowledged"});
    pid = client.pid();
  }
  EXPECT_NE(setup_error_of([&] { DataDir second(data); }).find(fmt::format("process {}", parent.pid())),
            std::string::npos);
  parent.kill();
  DataDir const next(data);  // waits for the Redis that the parent left behind
  EXPECT_FALSE(alive(pid));
  EmbeddedRedis const server({.directory = data + "/redis", .lock_fd = next.lock_fd()});
  EXPECT_EQ(Client(server.url()).ask({"GET", "k"}), "acknowledged");
}

TEST(EmbeddedRedis, a_missing_program_is_named_with_its_package) {
  test::TempDir dir;
  for (std::string const binary : {"no-such-redis", "/no/such/redis"}) {
    auto const why =
        setup_error_of([&] { EmbeddedRedis({.directory = dir.file("redis"), .binary = binary}); });
    EXPECT_NE(why.find(binary), why.npos) << why;
    EXPECT_NE(why.find("apt install redis-server"), why.npos) << why;
  }
}

TEST(EmbeddedRedis, a_path_too_long_for_a_socket_is_refused) {
  test::TempDir dir;
  auto const why = setup_error_of([&] { EmbeddedRedis({.directory = dir.path() / std::string(100, 'x')}); });
  EXPECT_NE(why.find("too long for a unix socket"), why.npos) << why;
}

TEST(EmbeddedRedis, a_redis_that_cannot_start_is_a_setup_error_with_the_end_of_its_log) {
  test::TempDir dir;
  {
    EmbeddedRedis const server({.directory = dir.file("redis")});
    Client(server.url()).ask({"SET", "k", "v"});
  }
  for (auto const& entry : std::filesystem::directory_iterator(dir.file("redis/appendonlydir"))) {
    if (entry.path().extension() == ".manifest") std::ofstream(entry.path()) << "nonsense\n";
  }
  auto const why = setup_error_of([&] { EmbeddedRedis({.directory = dir.file("redis")}); });
  EXPECT_NE(why.find("did not start"), why.npos) << why;
  EXPECT_NE(why.find("manifest"), why.npos) << why;
  auto const wrong_setting =
      setup_error_of([&] { EmbeddedRedis({.directory = dir.file("other"), .fsync = "nonsense"}); });
  EXPECT_NE(wrong_setting.find("did not start"), wrong_setting.npos) << wrong_setting;
}

TEST(DataDir, a_second_one_on_the_same_directory_names_the_process_that_has_it) {
  test::TempDir dir;
  auto const path = dir.file("new/data");
  auto first = std::make_unique<DataDir>(path);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  auto const why = setup_error_of([&] { DataDir second(path); });
  EXPECT_NE(why.find(fmt::format("process {}", ::getpid())), why.npos) << why;
  first.reset();
  DataDir const third(path);
}

}  // namespace
}  // namespace larder::redis
