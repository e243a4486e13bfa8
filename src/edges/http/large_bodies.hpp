// Bodies above limits::body_bytes_max: which routes take them, and how many may be in memory at the same
// time.
#pragma once

#include "edges/http/router.hpp"

#include <atomic>

namespace larder::http {

// Thread-safe: the connections of all threads share one. The router must outlive it.
class LargeBodies {
 public:
  explicit LargeBodies(Router const& router) : router_(router) {}

  // What the route of this method and path takes. An unknown route takes what every route takes.
  std::size_t bytes_max(Request const& request) const;

  // The right to keep one large body, given back by the destructor.
  struct GiveBack {
    void operator()(LargeBodies* large) const { --large->held_; }
  };
  using Share = std::unique_ptr<LargeBodies, GiveBack>;
  // Empty if limits::bulk_bodies_max bodies are held.
  Share begin();

 private:
  Router const& router_;
  std::atomic<std::size_t> held_ = 0;
};

}  // namespace larder::http
