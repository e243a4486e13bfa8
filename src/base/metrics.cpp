#include "base/metrics.hpp"

#include <prometheus/family.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace larder {

Metrics::Metrics() : registry_(std::make_unique<prometheus::Registry>()) {}
Metrics::~Metrics() = default;

prometheus::Counter& Metrics::counter(std::string const& name, std::string const& help,
                                      Labels const& labels) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(*registry_).Add(labels);
}

prometheus::Gauge& Metrics::gauge(std::string const& name, std::string const& help, Labels const& labels) {
  auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(*registry_);
  {
    std::scoped_lock const lock(mutex_);
    gauge_families_[name] = &family;
  }
  return family.Add(labels);
}

prometheus::Histogram& Metrics::seconds(std::string const& name, std::string const& help,
                                        Labels const& labels) {
  static prometheus::Histogram::BucketBoundaries const buckets = {
      0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10};
  return prometheus::BuildHistogram().Name(name).Help(help).Register(*registry_).Add(labels, buckets);
}

std::vector<std::pair<Metrics::Labels, double>> Metrics::gauges(std::string const& name) const {
  std::vector<std::pair<Labels, double>> found;
  prometheus::Family<prometheus::Gauge> const* known = nullptr;
  {
    std::scoped_lock const lock(mutex_);
    auto const at = gauge_families_.find(name);
    if (at == gauge_families_.end()) return found;
    known = at->second;
  }
  for (auto const& family : known->Collect()) {
    for (auto const& metric : family.metric) {
      auto& [labels, value] = found.emplace_back(Labels(), metric.gauge.value);
      for (auto const& label : metric.label) labels.emplace(label.name, label.value);
    }
  }
  return found;
}

std::string Metrics::text() const { return prometheus::TextSerializer{}.Serialize(registry_->Collect()); }

}  // namespace larder
