#include "stores/redis/configured.hpp"

namespace larder::redis {

Options client_options(Config const& config, Url url) {
  auto const replicas = config.redis.replicas_min >= 0 ? config.redis.replicas_min : (url.cluster ? 1 : 0);
  return {.url = std::move(url),
          .timeout = std::chrono::milliseconds(config.redis.timeout_ms),
          .replicas_min = int(replicas),
          .tls_ca = config.redis.tls_ca};
}

EmbeddedOptions embedded_options(Config const& config, DataDir const& data_dir) {
  return {.directory = config.data_path("redis"),
          .binary = config.redis.binary,
          .fsync = config.redis.fsync,
          .lock_fd = data_dir.lock_fd()};
}

}  // namespace larder::redis
