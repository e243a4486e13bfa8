#include "base/outage_log.hpp"

#include <algorithm>

namespace larder {

bool OutageLog::note(std::string_view store, Time now) {
  std::lock_guard const lock(mutex_);
  auto found = open_.find(store);
  bool const first = found == open_.end();
  if (first) found = open_.emplace(store, Failures{.first = now, .last = now}).first;
  found->second.last = std::max(found->second.last, now);
  ++found->second.count;
  next_look_ = std::min(next_look_.load(), now + quiet);
  return first;
}

std::vector<OutageLog::Outage> OutageLog::over(Time now) {
  if (now < next_look_.load(std::memory_order_relaxed)) return {};
  std::vector<Outage> ended;
  std::lock_guard const lock(mutex_);
  auto next = Time::max();
  std::erase_if(open_, [&](auto const& entry) {
    auto const& [store, failures] = entry;
    if (now < failures.last + quiet) {
      next = std::min(next, failures.last + quiet);
      return false;
    }
    auto const lasted = std::chrono::duration_cast<std::chrono::seconds>(failures.last - failures.first);
    ended.push_back({.store = store, .requests = failures.count, .seconds = lasted.count()});
    return true;
  });
  next_look_ = next;
  return ended;
}

}  // namespace larder
