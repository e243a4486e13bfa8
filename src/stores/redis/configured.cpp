#include "stores/redis/configured.hpp"

#include "base/error.hpp"
#include "base/settings.hpp"

#include <fmt/format.h>

namespace larder::redis {

Options client_options(Config const& config, Url url) {
  auto const replicas = config.redis.replicas_min >= 0 ? config.redis.replicas_min : (url.cluster ? 1 : 0);
  return {.url = std::move(url),
          .timeout = std::chrono::milliseconds(config.redis.timeout_ms),
          .replicas_min = int(replicas),
          .tls_ca = config.redis.tls_ca};
}

Place main_place(Config const& config) {
  auto place = embedded_place(config, "redis");
  place.url = parse_url(config.redis.url);
  return place;
}

Place embedded_place(Config const& config, std::string_view directory) {
  return {.url = parse_url("embedded"),
          .options = {.directory = config.data_path(directory),
                      .binary = config.redis.binary,
                      .fsync = config.redis.fsync}};
}

std::unique_ptr<EmbeddedRedis> start_if_embedded(Place& place, DataDir const& data_dir) {
  if (!place.url.embedded) return nullptr;
  place.options.lock_fd = data_dir.lock_fd();
  auto embedded = std::make_unique<EmbeddedRedis>(place.options);
  place.url = embedded->url();
  return embedded;
}

Task<void> refuse_unusable(Redis& redis, std::string_view setting, std::string url) {
  try {
    co_await redis.ping();
  } catch (UnusableError const& error) {
    throw SetupError(fmt::format("{} {} cannot be used: {}", setting, redact_url(url), error.what()));
  } catch (StoreError const&) {
    co_return;
  }
}

}  // namespace larder::redis
