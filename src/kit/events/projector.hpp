// Moves events from outboxes into SQL and the feed, each exactly once, then trims the outboxes.
//
// Each outbox, a Redis stream, has two more keys: `<stream>:lease`, and `<stream>:projected`, the id of the
// last projected event. SQL also knows that id. If the two stores contradict each other, one of them has lost
// data: then the outbox is removed, so that nobody writes, and its events wait for a person
// (outbox_positions.hpp). Events that SQL refuses move to `<stream>:dead` (dead_events.hpp). Code that
// deletes a stream must also delete its other keys (OutboxKeys) and its position in SQL.
#pragma once

#include "base/metrics.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "kit/events/event.hpp"
#include "kit/events/events_scripts.hpp"
#include "kit/events/feed.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/unsaved_events.hpp"
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
  std::string name;                  // the label `outbox` of the metrics
  std::vector<std::string> streams;  // keys of the outboxes; on a cluster each needs a hash tag
  bool creates = true;               // false: others create the outboxes, and may delete them
  std::int64_t keep = 0;             // projected events that stay in each stream, or an eighth more
  int batch = 1000;
  std::chrono::milliseconds lease{2'000};
  std::chrono::milliseconds linger{
      20};  // events that come close together share a transaction; longer under load
  std::chrono::milliseconds sweep{2'000};      // how often all streams are looked at
  std::chrono::milliseconds retry_max{2'000};  // longest pause while a store is unavailable
  ToFeed to_feed = {};                         // empty: nothing goes to the feed
  // Called in the transaction of an event that was dead: SQL has taken later events before it.
  std::function<void(sql::Session&)> applied_late = {};
  // Whether another server may have left events in a stream: only then does a look include the stream. A
  // stream that has never been looked at, or that had waiting or dead events at the last look, is always
  // included. Empty: all streams are.
  std::function<bool(std::size_t stream)> looks_at = {};
};

// Every server runs a projector over the same streams. A server that writes an event wakes its own projector.
// A lease per stream keeps two projectors from doing the same work. The lease only saves effort: `apply` must
// ignore an event that SQL already has (a unique key), so a crash between any two steps, or two projectors at
// once, do no harm.
//
// A projector belongs to one io_context. Any thread may call wake(), even while add() runs. Only the thread
// of the io_context may call the other functions.
class Projector {
 public:
  // Writes events of one stream, in order, within one transaction, on a thread of the Database. Must be
  // idempotent. If it throws StoreError or sql::StatementError, the events wait, for as long as it takes. Any
  // other exception is the fault of one of the events: the projector finds that event and buries it, and the
  // others proceed.
  using Apply = std::function<void(sql::Session&, std::string const& stream, std::span<Event const>)>;

  Projector(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
            ProjectorOptions options, Apply apply, Metrics& metrics);
  ~Projector();

  // Adds a stream, before or after start(). Add each stream only once. Returns its index; the streams of the
  // options come first. Events that are already in the stream are found at the next look.
  std::size_t add(std::string stream);
  // Creates the outboxes that are new, and throws SetupError if a store has lost data. If a store is
  // unavailable, throws StoreError. Without this call, the projector does the same after start(), but does
  // not throw: it reports the loss, and projects nothing from that outbox.
  Task<void> open();
  void start();
  // For a server that refuses to start because Redis has lost something: brings the events of all other
  // outboxes to SQL. Call it instead of start(). Creates no outbox, and removes none. Writes nothing if SQL
  // has also lost something: it may be the wrong database. Also retries the dead events that an operator
  // wants to be retried. Returns what SQL still lacks.
  Task<UnsavedEvents> save();
  // Tells the projector that this stream has a new event.
  void wake(std::size_t stream);
  // Projects the events that are there now, then ends. Events that cannot be projected stay in the streams.
  Task<void> stop();

 private:
  struct Stream {
    std::size_t index = 0;
    OutboxKeys keys;
    // What the projector knows about the outbox:
    //   unopened  nothing yet                   -> open, lost or gone: it is compared with SQL, or created
    //   open      the stores agree              -> missing; -> lost, if its events contradict SQL
    //   missing   it was open; Redis lacks it   -> open, lost or gone: it is compared; or unopened
    //   lost      a store has lost something    -> open or gone: it is compared at each look
    //   gone      others have deleted it        -> unopened, when it is woken
    // Only the events of an open outbox are projected.
    enum class State { unopened, open, missing, lost, gone } state = State::unopened;
    redis::StreamId seen = {};  // an event that SQL has and that is in the outbox; only for the next read()
    bool had_events = false;    // as far as this projector has seen
    bool held = false;          // the lease may be ours
    bool waits = true;          // has waiting or dead events, as far as we know
    bool has_retries = false;   // at the last look, like `dead`
    std::int64_t dead = 0;
  };
  struct Batch {
    Stream* stream = nullptr;
    std::vector<Event> events = {};
    redis::StreamId projected = {};  // the position of Redis before these events
    redis::StreamId seen = {};       // as in Stream
    bool held_by_another = false;
    std::string failure = {};       // why it could not be read
    bool full = false;              // the stream may have more events
    std::string last_written = {};  // the id of the last event that SQL took; empty: SQL took none
    bool written = false;           // to SQL, and the stream is trimmed
  };

  Task<void> work();
  Task<void> watch();
  Task<void> look();
  Task<bool> project_woken();
  Task<void> project(std::span<Batch> batches);
  bool write(sql::Session& session, std::span<Batch const> batches);
  Task<std::optional<std::string>> refusal(std::function<void(sql::Session&)> job);
  Task<std::optional<std::string>> refusal(Stream const& stream, std::span<Event const> events);
  Task<std::string> write_what_sql_takes(Stream const& stream, std::span<Event const> events);
  Task<void> open_streams();
  Task<void> renew_streams();
  Task<void> judge(Stream& stream, Standing standing);
  Task<void> look_for_losses(std::span<Batch const> batches);
  Task<std::vector<Stream*>> waiting(std::span<Stream* const> among);
  Task<std::vector<Stream*>> bring_to_sql(std::vector<Stream*> waiting);
  Task<UnsavedEvents> unsaved(std::span<Standing const> standings, std::span<Stream* const> left);
  Task<void> bury(Stream const& stream, std::string_view from, std::string_view at, std::string_view event,
                  std::string_view why);
  Task<void> retry(Stream const& stream);
  Task<void> tell(std::span<Batch const> batches);
  Task<Batch> read(Stream& stream, int count);
  Task<std::string> place_to_read(Stream const& stream);
  Task<bool> confirm(Batch& batch, std::string_view last);
  Task<bool> forget(Batch& batch);
  Task<void> settle(Stream& stream, std::string projected, Lease lease);
  Task<std::optional<TimeMs>> oldest_event(Stream& stream, bool& away);
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
  std::deque<Stream> streams_;  // a deque: add() does not move them
  std::int64_t retried_ = 0;    // dead events that were tried again

  std::mutex mutex_;
  std::deque<std::size_t> woken_;  // in order, so that a busy stream does not starve the others
  std::vector<bool> is_woken_;     // by index

  TaskGroup tasks_;
  Timer woken_timer_;  // of work(); wake() cancels it

  prometheus::Counter& projected_;
  prometheus::Counter& failures_;
  std::string told_why_;  // in the log
  std::chrono::steady_clock::time_point told_at_;
  prometheus::Gauge& lag_seconds_;
  prometheus::Gauge& dead_;
  prometheus::Gauge& lost_;
};

// The key that holds the id of the last projected event. If the key is missing, nothing is projected yet.
std::string projected_key(std::string_view stream);

// Returns true when all events that are in `stream` now have been projected, or false after `patience`. For
// readers of the journal who want to see what they have just written.
Task<bool> caught_up(redis::Redis& redis, std::string const& stream, std::chrono::milliseconds patience);

// The time of the oldest event that is not projected yet; nothing if none waits. Dead events do not count.
Task<std::optional<TimeMs>> oldest_waiting(redis::Redis& redis, std::string stream);

// Up to `count` events of the stream, with ids from `first` to `last` ("-" is the oldest id, "+" the newest).
// To read only unprojected events of a stream that keeps projected ones, set `first` to "(" and the id in
// projected_key(), or to "-" if that key is missing.
Task<std::vector<Event>> read_events(redis::Redis& redis, std::string const& stream, std::string const& first,
                                     std::string const& last, int count);

}  // namespace larder::events
