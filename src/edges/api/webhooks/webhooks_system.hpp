// Webhooks as a system of the server.
#pragma once

#include "edges/api/system.hpp"
#include "systems/webhooks/webhooks_background.hpp"

#include <memory>
#include <set>

namespace larder::api {

class WebhooksSystem final : public System {
 public:
  std::string_view name() const override { return "webhooks"; }
  Settings settings() override;
  void check(Config const& config) const override;
  void migrate(sql::Database& sql) override;
  Task<void> load(Process const& process) override;
  Api api() const override;
  Part part(IoThread const& thread) override;
  Task<void> export_user(UserStores const& at, UserId user, privacy::ExportTo to) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  Task<void> start() override;
  Task<void> stop() override { return background_->stop(); }

  // Webhooks can ask for these types of events. Call it before the server listens.
  void know(std::vector<std::string_view> const& types) { types_.insert(types.begin(), types.end()); }

 private:
  std::string allow_;   // hosts, addresses and blocks, separated by commas
  std::string tls_ca_;  // empty: the system's certificates
  std::int64_t waiting_max_ = 50'000;
  std::set<std::string_view> types_;
  std::unique_ptr<webhooks::Background> background_;
};

}  // namespace larder::api
