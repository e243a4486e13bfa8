#include "edges/api/cache/cache_part.hpp"

namespace larder::api {

Task<std::shared_ptr<cache::CacheStats const>> CachePart::stats() {
  while (!stats_ || std::chrono::steady_clock::now() >= stats_until_) {
    co_await counting_.run([this] { return count(); });
  }
  co_return stats_;
}

Task<void> CachePart::count() {
  auto const begin = std::chrono::steady_clock::now();
  stats_ = std::make_shared<cache::CacheStats const>(
      co_await cache::count_cache(redis, shared.setup.keys, shared.clock));
  auto const end = std::chrono::steady_clock::now();
  stats_until_ = end + 10 * (end - begin);
}

}  // namespace larder::api
