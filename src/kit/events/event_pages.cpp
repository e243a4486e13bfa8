#include "kit/events/event_pages.hpp"

#include "kit/events/projector.hpp"

#include <fmt/format.h>

namespace larder::events {

namespace {

constexpr int events_at_once = 1000;

}  // namespace

Task<std::int64_t> each_event(redis::Redis& redis, std::string stream, std::string first,
                              std::function<void(Event)> each) {
  for (std::int64_t count = 0;;) {
    auto page = co_await read_events(redis, stream, first, "+", events_at_once);
    if (page.empty()) co_return count;
    first = fmt::format("({}", page.back().id);
    count += std::int64_t(page.size());
    for (auto& event : page) each(std::move(event));
  }
}

}  // namespace larder::events
