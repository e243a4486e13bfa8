// Which failures of stores deserve a line in the log. While a store is away, every request fails, so only the
// first failure of an outage does. The others are counted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace larder {

// Thread-safe. Time is an argument; it must not run backwards.
class OutageLog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Outage {
    std::string store;
    std::int64_t requests = 0;  // that failed
    std::int64_t seconds = 0;   // from the first failure to the last
    bool operator==(Outage const&) const = default;
  };
  // An outage is over when no request has failed for so long. With less, an outage in which few requests come
  // would be over again and again.
  static constexpr std::chrono::seconds quiet{30};

  // A request failed because of this store. True: it is the first one of an outage.
  bool note(std::string_view store, Time now);
  // The outages that are over. Each is returned once. Costs next to nothing if there is none.
  std::vector<Outage> over(Time now);

 private:
  struct Failures {
    Time first;
    Time last;
    std::int64_t count = 0;
  };
  std::mutex mutex_;
  std::map<std::string, Failures, std::less<>> open_;
  std::atomic<Time> next_look_{Time::max()};
};

}  // namespace larder
