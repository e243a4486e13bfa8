// Moves events from outbox streams into SQL and the feed, exactly once, then trims the streams.
#pragma once

#include "base/metrics.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/events/event.hpp"
#include "kit/events/feed.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/sql.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace larder::events {

struct ProjectorOptions {
  std::string name;                  // of the metrics' label
  std::vector<std::string> streams;  // their keys; on a cluster each with its own hash tag
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
// Lives on one io_context; wake() may be called from any thread.
class Projector {
 public:
  // Writes events of one stream, in order, within one transaction. Must be idempotent.
  using Apply = std::function<void(SqlSession&, std::span<Event const>)>;

  Projector(asio::io_context& io, redis::Redis& redis, Sql& sql, Clock const& clock, ProjectorOptions options,
            Apply apply, Metrics& metrics);
  ~Projector();

  void start();
  // There is something new in this stream.
  void wake(std::size_t stream);
  // Projects what is there now and ends; what cannot be projected stays in the streams.
  Task<void> stop();

 private:
  struct Batch {
    std::size_t stream = 0;
    std::vector<Event> events = {};
    bool held_by_another = false;
    bool full = false;     // there may be more
    bool written = false;  // and trimmed
  };
  enum class Lease { keep, give_back };

  Task<void> work();
  Task<void> watch();
  Task<void> look();
  Task<bool> project_woken();
  Task<void> project(std::span<Batch> batches);
  Task<void> tell(std::span<Batch const> batches);
  Task<Batch> read(std::size_t stream, int count);
  Task<bool> forget(Batch& batch);
  Task<void> trim(std::size_t stream, std::string keep_from, Lease lease);
  Task<void> sleep(Timer& timer, std::chrono::milliseconds time);
  std::vector<std::size_t> take_woken();
  void report(std::string_view why);

  asio::io_context& io_;
  redis::Redis& redis_;
  Sql& sql_;
  Clock const& clock_;
  ProjectorOptions options_;
  Apply apply_;
  Feed feed_;
  std::string owner_;
  std::vector<std::string> leases_;  // key per stream
  std::vector<bool> held_;           // which leases may be ours

  std::unique_ptr<std::atomic<bool>[]> woken_;
  std::atomic<bool> any_woken_ = false;
  std::size_t first_ = 0;  // where take_woken() begins to look
  bool stopping_ = false;
  int running_ = 0;    // coroutines
  Timer timer_;        // of work(); wake() cancels it
  Timer watch_timer_;  // of watch()

  prometheus::Counter& projected_;
  prometheus::Counter& failures_;
  prometheus::Gauge& lag_seconds_;
};

// True when everything that is in `stream` now has been projected, false after `patience`: for readers of the
// journal who want to see what they have just written.
Task<bool> caught_up(redis::Redis& redis, std::string const& stream, std::chrono::milliseconds patience);

// Up to `count` events of the stream that are not trimmed yet, with ids from `first` to `last` ("-" and "+":
// any).
Task<std::vector<Event>> read_events(redis::Redis& redis, std::string const& stream, std::string const& first,
                                     std::string const& last, int count);

}  // namespace larder::events
