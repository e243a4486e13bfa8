#include "edges/api/admin/admin_system.hpp"

#include <memory>

namespace larder::api {

Task<void> AdminSystem::load(Process const& process) {
  process_.emplace(process);
  co_return;
}

Part AdminSystem::part(IoThread const& /*thread*/) {
  return Part(std::shared_ptr<AdminDesk>(
      new AdminDesk{.sql = process_->sql, .clock = process_->clock, .keys = process_->keys}));
}

Api AdminSystem::api() const {
  return {.tables = {admin_key_routes()},
          .tags = {{"admin", "Service keys: who may call what, and for how long"}}};
}

}  // namespace larder::api
