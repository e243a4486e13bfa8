#include "edges/api/admin/admin_system.hpp"

#include "edges/api/admin/forget_commands.hpp"
#include "edges/api/admin/server_traces.hpp"

#include <iterator>

namespace larder::api {

std::vector<cli::Command> AdminSystem::commands() { return forget_commands(systems_); }

void AdminSystem::migrate(sql::Database& sql) { privacy::migrate_privacy(sql); }

Task<void> AdminSystem::load(Process const& process) {
  process_.emplace(process);
  config_ = process.config;
  settings_ = server_settings(config_);
  redis::Redis* cache_redis = nullptr;
  for (auto* const system : systems_) {
    std::ranges::move(system->settings(), std::back_inserter(settings_));
    if (auto* const redis = system->own_redis()) cache_redis = redis;
  }
  std::ranges::move(log_settings(config_), std::back_inserter(settings_));
  sampler_ =
      std::make_unique<StatSampler>(process.io, process.metrics, process.clock, process.redis, cache_redis);
  runner_ = std::make_unique<ForgetRunner>(process, systems_);
  co_return;
}

Part AdminSystem::part(IoThread const& thread) {
  UserStores const stores{.config = process_->config,
                          .io = thread.io,
                          .redis = thread.redis,
                          .sql = process_->sql,
                          .clock = process_->clock,
                          .metrics = thread.metrics};
  return Part(std::shared_ptr<AdminDesk>(
      new AdminDesk{.sql = process_->sql,
                    .clock = process_->clock,
                    .keys = process_->keys,
                    .operators = {.rings = sampler_->rings(), .settings = settings_, .views = thread.views},
                    .stores = stores,
                    .systems = systems_}));
}

Task<std::string> AdminSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  co_await forget_server_traces(at.redis, std::move(subject.user));
  co_return std::string();
}

Task<void> AdminSystem::start() {
  sampler_->start();
  runner_->start();
  co_return;
}

Task<void> AdminSystem::stop() {
  co_await sampler_->stop();
  co_await runner_->stop();
}

Api AdminSystem::api() const {
  return {.tables = {admin_key_routes(), admin_stats_routes(), admin_job_routes(), admin_setting_routes(),
                     admin_search_routes(), admin_user_routes()},
          .tags = {{"admin",
                    "Service keys, statistics, due work, settings, search and what is kept of a user, for "
                    "operators"}}};
}

}  // namespace larder::api
