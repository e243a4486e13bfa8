#include "edges/api/admin/admin_system.hpp"

#include "edges/api/admin/forget_commands.hpp"
#include "edges/api/admin/server_traces.hpp"

namespace larder::api {

std::vector<cli::Command> AdminSystem::commands() { return forget_commands(systems_); }

void AdminSystem::migrate(sql::Database& sql) { privacy::migrate_privacy(sql); }

Task<void> AdminSystem::load(Process const& process) {
  process_.emplace(process);
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
  return Part(std::shared_ptr<AdminDesk>(new AdminDesk{.sql = process_->sql,
                                                       .clock = process_->clock,
                                                       .keys = process_->keys,
                                                       .stores = stores,
                                                       .systems = systems_}));
}

Task<std::string> AdminSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  co_await forget_server_traces(at.redis, std::move(subject.user));
  co_return std::string();
}

Task<void> AdminSystem::start() {
  runner_->start();
  co_return;
}

Task<void> AdminSystem::stop() { return runner_->stop(); }

Api AdminSystem::api() const {
  return {.tables = {admin_key_routes(), admin_user_routes()},
          .tags = {{"admin", "Service keys: who may call what, and for how long; what is kept of a user"}}};
}

}  // namespace larder::api
