#include "kit/events/feed.hpp"

#include "base/json.hpp"
#include "base/limits.hpp"
#include "base/random.hpp"
#include "kit/events/projecting_test.hpp"

namespace larder::events {
namespace {

TEST(FeedLine, is_read_as_it_was_written) {
  FeedEvent const cases[] = {
      {.system = Scope::ledger,
       .type = "add",
       .user_id = "111",
       .at = {1700000000000},
       .data = R"({"a":"b c"})"},
      {.system = Scope::discord, .type = "guild.gone", .user_id = "", .at = {0}, .data = "{}"},
  };
  for (auto const& event : cases) {
    auto const read = parse_line(to_line(event));
    ASSERT_TRUE(read);
    EXPECT_EQ(to_json(*read), to_json(event));
  }
  EXPECT_EQ(to_line(cases[0]), R"(ledger add 111 1700000000000 {"a":"b c"})");
  EXPECT_EQ(to_json(cases[0]),
            R"({"system":"ledger","type":"add","user_id":"111","at":"2023-11-14T22:13:20.000Z",)"
            R"("data":{"a":"b c"}})");
  EXPECT_TRUE(json::parse(to_json(cases[1])).at("user_id").is_null());
  EXPECT_FALSE(parse_line("newer add 1 5 {}"));
  EXPECT_FALSE(parse_line("ledger add"));
}

TEST(FeedLine, refuses_what_would_break_it) {
  FeedEvent const good{.system = Scope::ledger, .type = "add", .user_id = "u", .at = {1}, .data = "{}"};
  EXPECT_NO_THROW(to_line(good));
  for (auto const& [type, user, data] : std::vector<std::array<std::string, 3>>{{"", "u", "{}"},
                                                                                {"a b", "u", "{}"},
                                                                                {"add", "u v", "{}"},
                                                                                {"add", "u\n", "{}"},
                                                                                {"add", "u", "{\n}"}}) {
    auto wrong = good;
    wrong.type = type;
    wrong.user_id = user;
    wrong.data = data;
    EXPECT_THROW(to_line(wrong), std::runtime_error) << type << user << data;
  }
}

class FeedTest : public ProjectingTest {
 protected:
  FeedTest()
      : ProjectingTest({.name = "test",
                        .streams = {"{0}:out", "{1}:out", "{2}:out"},
                        .batch = 60,
                        .lease = 1ms,  // so short that the lease hides no error
                        .linger = 1ms,
                        .sweep = 10ms,
                        .retry_max = 50ms,
                        .to_feed = [this](std::string const& stream, Event const& event) {
                          return tell(stream, event);
                        }}) {}
  void SetUp() override {
    ProjectingTest::SetUp();
    server.cli({"SET", std::string(feed_wanted_key), "1"});
  }
  FeedEvent tell(std::string const& stream, Event const& event) const {
    if (event.field("n") == untold) throw std::runtime_error("nothing to tell");
    return {.system = Scope::ledger,
            .type = "add",
            .user_id = "u",
            .at = time_of(event.id),
            .data = fmt::format(R"({{"outbox":"{}","n":{}}})", stream, event.field("n"))};
  }
  std::int64_t packs() { return std::stoll(server.cli({"XLEN", std::string(feed_key)})); }

  // The numbers of each outbox in the feed, in the order of the feed.
  std::map<std::string, Numbers> told() {
    auto const reply = test::run(
        larder->io, larder->redis.command(redis::Use::read, feed_key, {"XRANGE", feed_key, "-", "+"}));
    std::map<std::string, Numbers> numbers;
    for (std::size_t i = 0; i < reply.size(); ++i) {
      std::istringstream lines{std::string(reply.at(i).at(1).at(1).text())};
      std::size_t count = 0;
      for (std::string line; std::getline(lines, line); ++count) {
        auto const data = json::parse(parse_line(line).value().data);
        numbers[json::value_to<std::string>(data.at("outbox"))].push_back(
            data.at("n").to_number<std::int64_t>());
      }
      EXPECT_GT(count, 0U);
      EXPECT_LE(count, limits::feed_pack_events_max);
    }
    return numbers;
  }
  // The feed has all added events, each once and in the order of its outbox.
  void expect_all() {
    ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
    auto const numbers = told();
    for (std::size_t i = 0; i < streams.size(); ++i) {
      auto const found = numbers.find(streams[i]);
      EXPECT_EQ(found == numbers.end() ? Numbers() : found->second, all_of(i)) << streams[i];
    }
  }

  std::string untold;  // the number of an event for which tell() throws
};

TEST_F(FeedTest, has_every_event_once_in_packs) {
  add(0, 60);
  add(1, 60);
  larder->start();
  expect_all();
  EXPECT_LE(packs(), 4);  // not one pack per event
  for (int round = 0; round < 10; ++round) {
    add(std::size_t(round % 3), 7);
    larder->projector->wake(std::size_t(round % 3));
  }
  expect_all();
}

TEST_F(FeedTest, is_told_what_is_in_no_outbox) {
  Feed feed(larder->redis);
  std::vector<FeedEvent> events;
  Numbers numbers;
  for (std::int64_t i = 0; i < 120; ++i) {
    events.push_back({.system = Scope::messages,
                      .type = i == 7 ? "not a word" : "selected",
                      .user_id = "u",
                      .at = {1},
                      .data = fmt::format(R"({{"outbox":"none","n":{}}})", i)});
    if (i != 7) numbers.push_back(i);
  }
  server.cli({"DEL", std::string(feed_wanted_key)});
  test::run(larder->io, feed.tell(events));
  EXPECT_EQ(packs(), 0);
  server.cli({"SET", std::string(feed_wanted_key), "1"});
  test::run(larder->io, feed.tell(events));
  EXPECT_EQ(told()["none"], numbers);
  EXPECT_EQ(packs(), 3);
  test::run(larder->io, feed.tell({}));
  EXPECT_EQ(packs(), 3);
}

TEST_F(FeedTest, has_nothing_twice_when_a_larder_dies_before_the_append) {
  add(0, 100);
  add(1, 5);
  for (int deaths = 0; deaths < 4; ++deaths) {
    larder->after_write = [&] { larder->io.stop(); };
    larder->start();
    larder->io.restart();
    larder->io.run();
    replace_larder();
  }
  EXPECT_EQ(packs(), 0);
  larder->start();
  expect_all();
}

TEST_F(FeedTest, has_nothing_twice_when_a_larder_dies_before_the_trim) {
  add(0, 100);
  add(1, 5);
  for (int deaths = 0; deaths < 4; ++deaths) {
    auto const before = packs();
    auto const left = waiting();
    larder->start();
    // Redis has appended the events, but the answer has not been read yet.
    ASSERT_TRUE(test::eventually([&] {
      larder->io.restart();
      larder->io.run_one_for(100ms);
      return packs() > before || left > waiting();
    }));
    replace_larder();
    add(0, 30);  // so that the feed has a part of the next batch
  }
  larder->start();
  expect_all();
}

TEST_F(FeedTest, has_nothing_twice_wherever_a_larder_dies) {
  auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
  Seed const seed{given ? std::stoull(given) : random_seed().value};
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random{seed};
  for (int deaths = 0; deaths < 60; ++deaths) {
    add(random.below(3), int(random.below(40)));
    larder->start();
    for (auto steps = random.below(60); steps > 0; --steps) {
      larder->io.restart();
      larder->io.run_one_for(5ms);
    }
    replace_larder();
  }
  larder->start();
  expect_all();
}

TEST_F(FeedTest, has_nothing_twice_when_kept_events_are_projected_again) {
  auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
  Seed const seed{given ? std::stoull(given) : random_seed().value};
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  Random random{seed};
  for (int deaths = 0; deaths < 40; ++deaths) {
    larder->options.keep = 100;
    larder->start();
    for (auto rounds = random.below(3); rounds > 0; --rounds) {
      add(random.below(3), int(random.below(40)));
      for (auto steps = random.below(100); steps > 0; --steps) {
        larder->io.restart();
        larder->io.run_one_for(5ms);
      }
      server.cli({"DEL", projected_key(streams[random.below(3)])});
    }
    replace_larder();
  }
  larder->options.keep = 100;
  larder->start();
  expect_all();
}

TEST_F(FeedTest, has_nothing_twice_when_two_projectors_write_it) {
  Larder other(server.url(), url, options);
  larder->start();
  other.start();
  std::atomic<bool> stop = false;
  std::thread beside([&] {
    while (!stop) {
      other.io.restart();
      other.io.run_for(1ms);
    }
  });
  for (int round = 0; round < 30; ++round) {
    for (std::size_t outbox = 0; outbox < streams.size(); ++outbox) {
      add(outbox, 20);
      larder->projector->wake(outbox);
      other.projector->wake(outbox);
    }
    larder->io.restart();
    larder->io.run_for(1ms);
  }
  EXPECT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  stop = true;
  beside.join();
  expect_all();
}

TEST_F(FeedTest, has_nothing_twice_when_redis_dies_and_the_outcome_is_unknown) {
  larder->start();
  for (int deaths = 0; deaths < 5; ++deaths) {
    add(0, 50);
    add(1, 50);
    larder->projector->wake(0);
    auto const before = packs();
    test::eventually(
        [&] {
          larder->io.restart();
          larder->io.run_one_for(1ms);
          return packs() > before || waiting() == 0;
        },
        10s);
    server.kill();
    larder->io.restart();
    larder->io.run_for(20ms);
    server.start();
  }
  expect_all();
}

TEST_F(FeedTest, that_cannot_be_written_keeps_the_events_in_their_outbox) {
  server.cli({"SET", std::string(feed_key), "somebody else's"});
  add(0, 10);
  larder->start();
  auto& failures = larder->metrics.counter("larder_projector_failures_total",
                                           "Attempts to project that failed", {{"outbox", "test"}});
  ASSERT_TRUE(test::eventually(larder->io, [&] { return failures.Value() >= 2; }));
  EXPECT_EQ(waiting(), 10);
  server.cli({"DEL", std::string(feed_key)});
  expect_all();
}

TEST_F(FeedTest, leaves_out_an_event_that_cannot_be_told_and_goes_on) {
  untold = "3";
  add(0, 5);
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  EXPECT_EQ(told()[streams[0]], (Numbers{1, 2, 4, 5}));
}

TEST_F(FeedTest, is_written_only_while_somebody_wants_it) {
  larder->start();
  for (int round = 0; round < 2; ++round) {
    add(0, 5);
    ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
    auto const first = added[0] - 4;
    EXPECT_EQ(told()[streams[0]], (Numbers{first, first + 1, first + 2, first + 3, first + 4}));
    server.cli({"DEL", std::string(feed_wanted_key)});
    add(0, 3);
    ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
    EXPECT_EQ(packs(), 0);  // so that a listener that resumes notices the gap
    server.cli({"SET", std::string(feed_wanted_key), "1"});
  }
}

TEST_F(FeedTest, keeps_the_newest_packs_only) {
  server.cli({"EVAL", "for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'events', 'x') end", "1",
              std::string(feed_key), std::to_string(limits::feed_packs_max + 2000)});
  add(0, 1);
  larder->start();
  ASSERT_TRUE(test::eventually(larder->io, [&] { return waiting() == 0; }));
  EXPECT_GE(packs(), limits::feed_packs_max);
  EXPECT_LE(packs(), limits::feed_packs_max + 200);  // Redis drops only whole nodes of the stream
  EXPECT_NE(server.cli({"XREVRANGE", std::string(feed_key), "+", "-", "COUNT", "1"}).find("ledger add"),
            std::string::npos);
}

}  // namespace
}  // namespace larder::events
