#include "edges/http/http_metrics.hpp"

#include <algorithm>

namespace larder::http {

HttpMetrics::HttpMetrics(Metrics& metrics, std::size_t route_count)
    : metrics_(metrics),
      connections_(metrics.gauge("larder_http_connections", "open HTTP connections")),
      routes_(route_count + 1) {}

void HttpMetrics::count(RouteEntry const* entry, Method method, int status, double seconds) {
  auto& route = entry ? routes_[entry->index] : routes_.back();
  auto const name = [&] { return std::string(entry ? entry->route->path : "none"); };
  if (!route.seconds) {
    route.seconds = &metrics_.seconds("larder_http_request_seconds", "from a whole request to its answer",
                                      {{"route", name()}});
  }
  auto found = std::ranges::find_if(
      route.requests, [&](Counted const& c) { return c.method == method && c.status == status; });
  if (found == route.requests.end()) {
    auto& counter = metrics_.counter("larder_http_requests_total", "HTTP requests answered",
                                     {{"method", std::string(method_name(method))},
                                      {"route", name()},
                                      {"status", std::to_string(status)}});
    route.requests.push_back({.method = method, .status = status, .counter = &counter});
    found = route.requests.end() - 1;
  }
  found->counter->Increment();
  route.seconds->Observe(seconds);
}

}  // namespace larder::http
