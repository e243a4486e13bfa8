#include "app/server.hpp"

#include "app/admin_key.hpp"
#include "app/server_thread.hpp"
#include "app/shutdown.hpp"
#include "base/checked_clock.hpp"
#include "base/cpu_pool.hpp"
#include "base/data_dir.hpp"
#include "base/log.hpp"
#include "base/service_manager.hpp"
#include "edges/http/openapi.hpp"
#include "kit/accounts/accounts_schema.hpp"
#include "kit/accounts/service_keys.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/unsaved_events.hpp"
#include "kit/presence/clock_watch.hpp"
#include "kit/presence/presence.hpp"
#include "stores/redis/configured.hpp"
#include "stores/sql/url.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <ranges>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace larder {

namespace {

// The number of connections that the limit of open files allows. Some files are
// reserved for Redis, SQL and logs.
std::size_t connection_limit(std::int64_t wanted) {
  constexpr std::size_t reserve = 128;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return std::size_t(wanted);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  auto const possible = files.rlim_cur > 2 * reserve ? std::size_t(files.rlim_cur) - reserve : reserve;
  if (std::size_t(wanted) <= possible) return std::size_t(wanted);
  log::warn("server.connections_max is more than the system allows", {{"allowed", possible}});
  return possible;
}

// Larder configures the embedded Redis itself. For any other Redis, it can only warn about unsafe settings.
Task<void> warn_of_forgetful_redis(redis::Redis& redis) {
  static constexpr std::pair<std::string_view, std::string_view> wanted[] = {
      {"appendonly", "yes"}, {"appendfsync", "always"}, {"maxmemory-policy", "noeviction"}};
  for (auto const& [name, value] : wanted) {
    try {
      auto const reply = co_await redis.command(redis::Use::read, "", {"CONFIG", "GET", name});
      if (reply.size() != 2 || reply.at(1).text() == value) continue;
      log::warn("this Redis may lose what was acknowledged",
                {{"setting", name}, {"is", reply.at(1).text()}, {"should_be", value}});
    } catch (std::exception const& error) {
      log::warn("could not check whether Redis keeps acknowledged writes", {{"why", error.what()}});
      co_return;
    }
  }
}

std::string address_text(asio::ip::tcp::endpoint const& endpoint) {
  auto const host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("http://[{}]:{}", host, endpoint.port())
                                    : fmt::format("http://{}:{}", host, endpoint.port());
}

std::vector<std::unique_ptr<IoLoop>> start_loops(Config const& config) {
  auto const count = config.server.threads > 0 ? std::size_t(config.server.threads)
                                               : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<IoLoop>> loops;
  for (std::size_t i = 0; i < count; ++i) loops.push_back(std::make_unique<IoLoop>());
  return loops;
}

// Work like hashing passwords keeps a core busy. Half of the cores are left to the requests.
std::size_t cpu_threads() { return std::max(1U, std::thread::hardware_concurrency() / 2); }

http::HttpOptions http_options(Config const& config) {
  return {.listen = http::parse_listen(config.server.listen),
          .connections_max = connection_limit(config.server.connections_max),
          .connections_per_address_max = std::size_t(config.server.connections_per_address_max),
          .behind_proxy = config.accounts.behind_proxy,
          .bodies_bytes_max = std::size_t(config.server.bodies_mib_max) << 20U,
          .metrics_public = config.server.metrics_public,
          .cors_origins = config.cors_origins(),
          .access_log = config.server.access_log};
}

// What a running server owns. A member may use the members above it.
struct Running {
  Running(Config const& config, Systems list, ServiceManager manager)
      : service(std::move(manager)),
        clock(system_clock, std::chrono::seconds(config.server.clock_off_max_s)),
        loops(start_loops(config)),
        systems(std::move(list)) {}
  Running(Running const&) = delete;
  Running& operator=(Running const&) = delete;
  // Also after a failed start: the threads end first, then everything that they have used.
  ~Running() { end_threads(); }

  void end_threads() {
    for (auto const& loop : loops) loop->stop();
    background.stop();
  }

  ServiceManager const service;
  SystemClock const system_clock;
  CheckedClock clock;
  Metrics metrics;
  http::ReadyLog ready_log;
  std::atomic<bool> shutting_down = false;
  http::FixedText openapi;
  IoLoop background;
  std::vector<std::unique_ptr<IoLoop>> loops;
  CpuPool cpu_pool{cpu_threads(), limits::cpu_waiting_max};
  std::unique_ptr<redis::EmbeddedRedis> embedded;
  std::optional<sql::Database> sql;
  std::optional<redis::Redis> redis;  // of the background thread
  std::optional<presence::ClockWatch> clock_watch;
  Systems systems;
  std::optional<presence::Presence> presence;
  std::string admin_key;  // where it is, for people
  std::optional<accounts::ServiceKeys> keys;
  std::optional<accounts::Authenticator> authenticator;
  std::vector<std::unique_ptr<ServerThread>> threads;
  std::optional<http::HttpServer> http;
};

// Opens the stores, and lets the systems read what they need.
void load(Running& server, Config const& config, DataDir const& data_dir,
          redis::Options const& redis_options) {
  auto& background = server.background;
  for (auto const& system : server.systems) system->open(config, data_dir);
  server.service.status(fmt::format("waiting for SQL: {}", redact_url(config.sql_url())));
  auto& sql = server.sql.emplace(config.sql_url(), int(config.sql.connections), server.metrics);
  migrate_all(sql, config, server.systems);
  server.admin_key = keep_admin_key(sql, server.system_clock.now(), config.data_path("admin.key"));
  auto& keys = server.keys.emplace(sql, server.system_clock);
  background.run(keys.refresh());
  server.service.status(fmt::format("waiting for Redis: {}", redact_url(config.redis.url)));
  auto& redis = server.redis.emplace(background.io, redis_options, server.metrics);
  background.run(redis::refuse_unusable(redis, "redis.url", config.redis.url));
  background.run(server.clock_watch.emplace(background.io, redis, server.clock).enter());
  if (!server.embedded) background.run(warn_of_forgetful_redis(redis));
  api::Process const process{.config = config,
                             .io = background.io,
                             .redis = redis,
                             .sql = sql,
                             .clock = server.clock,
                             .cpu_pool = server.cpu_pool,
                             .metrics = server.metrics,
                             .keys = keys};
  server.service.status("reading what the systems need from Redis and SQL");
  std::vector<accounts::Scheme*> schemes;
  for (auto const& system : server.systems) {
    background.run(system->load(process));
    std::ranges::copy(system->schemes(), std::back_inserter(schemes));
  }
  schemes.push_back(&keys);  // last, because it refuses the tokens that nobody recognises
  server.authenticator.emplace(std::move(schemes));
}

// Makes the io threads' own parts, and binds the address. Nothing is accepted yet.
void prepare_http(Running& server, Config const& config, redis::Options const& redis_options) {
  auto const apis = apis_of(server.systems);
  server.openapi = http::FixedText(json::serialize(http::make_openapi(apis, {.version = version})));
  ThreadContext const context{.config = config,
                              .redis_options = redis_options,
                              .sql = *server.sql,
                              .clock = server.clock,
                              .metrics = server.metrics,
                              .authenticator = *server.authenticator,
                              .ready_log = server.ready_log,
                              .shutting_down = server.shutting_down,
                              .openapi = server.openapi};
  std::vector<http::HttpThread> http_threads;
  for (auto const& loop : server.loops) {
    auto& thread =
        server.threads.emplace_back(std::make_unique<ServerThread>(*loop, context, server.systems));
    http_threads.push_back(thread->http());
  }
  server.http.emplace(http_options(config), apis, server.metrics, http_threads);
}

// Redis has lost something. What the others still have in it is saved, as far as possible.
Task<void> save_and_refuse(Systems const& systems, std::string why) {
  events::UnsavedEvents unsaved;
  for (auto const& system : systems) {
    try {
      unsaved.add(co_await system->save_events());
    } catch (std::exception const& error) {
      log::error("events of a system were not brought to SQL",
                 {{"system", system->name()}, {"why", error.what()}});
      unsaved.waiting.push_back(fmt::format("those of {}", system->name()));
    }
  }
  throw LostRedisError(events::refusal_after_saving(why, unsaved));
}

Task<void> save_waiting_events(Systems const& systems) {
  for (auto const& system : systems) co_await system->save_events();
}

Task<void> refuse_lost_stores(Systems const& systems) {
  std::string why;
  for (auto const& system : systems) {
    try {
      co_await system->check_stores();
    } catch (LostRedisError const& error) {
      if (why.empty()) why = error.what();
    }
  }
  if (!why.empty()) co_await save_and_refuse(systems, std::move(why));
}

// If a system cannot start, leave at once, so that a rebuild need not wait until this server is forgotten.
void start_background(Running& server) {
  server.service.status("starting the systems");
  auto& presence = server.presence.emplace(server.background.io, *server.redis);
  server.background.run(presence.enter());
  try {
    server.background.run(refuse_lost_stores(server.systems));
    for (auto const& system : server.systems) server.background.run(system->start());
  } catch (...) {
    server.background.run(presence.leave());
    throw;
  }
  server.background.run([](presence::ClockWatch& watch) -> Task<void> {
    watch.start();
    co_return;
  }(*server.clock_watch));
  asio::co_spawn(server.background.io, server.keys->keep_fresh(), asio::detached);
}

Task<void> keep_last_uses(accounts::ServiceKeys& keys) {
  try {
    co_await keys.write_uses();
  } catch (StoreError const& error) {
    log::warn("when service keys were last used is not written", {{"why", error.what()}});
  }
}

void stop_background(Running& server) {
  for (auto const& system : server.systems | std::views::reverse) server.background.run(system->stop());
  server.background.run(server.presence->leave());
  server.background.run(server.clock_watch->leave());
  server.background.run(keep_last_uses(*server.keys));
}

// Every sign of life needs a turn of each io thread.
void start_watchdog(Running& server) {
  std::vector<asio::io_context*> loops;
  for (auto const& loop : server.loops) loops.push_back(&loop->io);
  asio::co_spawn(server.background.io, ping_while_alive(server.service, std::move(loops)), asio::detached);
}

bool is_one_file(int a, int b) {
  struct stat first{}, second{};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// Lines for people would break JSON that a program reads.
bool is_for_programs(Config const& config) {
  if (!log::writes_json()) return false;
  return config.log.format == "json" || is_one_file(STDOUT_FILENO, STDERR_FILENO);
}

void announce(Config const& config, std::string const& address, std::string const& admin_key) {
  auto const documentation = fmt::format("{}/docs", address);
  if (!is_for_programs(config)) {
    fmt::print("larder {} answers on {}\n", version, address);
    fmt::print("  admin key: {}\n  documentation: {}\n", admin_key, documentation);
    std::fflush(stdout);
  }
  log::info("started", {{"version", version},
                        {"address", address},
                        {"admin_key", admin_key},
                        {"documentation", documentation}});
}

}  // namespace

void check_config(Config const& config, Systems const& systems) {
  redis::parse_url(config.redis.url);
  sql::parse_url(config.sql_url());
  http::parse_listen(config.server.listen);
  for (auto const& system : systems) system->check(config);
}

void migrate_all(sql::Database& sql, Config const& config, Systems const& systems) {
  auto const unusable = [&](std::exception const& error) {
    return SetupError(
        fmt::format("the SQL database {} cannot be used: {}", redact_url(config.sql_url()), error.what()));
  };
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (bool told = false;;) {
    try {
      accounts::migrate_accounts(sql);
      events::migrate_positions(sql);
      for (auto const& system : systems) system->migrate(sql);
      return;
    } catch (UnusableError const& error) {
      throw unusable(error);
    } catch (sql::StatementError const& error) {
      throw unusable(error);
    } catch (StoreError const& error) {
      if (std::chrono::steady_clock::now() > deadline) {
        throw unusable(error);
      }
      if (!std::exchange(told, true)) log::warn("waiting for the SQL database", {{"why", error.what()}});
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
}

void serve(Config const& config, Systems systems) {
  auto const service = ServiceManager::from_environment();
  check_config(config, systems);
  static Shutdown shutdown;  // blocks the signals before any other thread exists, and outlives all threads
  DataDir const data_dir(config.data);
  auto place = redis::main_place(config);
  if (place.url.embedded) service.status("starting redis-server");
  auto embedded = redis::start_if_embedded(place, data_dir);
  auto const redis_options = redis::client_options(config, place.url);

  Running server(config, std::move(systems), service);
  server.embedded = std::move(embedded);
  load(server, config, data_dir, redis_options);
  prepare_http(server, config, redis_options);
  start_background(server);
  server.http->start();
  auto const address = address_text(server.http->endpoint());
  announce(config, address, server.admin_key);
  service.ready(fmt::format("answers on {}", address));
  start_watchdog(server);

  shutdown.wait();
  log::info("stopping");
  service.stopping();
  server.shutting_down = true;
  server.http->stop_accepting();
  if (!server.http->drain(limits::drain_ms)) log::warn("some requests were cut off");
  stop_background(server);
  server.end_threads();
  for (auto const& system : server.systems | std::views::reverse) system->close();
  if (server.embedded) server.embedded->stop();
  log::info("stopped");
  log::flush();
}

void try_out(Config const& config, Systems systems, std::function<void()> const& look) {
  check_config(config, systems);
  DataDir const data_dir(config.data);
  auto place = redis::main_place(config);
  auto embedded = redis::start_if_embedded(place, data_dir);
  Running server(config, std::move(systems), ServiceManager());
  server.embedded = std::move(embedded);
  load(server, config, data_dir, redis::client_options(config, place.url));
  auto& presence = server.presence.emplace(server.background.io, *server.redis);
  server.background.run(presence.enter());
  auto const leave = [&] {
    server.background.run(presence.leave());
    server.background.run(server.clock_watch->leave());
  };
  try {
    server.background.run(refuse_lost_stores(server.systems));
    server.background.run(save_waiting_events(server.systems));
    look();
  } catch (...) {
    leave();
    throw;
  }
  leave();
  server.end_threads();
  for (auto const& system : server.systems | std::views::reverse) system->close();
  server.embedded->stop();
}

}  // namespace larder
