// Every Lua script touches only keys it was given: with the #!lua line a cluster makes anything else an
// error.
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace larder {
namespace {

namespace fs = std::filesystem;

struct Call {
  std::vector<std::string> keys;
  std::vector<std::string> args;
};

using Keys = std::vector<std::string>;

Keys const entry_keys = {"{7}:score_outbox", "{7}:u:main:1:score", "{7}:u:o:score_os"};
Keys const fresh_entry_keys = {"{7}:score_outbox", "{7}:u:main:1:score", "{7}:u:p:score_os"};
Keys const last_entry_keys = {"{7}:score_outbox", "{7}:u:main:1:score", "{7}:u:q:score_os"};
Keys const outbox_keys = {"{8}:out", "{8}:out:lease"};  // with one event, 5-1
Keys const feed_keys = {"{larder}:events", "{larder}:events:seen", "{larder}:events:wanted"};
Keys const other_feed_keys = {"{lar}:events", "{lar}:events:seen", "{lar}:events:wanted"};

// In this order: later calls find what earlier ones wrote. Each path of a script should be walked once.
std::vector<std::pair<std::string, std::vector<Call>>> const scripts = {
    {"post_entry",
     {
         {entry_keys, {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "0"}},
         {entry_keys, {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "1"}},
         {entry_keys, {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "1"}},
         {fresh_entry_keys, {"deduct", "9", "1", "main", "1000000", "0", "u", "p", "", "1700000000000", "1"}},
         {last_entry_keys,
          {"reset", "9", "1", "main", "1000000", "99999999999999", "u", "q", "", "1700000000000", "1"}},
     }},
    {"outbox_confirm",
     {{outbox_keys, {"me", "100000", "5-1"}},
      {outbox_keys, {"you", "100000", "5-1"}},
      {outbox_keys, {"me", "100000", "6-1"}}}},
    {"outbox_trim", {{outbox_keys, {"me", "5-2", "0"}}}},
    {"feed_append",
     {{feed_keys, {"10", "2", "{8}:out", "", "5-1", "{9}:out", "", "6-1", "a line", "another"}},
      {feed_keys, {"10", "2", "{8}:out", "", "5-1", "{9}:out", "6-1", "6-2", "a line"}},
      {feed_keys, {"10", "0"}},
      {other_feed_keys, {"10", "0"}}}},
    {"feed_want",
     {{{other_feed_keys[0], other_feed_keys[2]}, {"10"}},
      {{other_feed_keys[0], other_feed_keys[2]}, {"10"}}}},
};

std::map<std::string, std::string> all_scripts() {
  std::map<std::string, std::string> texts;
  for (auto const& entry : fs::recursive_directory_iterator(fs::path(LARDER_SOURCE_DIR) / "src")) {
    if (entry.path().extension() != ".lua") continue;
    std::ifstream in(entry.path());
    texts[entry.path().stem()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return texts;
}

class ScriptsTest : public testing::Test {
 protected:
  ScriptsTest() {
    server.cli({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"});
    EXPECT_TRUE(test::eventually(
        [&] { return server.cli({"CLUSTER", "INFO"}).find("cluster_state:ok") != std::string::npos; }));
  }
  std::string run(std::string const& text, Call const& call) {
    std::vector<std::string> words = {"EVAL", "#!lua\n" + text, std::to_string(call.keys.size())};
    words.insert(words.end(), call.keys.begin(), call.keys.end());
    words.insert(words.end(), call.args.begin(), call.args.end());
    return server.cli(words);
  }

  test::RedisServer server{
      {.tcp = true, .settings = {"cluster-enabled yes", fmt::format("cluster-port {}", test::free_port())}}};
};

TEST_F(ScriptsTest, every_script_touches_only_the_keys_it_was_given) {
  server.cli({"XADD", "{8}:out", "5-1", "n", "1"});
  server.cli({"SET", "{larder}:events:wanted", "1"});
  auto texts = all_scripts();
  auto untested = texts;
  for (auto const& [name, calls] : scripts) {
    ASSERT_TRUE(texts.contains(name)) << name;
    for (auto const& call : calls) {
      auto const answer = run(texts[name], call);
      EXPECT_EQ(answer.find("ERR"), answer.npos) << name << ": " << answer;
      EXPECT_EQ(answer.find("attempted"), answer.npos) << name << ": " << answer;
    }
    untested.erase(name);
  }
  for (auto const& [name, text] : untested) ADD_FAILURE() << name << " has no call in this test";
}

TEST_F(ScriptsTest, a_key_that_was_not_given_is_noticed) {
  auto const answer = run("return redis.call('SET', 'elsewhere', '1')", {.keys = {"{7}:k"}, .args = {}});
  EXPECT_NE(answer.find("do not hash to the same slot"), answer.npos) << answer;
}

}  // namespace
}  // namespace larder
