#include "edges/api/cache/cache_system.hpp"

#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/cache_commands.hpp"
#include "edges/api/cache/cache_operator.hpp"
#include "stores/redis/configured.hpp"
#include "stores/redis/writable.hpp"

#include <fmt/format.h>

namespace larder::api {

std::vector<cli::Command> CacheSystem::commands() { return discord_commands(values_); }

void CacheSystem::open(Config const& config, DataDir const& data_dir) {
  auto place = own_place(values_, config);
  if (!place) return;
  try {
    embedded_ = redis::start_if_embedded(*place, data_dir);
  } catch (SetupError const& error) {
    throw SetupError(
        fmt::format("the Redis of the cache: {}. If its files are damaged, delete them: what they have comes "
                    "back when the bots connect again without a resume",
                    error.what()));
  }
  own_ = cache_client_options(config, place->url);
}

// If the Redis of the cache is not available, the other systems still start.
Task<void> CacheSystem::load(Process const& process) {
  if (own_) {
    redis_ = std::make_unique<redis::Redis>(process.io, *own_, process.metrics);
    co_await redis::refuse_unusable(*redis_, "cache.redis.url", values_.redis_url);
  }
  background_ =
      std::make_unique<cache::Background>(process.io, redis_ ? *redis_ : process.redis, process.redis,
                                          process.clock, process.metrics, values_.setup());
}

std::vector<DueSets> CacheSystem::due_sets(IoThread const& /*thread*/, Part const& part) {
  return cache_due_sets(part.as<CachePart>());
}

SearchOf CacheSystem::search(IoThread const& /*thread*/, Part const& part) {
  return cache_search(part.as<CachePart>());
}

Api CacheSystem::api() const {
  return {.tables = {discord_event_routes(), discord_object_routes(), discord_list_routes(),
                     discord_lookup_routes(), discord_write_routes(), discord_care_routes()},
          .tags = {{"discord", "A cache of Discord's objects: events go in, whole objects come out"}}};
}

Part CacheSystem::part(IoThread const& thread) {
  return Part(std::make_shared<CachePart>(thread, own_, background_->shared(), values_.prefix));
}

std::vector<ReadyCheck> CacheSystem::checks(Part const& part) {
  if (!own_) return {};
  auto& redis = part.as<CachePart>().redis;
  return {{"cache_redis", [&redis] { return redis::problem_of_writes(redis); }}};
}

Task<void> CacheSystem::start() {
  background_->start();
  co_return;
}

void CacheSystem::close() {
  if (embedded_) embedded_->stop();
}

}  // namespace larder::api
