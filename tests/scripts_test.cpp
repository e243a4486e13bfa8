// Every Lua script touches only keys it was given: with the #!lua line a cluster makes anything else an
// error.
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

namespace larder {
namespace {

namespace fs = std::filesystem;

struct Call {
  std::vector<std::string> keys;
  std::vector<std::string> args;
};

using Keys = std::vector<std::string>;

Keys entry_keys(std::string const& order) {
  return {"{7}:score_outbox", "{7}:u:main:1:score", "{7}:u:" + order + ":score_os",
          "{7}:u:main:1:score_more"};
}
// Outboxes, what each of the accounts is, and then the others: as the scripts take them that move points.
Keys move_keys(std::vector<std::string> const& users, std::vector<std::string> const& others) {
  Keys keys(users.size(), "{7}:score_outbox");
  for (auto const& user : users) {
    auto const balance = "{7}:" + user + ":main:2:score";
    keys.insert(keys.end(), {"{7}:score_schedule", "{7}:score_holds", balance, balance + "_more",
                             balance + "_expiring", balance + "_due"});
  }
  for (auto const& other : others) keys.push_back("{7}:" + other);
  return keys;
}
std::string const ends = "99999999999999";
Keys const outbox_keys = {"{8}:out", "{8}:out:lease"};  // with one event, 5-1
Keys const due_keys = {"{9}:due", "{9}:due:failures"};  // with two members due at 5
Keys const dead_keys = {"{9}:due", "{9}:due:failures", "{9}:due:dead", "{9}:due:dead:why"};
Keys const feed_keys = {"{larder}:events", "{larder}:events:seen", "{larder}:events:wanted"};
Keys const other_feed_keys = {"{lar}:events", "{lar}:events:seen", "{lar}:events:wanted"};

// In this order: later calls find what earlier ones wrote. Each path of a script should be walked once.
std::vector<std::pair<std::string, std::vector<Call>>> const scripts = {
    {"post_entry",
     {
         {entry_keys("o"),
          {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "0"}},
         {entry_keys("o"),
          {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "1"}},
         {entry_keys("o"),
          {"add", "5", "1", "main", "1000000", "0", "u", "o", "remark", "1700000000000", "1"}},
         {entry_keys("p"), {"deduct", "9", "1", "main", "1000000", "0", "u", "p", "", "1700000000000", "1"}},
         {entry_keys("q"), {"reset", "9", "1", "main", "1000000", ends, "u", "q", "", "1700000000000", "1"}},
     }},
    // User a gets 60 points, 40 of them in lots, two of which change by themselves later.
    {"post_entries",
     {
         {move_keys({"a"}, {"a:1:score_os"}),
          {"1", "1", "0", "a", "2", "main", ends, "1", "add", "20", "", "0", "0", "1", "r", "1000", "1",
           "100"}},
         {move_keys({"a"}, {"a:1:score_os"}),
          {"1", "1", "0", "a", "2", "main", ends, "1", "add", "20", "", "0", "0", "1", "r", "1000", "1",
           "100"}},
         {move_keys({"a", "b"}, {"a:2:score_os", "a:3:score_os", "b:4:score_os", "a:5:score_os"}),
          {"2",    "4",   "1",      "a",  "2",
           "main", ends,  "b",      "2",  "main",
           "0",    "1",   "add",    "20", "exp=500",
           "0",    "500", "2",      "r",  "1000",
           "1",    "1",   "add",    "20", "eff=200 exp=300",
           "200",  "300", "3",      "r",  "1000",
           "1",    "2",   "add",    "5",  "",
           "0",    "0",   "4",      "r",  "1000",
           "1",    "1",   "deduct", "1",  "",
           "0",    "0",   "5",      "r",  "1000",
           "1",    "100"}},
         {move_keys({"a"}, {"a:6:score_os"}),
          {"1", "1", "0", "a", "2", "main", ends, "1", "reset", "0", "", "0", "0", "6", "r", "1000", "0",
           "100"}},
     }},
    {"read_account",
     {{{"{7}:a:main:2:score", "{7}:a:main:2:score_more", "{7}:a:main:2:score_expiring",
        "{7}:a:main:2:score_due"},
       {}}}},
    {"inspect_user",
     {{{"{7}:score_outbox", "{7}:score_schedule", "{7}:a:main:2:score", "{7}:a:main:2:score_more",
        "{7}:a:main:2:score_expiring", "{7}:a:main:2:score_due", "{7}:u:main:1:score",
        "{7}:u:main:1:score_more", "{7}:u:main:1:score_expiring", "{7}:u:main:1:score_due",
        "{7}:a:1:score_os", "{7}:a:none:score_os"},
       {"2", "a 2 main", "u 1 main"}}}},
    {"hold",
     {{move_keys({"a"}, {"a:h1:score_os"}),
       {"a", "2", "main", ends, "5", "250", "h1", "r", "1000", "1", "110"}},
      {move_keys({"a"}, {"a:h2:score_os"}), {"a", "2", "main", "0", "5", "0", "h2", "r", "1000", "1", "110"}},
      {move_keys({"a"}, {"a:h3:score_os"}),
       {"a", "2", "main", ends, "5000", "0", "h3", "r", "1000", "1", "110"}}}},
    {"transfer",
     {{move_keys({"a", "b"}, {"a:t1:score_os"}),
       {"transfer", "3", "3", "to=b", "t1", "r", "1000", "1", "a", "2", "main", ends, "b", "2", "main", "0",
        "120"}},
      {move_keys({"a", "b"}, {"a:t2:score_os"}),
       {"exchange", "3", "9", "to_type=3", "t2", "r", "1000", "1", "a", "2", "main", ends, "b", "2", "main",
        "0", "120"}}}},
    {"send_transfer",
     {{move_keys({"a"}, {"score_relay", "a:s1:score_os"}),
       {"a", "2", "main", ends, "b", "4", "s1", "r", "1000", "1", "130", "130"}},
      {move_keys({"a"}, {"score_relay", "a:s2:score_os"}),
       {"a", "2", "main", ends, "b", "4", "s2", "r", "1000", "1", "130", "130"}}}},
    {"receive_transfer",
     {{move_keys({"b"}, {"b:a/s1:score_os"}),
       {"b", "2", "main", "0", "a", "s1", "4", "500:4", "r", "130", "1000", "1", "1000", "140"}},
      {move_keys({"b"}, {"b:a/s2:score_os"}),
       {"b", "2", "main", "0", "a", "s2", "4", "500:4", "r", "130", "1000", "0", "1000", "140"}}}},
    {"renew_order",
     {{{"{7}:a:main:2:score_more", "{7}:a:s1:score_os"}, {"t:s1", "0"}},
      {{"{7}:a:main:2:score_more", "{7}:a:s1:score_os"}, {"t:s1", ends}},
      {{"{7}:a:main:2:score_more", "{7}:a:none:score_os"}, {"h:none", "0"}}}},
    {"close_transfer",
     {{move_keys({"a"}, {"score_relay", "a:s1:score_os", "a:r1:score_os"}),
       {"a", "2", "main", ends, "s1", "ok", "4", "r1", "1000", "150"}},
      {move_keys({"a"}, {"score_relay", "a:s2:score_os", "a:r2:score_os"}),
       {"a", "2", "main", ends, "s2", "type_not_active", "0", "r2", "1000", "150"}},
      {move_keys({"a"}, {"score_relay", "a:s2:score_os", "a:r2:score_os"}),
       {"a", "2", "main", ends, "s2", "type_not_active", "0", "r2", "1000", "150"}}}},
    {"settle_account", {{move_keys({"a"}, {}), {"a", "2", "main", ends, "400"}}}},
    {"close_hold",
     {{move_keys({"a"}, {"a:h2:score_os"}), {"a", "2", "main", ends, "h2", "3", "1000", "410"}},
      {move_keys({"a"}, {"a:h1:score_os"}), {"a", "2", "main", ends, "h1", "0", "1000", "420"}}}},
    {"outbox_confirm",
     {{outbox_keys, {"me", "100000", "5-1"}},
      {outbox_keys, {"you", "100000", "5-1"}},
      {outbox_keys, {"me", "100000", "6-1"}}}},
    {"outbox_trim", {{outbox_keys, {"me", "5-2", "0"}}}},
    {"schedule_claim",
     {{due_keys, {"4", "1000", "10"}}, {due_keys, {"10", "1000", "10"}}, {due_keys, {"11", "1000", "10"}}}},
    {"schedule_move", {{{"{9}:due"}, {"1010", "1010", "a", "1010", "b", "5", "gone"}}}},
    {"schedule_fail",
     {{dead_keys, {"gone", "1010", "2", "1010", "10", "why"}},
      {dead_keys, {"a", "1010", "2", "1010", "10", "why"}},
      {dead_keys, {"a", "1010", "2", "1010", "10", "why"}}}},
    {"schedule_requeue", {{dead_keys, {"gone", "20"}}, {dead_keys, {"a", "20"}}}},
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
  // As cmake/embed.cmake puts them together.
  std::set<std::string> included;
  for (auto& [name, text] : texts) {
    constexpr std::string_view include = "-- include ";
    if (!text.starts_with(include)) continue;
    auto const end = text.find('\n');
    auto const other = text.substr(include.size(), end - include.size() - std::string_view(".lua").size());
    included.insert(other);
    text = texts.at(other) + text.substr(end + 1);
  }
  for (auto const& name : included) texts.erase(name);
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
  server.cli({"ZADD", "{9}:due", "5", "a", "5", "b"});
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
