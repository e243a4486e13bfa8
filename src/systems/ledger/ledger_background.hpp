// The background work of the ledger in one process: a projector journals the events, one scheduler settles
// accounts, another (the relay) completes transfers, and a third works on types (see type_ends.hpp).
#pragma once

#include "base/task_group.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/scheduler.hpp"
#include "systems/ledger/ledger.hpp"

namespace larder::ledger {

struct BackgroundOptions {
  std::string key_format = {};  // see Keys
  bool cluster = false;
  std::int64_t order_shards = 16;
  std::int64_t flow_tables = 2;
  std::int64_t clock_margin_ms = 120'000;  // clocks of the servers and of Redis differ by less
};

// Works on one io_context. Make one Ledger per io thread from shared(). A Ledger may be used before start()
// and after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             BackgroundOptions const& options, Metrics& metrics);

  // Makes the tables. Blocks. Call it before anything else.
  void migrate_now();
  Task<void> load_types();

  // Throws LostRedisError if Redis has lost what the journal has, and SetupError if SQL has lost flows. If a
  // store does not answer, it is assumed to be intact.
  Task<void> refuse_lost_redis();
  // Call it instead of start() if Redis has lost something: see Projector::save().
  Task<events::UnsavedEvents> save_events() { return projector_.save(); }
  // Throws what refuse_lost_redis() throws, and SetupError if the keys have another format. Then nothing is
  // started.
  Task<void> start();
  // Journals the events that are waiting, then stops.
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  void count(std::span<events::Event const> events);
  Task<void> watch();
  Task<void> find_type_work();
  Task<void> measure();
  Task<void> count_totals();

  redis::Redis& redis_;
  Journal journal_;
  Shared shared_;
  Ledger ledger_;
  events::Projector projector_;
  schedule::Scheduler settler_;
  schedule::Scheduler relay_;
  schedule::Scheduler type_worker_;
  TaskGroup tasks_;
  std::map<std::string, prometheus::Counter*, std::less<>> flows_;  // by op; used on the SQL thread only
  Metrics& metrics_;
};

}  // namespace larder::ledger
