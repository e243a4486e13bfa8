// What the handlers of the cache work with on one io thread.
#pragma once

#include "base/single_flight.hpp"
#include "edges/api/system.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/maintenance.hpp"

#include <memory>
#include <optional>

namespace larder::api {

class CachePart {
  std::unique_ptr<redis::Redis> own_;  // made before the members that refer to it

 public:
  // `own`: the Redis that only the cache uses. Without it, the cache uses the Redis of the thread.
  CachePart(IoThread const& thread, std::optional<redis::Options> const& own,
            cache::CacheShared const& shared_by_threads, std::string prefix)
      : own_(own ? std::make_unique<redis::Redis>(thread.io, *own, thread.metrics) : nullptr),
        redis(own_ ? *own_ : thread.redis),
        shared(shared_by_threads),
        cache(redis, shared),
        prefix_(std::move(prefix)) {}

  redis::Redis& redis;
  cache::CacheShared const& shared;
  cache::Cache cache;

  std::string const& prefix() const { return prefix_; }
  // Counts the objects, or returns the last count: a count is used again for ten times as long as it took.
  Task<std::shared_ptr<cache::CacheStats const>> stats();

 private:
  Task<void> count();

  std::string prefix_;
  SingleFlight counting_;
  std::shared_ptr<cache::CacheStats const> stats_;
  std::chrono::steady_clock::time_point stats_until_;
};

}  // namespace larder::api
