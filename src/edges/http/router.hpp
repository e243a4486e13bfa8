// Finds the route of a path. A router is built once and never changes, so threads may share it.
#pragma once

#include "edges/http/route.hpp"

#include <memory>

namespace larder::http {

// A route in the router. `index` counts the routes of all tables from 0, so it can index an array
// with an element per route.
struct RouteEntry {
  Route const* route = nullptr;
  std::size_t system = 0;  // index of the system, in the order that the router got
  std::size_t index = 0;
  std::vector<std::string_view> parameter_names = {};
  bool has_tail = false;  // the last parameter is `{name...}`
};

struct RouteMatch {
  enum class Outcome { found, not_found, method_not_allowed, malformed };
  Outcome outcome = Outcome::not_found;
  RouteEntry const* entry = nullptr;
  std::string_view allow = {};  // "GET, HEAD, POST", if the path exists
};

class Router {
 public:
  // Throws SetupError if two routes have the same method and path, if a path is malformed, or if a schema
  // reads a `{name}` that the path does not have. A path has a leading slash and no trailing one. `{name}` is
  // a whole segment, and `{name...}` is the last segment.
  explicit Router(std::vector<Api> const& systems);
  ~Router();

  // A literal segment wins over `{name}`, and both win over `{name...}`, which takes all remaining segments.
  // HEAD finds the route of GET. The values of `{name}`s go to `parameters`, decoded.
  RouteMatch match(Method method, std::string_view path, std::vector<PathParameter>& parameters) const;

  // Throws SetupError if a handler cannot work with the part of its system.
  void check_parts(std::vector<Part> const& parts) const;

  std::size_t route_count() const { return entries_.size(); }
  // The smallest limit that a body has on any path.
  std::size_t body_bytes_least() const { return body_bytes_least_; }

 private:
  struct Node;
  void add(Route const& route, std::size_t system);

  std::vector<std::unique_ptr<RouteEntry>> entries_;
  std::unique_ptr<Node> root_;
  std::size_t body_bytes_least_ = limits::body_bytes_max;  // what an unknown path has
};

}  // namespace larder::http
