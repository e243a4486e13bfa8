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
struct MetricFamily;
class Collectable;
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

  // The values of all gauges, or of all counters, with this name. Cheap: looks at no other metric.
  std::vector<std::pair<Labels, double>> gauges(std::string const& name) const;
  std::vector<std::pair<Labels, double>> counters(std::string const& name) const;
  // The sum of all histograms with this name: their number of values by upper bound. The last bound is
  // infinite. Empty if there is no such histogram.
  std::map<double, double> buckets(std::string const& name) const;

  // The Prometheus text format.
  std::string text() const;

 private:
  std::unique_ptr<prometheus::Registry> registry_;
  template <class T>
  void remember(std::string const& name, prometheus::Family<T>& family);
  std::vector<prometheus::MetricFamily> collect(std::string const& name) const;

  mutable std::mutex mutex_;
  std::map<std::string, prometheus::Collectable*> families_;  // by name
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
