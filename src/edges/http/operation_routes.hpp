// Routes for operators: health, readiness, metrics, the OpenAPI document and its page.
#pragma once

#include "base/metrics.hpp"
#include "edges/http/gzip.hpp"
#include "edges/http/route.hpp"

#include <atomic>
#include <functional>

namespace larder::http {

// Asks whether one part of the server works.
struct ReadyCheck {
  std::string name;
  // Returns what is wrong and what to do, in words that everyone may read; empty: it works. If it throws, or
  // takes too long, /readyz says that it does not answer.
  std::function<Task<std::string>()> ask;
  bool only_degrades = false;  // the server does its work all the same
};

// One per io thread, because the checks use the thread's own connections.
struct Operations {
  Metrics& metrics;
  std::vector<ReadyCheck> checks;
  std::atomic<bool> const& shutting_down;
  FixedText const& openapi;  // the serialised document
};

Api operations_api();

}  // namespace larder::http
