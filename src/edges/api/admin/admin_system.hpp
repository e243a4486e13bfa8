// The routes of operators as a system of the server.
#pragma once

#include "edges/api/admin/admin_api.hpp"

#include <optional>

namespace larder::api {

class AdminSystem final : public System {
 public:
  std::string_view name() const override { return "admin"; }
  Task<void> load(Process const& process) override;
  Api api() const override;
  Part part(IoThread const& thread) override;

 private:
  std::optional<Process> process_;
};

}  // namespace larder::api
