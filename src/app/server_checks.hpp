// What /readyz says about the server itself, apart from its stores.
#pragma once

#include "base/config.hpp"
#include "base/metrics.hpp"
#include "base/time.hpp"
#include "edges/http/operation_routes.hpp"

namespace larder {

// The clock, the outboxes, the schedules, and what is dead. The arguments must outlive the checks.
std::vector<http::ReadyCheck> server_checks(Config const& config, Clock const& clock, Metrics const& metrics);

}  // namespace larder
