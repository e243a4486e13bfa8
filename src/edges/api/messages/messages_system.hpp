// Messages as a system of the server.
#pragma once

#include "edges/api/system.hpp"
#include "systems/messages/messages_background.hpp"

#include <memory>

namespace larder::api {

class MessagesSystem final : public System {
 public:
  std::string_view name() const override { return "messages"; }
  void migrate(sql::Database& sql) override;
  Task<void> load(Process const& process) override;
  Api api() const override;
  std::vector<std::string_view> event_types() const override;
  Part part(IoThread const& thread) override;
  SearchOf search(IoThread const& thread, Part const& part) override;
  Task<void> export_user(UserStores const& at, UserId user, privacy::ExportTo to) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  void drop_memory() override { background_->shared().cache.clear(); }
  Task<void> start() override;
  Task<void> stop() override { return background_->stop(); }

 private:
  std::unique_ptr<messages::Background> background_;
};

}  // namespace larder::api
