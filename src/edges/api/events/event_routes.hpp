// GET /v1/events: the events of all systems, as server-sent events.
#pragma once

#include "edges/api/system.hpp"
#include "kit/events/feed_reader.hpp"

namespace larder::api {

// One per io thread.
struct EventStreams {
  explicit EventStreams(IoThread const& thread);

  std::shared_ptr<events::FeedReader> feed;
  accounts::Authenticator& authenticator;  // a stream ends when its token becomes invalid
  prometheus::Counter& sent;
};

class EventsSystem final : public System {
 public:
  std::string_view name() const override { return "events"; }
  Api api() const override;
  Part part(IoThread const& thread) override;
};

}  // namespace larder::api
