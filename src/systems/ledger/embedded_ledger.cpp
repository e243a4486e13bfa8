#include "systems/ledger/embedded_ledger.hpp"

namespace larder::ledger {

namespace {

// The lock on the data directory, if Redis or SQLite keep their files there.
std::optional<DataDir> take_data_dir(EmbeddedLedgerOptions const& options) {
  if (options.redis != "embedded" && !options.sql.empty()) return std::nullopt;
  return std::optional<DataDir>(std::in_place, options.data);
}

std::optional<redis::EmbeddedRedis> start_redis(EmbeddedLedgerOptions const& options,
                                                DataDir const* data_dir) {
  if (options.redis != "embedded") return std::nullopt;
  return std::optional<redis::EmbeddedRedis>(
      std::in_place,
      redis::EmbeddedOptions{.directory = options.data / "redis", .lock_fd = data_dir->lock_fd()});
}

std::string sql_url(EmbeddedLedgerOptions const& options) {
  return options.sql.empty() ? "sqlite:" + (options.data / "larder.db").string() : options.sql;
}

}  // namespace

redis::Options EmbeddedLedger::redis_options(EmbeddedLedgerOptions const& options,
                                             redis::EmbeddedRedis const* embedded) {
  auto url = embedded ? embedded->url() : redis::parse_url(options.redis);
  auto const replicas = options.replicas_min >= 0 ? options.replicas_min : (url.cluster ? 1 : 0);
  return {.url = std::move(url), .replicas_min = replicas, .tls_ca = {}};
}

EmbeddedLedger::EmbeddedLedger(EmbeddedLedgerOptions const& options)
    : data_dir_(take_data_dir(options)),
      redis_server_(start_redis(options, data_dir_ ? &*data_dir_ : nullptr)),
      redis_options_(redis_options(options, redis_server_ ? &*redis_server_ : nullptr)),
      sql_(sql_url(options), 2, metrics_),
      background_redis_(background_, redis_options_, metrics_),
      redis_(requests_, redis_options_, metrics_),
      presence_(background_, background_redis_),
      clock_watch_(background_, background_redis_, clock_),
      work_(background_, background_redis_, sql_, clock_,
            {.key_format = options.key_format,
             .cluster = redis_options_.url.cluster,
             .order_shards = options.order_shards,
             .flow_tables = options.flow_tables},
            metrics_),
      ledger_(redis_, work_.shared()) {
  work_.migrate_now();
  for (auto* io : {&background_, &requests_}) {
    guards_.emplace_back(io->get_executor());
    threads_.emplace_back([io] { io->run(); });
  }
  try {
    run_in_background(clock_watch_.enter());
    run(work_.load_types());
    run_in_background(presence_.enter());
    run_in_background(work_.start());
    asio::post(background_, [this] { clock_watch_.start(); });
  } catch (...) {
    run_in_background(presence_.leave());
    run_in_background(clock_watch_.leave());
    stop_threads();
    throw;
  }
}

EmbeddedLedger::~EmbeddedLedger() {
  run_in_background(work_.stop());
  run_in_background(presence_.leave());
  run_in_background(clock_watch_.leave());
  stop_threads();
}

void EmbeddedLedger::run_in_background(Task<void> task) {
  asio::co_spawn(background_, std::move(task), asio::use_future).get();
}

void EmbeddedLedger::stop_threads() {
  for (auto* io : {&background_, &requests_}) io->stop();
  for (auto& thread : threads_) thread.join();
}

}  // namespace larder::ledger
