#include "systems/tribes/audit/event_source.hpp"

#include "kit/events/projector.hpp"

namespace larder::tribes {

namespace {

constexpr int events_at_once = 1000;

}  // namespace

Task<std::vector<TribesEvent>> EventSource::next(std::string last) {
  if (!after_) after_ = co_await journal_.before_creation(world_.id);
  if (events::parse_id(*after_) >= events::parse_id(last)) co_return std::vector<TribesEvent>();
  auto found = co_await journal_.events(world_.id, *after_, events_at_once);
  if (found.empty()) {
    // What is in the outbox may reach SQL before it is read here, and leave the outbox. So ask SQL once more.
    std::vector<TribesEvent> waiting;
    for (auto const& event :
         co_await events::read_events(redis_, world_.keys.outbox(), "(" + *after_, "+", events_at_once)) {
      waiting.push_back(to_tribes_event(event));
    }
    found = co_await journal_.events(world_.id, *after_, events_at_once);
    if (found.empty()) found = std::move(waiting);
  }
  std::erase_if(
      found, [&](TribesEvent const& event) { return events::parse_id(event.id()) > events::parse_id(last); });
  if (!found.empty()) after_ = found.back().id();
  co_return found;
}

}  // namespace larder::tribes
