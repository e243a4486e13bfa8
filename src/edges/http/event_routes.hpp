// GET /v1/events: what happens in every system, as server-sent events.
#pragma once

#include "edges/http/auth.hpp"
#include "edges/http/route.hpp"
#include "kit/events/feed_reader.hpp"

namespace larder {

// One per io thread.
struct EventStreams {
  EventStreams(asio::io_context& io, redis::Redis& redis, Authenticator& authenticator, Metrics& metrics);

  std::shared_ptr<events::FeedReader> feed;
  Authenticator& authenticator;  // a stream ends when its token does
  prometheus::Counter& sent;
};

// Defined with Services by whoever wires them.
EventStreams& event_streams_of(Services& services);

std::span<Route const> event_routes();

}  // namespace larder
