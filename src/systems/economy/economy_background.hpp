// The background work of the economy in one process: a projector journals the events, a scheduler makes bombs
// pending, and a watch finds realms that other servers have created or used. Realms that nobody uses cost
// nothing: see docs/economy.md.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/economy/economy.hpp"

#include <deque>
#include <set>

namespace larder::economy {

struct BackgroundOptions {
  CataloguePtr catalogue = ajo_catalogue();  // for new realms, and realms whose catalogue a start gave
  std::int64_t stream_events = 10'000;       // how many stay in each stream after they are in SQL
  std::chrono::milliseconds gather{100};  // how long events gather: fewer SQL commits leave the disk to Redis
};

// Works on one io_context. Make one Economy per io thread from shared(). An Economy may be used before
// start() and after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             BackgroundOptions const& options, Metrics& metrics);

  // Makes the table. Blocks. Call it before anything else.
  void migrate_now() { journal_.migrate_now(); }
  // Throws LostRedisError if this Redis has lost a realm or a part of it, and SetupError if SQL has lost
  // events. If a store does not answer, it is assumed to be intact.
  Task<void> refuse_lost_redis();
  // Call it instead of start() if Redis has lost something: see Projector::save().
  Task<events::UnsavedEvents> save_events();
  // Opens all existing realms and gives each its catalogue. If Redis is unavailable,
  // the realms are opened later.
  Task<void> start();
  // Journals the events that are waiting, then stops.
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  Task<void> refuse_if_lost();
  Task<void> open_realms();
  Task<bool> open_realm(RealmId const& id);
  Task<void> leave_out(RealmId const& id);
  Task<bool> is_catalogue_told(RealmId const& id);
  Task<void> watch();
  Task<void> look_at_used_realms();
  Task<void> delete_realms();
  Task<void> delete_closed_realms();
  void wake(Realm const& realm);
  void wake_projector(Realm const& realm);
  Task<void> mark(RealmPtr realm);
  void attach(RealmPtr const& realm);
  std::pair<RealmPtr, EconomyEvent::Of> owner_of(std::string const& stream) const;

  asio::io_context& io_;
  redis::Redis& redis_;
  Clock const& clock_;
  EconomyJournal journal_;
  Shared shared_;
  Economy economy_;
  events::Projector projector_;
  schedule::Scheduler scheduler_;
  mutable std::mutex mutex_;  // guards streams_, which the projector also reads on a SQL thread
  std::map<std::string, std::pair<RealmPtr, EconomyEvent::Of>, std::less<>> streams_;
  std::deque<RealmPtr> streams_of_;  // indexed by the projector's stream
  std::deque<RealmPtr> bombs_of_;    // indexed by the scheduler's set
  struct Mark {
    std::string mark;
    std::chrono::steady_clock::time_point seen;  // first
  };
  std::map<std::string, Mark> marks_;  // the realms in use, by name
  std::size_t next_idle_ = 0;          // the realm that nobody uses and is looked at next, in bombs_of_
  std::atomic<bool> started_ = false;
  std::atomic<bool> any_closed_ = true;            // realms that are being deleted, as far as we know
  std::optional<std::set<RealmId>> without_ours_;  // realms that have not yet got the catalogue of this start
  TaskGroup tasks_;
};

// The event in the form that the feed sends.
events::FeedEvent to_feed(RealmId const& realm, EconomyEvent::Of of, events::Event const& event);

}  // namespace larder::economy
