// Bodies above limits::body_bytes_max: which routes take them, and how many may be
// in memory at the same time.
#pragma once

#include "edges/http/router.hpp"

#include <atomic>

namespace larder::http {

// Thread-safe: the connections of all threads share one object. The router must outlive it.
class LargeBodies {
 public:
  explicit LargeBodies(Router const& router) : router_(router) {}

  // The limit of the route with this method and path. An unknown route has the limit that most routes have.
  std::size_t bytes_max(Request const& request) const;

  // The permission to hold one large body. Its destructor gives the permission back.
  struct GiveBack {
    void operator()(LargeBodies* large) const { --large->held_; }
  };
  using Share = std::unique_ptr<LargeBodies, GiveBack>;
  // Empty if limits::bulk_bodies_max bodies are already held.
  Share begin();

 private:
  Router const& router_;
  std::atomic<std::size_t> held_ = 0;
};

}  // namespace larder::http
