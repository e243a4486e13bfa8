// Pseudonyms, jobs, and the removal of traces.
#include "kit/events/dead_events.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/privacy/forget_jobs.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "kit/events/privacy/pseudonyms.hpp"
#include "kit/events/privacy/search_test.hpp"
#include "kit/events/privacy/traces.hpp"
#include "stores/redis/slot.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace larder::privacy {
namespace {

using namespace std::chrono_literals;

UserId user(std::string_view id) { return UserId::from(id).value(); }

TEST(Mentions, are_whole_words) {
  for (auto const& [text, is_named] : {std::pair{"alice", true},
                                       {"gift-to-alice", true},
                                       {"<@alice>", true},
                                       {"alice:7", true},
                                       {"malice", false},
                                       {"alice7", false},
                                       {"Alice", false},
                                       {"", false}}) {
    EXPECT_EQ(names(text, "alice"), is_named) << text;
  }
  std::string text = "alice, malice and alice";
  EXPECT_TRUE(replace_name(text, "alice", "x-alice-x"));
  EXPECT_EQ(text, "x-alice-x, malice and x-alice-x");
  EXPECT_FALSE(replace_name(text, "bob", "y"));
}

TEST(Mentions, in_json_are_whole_strings) {
  auto value = parse_json(R"({"a":"7","b":["7",7,"77"],"c":{"7":"x 7"}})").value();
  EXPECT_TRUE(replace_strings(value, "7", "p"));
  EXPECT_EQ(json::serialize(value), R"({"a":"p","b":["p",7,"77"],"c":{"7":"x 7"}})");
  EXPECT_FALSE(replace_strings(value, "8", "p"));
}

TEST(Pseudonyms, depend_on_the_key_and_the_life_and_stay_in_the_partition) {
  std::string const key(64, 'a');
  std::string const other_key(64, 'b');
  for (auto const* const id : {"7", "alice", "80351110224678912", "a.b@c+d|e-f_9"}) {
    auto const first = pseudonym_of(key, user(id), 0);
    EXPECT_EQ(first, pseudonym_of(key, user(id), 0));
    EXPECT_NE(first, pseudonym_of(key, user(id), 1));
    EXPECT_NE(first, pseudonym_of(other_key, user(id), 0));
    EXPECT_TRUE(first.str().starts_with(pseudonym_prefix));
    EXPECT_FALSE(names(first.str(), id));
    EXPECT_EQ(redis::crc16(first.str()) % 1024, redis::crc16(id) % 1024);
  }
}

class ForgetJobsTest : public testing::Test {
 protected:
  ForgetJobsTest() { migrate_privacy(sql); }
  template <class F>
  auto write(F job) {
    return sql.write_now(std::move(job));
  }
  ForgetJob request(std::string_view id, std::int64_t at) {
    return write([&](sql::Session& session) { return request_forget(session, user(id), {at}); });
  }
  std::optional<ForgetJob> claim(std::string const& owner, std::int64_t at) {
    return write([&](sql::Session& session) { return claim_forget_job(session, owner, {at}, 100); });
  }
  void finish(ForgetJob const& job) {
    write([&](sql::Session& session) {
      begin_cleaning(session, job.pseudonym);
      finish_forget_job(session, job.pseudonym, {99});
      session.wipe_after_commit();
    });
  }
  // All files of the database.
  std::string bytes() {
    std::ostringstream all;
    for (auto const* const end : {"", "-wal"}) {
      std::ifstream file(dir.file(std::string("test.db") + end), std::ios::binary);
      if (file.peek() != std::ifstream::traits_type::eof()) all << file.rdbuf();
    }
    return all.str();
  }

  Metrics metrics;
  test::TempDir dir;
  sql::Database sql{"sqlite:" + dir.file("test.db"), 2, metrics};
};

TEST_F(ForgetJobsTest, asking_again_while_the_job_runs_answers_the_same_job) {
  auto const first = request("alice", 5);
  auto const again = request("alice", 9);
  EXPECT_EQ(again.pseudonym, first.pseudonym);
  EXPECT_EQ(again.requested_at, TimeMs{5});
  EXPECT_NE(request("bob", 9).pseudonym, first.pseudonym);
}

TEST_F(ForgetJobsTest, who_comes_back_gets_another_pseudonym) {
  auto const first = request("alice", 5);
  finish(first);
  auto const second = request("alice", 9);
  EXPECT_NE(second.pseudonym, first.pseudonym);
  auto const found =
      sql.read_now([](sql::Session& session) { return find_forget_job(session, user("alice")); });
  EXPECT_EQ(found.value().pseudonym, second.pseudonym);
}

TEST_F(ForgetJobsTest, a_job_belongs_to_one_owner_until_its_lease_ends) {
  auto const job = request("alice", 5);
  EXPECT_EQ(claim("a", 1000).value().pseudonym, job.pseudonym);
  EXPECT_FALSE(claim("b", 1099));
  EXPECT_TRUE(claim("a", 1050));  // its owner may claim it again
  EXPECT_TRUE(claim("b", 1151));
  EXPECT_FALSE(write(
      [&](sql::Session& session) { return renew_forget_job(session, job.pseudonym, "a", {1160}, 100); }));
  write([&](sql::Session& session) { release_forget_job(session, job.pseudonym, "b"); });
  EXPECT_TRUE(claim("c", 1152));
}

TEST_F(ForgetJobsTest, a_job_remembers_what_is_done_once) {
  auto const job = request("alice", 5);
  for (int i = 0; i < 2; ++i) {
    write([&](sql::Session& session) {
      note_system_done(session, job.pseudonym, "ledger", "");
      note_system_done(session, job.pseudonym, "cache", "it is short");
    });
  }
  auto const found = claim("a", 10).value();
  EXPECT_EQ(found.done, (std::vector<std::string>{"ledger", "cache"}));
  EXPECT_EQ(found.uncovered, (std::vector<std::string>{"cache: it is short"}));
}

TEST_F(ForgetJobsTest, no_byte_of_the_id_is_left_in_the_files_of_the_database) {
  std::string const id = "distinctive-4711-id";
  auto const job = request(id, 5);
  EXPECT_NE(bytes().find(id), std::string::npos);
  finish(job);
  EXPECT_EQ(bytes().find(id), std::string::npos);
  EXPECT_NE(bytes().find(job.pseudonym.str()), std::string::npos);
}

class TracesTest : public testing::Test {
 protected:
  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  std::string cli(std::vector<std::string> const& command) { return server.cli(command); }

  asio::io_context io;
  Metrics metrics;
  test::RedisServer server;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
};

TEST_F(TracesTest, a_key_moves_once_with_its_expiry) {
  cli({"SET", "a", "1", "EX", "100"});
  run(move_key(redis, "a", "b"));
  EXPECT_EQ(cli({"GET", "b"}), "1");
  EXPECT_GT(std::stoi(cli({"TTL", "b"})), 0);
  cli({"SET", "a", "2"});
  run(move_key(redis, "a", "b"));  // the other key exists
  EXPECT_EQ(cli({"GET", "a"}), "2");
  EXPECT_EQ(cli({"GET", "b"}), "1");
}

TEST_F(TracesTest, a_value_that_others_have_changed_is_left_alone) {
  cli({"SET", "text", "1", "EX", "100"});
  EXPECT_TRUE(run(replace_text(redis, "text", "1", "2")));
  EXPECT_FALSE(run(replace_text(redis, "text", "1", "3")));
  EXPECT_EQ(cli({"GET", "text"}), "2");
  EXPECT_GT(std::stoi(cli({"TTL", "text"})), 0);
  cli({"HSET", "hash", "f", "1"});
  EXPECT_TRUE(run(replace_field(redis, "hash", "f", "1", "2")));
  EXPECT_FALSE(run(replace_field(redis, "hash", "f", "1", "3")));
  EXPECT_FALSE(run(replace_text(redis, "hash", "1", "3")));
  EXPECT_EQ(cli({"HGET", "hash", "f"}), "2");
}

TEST_F(TracesTest, only_texts_that_change_are_written) {
  cli({"SET", "x:1", "alice"});
  cli({"SET", "x:2", "bob"});
  cli({"HSET", "x:3", "alice", "alice"});
  run(change_texts(redis, "x:*", [](std::string const& text) {
    return text == "alice" ? std::optional<std::string>("nobody") : std::nullopt;
  }));
  EXPECT_EQ(cli({"GET", "x:1"}), "nobody");
  EXPECT_EQ(cli({"GET", "x:2"}), "bob");
  EXPECT_EQ(cli({"HGET", "x:3", "alice"}), "alice");
  run(unlink_matching(redis, "x:*", [](std::string const& key) { return key != "x:2"; }));
  EXPECT_EQ(cli({"DBSIZE"}), "1");
}

TEST_F(TracesTest, events_that_were_set_aside_keep_their_ids) {
  cli({"XADD", "box:dead", "7-1", "event", "5-1", "why", "bad", "who", "alice"});
  cli({"XADD", "box:dead", "7-2", "event", "5-2", "why", "bad", "who", "bob"});
  cli({"XADD", "box:lost", "6-1", "who", "alice"});
  auto const rename = [](events::Event& event) {
    bool changed = false;
    for (auto& [name, value] : event.fields) {
      if (value != "alice") continue;
      value = "nobody";
      changed = true;
    }
    return changed;
  };
  for (int i = 0; i < 2; ++i) run(rewrite_set_aside(redis, "box", rename));
  std::vector<std::string> found;
  run(events::each_dead(redis, "box:dead", [&](events::DeadEvent const& dead) {
    found.push_back(dead.event.id + " " + dead.event.field("who"));
  }));
  run(events::each_lost(
      redis, "box", [&](events::Event const& lost) { found.push_back(lost.id + " " + lost.field("who")); }));
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<std::string>{"5-1 nobody", "5-2 bob", "6-1 nobody"}));
}

TEST_F(TracesTest, kept_events_are_erased_up_to_an_id) {
  for (auto const* const id : {"1-0", "2-0"}) cli({"XADD", "box", id, "who", "alice"});
  cli({"XADD", "box", "3-0", "who", "bob"});
  cli({"XADD", "box", "4-0", "who", "bob"});
  cli({"XDEL", "box", "4-0"});
  run(erase_kept(redis, "box", "9-0", [](events::Event const&) { return true; }));
  EXPECT_EQ(cli({"XLEN", "box"}), "3") << "SQL has nothing yet";
  cli({"SET", "box:projected", "3-0"});
  run(erase_kept(redis, "box", "2-0",
                 [](events::Event const& event) { return event.field("who") == "alice"; }));
  EXPECT_EQ(cli({"XLEN", "box"}), "1");
  // No byte is left, although Redis itself would only mark the events as deleted.
  EXPECT_EQ(cli({"DUMP", "box"}).find("alice"), std::string::npos);
  run(erase_kept(redis, "box", "9-0", [](events::Event const&) { return true; }));
  EXPECT_EQ(cli({"XLEN", "box"}), "0");
  EXPECT_EQ(cli({"EXISTS", "box"}), "1");                       // an outbox never vanishes
  EXPECT_EQ(cli({"XADD", "box", "4-*", "who", "bob"}), "4-1");  // and its ids go on
}

}  // namespace
}  // namespace larder::privacy
