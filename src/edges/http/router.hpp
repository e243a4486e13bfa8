// Finds the route of a path. Built once from the tables, then only read: share it between threads.
#pragma once

#include "edges/http/route.hpp"

#include <memory>

namespace larder::http {

// A route in the router. `index` counts from 0 through all tables: an array per route can be indexed by it.
struct RouteEntry {
  Route const* route = nullptr;
  std::size_t system = 0;  // counts the systems in the order in which the router got them
  std::size_t index = 0;
  std::vector<std::string_view> parameter_names = {};
  bool has_tail = false;  // the last parameter is a `{name...}`
};

struct RouteMatch {
  enum class Outcome { found, not_found, method_not_allowed, malformed };
  Outcome outcome = Outcome::not_found;
  RouteEntry const* entry = nullptr;
  std::string_view allow = {};  // "GET, HEAD, POST", whenever the path exists
};

class Router {
 public:
  // Throws SetupError for two routes with the same method and path, for a body limit below the one that every
  // route has, and for a path that is not written as paths are here: a leading slash, no trailing one,
  // `{name}` as a whole segment, `{name...}` as the last one.
  explicit Router(std::vector<Api> const& systems);
  ~Router();

  // A literal segment wins over a `{name}`, and both win over a `{name...}`, which takes all segments that
  // are left. HEAD finds the route of GET. Captures go to `parameters`, decoded.
  RouteMatch match(Method method, std::string_view path, std::vector<PathParameter>& parameters) const;

  std::size_t route_count() const { return entries_.size(); }

 private:
  struct Node;
  void add(Route const& route, std::size_t system);

  std::vector<std::unique_ptr<RouteEntry>> entries_;
  std::unique_ptr<Node> root_;
};

}  // namespace larder::http
