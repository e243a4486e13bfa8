#include "base/metrics.hpp"

#include <prometheus/client_metric.h>
#include <prometheus/family.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <utility>

namespace larder {

Metrics::Metrics() : registry_(std::make_unique<prometheus::Registry>()) {}
Metrics::~Metrics() = default;

template <class T>
void Metrics::remember(std::string const& name, prometheus::Family<T>& family) {
  std::scoped_lock const lock(mutex_);
  families_[name] = &family;
}

prometheus::Counter& Metrics::counter(std::string const& name, std::string const& help,
                                      Labels const& labels) {
  auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(*registry_);
  remember(name, family);
  return family.Add(labels);
}

prometheus::Gauge& Metrics::gauge(std::string const& name, std::string const& help, Labels const& labels) {
  auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(*registry_);
  remember(name, family);
  return family.Add(labels);
}

prometheus::Histogram& Metrics::seconds(std::string const& name, std::string const& help,
                                        Labels const& labels) {
  static prometheus::Histogram::BucketBoundaries const bounds = {
      0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10};
  auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(*registry_);
  remember(name, family);
  return family.Add(labels, bounds);
}

std::vector<prometheus::MetricFamily> Metrics::collect(std::string const& name) const {
  prometheus::Collectable const* known = nullptr;
  {
    std::scoped_lock const lock(mutex_);
    auto const at = families_.find(name);
    if (at == families_.end()) return {};
    known = at->second;
  }
  return known->Collect();
}

namespace {

Metrics::Labels labels_of(prometheus::ClientMetric const& metric) {
  Metrics::Labels labels;
  for (auto const& label : metric.label) labels.emplace(label.name, label.value);
  return labels;
}

}  // namespace

std::vector<std::pair<Metrics::Labels, double>> Metrics::gauges(std::string const& name) const {
  std::vector<std::pair<Labels, double>> found;
  for (auto const& family : collect(name)) {
    for (auto const& metric : family.metric) found.emplace_back(labels_of(metric), metric.gauge.value);
  }
  return found;
}

std::vector<std::pair<Metrics::Labels, double>> Metrics::counters(std::string const& name) const {
  std::vector<std::pair<Labels, double>> found;
  for (auto const& family : collect(name)) {
    for (auto const& metric : family.metric) found.emplace_back(labels_of(metric), metric.counter.value);
  }
  return found;
}

std::map<double, double> Metrics::buckets(std::string const& name) const {
  std::map<double, double> sum;
  for (auto const& family : collect(name)) {
    for (auto const& metric : family.metric) {
      std::uint64_t below = 0;
      for (auto const& bucket : metric.histogram.bucket) {
        sum[bucket.upper_bound] +=
            double(bucket.cumulative_count - std::exchange(below, bucket.cumulative_count));
      }
    }
  }
  return sum;
}

std::string Metrics::text() const { return prometheus::TextSerializer{}.Serialize(registry_->Collect()); }

}  // namespace larder
