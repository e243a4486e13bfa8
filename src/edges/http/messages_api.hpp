// /v1/messages
#pragma once

#include "edges/http/route.hpp"
#include "systems/messages/messages_store.hpp"

namespace larder {

// Of this thread; the application defines it.
messages::Messages& messages_of(Services& services);

std::span<Route const> messages_routes();

}  // namespace larder
