#include "edges/api/admin/admin_system.hpp"

#include <iterator>

namespace larder::api {

Task<void> AdminSystem::load(Process const& process) {
  process_.emplace(process);
  config_ = process.config;
  settings_ = server_settings(config_);
  redis::Redis* cache_redis = nullptr;
  for (auto* const other : others_) {
    std::ranges::move(other->settings(), std::back_inserter(settings_));
    if (auto* const redis = other->own_redis()) cache_redis = redis;
  }
  std::ranges::move(log_settings(config_), std::back_inserter(settings_));
  sampler_ =
      std::make_unique<StatSampler>(process.io, process.metrics, process.clock, process.redis, cache_redis);
  co_return;
}

Part AdminSystem::part(IoThread const& thread) {
  return Part(std::shared_ptr<AdminDesk>(new AdminDesk{
      .sql = process_->sql,
      .clock = process_->clock,
      .keys = process_->keys,
      .operators = {.rings = sampler_->rings(), .settings = settings_, .views = thread.views}}));
}

Task<void> AdminSystem::start() {
  sampler_->start();
  co_return;
}

Task<void> AdminSystem::stop() { co_await sampler_->stop(); }

Api AdminSystem::api() const {
  return {.tables = {admin_key_routes(), admin_stats_routes(), admin_job_routes(), admin_setting_routes(),
                     admin_search_routes()},
          .tags = {{"admin", "Service keys, statistics, due work, settings and search, for operators"}}};
}

}  // namespace larder::api
