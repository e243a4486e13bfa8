// Prometheus metrics. Names have the prefix `larder_`, units are base units (seconds, bytes), and a user or
// guild id is never a label.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace prometheus {
template <typename>
class Family;
class Registry;
}  // namespace prometheus

namespace larder {

// Thread-safe. A metric lives as long as its Metrics. The same name and labels give the same metric. A lookup
// takes a lock, so look a metric up once and keep the reference.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  Metrics();
  ~Metrics();

  prometheus::Counter& counter(std::string const& name, std::string const& help, Labels const& labels = {});
  prometheus::Gauge& gauge(std::string const& name, std::string const& help, Labels const& labels = {});
  // A histogram with buckets from 50 us to 10 s.
  prometheus::Histogram& seconds(std::string const& name, std::string const& help, Labels const& labels = {});

  // The values of all gauges with this name. Cheap: looks at no other metric.
  std::vector<std::pair<Labels, double>> gauges(std::string const& name) const;

  // The Prometheus text format.
  std::string text() const;

 private:
  std::unique_ptr<prometheus::Registry> registry_;
  mutable std::mutex mutex_;
  std::map<std::string, prometheus::Family<prometheus::Gauge>*> gauge_families_;  // by name
};

// Measures the seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace larder
