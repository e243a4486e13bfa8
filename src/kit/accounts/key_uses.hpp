// When each service key was last used: noted in memory by every request, and written to SQL once in a while.
#pragma once

#include "base/time.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace larder::accounts {

// Thread-safe.
class KeyUses {
 public:
  class Use {
   public:
    // Never blocks. Writes at most once a second, so that threads with the same key seldom disturb each
    // other.
    void note(TimeMs now) {
      constexpr std::int64_t gap_ms = 1000;
      auto const last = at_.load(std::memory_order_relaxed);
      if (now.value - last >= gap_ms || now.value < last) at_.store(now.value, std::memory_order_relaxed);
    }

   private:
    friend class KeyUses;
    std::atomic<std::int64_t> at_ = 0;  // 0: not since the server started
    std::int64_t written_ = 0;
  };

  std::shared_ptr<Use> of(std::string const& id);

  using Uses = std::vector<std::pair<std::string, TimeMs>>;
  // What SQL does not know yet.
  Uses unwritten();
  void written(Uses const& uses);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Use>> uses_;
};

}  // namespace larder::accounts
