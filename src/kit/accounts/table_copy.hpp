// A copy of a small SQL table in memory, for every request: the service keys, the session keys.
#pragma once

#include "base/error.hpp"
#include "base/single_flight.hpp"
#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

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
  // Whether SQL did not answer last time, so that something new may be missing.
  bool is_doubtful() const { return doubtful_.load(); }

  // Reads the table: afterwards the copy has what was committed before the call. Throws StoreError.
  Task<void> refresh() {
    auto const number = ++begun_;
    try {
      keep(number, std::make_shared<T const>(co_await sql_.read(read_)));
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
  // Results can arrive in another order than their reads began. What an older read has seen must not replace
  // what a newer one has: a revoked key would open again.
  void keep(std::uint64_t number, std::shared_ptr<T const> copy) {
    std::lock_guard const lock(keeping_);
    if (number < kept_) return;
    kept_ = number;
    copy_.store(std::move(copy));
  }

  sql::Database& sql_;
  Clock const& clock_;
  Read read_;
  std::atomic<std::shared_ptr<T const>> copy_;
  std::atomic<std::uint64_t> begun_ = 0;  // reads
  std::mutex keeping_;
  std::uint64_t kept_ = 0;  // the number of the read that the copy is from
  SingleFlight looking_;
  std::atomic<std::int64_t> looked_at_ = 0;  // written inside looking_ only
  std::atomic<bool> doubtful_ = false;
};

}  // namespace larder::accounts
