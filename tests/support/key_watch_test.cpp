#include "support/key_watch.hpp"

#include "support/redis_servers.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace larder::test {
namespace {

using Words = std::vector<std::string>;

// The server's own watch is off: these tests look at one of their own.
class KeyWatchTest : public testing::Test {
 protected:
  // Calls the script with the keys and gives the first line of everything that the watch has found.
  Words found(std::string const& script, Words const& keys, std::vector<DerivedKeys> const& derived = {}) {
    KeyWatch watch(server.socket(), {}, derived);
    eval(script, keys);
    return first_lines(watch.finish());
  }
  void eval(std::string const& script, Words const& keys) {
    Words words = {"EVAL", script, std::to_string(keys.size())};
    words.insert(words.end(), keys.begin(), keys.end());
    auto const answer = server.cli(words);
    EXPECT_EQ(answer.find("ERR"), answer.npos) << answer;
    EXPECT_TRUE(server.answers());  // by now the watch was sent its lines
  }
  static Words first_lines(std::set<std::string> const& texts) {
    Words lines;
    for (auto const& text : texts) lines.push_back(text.substr(0, text.find('\n')));
    return lines;
  }

  RedisServer server{{.check_keys = false}};
};

TEST_F(KeyWatchTest, a_key_that_was_given_is_no_finding) {
  struct Case {
    std::string script;
    Words keys;
  };
  std::string const odd = "{7}:\"\\ \n\r\t\a\b\x01\xff'] \"";
  std::vector<Case> const cases = {
      {"redis.call('SET', KEYS[1], 'a')", {"{7}:k"}},
      {"redis.call('set', KEYS[1], 'a') redis.call('DEL', KEYS[1])", {odd}},
      {"redis.call('MSET', KEYS[1], 'other', KEYS[2], 'a')", {"a", "b"}},
      {"redis.call('XADD', KEYS[2], '*', 'k', 'v') redis.call('XINFO', 'STREAM', KEYS[2])", {"a", "stream"}},
      {"redis.call('ZUNIONSTORE', KEYS[1], 2, KEYS[2], KEYS[3], 'WEIGHTS', 1, 2)", {"z1", "z2", "z3"}},
      {"redis.call('TIME') redis.call('ECHO', 'other')", {"a"}},
      {"return 1", {"a"}},
  };
  for (auto const& [script, keys] : cases) EXPECT_EQ(found(script, keys), Words{}) << script;
}

TEST_F(KeyWatchTest, a_key_that_was_not_given_is_found) {
  struct Case {
    std::string command;
    Words keys;  // that are found
  };
  std::vector<Case> const cases = {
      {"'SET', 'elsewhere', '1'", {"elsewhere"}}, {"'GET', '{7}:other'", {"{7}:other"}},
      {"'SET', '{7}:K', '1'", {"{7}:K"}},         {"'MGET', 'b', KEYS[1], 'c'", {"b", "c"}},
      {"'MSET', KEYS[1], '1', 'b', '1'", {"b"}},  {"'ZUNIONSTORE', KEYS[1], 1, 'b'", {"b"}},
      {"'OBJECT', 'ENCODING', 'b'", {"b"}},       {"'SET', 'line\\n', '1'", {"line\n"}},
  };
  for (auto const& [command, keys] : cases) {
    Words expected;
    auto const name = command.substr(1, command.find('\'', 1) - 1);
    for (auto const& key : keys) {
      auto const text = "a script was not given the key " + key + " of its " + name;
      expected.push_back(text.substr(0, text.find('\n')));
    }
    EXPECT_EQ(found("return redis.call(" + command + ")", {"{7}:k"}), expected) << command;
  }
}

TEST_F(KeyWatchTest, a_finding_tells_what_the_script_says_of_itself_behind_what_it_includes) {
  KeyWatch watch(server.socket(), {});
  eval(
      "-- Included.\n-- KEYS: none\nlocal n = 'n'\n-- Counts\n-- something.\n-- KEYS: a\nredis.call('INCR', "
      "n)",
      {"a"});
  auto const found = watch.finish();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found.begin()->find(" -- Counts\n"), std::string::npos) << *found.begin();
}

TEST_F(KeyWatchTest, a_finding_tells_the_script_and_its_keys) {
  KeyWatch watch(server.socket(), {});
  eval("-- Counts.\nreturn redis.call('INCR', 'n')", {"a", "b"});
  EXPECT_EQ(watch.finish(),
            (std::set<std::string>{"a script was not given the key n of its INCR\n"
                                   "  script: a4f645f614958fc24a8ee0a63816e2a07eb28150 -- Counts.\n"
                                   "  its keys: a, b"}));
}

TEST_F(KeyWatchTest, each_call_has_its_own_keys) {
  std::string const script = "return redis.call('INCR', ARGV[1])";
  auto const sha = server.cli({"SCRIPT", "LOAD", script});
  KeyWatch watch(server.socket(), {});
  server.cli({"EVALSHA", sha, "1", "a", "a"});
  server.cli({"evalsha", sha, "1", "b", "b"});
  server.cli({"SET", "c", "1"});  // not by a script
  server.cli({"EVALSHA", sha, "1", "b", "a"});
  EXPECT_EQ(first_lines(watch.finish()), Words{"a script was not given the key a of its INCR"});
}

TEST_F(KeyWatchTest, functions_are_watched) {
  server.cli({"FUNCTION", "LOAD",
              "#!lua name=l\n"
              "redis.register_function('f', function(keys) return redis.call('INCR', 'n') end)"});
  KeyWatch watch(server.socket(), {});
  EXPECT_EQ(server.cli({"FCALL", "f", "1", "a"}), "1");
  EXPECT_EQ(first_lines(watch.finish()), Words{"a script was not given the key n of its INCR"});
}

TEST_F(KeyWatchTest, a_script_without_keys_was_called_by_hand) {
  EXPECT_EQ(found("return redis.call('GET', 'elsewhere')", {}), Words{});
}

TEST_F(KeyWatchTest, a_script_may_name_the_keys_that_are_derived_for_it) {
  std::string const script = "return redis.call('GET', KEYS[1] .. ':12:tokens')";
  auto const sha = server.cli({"SCRIPT", "LOAD", script});
  Words const noticed = {"a script was not given the key k:12:tokens of its GET"};
  EXPECT_EQ(found(script, {"k"}, {{.script = sha, .ending = ":[0-9]+:tokens"}}), Words{});
  EXPECT_EQ(found(script, {"k"}, {{.script = sha, .ending = ":[0-9]+"}}), noticed);
  EXPECT_EQ(found(script, {"k"}, {{.script = "another", .ending = ":[0-9]+:tokens"}}), noticed);
}

TEST_F(KeyWatchTest, paused_clients_and_passwords_do_not_hinder) {
  RedisServer locked({.password = "open-sesame", .check_keys = false});
  KeyWatch watch(locked.socket(), {.password = "open-sesame"});
  locked.cli({"EVAL", "return redis.call('ZUNION', 1, 'z')", "1", "a"});
  locked.cli({"CLIENT", "PAUSE", "100000", "WRITE"});
  EXPECT_EQ(first_lines(watch.finish()), Words{"a script was not given the key z of its ZUNION"});
}

TEST_F(KeyWatchTest, what_a_server_sent_before_it_died_is_checked) {
  KeyWatch watch(server.socket(), {});
  eval("return redis.call('GET', 'b')", {"a"});
  server.kill();
  EXPECT_EQ(first_lines(watch.finish(false)), Words{"a script was not given the key b of its GET"});
}

// A test whose server was used like this fails.
void use_badly(RedisServer& server) {
  server.cli({"EVAL", "return redis.call('GET', '{7}:b')", "1", "{7}:a"});
  EXPECT_TRUE(server.answers());  // by now the watch was sent its lines
}

TEST(KeysOfAServer, a_test_fails_when_its_server_goes) {
  EXPECT_NONFATAL_FAILURE(
      {
        RedisServer server;
        use_badly(server);
      },
      "not given the key {7}:b");
}

TEST(KeysOfAServer, a_test_fails_when_its_server_ends) {
  std::vector<void (RedisServer::*)()> const ends = {&RedisServer::stop, &RedisServer::kill};
  for (auto const end : ends) {
    RedisServer server;
    use_badly(server);
    EXPECT_NONFATAL_FAILURE((server.*end)(), "not given the key {7}:b");
    server.start();
    use_badly(server);
    EXPECT_NONFATAL_FAILURE((server.*end)(), "not given the key {7}:b");
  }
}

TEST(KeysOfAServer, a_server_that_stands_still_is_checked_as_far_as_it_came) {
  EXPECT_NONFATAL_FAILURE(
      {
        RedisServer server;
        use_badly(server);
        server.pause();
      },
      "not given the key {7}:b");
}

TEST(KeysOfAServer, every_node_of_a_cluster_is_watched) {
  EXPECT_NONFATAL_FAILURE(
      {
        RedisCluster cluster;
        auto const slot = std::stoi(cluster.node(0).cli({"CLUSTER", "KEYSLOT", "{7}"}));
        use_badly(cluster.node(cluster.master_of(slot)));
      },
      "not given the key {7}:b");
}

}  // namespace
}  // namespace larder::test
