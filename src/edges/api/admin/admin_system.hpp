// The routes of operators as a system of the server.
#pragma once

#include "edges/api/admin/admin_api.hpp"

#include <memory>
#include <optional>

namespace larder::api {

class AdminSystem final : public System {
 public:
  std::string_view name() const override { return "admin"; }
  Task<void> load(Process const& process) override;
  Api api() const override;
  Part part(IoThread const& thread) override;
  Task<void> start() override;
  Task<void> stop() override;

  // The other systems, whose settings and stores the routes show. Call it before load().
  void know(System& other) { others_.push_back(&other); }

 private:
  std::optional<Process> process_;
  std::vector<System*> others_;
  Config config_;  // a copy, because its settings are bound to it
  Settings settings_;
  std::unique_ptr<StatSampler> sampler_;
};

}  // namespace larder::api
