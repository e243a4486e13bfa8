// The metrics of the server. Each metric is looked up once and then kept. One per io thread.
#pragma once

#include "base/metrics.hpp"
#include "edges/http/router.hpp"

namespace larder::http {

class HttpMetrics {
 public:
  HttpMetrics(Metrics& metrics, std::size_t route_count);

  // `entry` is null when no route matched.
  void count(RouteEntry const* entry, Method method, int status, double seconds);
  prometheus::Gauge& connections() { return connections_; }

 private:
  struct Counted {
    Method method;
    int status;
    prometheus::Counter* counter;
  };
  struct PerRoute {
    prometheus::Histogram* seconds = nullptr;
    std::vector<Counted> requests = {};  // few, so a search beats a hash
  };

  Metrics& metrics_;
  prometheus::Gauge& connections_;
  std::vector<PerRoute> routes_;  // by RouteEntry::index; the last element is for requests without a route
};

}  // namespace larder::http
