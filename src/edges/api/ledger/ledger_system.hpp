// The ledger as a system of the server.
#pragma once

#include "edges/api/system.hpp"
#include "systems/ledger/ledger_background.hpp"

#include <memory>

namespace larder::api {

class LedgerSystem final : public System {
 public:
  struct Values {
    // Empty: {<uid>}:<domain>:<score_type>, or on a cluster {<bucket>}:<uid>:<domain>:<score_type>.
    std::string key_format;
    std::int64_t order_shards = 16;
    std::int64_t flow_tables = 2;
  };

  std::string_view name() const override { return "ledger"; }
  Settings settings() override;
  void check(Config const& config) const override;
  std::vector<cli::Command> commands() override;
  void migrate(sql::Database& sql) override;
  Task<void> load(Process const& process) override;
  Api api() const override;
  std::vector<std::string_view> event_types() const override;
  Part part(IoThread const& thread) override;
  std::vector<DueSets> due_sets(IoThread const& thread, Part const& part) override;
  SearchOf search(IoThread const& thread, Part const& part) override;
  Task<void> export_user(UserStores const& at, UserId user, privacy::ExportTo to) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  Task<void> check_stores() override { return background_->refuse_lost_redis(); }
  Task<events::UnsavedEvents> save_events() override { return background_->save_events(); }
  Task<void> start() override { return background_->start(); }
  Task<void> stop() override { return background_->stop(); }

 private:
  Values values_;
  std::unique_ptr<ledger::Background> background_;
};

}  // namespace larder::api
