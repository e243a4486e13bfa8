// The rules of webhooks: which events they get, in which order, when they try again, and how they sign.
#pragma once

#include "kit/events/feed.hpp"
#include "systems/webhooks/webhook_types.hpp"

namespace larder::webhooks {

bool lets_through(Filter const& filter, events::FeedEvent const& event);

// Deliveries in one lane are made one after the other. All events of a user are in the same lane; events
// without a user are in the lane of their system. A queue outlives the server, so this must never change.
std::size_t lane_of(events::FeedEvent const& event);

// How long to wait after so many failed attempts in a row.
std::int64_t pause_ms_after(int attempts);
bool is_over(TimeMs queued_at, TimeMs now);

// "t=<unix s>,v1=<hex HMAC-SHA256 of "t.body">"
std::string signature(std::string_view secret, TimeMs now, std::string_view body);

}  // namespace larder::webhooks
