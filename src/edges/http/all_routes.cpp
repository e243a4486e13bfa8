#include "edges/http/all_routes.hpp"

#include "edges/http/economy_api.hpp"
#include "edges/http/event_routes.hpp"
#include "edges/http/ledger_api.hpp"
#include "edges/http/messages_api.hpp"
#include "edges/http/operation_routes.hpp"

namespace larder {

RouteTables all_routes() {
  return {operation_routes(), event_routes(),        ledger_routes(),  ledger_moves_routes(),
          economy_routes(),   economy_view_routes(), messages_routes()};
}

}  // namespace larder
