#include "app/server.hpp"

#include "app/economy_commands.hpp"
#include "app/services.hpp"
#include "app/shutdown.hpp"
#include "base/data_dir.hpp"
#include "base/log.hpp"
#include "edges/http/all_routes.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/ledger_api.hpp"
#include "edges/http/openapi.hpp"
#include "edges/http/rate_limit.hpp"
#include "edges/http/server.hpp"
#include "kit/accounts/accounts_schema.hpp"
#include "kit/accounts/service_keys.hpp"
#include "stores/redis/embedded.hpp"
#include "stores/sql/sql_url.hpp"
#include "systems/economy/economy_service.hpp"
#include "systems/ledger/ledger_service.hpp"
#include "systems/messages/messages_service.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace larder {

namespace {

ledger::ServiceOptions ledger_options(Config const& config, bool cluster) {
  return {.key_format = config.ledger.key_format,
          .cluster = cluster,
          .order_shards = config.ledger.order_shards,
          .flow_tables = config.ledger.flow_tables};
}

economy::CataloguePtr catalogue_of(Config const& config) {
  return config.economy.catalogue.empty() ? economy::ajo_catalogue()
                                          : read_catalogue_file(config.economy.catalogue);
}

std::optional<limiter::Rule> rate_rule(Config const& config) {
  if (config.server.rate_tokens == 0) return std::nullopt;
  return limiter::Rule{.tokens = config.server.rate_tokens,
                       .seconds = config.server.rate_seconds,
                       .refill = limiter::Refill::continuous};
}

// A thread that runs one io_context until it is stopped.
class IoThread {
 public:
  IoThread() : work_(io.get_executor()), thread_([this] { io.run(); }) {}
  ~IoThread() { stop(); }
  IoThread(IoThread const&) = delete;
  IoThread& operator=(IoThread const&) = delete;

  void stop() {
    io.stop();
    if (thread_.joinable()) thread_.join();
  }

  asio::io_context io{1};

 private:
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

class KeyAuthenticator final : public Authenticator {
 public:
  explicit KeyAuthenticator(ServiceKeys& keys) : keys_(keys) {}
  Task<Result<Caller>> authenticate(std::string_view authorization) override {
    return keys_.authenticate(authorization);
  }

 private:
  ServiceKeys& keys_;
};

// Everything that one io thread has to itself.
struct ThreadParts {
  ThreadParts(asio::io_context& io, redis::Options const& options, ledger::Shared& ledger_shared,
              economy::Shared& economy_shared, bool allow_seed, messages::Shared& messages_shared, Sql& sql,
              ServiceKeys& keys, Metrics& metrics, std::atomic<bool> const& shutting_down,
              std::string const& openapi)
      : redis(io, options, metrics),
        ledger(redis, ledger_shared),
        economy(redis, economy_shared),
        economy_edge{.economy = economy, .allow_seed = allow_seed},
        messages(redis, messages_shared),
        operations{
            .metrics = metrics,
            .checks = {{"redis", [this] { return redis.ping(); }}, {"sql", [&sql] { return sql.ping(); }}},
            .shutting_down = shutting_down,
            .openapi = openapi},
        authenticator(keys),
        events(io, redis, authenticator, metrics),
        services{.ledger = ledger,
                 .economy = economy_edge,
                 .messages = messages,
                 .operations = operations,
                 .events = events},
        idempotency(redis) {}

  redis::Redis redis;
  ledger::Ledger ledger;
  economy::Economy economy;
  EconomyEdge economy_edge;
  messages::Messages messages;
  Operations operations;
  KeyAuthenticator authenticator;
  EventStreams events;
  Services services;
  Idempotency idempotency;
  std::optional<RateLimit> rate_limit;
};

void write_secret(std::filesystem::path const& file, std::string const& text) {
  std::filesystem::remove(file);  // an older one may be readable by others
  int const fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  auto const line = text + "\n";
  bool const written =
      fd >= 0 && ::write(fd, line.data(), line.size()) == ssize_t(line.size()) && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  if (!written) throw SetupError(fmt::format("cannot write {}", file.string()));
}

// The token is on disk before the key is valid, and gets its name afterwards: whenever the server dies, the
// next start either finds it or makes another.
void keep_admin_key(Sql& sql, TimeMs now, std::filesystem::path const& file) {
  auto const draft = std::filesystem::path(file).concat(".new");
  create_admin_key_if_none(sql, now, [&](NewServiceKey const& key) { write_secret(draft, key.token); });
  if (std::filesystem::exists(draft)) std::filesystem::rename(draft, file);
}

// As many files and sockets as the system lets us have, some of them kept for Redis, SQL and logs.
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

// The embedded Redis is set up by us; of another we can only say what it should be.
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
      log::warn("whether Redis keeps what is acknowledged could not be checked", {{"why", error.what()}});
      co_return;
    }
  }
}

// The key is shown to nobody but the server that made it.
std::string admin_key_hint(std::filesystem::path const& file) {
  if (std::filesystem::exists(file)) return file.string();
  return "not here; `larder key create --name NAME --scope admin` makes one";
}

// Runs a coroutine on an io thread and waits for it here.
void run_on(asio::io_context& io, Task<void> task) {
  asio::co_spawn(io, std::move(task), asio::use_future).get();
}

std::string address_text(asio::ip::tcp::endpoint const& endpoint) {
  auto const host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("http://[{}]:{}", host, endpoint.port())
                                    : fmt::format("http://{}:{}", host, endpoint.port());
}

}  // namespace

redis::Options redis_options(Config const& config, redis::Url url) {
  auto const replicas = config.redis.replicas_min >= 0 ? config.redis.replicas_min : (url.cluster ? 1 : 0);
  return {.url = std::move(url),
          .timeout = std::chrono::milliseconds(config.redis.timeout_ms),
          .replicas_min = int(replicas),
          .tls_ca = config.redis.tls_ca};
}

ledger::Ledger& ledger_of(Services& services) { return services.ledger; }
EconomyEdge& economy_of(Services& services) { return services.economy; }
messages::Messages& messages_of(Services& services) { return services.messages; }
Operations& operations_of(Services& services) { return services.operations; }
EventStreams& event_streams_of(Services& services) { return services.events; }

void check_config(Config const& config) {
  auto const redis_url = redis::parse_url(config.redis.url);
  parse_sql_url(config.sql_url());
  parse_listen(config.server.listen);
  ledger::Keys(config.ledger.key_format, redis_url.cluster);
  catalogue_of(config);
}

void migrate_all(Sql& sql, Config const& config) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (bool told = false;;) {
    try {
      migrate_accounts(sql);
      ledger::Journal(sql, config.ledger.flow_tables).migrate_now();
      economy::EconomyJournal(sql).migrate_now();
      messages::MessageTable(sql).migrate_now();
      return;
    } catch (StoreError const& error) {
      if (std::chrono::steady_clock::now() > deadline) {
        throw SetupError(fmt::format("the SQL database {} cannot be used: {}", redact_url(config.sql_url()),
                                     error.what()));
      }
      if (!std::exchange(told, true)) log::warn("waiting for the SQL database", {{"why", error.what()}});
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
}

void serve(Config const& config) {
  check_config(config);
  static Shutdown shutdown;  // blocks the signals before any other thread exists, and outlives them all
  SystemClock clock;
  Metrics metrics;
  DataDir const data_dir(config.data);

  std::optional<redis::EmbeddedRedis> embedded;
  auto url = redis::parse_url(config.redis.url);
  if (url.embedded) {
    embedded.emplace(redis::EmbeddedOptions{.directory = config.data_path("redis"),
                                            .binary = config.redis.binary,
                                            .fsync = config.redis.fsync,
                                            .lock_fd = data_dir.lock_fd()});
    url = embedded->url();
  }
  auto const options = redis_options(config, std::move(url));

  IoThread background;
  auto const thread_count = config.server.threads > 0 ? std::size_t(config.server.threads)
                                                      : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<IoThread>> threads;
  for (std::size_t i = 0; i < thread_count; ++i) threads.push_back(std::make_unique<IoThread>());

  Sql sql(config.sql_url(), int(config.sql.connections), metrics);
  migrate_all(sql, config);
  auto const admin_key_file = config.data_path("admin.key");
  keep_admin_key(sql, clock.now(), admin_key_file);
  ServiceKeys keys(sql, clock);
  run_on(background.io, keys.refresh());

  redis::Redis background_redis(background.io, options, metrics);
  ledger::Service ledger(background.io, background_redis, sql, clock,
                         ledger_options(config, options.url.cluster), metrics);
  run_on(background.io, ledger.load_types());
  economy::Service economy(background.io, background_redis, sql, clock,
                           {.catalogue = catalogue_of(config), .stream_events = config.economy.stream_events},
                           metrics);
  messages::Service messages(background.io, background_redis, sql, clock, metrics);
  if (!embedded) run_on(background.io, warn_of_forgetful_redis(background_redis));

  auto const tables = all_routes();
  auto const openapi = json::serialize(make_openapi(tables, {.version = version}));
  std::atomic<bool> shutting_down = false;
  std::vector<std::unique_ptr<ThreadParts>> parts;
  std::vector<HttpThread> http_threads;
  http_threads.reserve(threads.size());
  for (auto& thread : threads) {
    parts.push_back(std::make_unique<ThreadParts>(thread->io, options, ledger.shared(), economy.shared(),
                                                  config.economy.allow_seed, messages.shared(), sql, keys,
                                                  metrics, shutting_down, openapi));
    if (auto const rule = rate_rule(config))
      parts.back()->rate_limit.emplace(parts.back()->redis, clock, *rule);
    http_threads.push_back({.io = thread->io,
                            .services = parts.back()->services,
                            .authenticator = parts.back()->authenticator,
                            .idempotency = &parts.back()->idempotency,
                            .rate_limit = parts.back()->rate_limit ? &*parts.back()->rate_limit : nullptr});
  }
  HttpServer http({.listen = parse_listen(config.server.listen),
                   .connections_max = connection_limit(config.server.connections_max),
                   .metrics_public = config.server.metrics_public,
                   .cors_origin = config.server.cors_origin,
                   .access_log = config.server.access_log},
                  tables, metrics, http_threads);

  run_on(background.io, ledger.start());
  run_on(background.io, economy.start());
  messages.start();
  asio::co_spawn(background.io, keys.keep_fresh(), asio::detached);
  http.start();
  fmt::print("larder {} answers on {}\n", version, address_text(http.endpoint()));
  fmt::print("  admin key: {}\n  documentation: {}/docs\n", admin_key_hint(admin_key_file),
             address_text(http.endpoint()));
  std::fflush(stdout);
  log::info("started", {{"version", version}, {"address", address_text(http.endpoint())}});

  shutdown.wait();
  log::info("stopping");
  shutting_down = true;
  http.stop_accepting();
  if (!http.drain(limits::drain_ms)) log::warn("some requests were cut off");
  run_on(background.io, messages.stop());
  run_on(background.io, economy.stop());
  run_on(background.io, ledger.stop());
  for (auto& thread : threads) thread->stop();
  background.stop();
  if (embedded) embedded->stop();
  log::info("stopped");
  log::flush();
}

}  // namespace larder
