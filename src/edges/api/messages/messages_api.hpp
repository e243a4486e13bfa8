// The routes of messages, /v1/messages.
#pragma once

#include "edges/api/system.hpp"
#include "systems/messages/messages.hpp"

namespace larder::api {

std::span<Route const> messages_routes();

}  // namespace larder::api
