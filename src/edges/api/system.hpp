// A system as the application sees it: one object that knows its settings, tables, routes, commands and
// background work. docs/architecture.md lists the steps of adding a system.
#pragma once

#include "base/cpu_pool.hpp"
#include "base/data_dir.hpp"
#include "base/metrics.hpp"
#include "base/settings.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "edges/api/api.hpp"
#include "edges/api/operator_views.hpp"
#include "edges/api/user_stores.hpp"
#include "edges/cli/command.hpp"
#include "edges/http/operation_routes.hpp"
#include "edges/http/rate_limit.hpp"
#include "kit/accounts/authenticator.hpp"
#include "kit/events/privacy/subject.hpp"
#include "kit/events/unsaved_events.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

namespace larder::accounts {
class ServiceKeys;
}

namespace larder::api {

// Everything that a server has only once, for all systems. `redis` belongs to the background thread.
struct Process {
  Config const& config;
  asio::io_context& io;  // of the background thread
  redis::Redis& redis;
  sql::Database& sql;
  Clock const& clock;
  CpuPool& cpu_pool;
  Metrics& metrics;
  accounts::ServiceKeys& keys;
};

// What each io thread has.
struct IoThread {
  asio::io_context& io;
  redis::Redis& redis;
  accounts::Authenticator& authenticator;
  Metrics& metrics;
  http::RateLimit* rate_limit = nullptr;  // null: nothing is limited
  std::shared_ptr<OperatorViews const> views = {};
};

// The functions are called on the main thread, in the order in which they are declared here. The tasks run on
// the background thread. Everything that Process and IoThread refer to outlives the system.
class System {
 public:
  virtual ~System() = default;

  virtual std::string_view name() const = 0;

  // The system's section of the configuration. Each setting writes its value into this object.
  virtual Settings settings() { return {}; }
  // The commands of `larder` that belong to this system. Its group comes first. The settings have not been
  // read yet, but they have when a command runs.
  virtual std::vector<cli::Command> commands() { return {}; }
  // Throws SetupError if the values make no sense together. Contacts no store.
  virtual void check(Config const&) const {}
  // Brings the tables up to date. Blocks.
  virtual void migrate(sql::Database&) {}

  // Opens the stores that only this system uses. Blocks. Throws SetupError.
  virtual void open(Config const&, DataDir const&) {}
  // Makes the background part, and reads what the first request needs. Keeps what part() will need of
  // Process: an IoThread has no SQL and no clock. Throws StoreError or SetupError.
  virtual Task<void> load(Process const&) { co_return; }
  // The credentials that this system recognises. They live as long as the system.
  virtual std::vector<accounts::Scheme*> schemes() { return {}; }
  virtual Api api() const = 0;
  // The types of the system's events, which listeners can ask for. Discord's own names, which are upper case,
  // need not be listed.
  virtual std::vector<std::string_view> event_types() const { return {}; }
  // The object that the handlers of this system work with on one io thread.
  virtual Part part(IoThread const&) { return {}; }
  // What /readyz checks on one io thread, in addition to the Redis and the SQL of the server. Gets the part
  // of the thread.
  virtual std::vector<ReadyCheck> checks(Part const&) { return {}; }
  // What operators see of this system on one io thread: its due sets, and what a search finds. Both get the
  // part of the thread.
  virtual std::vector<DueSets> due_sets(IoThread const&, Part const&) { return {}; }
  virtual SearchOf search(IoThread const&, Part const&) { return {}; }
  // The Redis that only this system uses, on the background thread; null if there is none.
  virtual redis::Redis* own_redis() { return nullptr; }

  // The next two are for `larder user export|forget` and its routes. They may be called at any time, also on
  // an io thread, and before load(): they use only the settings and these stores. Both may take minutes.

  // Hands over everything that the system has about this user.
  virtual Task<void> export_user(UserStores const&, UserId, privacy::ExportTo) { co_return; }
  // Forgets this user. What sums and journals need is kept under the pseudonym. It is repeated until it
  // succeeds, and after a crash: a repetition changes nothing. Throws StoreError if it has to wait. Returns
  // what it does not cover, in words without the id; empty: nothing.
  virtual Task<std::string> forget_user(UserStores const&, privacy::Subject) { co_return std::string(); }
  // Somebody was forgotten, perhaps by another server: drops texts of users from the memory of this process.
  // Thread-safe.
  virtual void drop_memory() {}
  // Somebody was forgotten: removes old bytes from the files of the stores that only this system uses.
  virtual Task<void> clean_files(TaskGroup&) { co_return; }

  // Throws LostRedisError if Redis has lost data of this system that SQL has, and SetupError if SQL has lost
  // something.
  virtual Task<void> check_stores() { co_return; }
  // Called instead of start() if check_stores() of any system has thrown LostRedisError: brings the events
  // that wait in Redis to SQL, because the repair begins with an empty Redis. Returns what SQL still lacks.
  virtual Task<events::UnsavedEvents> save_events() { co_return events::UnsavedEvents{}; }
  // Begins the background work. Throws SetupError.
  virtual Task<void> start() { co_return; }
  // Finishes the background work. Called after the last request.
  virtual Task<void> stop() { co_return; }
  // Closes what open() has opened. Called after all other threads have ended.
  virtual void close() {}
};

}  // namespace larder::api
