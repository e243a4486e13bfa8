#include "app/local_redis.hpp"

namespace larder {

namespace {

// Servers wait ten seconds for SQL, which is closed to them while Redis begins a copy.
constexpr auto answer_limit = std::chrono::milliseconds(4000);

redis::Options client_of(redis::Url url) {
  return {.url = std::move(url), .timeout = answer_limit, .tls_ca = {}};
}

}  // namespace

LocalRedis::LocalRedis(Config const& config, Metrics& metrics, std::string const& name,
                       std::optional<DataDir>& data_dir)
    : directory_(std::filesystem::absolute(config.data_path(name))) {
  auto place = redis::embedded_place(config, name);
  auto const running = redis::parse_url(fmt::format("unix:{}", place.socket().string()));
  redis_.emplace(io, client_of(running), metrics);
  if (!data_dir) {
    if (std::filesystem::exists(place.socket()) && answers()) return;
    try {
      data_dir.emplace(config.data);
    } catch (SetupError const& error) {
      throw SetupError(
          fmt::format("the Redis in {} does not answer, and {}", directory_.string(), error.what()));
    }
  }
  embedded_ = redis::start_if_embedded(place, *data_dir);
  redis_.emplace(io, client_of(place.url), metrics);
}

bool LocalRedis::answers() {
  try {
    return cli::run_here(io, [](redis::Redis& redis) -> Task<bool> {
      co_await redis.ping();
      co_return true;
    }(*redis_));
  } catch (StoreError const&) {
    return false;
  }
}

}  // namespace larder
