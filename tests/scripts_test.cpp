// Every Lua script touches only keys it was given: each call is made by a user who may touch no others. With
// the
// #!lua line a cluster also refuses keys of other slots.
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
  std::string says = {};  // what the answer begins with: that the call walks the path it is meant for
  std::vector<std::string> named = {};  // keys that it is allowed to name itself
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
Keys const outbox_keys = {"{8}:out", "{8}:out:lease"};                        // with one event, 5-1
Keys const kept_keys = {"{8}:kept", "{8}:kept:lease", "{8}:kept:projected"};  // with three, 5-1 to 5-3
Keys const due_keys = {"{9}:due", "{9}:due:failures"};                        // with two members due at 5
Keys const dead_keys = {"{9}:due", "{9}:due:failures", "{9}:due:dead", "{9}:due:dead:why"};
Keys const feed_keys = {"{larder}:events", "{larder}:events:seen", "{larder}:events:wanted"};
Keys const other_feed_keys = {"{lar}:events", "{lar}:events:seen", "{lar}:events:wanted"};

Keys const document_keys = {"{k}:a", "{k}:a:revision", "{k}:b", "{k}:b:revision"};

Keys const begin_keys = {"{m}:line", "{m}:waiting", "{m}:index"};
Keys const message_keys = {"{m}", "{m}:line", "{m}:waiting", "{m}:index"};

// A message with one token a minute.
Call put_call(std::string const& before, std::string const& version, std::string const& id,
              std::string const& state, std::string says) {
  auto keys = message_keys;
  keys.insert(keys.end(), {"{m}:" + id + ":last_reset", "{m}:" + id + ":tokens"});
  return {keys, {before, version, "1000", "3600", id, state, "1", "60000", "0", "9"}, std::move(says)};
}
// Which message is chosen, and so which bucket, only the script can know.
Call select_call(std::string const& now, std::string says) {
  return {
      message_keys, {now, now + "000", "500", "1"}, std::move(says), {"{m}:1:last_reset", "{m}:1:tokens"}};
}

// Of a realm e: what every move has, its own, and the key of its Idempotency-Key.
Keys realm_keys(std::vector<std::string> const& own, bool once = false) {
  Keys keys;
  for (std::string const key : {"ajobus", "ajobus-inventory", "catalogue", "lb"})
    keys.push_back("{e}:" + key);
  for (auto const& key : own) keys.push_back("{e}:" + key);
  if (once) keys.push_back("{e}:once:k");
  return keys;
}
std::vector<std::string> move_args(std::vector<std::string> const& own, std::string const& fingerprint = "",
                                   std::string const& version = "v1") {
  std::vector<std::string> args = {version, fingerprint};
  args.insert(args.end(), own.begin(), own.end());
  args.insert(args.end(), {"0", "1"});  // guild and seed
  return args;
}
Call move_call(std::vector<std::string> const& keys, std::vector<std::string> const& args, std::string says) {
  return {realm_keys(keys), move_args(args), std::move(says)};
}
Call farm_call(std::string const& player, std::string says, std::string const& guard = "",
               std::string const& vampire_chance = "100") {
  return move_call({player, player + ":inventory", player + ":vampire", player + ":gain",
                    player + ":vampire-curse", "bomb", "drop-rate"},
                   {player, "name", "1", "69", "18", "50", "1", "1", vampire_chance, "200", "600", "7200",
                    "12", "30", "20", "40", guard},
                   std::move(says));
}
Call load_call(std::string const& before, std::string const& version, std::string const& forget,
               std::vector<std::string> const& more_keys, std::vector<std::string> const& more_args,
               std::string says) {
  auto keys = realm_keys({"catalogue-data", "catalogue-source", "drop-rate", "ajobus:projected"});
  for (auto const& key : more_keys) keys.push_back("{e}:" + key);
  std::vector<std::string> args = {before, version, "data", "start", forget, "2",    "herb", "20",    "1",
                                   "0",    "cross", "9",    "0",     "2",    "herb", "4",    "point", "3"};
  args.insert(args.end(), more_args.begin(), more_args.end());
  return {std::move(keys), std::move(args), std::move(says)};
}
std::vector<Call> use_calls() {
  auto const use = [](std::string const& subject, std::vector<std::string> const& args, std::string says) {
    return move_call({"a:inventory", subject}, args, std::move(says));
  };
  return {
      use("a:vampire", {"a", "none", "clear_vampire", ""}, "0\nnot_enough_items\n0"),
      use("a:vampire", {"a", "herb", "clear_vampire", ""}, "0\nok\nherb\n"),
      use("a:vampire", {"a", "herb", "lower_vampire", "", "1", "600", "7200"}, "0\nnot_usable"),
      use("high:vampire", {"a", "herb", "lower_vampire", "", "1", "600", "7200"}, "0\nok\nherb\n"),
      use("b:gain", {"a", "herb", "effect", "b", "gain", "1", "2", "60", "1"}, "0\nok\nherb\n"),
      use("b:gain", {"a", "herb", "effect", "", "gain", "1", "9007199254740991", "60", "1"}, "0\nnot_usable"),
      use("bombs", {"a", "herb", "radar", "", "5", "1000"}, "0\nok\nherb\n")};
}

// Two buckets of {b}: one token a minute, all at once, and ten tokens a minute, one after the other.
Call tokens_call(std::vector<std::string> const& times, std::string const& cost, std::string says) {
  auto args = times;
  args.insert(args.end(), {"1", "60000", "0", cost, "10", "60000", "1", cost});
  return {{"{b}:a:last_reset", "{b}:a:tokens", "{b}:b:last_reset", "{b}:b:tokens"}, args, std::move(says)};
}

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
      {outbox_keys, {"me", "100000", "6-1"}},
      {kept_keys, {"me", "100000", "5-2"}}}},
    {"outbox_keep",
     {{kept_keys, {"me", "5-2", "0", "1", "10"}},
      {kept_keys, {"me", "5-1", "0", "1", "10"}},
      {kept_keys, {"me", "5-3", "0", "1", "10"}}}},
    {"outbox_oldest", {{{kept_keys[0], kept_keys[2]}, {"+"}}, {{"{8}:new", "{8}:new:projected"}, {"+"}}}},
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
    // A realm that was filled by hand: a and b have points, a has herbs and bombs, a bomb is pending.
    {"load_catalogue",
     {load_call("", "v0", "0", {"items:herb", "craft:herb", "items:cross", "craft:cross", "a:inventory"},
                {"a"}, "1"),
      load_call("", "v0", "0", {"items:herb", "craft:herb", "items:cross", "craft:cross", "a:inventory"},
                {"a"}, "0"),
      load_call("v0", "v1", "1",
                {"items:old", "craft:old", "items:herb", "craft:herb", "items:cross", "craft:cross"}, {},
                "1")}},
    {"farm",
     {farm_call("a", "0\nok\n0\n820\n\n0\n0\n0\n0\nb\n180"),
      farm_call("a", "0\nok\n1\n804\nherb\n18\n1\n17\n0"),
      farm_call("a", "0\nok\n1\n805\nherb\n19\n2\n0\n1", "herb"),
      farm_call("d", "0\nok\n1\n1\n\n0\n0\n0\n0", "", "0"),
      farm_call("high", "0\nok\n0\n0\n"),
      farm_call("poor", "0\nok\n0\n0\n\n0\n1\n0\n0"),
      farm_call("rich", "0\nbalance_limit"),
      {realm_keys({"c", "c:inventory", "c:vampire", "c:gain", "c:vampire-curse", "bomb", "drop-rate"}),
       move_args({"c"}, "", "v9"), "3"}}},
    {"pay",
     {{realm_keys({}, true), move_args({"a", "b", "6"}, "f"), "0\nok\n"},
      {realm_keys({}, true), move_args({"a", "b", "6"}, "f"), "1\nok\n"},
      {realm_keys({}, true), move_args({"a", "b", "7"}, "g"), "2"},
      move_call({}, {"a", "b", "9999", "point"}, "0\ninsufficient_balance\n"),
      move_call({}, {"a", "rich", "1"}, "0\nbalance_limit")}},
    {"claim_reward",
     {move_call({"a:daily"}, {"a", "daily", "32", "86400"}, "0\nok\n32"),
      move_call({"a:daily"}, {"a", "daily", "32", "86400"}, "0\nreward_not_ready\n86400"),
      move_call({"rich:daily"}, {"rich", "daily", "32", "86400"}, "0\nbalance_limit")}},
    {"gamble",
     {move_call({}, {"a", "10", "1", "100", "40"}, "0\nok\n"),
      move_call({}, {"a", "10", "1000000", "100", "40"}, "0\nok\n-10"),
      move_call({}, {"nobody", "all", "4", "100", "40", "point"}, "0\ninsufficient_balance\n0\npoint\n1"),
      move_call({}, {"rich", "all", "1", "100", "40"}, "0\nbalance_limit")}},
    {"discombobulate",
     {move_call({"a:discombobulate", "a:discombobulate-buff"}, {"a", "b", "1", "35", "69", "200", "1800"},
                "0\noffer_too_low"),
      move_call({"a:discombobulate", "a:discombobulate-buff"},
                {"a", "b", "9999", "35", "69", "200", "1800", "point"}, "0\ninsufficient_balance"),
      move_call({"a:discombobulate", "a:discombobulate-buff"}, {"a", "b", "300", "35", "69", "200", "1800"},
                "0\nok\n"),
      move_call({"a:discombobulate", "a:discombobulate-buff"}, {"a", "b", "300", "35", "69", "200", "1800"},
                "0\non_cooldown")}},
    {"trade",
     {move_call({"a:inventory", "b:inventory", "items:herb"}, {"a", "b", "herb", "2", "1"},
                "0\nok\nherb\n16\n2"),
      move_call({"a:inventory", "b:inventory", "items:herb"}, {"a", "b", "herb", "2", "0"},
                "0\nnot_tradable"),
      move_call({"a:inventory", "b:inventory", "items:herb"}, {"a", "b", "herb", "99", "1"},
                "0\nnot_enough_items\n16"),
      move_call({"b:inventory", "a:inventory", "items:cross"}, {"b", "a", "cross", "1", "1"},
                "0\nnot_enough_items\n0"),
      move_call({"a:inventory", "b:inventory", "items:cross"}, {"a", "b", "bomb", "2", "1"}, "0\nok\nbomb"),
      move_call({"a:inventory", "c:inventory", "items:cross"}, {"a", "c", "bomb", "10", "1"},
                "0\nstack_full\n0\n9")}},
    {"craft",
     {move_call({"a:inventory", "items:herb", "craft:herb"}, {"a", "herb", "point"}, "0\nnot_craftable"),
      move_call({"a:inventory", "items:cross", "craft:cross"}, {"a", "cross", "point"}, "0\nok\ncross\n1"),
      move_call({"a:inventory", "items:cross", "craft:cross"}, {"nobody", "cross", "point"},
                "0\ninsufficient_balance\n0\n"),
      move_call({"b:inventory", "items:cross", "craft:cross"}, {"a", "cross", "point"},
                "0\nnot_enough_items"),
      move_call({"a:inventory", "items:cross", "craft:cross"}, {"a", "bomb", "point"}, "0\nstack_full")}},
    {"use_item", use_calls()},
    {"plant_bomb",
     {move_call({"a:inventory", "bombs", "bombs-schedule"}, {"a", "bomb", "0", "0", "1000"}, "0\nok\n"),
      move_call({"b:inventory", "bombs", "bombs-schedule"}, {"b", "none", "0", "0", "1000"},
                "0\nnot_enough_items")}},
    {"arm_bomb",
     {{{"{e}:bombs", "{e}:bombs-schedule", "{e}:bomb", "{e}:bomb-due"}, {"a", "999"}, "1000"},
      {{"{e}:bombs", "{e}:bombs-schedule", "{e}:bomb", "{e}:bomb-due"}, {"a", "1000"}, "1"},
      {{"{e}:bombs", "{e}:bombs-schedule", "{e}:bomb", "{e}:bomb-due"}, {"a", "1000"}, "0"},
      {{"{e}:bombs", "{e}:bombs-schedule", "{e}:bomb", "{e}:bomb-due"}, {"late", "1000"}, "0"}}},
    {"inspect",
     {move_call({"b:inventory"}, {"a", "b", "10"}, "0\nok\n"),
      move_call({"b:inventory"}, {"nobody", "b", "10", "point"}, "0\ninsufficient_balance\n0\npoint\n10")}},
    {"recall", {{realm_keys({}, true), move_args({}, "f", ""), "1\nok\n"}}},
    {"start_roulette", {move_call({"roulette:r"}, {"r", "1", "600"}, "0\nok\nr")}},
    {"shoot_roulette",
     {move_call({"roulette:s"}, {"a", "s"}, "0\nok\n0\n0"), move_call({"roulette:r"}, {"a", "r"}, "0\nok\n1"),
      move_call({"roulette:r"}, {"a", "r"}, "0\nroulette_not_found")}},
    {"read_player",
     {{{"{e}:catalogue", "{e}:lb", "{e}:b", "{e}:b:inventory", "{e}:b:vampire", "{e}:b:gain", "{e}:b:daily"},
       {"v1", "b"},
       "0\n"},
      {{"{e}:catalogue", "{e}:lb", "{e}:b", "{e}:b:inventory", "{e}:b:vampire"}, {"v9", "b"}, "3"}}},
    {"read_players",
     {{{"{e}:ajobus", "{e}:ajobus-inventory", "{e}:lb", "{e}:a:inventory", "{e}:b:inventory"},
       {"a", "b"},
       ""},
      {{"{none}:ajobus", "{none}:ajobus-inventory", "{none}:lb"}, {}, "0-0\n0-0"}}},
    {"take_tokens",
     {tokens_call({"1000"}, "0", "1\n1\n1000\n1000\n10\n1000\n1000"),
      tokens_call({"1000"}, "1", "1\n0\n61000\n61000\n9\n1000\n7000"),
      tokens_call({"2000"}, "1", "0\n0\n61000\n61000\n9\n2000\n7000")}},
    {"refund_tokens",
     {tokens_call({"3000", "1000"}, "1", "1\n1"), tokens_call({"3000", "1000"}, "1", "0\n0"),
      tokens_call({"70000", "1000"}, "1", "0\n0")}},
    {"begin_index",
     {{begin_keys, {"0", "building x 1", "", "0", "3600"}, "done"},
      {begin_keys, {"0", "building x 1", "", "1", "3600"}, "begun"},
      {begin_keys, {"0", "building y 1", "", "1", "3600"}, "building x 1"},
      {begin_keys, {"0", "building y 1", "building x 1", "1", "3600"}, "begun"}}},
    {"give_up_index", {{{"{m}:index"}, {"building x 1"}, "0"}, {{"{n}:index"}, {"building x 1"}, "0"}}},
    {"put_messages",
     {put_call("building x 1", "7", "1", "active", "building y 1"),
      put_call("building y 1", "7", "1", "active", ""), put_call("7", "8", "2", "active", ""),
      put_call("8", "9", "2", "inactive", "")}},
    {"select_message",
     {select_call("2000", "selected\n1\n9\n0\n2.000000\n1\n0"),
      select_call("2000", "none\n62000"),
      select_call("62000", "selected\n1\n9\n0\n62.000000\n0\n0"),
      {{"{n}", "{n}:line", "{n}:waiting", "{n}:index"}, {"1", "1000", "500", "1"}, "unknown"}}},
    {"commit_documents",
     {{document_keys, {"absent", "1", "0", "2"}, "1\n1\n1"},
      {document_keys, {"absent", "3", "1", "4"}, "0\n1\n1"},
      {document_keys, {"1", "3", "1", ""}, "1\n2\n2"}}},
    {"read_documents", {{document_keys, {}, "3\n2\n\n2"}}},
    {"append_points",
     {{{"{k}:s", "{k}:t"}, {"0", "1", "2"}, "OK"},
      {{"{k}:s", "{k}:t"}, {"8000000", "1", "2"}, "OK"},
      {{"{k}:s", "{k}:t"}, {"800000000", "1", "2"}, "OK"}}},
    {"add_score", {{{"{k}:board"}, {"a", "5"}, "5"}, {{"{k}:board"}, {"a", "-6"}, ""}}},
    {"read_around", {{{"{k}:board"}, {"a", "3"}, "0\na\n5"}, {{"{k}:board"}, {"b", "3"}, ""}}},
    {"feed_want",
     {{{other_feed_keys[0], other_feed_keys[2]}, {"10"}},
      {{other_feed_keys[0], other_feed_keys[2]}, {"10"}}}},
};

std::map<std::string, std::string> all_scripts() {
  auto const sources = fs::path(LARDER_SOURCE_DIR) / "src";
  std::map<fs::path, std::string> files;
  for (auto const& entry : fs::recursive_directory_iterator(sources)) {
    if (entry.path().extension() != ".lua") continue;
    std::ifstream in(entry.path());
    files[entry.path()] = {std::istreambuf_iterator<char>(in), {}};
  }
  // As cmake/embed.cmake puts them together.
  std::set<fs::path> included;
  std::map<std::string, std::string> texts;
  for (auto const& [path, file] : files) {
    constexpr std::string_view include = "-- include ";
    std::string before;
    std::string_view rest = file;
    while (rest.starts_with(include)) {
      auto const end = rest.find('\n');
      fs::path const other = rest.substr(include.size(), end - include.size());
      auto const from = (other.has_parent_path() ? sources : path.parent_path()) / other;
      included.insert(from);
      before += files.at(from);
      rest.remove_prefix(end + 1);
    }
    texts[path.stem()] = before + std::string(rest);
  }
  for (auto const& path : included) texts.erase(path.stem());
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
    std::vector<std::string> user = {"ACL", "SETUSER", "caller", "reset", "on", "nopass", "+@all"};
    for (auto const& key : call.keys) user.push_back("~" + key);
    for (auto const& key : call.named) user.push_back("~" + key);
    EXPECT_EQ(server.cli(user), "OK");
    std::vector<std::string> words = {"EVAL", "#!lua\n" + text, std::to_string(call.keys.size())};
    words.insert(words.end(), call.keys.begin(), call.keys.end());
    words.insert(words.end(), call.args.begin(), call.args.end());
    return server.cli({.user = "caller", .password = "any"}, words);
  }

  // By hand, as somebody may.
  void fill_realm() {
    server.cli({"ZADD", "{e}:lb", "1000", "a", "500", "b", "9007199254740991", "rich", "0", "poor"});
    server.cli({"HSET", "{e}:a:inventory", "herb", "17", "bomb", "13"});
    server.cli({"XADD", "{e}:ajobus", "*", "type", "farm", "user_id", "a", "amount", "7"});
    server.cli(
        {"XADD", "{e}:ajobus-inventory", "*", "type", "x", "user_id", "a", "item", "herb", "quantity", "1"});
    server.cli({"SET", "{e}:bomb", "b"});
    server.cli({"SET", "{e}:high:vampire", "70"});
    server.cli({"SET", "{e}:poor:gain", "0"});
    server.cli({"HSET", "{e}:roulette:s", "left", "3", "drawn", "3", "seed", "1"});
    server.cli({"ZADD", "{e}:bombs", "500", "late"});
  }

  test::RedisServer server{
      {.tcp = true, .settings = {"cluster-enabled yes", fmt::format("cluster-port {}", test::free_port())}}};
};

TEST_F(ScriptsTest, every_script_touches_only_the_keys_it_was_given) {
  server.cli({"XADD", "{8}:out", "5-1", "n", "1"});
  for (std::string const id : {"5-1", "5-2", "5-3"}) server.cli({"XADD", "{8}:kept", id, "n", "1"});
  server.cli({"ZADD", "{9}:due", "5", "a", "5", "b"});
  server.cli({"SET", "{larder}:events:wanted", "1"});
  fill_realm();
  auto texts = all_scripts();
  auto untested = texts;
  for (auto const& [name, calls] : scripts) {
    ASSERT_TRUE(texts.contains(name)) << name;
    for (auto const& call : calls) {
      auto const answer = run(texts[name], call);
      EXPECT_EQ(answer.find("ERR"), answer.npos) << name << ": " << answer;
      EXPECT_EQ(answer.find("attempted"), answer.npos) << name << ": " << answer;
      EXPECT_TRUE(answer.starts_with(call.says)) << name << ": " << answer << " in place of " << call.says;
    }
    untested.erase(name);
  }
  for (auto const& [name, text] : untested) ADD_FAILURE() << name << " has no call in this test";
}

TEST_F(ScriptsTest, a_key_that_was_not_given_is_noticed) {
  auto const answer = run("return redis.call('SET', 'elsewhere', '1')", {.keys = {"{7}:k"}, .args = {}});
  EXPECT_NE(answer.find("ERR"), answer.npos) << answer;
  auto const near = run("return redis.call('SET', '{7}:other', '1')", {.keys = {"{7}:k"}, .args = {}});
  EXPECT_NE(near.find("ERR"), near.npos) << near;
}

}  // namespace
}  // namespace larder
