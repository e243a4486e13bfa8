// Players' accounts as a system of the server.
#pragma once

#include "edges/api/accounts/accounts_background.hpp"

#include <memory>

namespace larder::api {

class AccountsSystem final : public System {
 public:
  std::string_view name() const override { return "accounts"; }
  std::vector<cli::Command> commands() override;
  Task<void> load(Process const& process) override;
  std::vector<accounts::Scheme*> schemes() override { return {&background_->tokens()}; }
  Api api() const override;
  std::vector<std::string_view> event_types() const override;
  Part part(IoThread const& thread) override;
  SearchOf search(IoThread const& thread, Part const& part) override;
  Task<void> export_user(UserStores const& at, UserId user, privacy::ExportTo to) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  Task<void> check_stores() override { return background_->refuse_lost_redis(); }
  Task<events::UnsavedEvents> save_events() override { return background_->save_events(); }
  Task<void> start() override { return background_->start(); }
  Task<void> stop() override { return background_->stop(); }

 private:
  bool behind_proxy_ = false;
  sql::Database* sql_ = nullptr;
  std::unique_ptr<AccountsBackground> background_;
};

}  // namespace larder::api
