// The bodies of requests: how large each may be, and how much memory all of them may take together.
#pragma once

#include "edges/http/router.hpp"

#include <atomic>

namespace larder::http {

// Who sends a body. Strangers have shown no token, so they get only a part of the memory, and cannot keep
// callers with a token from sending theirs.
enum class Sender { stranger, caller };

// Thread-safe: the connections of all threads share one object. The router must outlive it.
class Bodies {
 public:
  static constexpr std::size_t part_of_strangers = 4;  // a quarter

  Bodies(Router const& router, std::size_t memory_bytes_max)
      : router_(router), memory_bytes_max_(memory_bytes_max) {}

  // The limit of the route with this method and path. An unknown route has the limit that most routes have.
  std::size_t bytes_max(Request const& request) const;

  // The memory of one body. It must not outlive the Bodies.
  class Share {
   public:
    explicit Share(Bodies& bodies) : bodies_(bodies) {}
    ~Share() { give_back(); }
    Share(Share const&) = delete;
    Share& operator=(Share const&) = delete;

    std::size_t bytes() const { return bytes_; }
    // Returns false if there is no memory left for this sender; then the share stays as it is.
    bool grow_to(std::size_t bytes, Sender sender);
    void give_back();

   private:
    Bodies& bodies_;
    std::size_t bytes_ = 0;
  };

 private:
  Router const& router_;
  std::size_t memory_bytes_max_;
  std::atomic<std::size_t> used_bytes_ = 0;
};

}  // namespace larder::http
