// The routes of operators as a system of the server.
#pragma once

#include "edges/api/admin/admin_api.hpp"
#include "edges/api/admin/forget_runner.hpp"

#include <memory>
#include <optional>

namespace larder::api {

class AdminSystem final : public System {
 public:
  std::string_view name() const override { return "admin"; }
  std::vector<cli::Command> commands() override;
  void migrate(sql::Database& sql) override;
  Task<void> load(Process const& process) override;
  Api api() const override;
  Part part(IoThread const& thread) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  Task<void> start() override;
  Task<void> stop() override;

  // A system whose settings and stores the routes show, and which exports and forgets users: in this order.
  // Call it before anything else.
  void know(System& system) { systems_.push_back(&system); }

 private:
  std::vector<System*> systems_;
  std::optional<Process> process_;
  Config config_;  // a copy, because its settings are bound to it
  Settings settings_;
  std::unique_ptr<StatSampler> sampler_;
  std::unique_ptr<ForgetRunner> runner_;
};

}  // namespace larder::api
