// A complete ledger inside another program, with its own threads.
//
//   larder::ledger::EmbeddedLedger points({.data = "points"});
//   auto const gold = points.run(points.ledger().create_type({.name = "gold"})).value();
//
// A program with its own io_context makes a redis::Redis and, from shared(), a Ledger for each thread of that
// io_context, and awaits the same functions there.
#pragma once

#include "kit/presence/embedded/host.hpp"
#include "systems/ledger/ledger_background.hpp"

namespace larder::ledger {

struct EmbeddedLedgerOptions {
  std::filesystem::path data = "data";  // for the private redis-server and SQLite; one program at a time
  std::string redis = "embedded";       // or any Redis URL; several programs and servers may share one Redis
  std::string sql = {};                 // any SQL URL; empty: SQLite in `data`
  int replicas_min = -1;                // replicas that must have a write; -1: 1 on a cluster, else 0
  std::string key_format = {};
  std::int64_t order_shards = 16;
  std::int64_t flow_tables = 2;
};

class EmbeddedLedger {
 public:
  // Returns when the ledger is ready. Throws SetupError with a message that says what to do. Like a server,
  // it refuses a Redis that has lost what the journal has, or that is being rebuilt, and it refuses to work
  // while the clock of this machine is not right. While this object
  // lives, a rebuild is refused.
  explicit EmbeddedLedger(EmbeddedLedgerOptions const& options);
  // Journals the events that are waiting, then stops all threads.
  ~EmbeddedLedger();
  EmbeddedLedger(EmbeddedLedger const&) = delete;
  EmbeddedLedger& operator=(EmbeddedLedger const&) = delete;

  // Call its functions with run(), or from coroutines on io().
  Ledger& ledger() { return ledger_; }
  asio::io_context& io() { return host_.io(); }

  // Runs the task on io() and waits for its result. Call it from any thread except the thread of io().
  // Several threads may call it at the same time; their requests share round trips.
  template <class T>
  T run(Task<T> task) {
    return host_.run(std::move(task));
  }

  Shared& shared() { return work_.shared(); }
  redis::Options const& redis_options() const { return host_.redis_options(); }
  sql::Database& sql() { return host_.sql(); }
  Metrics& metrics() { return host_.metrics(); }

 private:
  embedded::Host host_;
  Background work_;
  Ledger ledger_;
};

}  // namespace larder::ledger
