#include "kit/presence/embedded/host.hpp"

namespace larder::embedded {

namespace {

// The lock on the data directory, if Redis or SQLite keep their files there.
std::optional<DataDir> take_data_dir(HostOptions const& options) {
  if (options.redis != "embedded" && !options.sql.empty()) return std::nullopt;
  return std::optional<DataDir>(std::in_place, options.data);
}

std::optional<redis::EmbeddedRedis> start_redis(HostOptions const& options,
                                                std::optional<DataDir> const& data_dir) {
  if (options.redis != "embedded") return std::nullopt;
  return std::optional<redis::EmbeddedRedis>(
      std::in_place,
      redis::EmbeddedOptions{.directory = options.data / "redis", .lock_fd = data_dir->lock_fd()});
}

redis::Options make_redis_options(HostOptions const& options,
                                  std::optional<redis::EmbeddedRedis> const& server) {
  auto url = server ? server->url() : redis::parse_url(options.redis);
  auto const replicas = options.replicas_min >= 0 ? options.replicas_min : (url.cluster ? 1 : 0);
  return {.url = std::move(url), .replicas_min = replicas, .tls_ca = {}};
}

std::string sql_url(HostOptions const& options) {
  return options.sql.empty() ? "sqlite:" + (options.data / "larder.db").string() : options.sql;
}

}  // namespace

Host::Host(HostOptions const& options)
    : data_dir_(take_data_dir(options)),
      redis_server_(start_redis(options, data_dir_)),
      redis_options_(make_redis_options(options, redis_server_)),
      sql_(sql_url(options), 2, metrics_),
      background_redis_(background_, redis_options_, metrics_),
      redis_(requests_, redis_options_, metrics_),
      presence_(background_, background_redis_),
      clock_watch_(background_, background_redis_, clock_) {}

void Host::start(std::function<Task<void>()> const& load, std::function<Task<void>()> const& start) {
  for (auto* io : {&background_, &requests_}) {
    guards_.emplace_back(io->get_executor());
    threads_.emplace_back([io] { io->run(); });
  }
  try {
    run_in_background(clock_watch_.enter());
    run_in_background(load());
    run_in_background(presence_.enter());
    run_in_background(start());
    asio::post(background_, [this] { clock_watch_.start(); });
  } catch (...) {
    run_in_background(presence_.leave());
    run_in_background(clock_watch_.leave());
    stop_threads();
    throw;
  }
}

void Host::stop(Task<void> stop) {
  run_in_background(std::move(stop));
  run_in_background(presence_.leave());
  run_in_background(clock_watch_.leave());
  stop_threads();
}

void Host::run_in_background(Task<void> task) {
  asio::co_spawn(background_, std::move(task), asio::use_future).get();
}

void Host::stop_threads() {
  for (auto* io : {&background_, &requests_}) io->stop();
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace larder::embedded
