// A system, as the application sees it: one object that knows its settings, its tables, its routes, its
// commands and what it does in the background. To add a system, write one of these in edges/api/<name> and
// name it in app/systems.cpp.
#pragma once

#include "base/metrics.hpp"
#include "base/settings.hpp"
#include "base/time.hpp"
#include "edges/api/api.hpp"
#include "edges/cli/command.hpp"
#include "kit/accounts/authenticator.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

namespace larder::api {

// What a server has once, for all systems. Its Redis belongs to the background thread.
struct Process {
  asio::io_context& io;  // of the background thread
  redis::Redis& redis;
  sql::Database& sql;
  Clock const& clock;
  Metrics& metrics;
};

// What each io thread has for itself.
struct IoThread {
  asio::io_context& io;
  redis::Redis& redis;
  accounts::Authenticator& authenticator;
  Metrics& metrics;
};

// The functions are called in the order in which they stand here, on the main thread; tasks run on the
// background thread. What Process and IoThread name outlives the system.
class System {
 public:
  virtual ~System() = default;

  virtual std::string_view name() const = 0;

  // The system's section of the configuration; each setting writes into the system.
  virtual Settings settings() { return {}; }
  // Throws SetupError if the values make no sense together. Asks no store.
  virtual void check(Config const&) const {}
  // The commands of `larder` that belong to this system, its group first.
  virtual std::vector<cli::Command> commands() { return {}; }
  // Brings the tables up to date. Blocking.
  virtual void migrate(sql::Database&) {}

  // Makes what works beside the requests, and reads what the first request needs. Throws StoreError,
  // SetupError.
  virtual Task<void> load(Process const&) { co_return; }
  virtual Api api() const = 0;
  // What the handlers of this system work with on one io thread.
  virtual Part part(IoThread const&) { return {}; }

  // Begins the background work. Throws SetupError.
  virtual Task<void> start() { co_return; }
  // No request runs any more. Finishes what is under way and ends.
  virtual Task<void> stop() { co_return; }
};

}  // namespace larder::api
