// The Discord cache as a system of the server.
#pragma once

#include "edges/api/cache/cache_settings.hpp"
#include "edges/api/system.hpp"
#include "systems/cache/cache_background.hpp"

#include <memory>

namespace larder::api {

class CacheSystem final : public System {
 public:
  std::string_view name() const override { return "cache"; }
  Settings settings() override { return cache_settings(values_); }
  std::vector<cli::Command> commands() override;
  void check(Config const& config) const override { check_cache_values(values_, config); }
  void open(Config const& config, DataDir const& data_dir) override;
  Task<void> load(Process const& process) override;
  Api api() const override;
  Part part(IoThread const& thread) override;
  std::vector<DueSets> due_sets(IoThread const& thread, Part const& part) override;
  SearchOf search(IoThread const& thread, Part const& part) override;
  std::vector<ReadyCheck> checks(Part const& part) override;
  redis::Redis* own_redis() override { return redis_.get(); }
  Task<void> export_user(UserStores const& at, UserId user, privacy::ExportTo to) override;
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;
  Task<void> clean_files(TaskGroup& tasks) override;
  Task<void> start() override;
  Task<void> stop() override { return background_->stop(); }
  void close() override;

 private:
  std::optional<redis::Options> own_redis_options(Config const& config) const;

  CacheValues values_;
  std::unique_ptr<redis::EmbeddedRedis> embedded_;  // if the cache has an embedded Redis of its own
  std::optional<redis::Options> own_;               // none: the cache uses the Redis that all systems share
  std::unique_ptr<redis::Redis> redis_;             // of the background thread, if the cache has its own
  std::unique_ptr<cache::Background> background_;
};

}  // namespace larder::api
