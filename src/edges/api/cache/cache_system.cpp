#include "edges/api/cache/cache_system.hpp"

#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/cache_commands.hpp"
#include "edges/api/cache/cache_operator.hpp"
#include "kit/events/privacy/aof.hpp"
#include "stores/redis/configured.hpp"
#include "stores/redis/writable.hpp"
#include "systems/cache/cache_privacy.hpp"

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

// The options of the Redis that only the cache uses. A command has not opened it, so it must be running.
std::optional<redis::Options> CacheSystem::own_redis_options(Config const& config) const {
  if (own_) return own_;
  auto const place = own_place(values_, config);
  if (!place) return std::nullopt;
  if (!place->url.embedded) return cache_client_options(config, place->url);
  if (!std::filesystem::exists(place->socket()))
    throw SetupError("the Redis of the cache is not running; start the server");
  return cache_client_options(config, redis::parse_url(fmt::format("unix:{}", place->socket().string())));
}

Task<void> CacheSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  std::optional<redis::Redis> own;
  if (auto const options = own_redis_options(at.config)) own.emplace(at.io, *options, at.metrics);
  co_await cache::export_user(own ? *own : at.redis, values_.setup(), std::move(user), std::move(to));
}

Task<std::string> CacheSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  std::optional<redis::Redis> own;
  if (auto const options = own_redis_options(at.config)) own.emplace(at.io, *options, at.metrics);
  co_return co_await cache::forget_user(own ? *own : at.redis, values_.setup(), at.clock,
                                        std::move(subject.user));
}

Task<void> CacheSystem::clean_files(TaskGroup& tasks) {
  if (embedded_) co_await privacy::rewrite_aof(*redis_, tasks);
}

void CacheSystem::close() {
  if (embedded_) embedded_->stop();
}

}  // namespace larder::api
