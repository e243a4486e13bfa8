// What the routes for looking around work with on one io thread: statistics, due work, settings and search.
#pragma once

#include "base/settings.hpp"
#include "edges/api/admin/server_stats.hpp"
#include "edges/api/system.hpp"

namespace larder::api {

struct OperatorDesk {
  StatRings const& rings;
  Settings const& settings;
  std::shared_ptr<OperatorViews const> views;
};

std::span<Route const> admin_stats_routes();
std::span<Route const> admin_job_routes();
std::span<Route const> admin_setting_routes();
std::span<Route const> admin_search_routes();

}  // namespace larder::api
