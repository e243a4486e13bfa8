// The economy as a system of the server.
#pragma once

#include "edges/api/system.hpp"
#include "systems/economy/economy_background.hpp"

#include <memory>

namespace larder::api {

class EconomySystem final : public System {
 public:
  std::string_view name() const override { return "economy"; }
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
  economy::CataloguePtr catalogue() const;

  std::string catalogue_file_;           // empty: the shipped catalogue
  std::int64_t stream_events_ = 10'000;  // how many stay in a stream after they are in SQL
  bool allow_seed_ = false;
  std::unique_ptr<economy::Background> background_;
};

}  // namespace larder::api
