#include "systems/cache/embedded_cache.hpp"

namespace larder::cache {

namespace {

std::optional<DataDir> take_data_dir(EmbeddedCacheOptions const& options) {
  if (options.redis != "embedded") return std::nullopt;
  return std::optional<DataDir>(std::in_place, options.data);
}

std::optional<redis::EmbeddedRedis> start_redis(EmbeddedCacheOptions const& options,
                                                std::optional<DataDir> const& data_dir) {
  if (!data_dir) return std::nullopt;
  return std::optional<redis::EmbeddedRedis>(std::in_place,
                                             redis::EmbeddedOptions{.directory = options.data / "redis-cache",
                                                                    .fsync = "everysec",
                                                                    .memory_mb = options.memory_mb,
                                                                    .lock_fd = data_dir->lock_fd()});
}

}  // namespace

EmbeddedCache::EmbeddedCache(EmbeddedCacheOptions const& options)
    : data_dir_(take_data_dir(options)),
      redis_server_(start_redis(options, data_dir_)),
      redis_options_{.url = redis_server_ ? redis_server_->url() : redis::parse_url(options.redis),
                     .tls_ca = {}},
      redis_(io_, redis_options_, metrics_),
      work_(io_, redis_, redis_, clock_, metrics_,
            {.keys = CacheKeys(options.prefix, options.version_info), .keep = options.keep, .feed = {}}),
      cache_(redis_, work_.shared()),
      guard_(io_.get_executor()) {
  work_.start();
  thread_ = std::thread([this] { io_.run(); });
}

EmbeddedCache::~EmbeddedCache() {
  run(work_.stop());
  io_.stop();
  thread_.join();
}

}  // namespace larder::cache
