// Everything of the ledger that works beside the requests, for one process: the projector that journals, the
// schedule that settles, the relay that brings transfers to their end.
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
};

// Lives on one io_context. Make a Ledger per io thread from shared(); they may be used before start() and
// after stop(), as long as this object lives.
class Background {
 public:
  Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
             BackgroundOptions const& options, Metrics& metrics);

  // Makes the tables. Blocking, before anything else.
  void migrate_now();
  Task<void> load_types();

  // Throws SetupError, and has started nothing, if the Redis has lost what the journal has, or has its keys
  // in another format. A Redis that does not answer is trusted.
  Task<void> start();
  // Journals what is there and ends.
  Task<void> stop();

  Shared& shared() { return shared_; }

 private:
  void count(std::span<events::Event const> events);
  Task<void> refuse_lost_redis();
  Task<void> watch();
  Task<void> measure();

  redis::Redis& redis_;
  Journal journal_;
  Shared shared_;
  Ledger ledger_;
  events::Projector projector_;
  schedule::Scheduler settler_;
  schedule::Scheduler relay_;
  TaskGroup tasks_;
  std::map<std::string, prometheus::Counter*, std::less<>> flows_;  // by op; on the SQL thread only
  Metrics& metrics_;
};

}  // namespace larder::ledger
