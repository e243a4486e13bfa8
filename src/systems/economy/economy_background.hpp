// Everything of the economy that works beside the requests, for one process: the projector that journals, the
// schedule that makes bombs pending, and the look-out for realms that other Larders have opened.
#pragma once

#include "base/task_group.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/economy/economy.hpp"

#include <deque>
#include <set>

namespace larder::economy {

struct BackgroundOptions {
  CataloguePtr catalogue = ajo_catalogue();  // what a new realm gets, and one that a start has given another
  std::int64_t stream_events = 10'000;       // that stay in each stream after they are in SQL
  std::chrono::milliseconds gather{100};     // events, so that few commits leave the disk to Redis
};

// Lives on one io_context. Make an Economy per io thread from shared(); they may be used before start() and
// after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             BackgroundOptions const& options, Metrics& metrics);

  // Makes the table. Blocking, before anything else.
  void migrate_now() { journal_.migrate_now(); }
  // Opens the realms there are, each with the catalogue it shall have; if Redis is away, they are opened
  // later.
  Task<void> start();
  // Journals what is there and ends.
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  Task<void> open_realms();
  Task<void> watch();
  void attach(RealmPtr const& realm);
  std::pair<RealmPtr, EconomyEvent::Of> owner_of(std::string const& stream) const;

  asio::io_context& io_;
  redis::Redis& redis_;
  EconomyJournal journal_;
  Shared shared_;
  Economy economy_;
  events::Projector projector_;
  schedule::Scheduler scheduler_;
  mutable std::mutex mutex_;  // of streams_: the projector asks on a SQL thread
  std::map<std::string, std::pair<RealmPtr, EconomyEvent::Of>, std::less<>> streams_;
  std::deque<RealmPtr> bombs_of_;                  // by the scheduler's set
  std::optional<std::set<RealmId>> without_ours_;  // realms that did not get the catalogue of this start yet
  TaskGroup tasks_;
};

// An event as the feed tells it.
events::FeedEvent to_feed(RealmId const& realm, EconomyEvent::Of of, events::Event const& event);

}  // namespace larder::economy
