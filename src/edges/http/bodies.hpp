// The bodies of requests: how large each may be, and how much memory all of them may take together.
#pragma once

#include "base/shares.hpp"
#include "edges/http/router.hpp"

#include <atomic>

namespace larder::http {

// Who sends a body. Strangers have shown no token, so they get only a part of the memory, and cannot keep
// callers with a token from sending theirs.
struct Sender {
  enum class Kind { stranger, caller };
  Kind kind = Kind::stranger;
  std::string name;  // of a service key or an address; its bodies share one part of the memory
};

// Memory counts only when it is taken: an announced body that does not arrive takes none. Nobody can take all
// of it: a sender gets a share, and the last part is kept for small bodies. Thread-safe: the connections of
// all threads share one object. The router must outlive it.
class Bodies {
 public:
  static constexpr std::size_t part_of_strangers = 4;     // all of them get a quarter
  static constexpr std::size_t part_of_sender = 4;        // a quarter of what the callers or strangers get
  static constexpr std::size_t part_of_small_bodies = 4;  // nothing else may take this quarter
  static constexpr std::size_t small_body_bytes_max = 64UL * 1024;

  Bodies(Router const& router, std::size_t memory_bytes_max);

  // The limit of the route with this method and path. An unknown route has the limit that most routes have.
  std::size_t bytes_max(Request const& request) const;
  // Whether a Content-Length has enough digits to exceed the limit of any route.
  bool may_be_too_large(std::string_view length) const { return length.size() >= digits_of_least_; }

  // The memory of one body. It must not outlive the Bodies.
  class Share {
   public:
    explicit Share(Bodies& bodies) : bodies_(bodies) {}
    ~Share() { give_back(); }
    Share(Share const&) = delete;
    Share& operator=(Share const&) = delete;

    // Says whose body it is. Call it before the other functions, while the share has no memory.
    void begin(Sender sender) { sender_ = std::move(sender); }
    std::size_t bytes() const { return bytes_; }
    // Whether a body of this size would find memory now.
    bool finds_room(std::size_t bytes) const;
    // Returns false if there is no memory left for this sender; then the share stays as it is.
    bool grow_to(std::size_t bytes);
    void give_back();

   private:
    Bodies& bodies_;
    Sender sender_;
    std::size_t bytes_ = 0;
  };

 private:
  class Pool {
   public:
    // `whole`: the pool of which this one is a part, or null.
    Pool(std::size_t bytes_max, Pool* whole)
        : bytes_max_(bytes_max), whole_(whole), shares_(bytes_max / part_of_sender) {}
    bool has_room(std::size_t more, bool small) const;
    bool take(std::size_t more, bool small);
    void give_back(std::size_t bytes);
    Shares& shares() { return shares_; }

   private:
    std::size_t limit(bool small) const {
      return small ? bytes_max_ : bytes_max_ - bytes_max_ / part_of_small_bodies;
    }

    std::size_t bytes_max_;
    Pool* whole_;
    std::atomic<std::size_t> used_bytes_ = 0;
    Shares shares_;  // in bytes, by the name of the sender
  };
  Pool& pool_of(Sender const& sender) { return sender.kind == Sender::Kind::stranger ? of_strangers_ : all_; }

  Router const& router_;
  std::size_t digits_of_least_;
  Pool all_;
  Pool of_strangers_;
};

// "4 KiB", "8 MiB": a limit, for people.
std::string size_text(std::size_t bytes);

}  // namespace larder::http
