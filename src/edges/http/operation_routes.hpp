// Routes for operators: health, readiness, metrics, the OpenAPI document and its page.
#pragma once

#include "base/metrics.hpp"
#include "edges/http/gzip.hpp"
#include "edges/http/route.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <set>

namespace larder::http {

// Asks whether one part of the server works.
struct ReadyCheck {
  std::string name;
  // Returns what is wrong and what to do, in words that everyone may read; empty: it works. If it throws, or
  // takes too long, /readyz says that it does not answer.
  std::function<Task<std::string>()> ask;
  bool only_degrades = false;  // the server still does its work
};

// Writes to the log when a check begins to fail, and when it passes again: anybody may ask /readyz as often
// as they like. All threads share one. Thread-safe.
class ReadyLog {
 public:
  // `why`: what is wrong; empty: nothing.
  void note(ReadyCheck const& check, std::string const& why);

 private:
  std::mutex mutex_;
  std::set<std::string> failing_;  // names of checks
};

// One per io thread, because the checks use the thread's own connections.
struct Operations {
  Metrics& metrics;
  std::vector<ReadyCheck> checks;
  ReadyLog& log;
  std::atomic<bool> const& shutting_down;
  FixedText const& openapi;  // the serialised document
};

// The answers of all checks.
struct Health {
  bool ready = true;
  json::object checks = {};    // "ok", "degraded" or "failed", by name
  json::object problems = {};  // what is wrong and what to do, by name

  std::string_view status() const { return !ready ? "failing" : problems.empty() ? "ok" : "degraded"; }
};
Task<Health> ask_health(Operations& operations);

Api operations_api();

}  // namespace larder::http
