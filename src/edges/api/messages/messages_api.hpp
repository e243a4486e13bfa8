// The routes of messages, /v1/messages.
#pragma once

#include "edges/api/system.hpp"
#include "systems/messages/messages.hpp"

namespace larder::api {

std::span<Route const> messages_routes();

// What a search of an operator finds. The messages must outlive it.
SearchOf messages_search(messages::Messages& messages);

}  // namespace larder::api
