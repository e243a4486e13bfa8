// Moves events from outbox streams into SQL and the feed, exactly once, then trims the streams.
//
// Beside a stream lies `<stream>:lease`, and if projected events are kept in it, `<stream>:projected`: the id
// of the last one. If that is lost, they are all projected again, which changes nothing. Whoever deletes a
// stream deletes both with it.
#pragma once

#include "base/metrics.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "kit/events/event.hpp"
#include "kit/events/events_scripts.hpp"
#include "kit/events/feed.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace larder::events {

struct ProjectorOptions {
  std::string name;                  // of the metrics' label
  std::vector<std::string> streams;  // their keys; on a cluster each with its own hash tag
  std::int64_t keep = 0;             // so many projected events stay in each stream, or an eighth more
  int batch = 1000;
  std::chrono::milliseconds lease{2'000};
  std::chrono::milliseconds linger{
      20};  // events that come close together share a transaction; longer under load
  std::chrono::milliseconds sweep{2'000};      // how often streams are looked at that nobody woke
  std::chrono::milliseconds retry_max{2'000};  // longest pause while a store is away
  ToFeed to_feed = {};                         // none: nothing goes to the feed
};

// Every Larder runs one over the same streams. Whoever writes an event wakes its own projector; a lease per
// stream keeps two from doing the same work. The lease only saves effort: `apply` must ignore an event that
// is already there (a unique key), so a crash between any two steps, or two projectors at once, change
// nothing.
//
// Lives on one io_context; wake() may be called from any thread, while add() runs, too.
class Projector {
 public:
  // Writes events of one stream, in order, within one transaction. Must be idempotent.
  using Apply = std::function<void(sql::Session&, std::string const& stream, std::span<Event const>)>;

  Projector(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
            ProjectorOptions options, Apply apply, Metrics& metrics);
  ~Projector();

  // One more stream, before or after start(); each only once. Returns its index: those of the options come
  // first. What is in it already is found at the next look.
  std::size_t add(std::string stream);
  void start();
  // There is something new in this stream.
  void wake(std::size_t stream);
  // Projects what is there now and ends; what cannot be projected stays in the streams.
  Task<void> stop();

 private:
  struct Stream {
    std::size_t index = 0;
    OutboxKeys keys;
    bool held = false;  // the lease may be ours
  };
  struct Batch {
    Stream* stream = nullptr;
    std::vector<Event> events = {};
    bool held_by_another = false;
    std::string failure = {};  // why it could not be read
    bool full = false;         // there may be more
    bool written = false;      // and trimmed
  };

  Task<void> work();
  Task<void> watch();
  Task<void> look();
  Task<bool> project_woken();
  Task<void> project(std::span<Batch> batches);
  Task<void> tell(std::span<Batch const> batches);
  Task<Batch> read(Stream& stream, int count);
  Task<std::string> place_to_read(Stream const& stream);
  Task<bool> confirm(Stream const& stream, std::string_view last);
  Task<bool> forget(Batch& batch);
  Task<void> settle(Stream& stream, std::string projected, Lease lease);
  Task<std::optional<TimeMs>> oldest_event(Stream const& stream, bool& away);
  std::vector<Stream*> take_woken();
  bool any_woken();
  void report(std::string_view why);

  asio::io_context& io_;
  redis::Redis& redis_;
  sql::Database& sql_;
  Clock const& clock_;
  ProjectorOptions options_;
  Apply apply_;
  Feed feed_;
  std::string owner_;
  std::deque<Stream> streams_;  // they stay where they are when one is added

  std::mutex mutex_;
  std::deque<std::size_t> woken_;  // in this order: a busy stream does not starve the others
  std::vector<bool> is_woken_;     // by index

  TaskGroup tasks_;
  Timer woken_timer_;  // of work(); wake() cancels it

  prometheus::Counter& projected_;
  prometheus::Counter& failures_;
  prometheus::Gauge& lag_seconds_;
};

// The key of the id of the last projected event of a stream that keeps some; none: nothing is projected yet.
std::string projected_key(std::string_view stream);

// True when everything that is in `stream` now has been projected, false after `patience`: for readers of the
// journal who want to see what they have just written.
Task<bool> caught_up(redis::Redis& redis, std::string const& stream, std::chrono::milliseconds patience);

// Up to `count` events that are in the stream, with ids from `first` to `last` ("-" and "+": any). Where
// projected ones are kept, those that are not projected yet begin behind the id that projected_key() holds:
// `first` is then "(" and that id, or "-" without it.
Task<std::vector<Event>> read_events(redis::Redis& redis, std::string const& stream, std::string const& first,
                                     std::string const& last, int count);

}  // namespace larder::events
