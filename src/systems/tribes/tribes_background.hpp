// The background work of tribes in one process: a scheduler updates the towns that are due, others do the
// jobs of worlds and turn the towns of deleted accounts into ruins, a projector journals the events, and a
// watch finds worlds that other servers created.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/tribes/worlds.hpp"

#include <deque>

namespace larder::tribes {

constexpr int updates_at_once_default = 256;  // towns, in groups that share fsyncs

struct BackgroundOptions {
  RulesPtr rules = pizza_rules();  // of the default world, and of worlds that bring none
  int updates_at_once = updates_at_once_default;
};

// Works on one io_context. Make one Tribes per io thread from shared(). A Tribes may be used before start()
// and after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             BackgroundOptions const& options, Metrics& metrics);

  // Makes the tables. Blocks. Call it before anything else.
  void migrate_now() { journal_.migrate_now(); }
  // Throws LostRedisError if this Redis has lost a world with towns, or changes of a world. If a store does
  // not answer, it is assumed to be intact.
  Task<void> refuse_lost_redis();
  // Call it instead of start() if Redis has lost something: see Projector::save().
  Task<events::UnsavedEvents> save_events();
  // Creates the world `default`, if it is missing and this is no cluster, and opens all worlds. If a store is
  // unavailable, this happens later. Throws what refuse_lost_redis() throws.
  Task<void> start();
  // Journals the events that are waiting, then stops.
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  Task<void> refuse_lost_worlds();
  Task<void> open_default();
  Task<void> open_worlds();
  Task<void> watch();
  void attach(WorldPtr const& world);
  Task<void> forget(std::string user);
  WorldPtr owner_of(std::string const& stream) const;

  asio::io_context& io_;
  redis::Redis& redis_;
  TribesJournal journal_;
  Shared shared_;
  Tribes tribes_;
  Worlds worlds_;
  events::Projector projector_;
  schedule::Scheduler updates_;
  schedule::Scheduler jobs_;
  schedule::Scheduler deletions_;  // of accounts
  mutable std::mutex mutex_;       // guards streams_, which the projector also reads on a SQL thread
  std::map<std::string, WorldPtr, std::less<>> streams_;
  std::deque<WorldPtr> worlds_of_sets_;  // indexed by the sets of both schedulers
  TaskGroup tasks_;
};

// How the towns that are due are updated.
schedule::SchedulerOptions updates_options(int at_once);
Task<schedule::Scheduler::Failures> update_due(Towns& towns, WorldPtr world,
                                               std::vector<schedule::Claimed> members);

// The event in the form that the feed sends.
events::FeedEvent to_feed(WorldId const& world, events::Event const& event);

}  // namespace larder::tribes
