// A copy of a small SQL table in memory, for every request: the service keys, the session keys.
#pragma once

#include "base/error.hpp"
#include "base/single_flight.hpp"
#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <atomic>
#include <functional>
#include <memory>

namespace larder::accounts {

// Thread-safe, never blocks. The copy is an immutable snapshot, so it serves while SQL is unavailable.
template <class T>
class TableCopy {
 public:
  using Read = std::function<T(sql::Session&)>;

  // The Database and the Clock must outlive the copy.
  TableCopy(sql::Database& sql, Clock const& clock, Read read)
      : sql_(sql), clock_(clock), read_(std::move(read)), copy_(std::make_shared<T const>()) {}

  std::shared_ptr<T const> get() const { return copy_.load(); }
  // Whether SQL did not answer the last time, so that something new may be missing.
  bool is_doubtful() const { return doubtful_.load(); }

  // Reads the table. Throws StoreError.
  Task<void> refresh() {
    try {
      copy_.store(std::make_shared<T const>(co_await sql_.read(read_)));
      doubtful_ = false;
    } catch (...) {
      doubtful_ = true;
      throw;
    }
  }

  // For a caller that misses something: reads the table again, but at most once per second. Callers that come
  // while the table is being read wait for the result. Throws StoreError.
  Task<void> look_again() {
    co_await looking_.run([this]() -> Task<void> {
      constexpr std::int64_t gap_ms = 1000;
      auto const now = clock_.unchecked().value;
      auto const last = looked_at_.load();
      // If the clock was set back, look again at once: something new must not be locked out.
      if (now >= last && now - last < gap_ms) co_return;
      looked_at_ = now;
      co_await refresh();
    });
  }

 private:
  sql::Database& sql_;
  Clock const& clock_;
  Read read_;
  std::atomic<std::shared_ptr<T const>> copy_;
  SingleFlight looking_;
  std::atomic<std::int64_t> looked_at_ = 0;  // written inside looking_ only
  std::atomic<bool> doubtful_ = false;
};

}  // namespace larder::accounts
