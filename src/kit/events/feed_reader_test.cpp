#include "kit/events/feed_reader.hpp"

#include "base/limits.hpp"
#include "base/random.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

namespace larder::events {
namespace {

using namespace std::chrono_literals;

TEST(FeedPosition, is_three_numbers) {
  auto const good = parse_position("1700000000000-3.49");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->pack, StreamId(1700000000000, 3));
  EXPECT_EQ(good->line, 49U);
  EXPECT_TRUE(parse_position("0-0.0"));
  for (std::string const wrong :
       {"", "5", "5-1", "5-1.", "5.1-1", "-5-1.1", "5--1.1", "5-1.-1", "5-1.1 ", " 5-1.1", "5-1.1.1", "a-1.1",
        "99999999999999999999-1.1", "5-1.99999999999999999999999"}) {
    EXPECT_FALSE(parse_position(wrong)) << wrong;
  }
}

class FeedReaderTest : public testing::Test {
 protected:
  using Listener = std::shared_ptr<FeedListener>;
  using Numbers = std::vector<int>;

  void SetUp() override { start = listen()->position(); }

  // Adds packs of `lines` events each. The types of the events are numbers, which continue
  // from the last call.
  void add(int packs, int lines = 3) {
    server.cli({"EVAL",
                "local n = tonumber(ARGV[1]) "
                "for p = 1, ARGV[2] do local lines = {} "
                "for l = 1, ARGV[3] do n = n + 1; lines[l] = string.format('ledger %d u 5 {}', n) end "
                "redis.call('XADD', KEYS[1], '*', 'events', table.concat(lines, '\\n')) end",
                "1", key, std::to_string(added), std::to_string(packs), std::to_string(lines)});
    added += packs * lines;
  }
  // Drops the feed as feed_append.lua does, but waits for the next millisecond first: ids of packs are times,
  // so a new feed within the same millisecond could begin with the same id.
  void drop_feed() {
    auto const now_ms = [&] {
      std::istringstream time(server.cli({"TIME"}));
      std::int64_t seconds = 0;
      std::int64_t micros = 0;
      time >> seconds >> micros;
      return seconds * 1000 + micros / 1000;
    };
    auto const before = now_ms();
    EXPECT_TRUE(test::eventually([&] { return now_ms() > before; }));
    server.cli({"DEL", key, std::string(feed_wanted_key)});
  }
  Listener listen(std::optional<std::string> const& after = std::nullopt) {
    auto const position = after ? parse_position(*after) : std::nullopt;
    auto listener = test::run(io, reader->listen(position));
    EXPECT_TRUE(listener);
    return listener ? *listener : nullptr;
  }
  // The events that the listener gets now, each with its position.
  std::vector<std::pair<std::string, int>> take(FeedListener& listener) {
    std::vector<std::pair<std::string, int>> events;
    try {
      while (auto const pack = test::run(io, listener.next())) {
        for (auto const& item : pack->items) {
          events.emplace_back(pack->position_of(item.line), std::stoi(item.event.type));
        }
      }
    } catch (StoreError const&) {}  // Redis is not back yet
    return events;
  }
  static Numbers numbers(std::vector<std::pair<std::string, int>> const& events) {
    Numbers found;
    for (auto const& event : events) found.push_back(event.second);
    return found;
  }
  static Numbers from_to(int first, int last) {
    Numbers all(std::size_t(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
  }
  // Waits until the listener has got `count` events.
  Numbers take_until(FeedListener& listener, std::size_t count) {
    Numbers found;
    EXPECT_TRUE(test::eventually(io, [&] {
      for (auto const number : numbers(take(listener))) found.push_back(number);
      return found.size() >= count;
    }));
    return found;
  }

  std::string const key{feed_key};
  test::RedisServer server{{.settings = {"appendonly yes"}}};
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .timeout = 500ms, .tls_ca = {}}, metrics};
  std::shared_ptr<FeedReader> reader = std::make_shared<FeedReader>(io, redis, metrics);
  std::string start;  // where the feed begins
  int added = 0;
};

TEST_F(FeedReaderTest, tells_what_comes_from_now_on) {
  add(2);
  auto const listener = listen();
  EXPECT_TRUE(take(*listener).empty());
  add(3);
  EXPECT_EQ(take_until(*listener, 9), from_to(7, 15));
  for (int round = 0; round < 5; ++round) {
    add(1);
    EXPECT_EQ(take_until(*listener, 3), from_to(added - 2, added));
  }
  EXPECT_FALSE(listener->take_gap());
}

TEST_F(FeedReaderTest, resumes_behind_every_event) {
  add(25);
  auto const first = listen(start);
  Numbers const all = from_to(1, 75);
  auto const events = take(*first);
  ASSERT_EQ(numbers(events), all);
  EXPECT_FALSE(first->take_gap());
  for (auto const& [position, number] : events) {
    auto const listener = listen(position);
    EXPECT_EQ(numbers(take(*listener)), from_to(number + 1, 75)) << position;
    EXPECT_FALSE(listener->take_gap());
    EXPECT_EQ(listener->position(), events.back().first);
  }
}

TEST_F(FeedReaderTest, goes_from_what_was_to_what_is_without_gap_or_repetition) {
  add(40);
  auto const events = take(*listen(start));
  std::vector<std::pair<Listener, int>> listeners;
  for (std::size_t i = 0; i < events.size(); i += 7) {
    listeners.emplace_back(listen(events[i].first), events[i].second);
    add(1);
  }
  add(20);
  for (auto const& [listener, number] : listeners) {
    EXPECT_EQ(take_until(*listener, std::size_t(added - number)), from_to(number + 1, added));
  }
}

TEST_F(FeedReaderTest, waits_for_a_listener_that_does_not_read) {
  auto const slow = listen();
  auto const fast = listen();
  Numbers read;
  for (int round = 0; round < 12; ++round) {
    add(50, 2);  // in the end, more packs than the reader keeps in memory
    for (auto const number : take_until(*fast, 100)) read.push_back(number);
  }
  EXPECT_EQ(read, from_to(1, added));
  EXPECT_EQ(take_until(*slow, std::size_t(added)), from_to(1, added));
  EXPECT_FALSE(slow->take_gap());
}

TEST_F(FeedReaderTest, wakes_who_waits) {
  auto const listener = listen();
  add(1);
  test::run(io, [](FeedListener& waiting) -> Task<void> {
    while (!co_await waiting.next()) co_await waiting.wait(std::chrono::hours(1));
  }(*listener));
  asio::post(io, [&] { listener->wake(); });
  test::run(io, listener->wait(std::chrono::hours(1)));
}

TEST_F(FeedReaderTest, says_where_events_may_be_missing) {
  add(10);
  auto const events = take(*listen(start));
  server.cli({"XTRIM", key, "MAXLEN", "=", "4"});
  auto const behind = listen(events[5].first);  // its pack is gone
  EXPECT_EQ(numbers(take(*behind)), from_to(19, 30));
  EXPECT_EQ(behind->take_gap(), events[5].first);
  EXPECT_FALSE(behind->take_gap());
  auto const there = listen(events[19].first);
  EXPECT_EQ(numbers(take(*there)), from_to(21, 30));
  EXPECT_FALSE(there->take_gap());
}

TEST_F(FeedReaderTest, begins_now_behind_an_id_that_is_above_all) {
  add(2);
  auto const end = listen()->position();
  for (bool const empty : {false, true}) {
    if (empty) server.cli({"DEL", key});
    auto const listener = listen("9999999999999-0.0");
    EXPECT_TRUE(take(*listener).empty());
    EXPECT_EQ(listener->take_gap(), "9999999999999-0.0");
    if (!empty) EXPECT_EQ(listener->position(), end);
    add(1);
    EXPECT_EQ(take_until(*listener, 3), from_to(added - 2, added));
    EXPECT_FALSE(listener->take_gap());
  }
}

TEST_F(FeedReaderTest, gives_all_it_has_behind_zero) {
  add(20);
  auto const listener = listen("0-0.0");
  EXPECT_EQ(listener->take_gap(), "0-0.0");
  EXPECT_EQ(numbers(take(*listener)), from_to(1, 60));
}

TEST_F(FeedReaderTest, says_that_events_may_be_missing_when_nobody_wanted_the_feed_for_a_while) {
  add(2);
  drop_feed();
  auto const listener = listen(start);
  EXPECT_EQ(listener->take_gap(), start);
  EXPECT_TRUE(take(*listener).empty());
  add(1);
  EXPECT_EQ(take_until(*listener, 3), from_to(7, 9));
}

TEST_F(FeedReaderTest, notices_that_the_feed_began_anew) {
  auto const listener = listen();
  add(2);
  EXPECT_EQ(take_until(*listener, 6), from_to(1, 6));
  auto const position = listener->position();
  drop_feed();
  auto const other = listen();
  add(1);
  EXPECT_EQ(take_until(*listener, 3), from_to(7, 9));
  EXPECT_EQ(listener->take_gap(), position);
  EXPECT_EQ(take_until(*other, 3), from_to(7, 9));
  EXPECT_FALSE(other->take_gap());
}

TEST_F(FeedReaderTest, goes_on_when_redis_was_away) {
  auto const listener = listen();
  add(1);
  EXPECT_EQ(take_until(*listener, 3), from_to(1, 3));
  server.stop();
  io.restart();
  io.run_for(1500ms);
  server.start();
  add(200);
  EXPECT_EQ(take_until(*listener, 600), from_to(4, 603));
  EXPECT_FALSE(listener->take_gap());
}

TEST_F(FeedReaderTest, notices_what_was_trimmed_while_redis_was_away) {
  auto const listener = listen();
  add(1);
  EXPECT_EQ(take_until(*listener, 3), from_to(1, 3));
  auto const position = listener->position();
  server.stop();
  io.restart();
  io.run_for(1500ms);
  server.start();
  add(5);
  server.cli({"XTRIM", key, "MAXLEN", "=", "2"});
  EXPECT_EQ(take_until(*listener, 6), from_to(13, 18));
  EXPECT_EQ(listener->take_gap(), position);
}

TEST_F(FeedReaderTest, asks_nothing_without_listeners) {
  {
    auto const listener = listen();
    add(1);
    take_until(*listener, 3);
  }
  io.restart();
  io.run_for(200ms);
  auto const before = server.stat("total_commands_processed");
  io.restart();
  io.run_for(500ms);
  EXPECT_LE(server.stat("total_commands_processed") - before, 1);  // at most stat() itself
  auto const listener = listen();
  add(1);
  EXPECT_EQ(take_until(*listener, 3), from_to(4, 6));
}

TEST_F(FeedReaderTest, wants_the_feed_before_it_listens) {
  auto const listener = listen();
  EXPECT_GT(std::stoi(server.cli({"TTL", std::string(feed_wanted_key)})), limits::feed_wanted_s / 2);
}

TEST_F(FeedReaderTest, takes_no_more_listeners_than_it_may) {
  auto& listening = metrics.gauge("larder_event_listeners", "Clients that listen to /v1/events");
  {
    auto const listener = listen();
    EXPECT_EQ(listening.Value(), 1);
  }
  EXPECT_EQ(listening.Value(), 0);
  listening.Set(double(limits::event_listeners_max));
  auto const refused = test::run(io, reader->listen(std::nullopt));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errors::too_many_listeners);
}

TEST_F(FeedReaderTest, leaves_out_what_only_a_newer_version_knows) {
  auto const listener = listen();
  server.cli({"XADD", key, "*", "events", "ledger 1 u 5 {}\nfuture 2 u 5 {}\nledger 3 u 5 {}"});
  added = 3;
  EXPECT_EQ(take_until(*listener, 2), (Numbers{1, 3}));
  EXPECT_TRUE(listener->position().ends_with(".2"));
}

FeedEvent tell_number(std::string const&, Event const& event) {
  return {.system = Scope::ledger, .type = event.field("n"), .user_id = "u", .at = {5}, .data = "{}"};
}

TEST(FeedOnCluster, has_everything_when_its_master_dies) {
  test::RedisCluster cluster;
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{
      io,
      {.url = redis::parse_url(cluster.url()), .timeout = 2000ms, .replicas_min = 1, .tls_ca = {}},
      metrics};
  Feed feed(redis);
  auto const reader = std::make_shared<FeedReader>(io, redis, metrics);
  auto const listener = test::run(io, reader->listen(std::nullopt)).value();

  // Like a projector: tries again until the append has worked.
  std::vector<std::string> const sources = {"{0}:out", "{1}:out"};
  int number = 0;
  auto const append = [&] {
    std::vector<std::vector<Event>> events(sources.size());
    for (auto& of_one : events) {
      ++number;
      of_one.push_back({.id = fmt::format("{}-1", number), .fields = {{"n", std::to_string(number)}}});
    }
    std::vector<Feed::Batch> const batches = {{sources[0], events[0]}, {sources[1], events[1]}};
    return test::eventually([&] {
      try {
        test::run(io, feed.append(batches, tell_number));
        return true;
      } catch (StoreError const&) {
        return false;
      }
    });
  };
  std::vector<int> heard;
  auto const hear = [&] {
    try {
      while (auto const pack = test::run(io, listener->next())) {
        for (auto const& item : pack->items) heard.push_back(std::stoi(item.event.type));
      }
    } catch (StoreError const&) {}
    return !heard.empty() && heard.back() == number;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(append());
  ASSERT_TRUE(test::eventually(io, hear));
  auto const slot = redis::slot_of(feed_key);
  auto const master = cluster.master_of(slot);
  cluster.node(master).kill();
  cluster.wait_for_new_master(slot, master);
  cluster.node(master).start();  // it becomes the replica that must confirm writes
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(append());
  ASSERT_TRUE(test::eventually(io, hear));
  auto all = std::vector<int>(std::size_t(number));
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(heard, all);
}

}  // namespace
}  // namespace larder::events
