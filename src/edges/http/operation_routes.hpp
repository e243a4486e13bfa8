// Routes for operators: health, readiness, metrics, the OpenAPI document and its page.
#pragma once

#include "base/metrics.hpp"
#include "edges/http/route.hpp"

#include <atomic>
#include <functional>

namespace larder::http {

// Asks one dependency whether it works. Throws if it does not.
struct ReadyCheck {
  std::string name;
  std::function<Task<void>()> ask;
};

// One per io thread, because the checks use the thread's own connections.
struct Operations {
  Metrics& metrics;
  std::vector<ReadyCheck> checks;
  std::atomic<bool> const& shutting_down;
  std::string const& openapi;  // the serialised document
};

Api operations_api();

}  // namespace larder::http
