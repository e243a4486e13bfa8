// What the handlers of one io thread work with.
#pragma once

#include "edges/http/economy_api.hpp"
#include "edges/http/event_routes.hpp"
#include "edges/http/messages_api.hpp"
#include "edges/http/operation_routes.hpp"
#include "systems/ledger/ledger_store.hpp"

namespace larder {

struct Services {
  ledger::Ledger& ledger;
  EconomyEdge& economy;
  messages::Messages& messages;
  Operations& operations;
  EventStreams& events;
};

}  // namespace larder
