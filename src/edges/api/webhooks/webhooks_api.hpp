// The routes of webhooks, /v1/webhooks.
#pragma once

#include "edges/api/api.hpp"
#include "systems/webhooks/webhooks.hpp"

#include <set>

namespace larder::api {

// What the handlers of these routes work with on one io thread.
struct WebhookDesk {
  webhooks::Webhooks webhooks;
  std::set<std::string_view> const& types;  // of events
};

std::span<Route const> webhooks_routes();

}  // namespace larder::api
