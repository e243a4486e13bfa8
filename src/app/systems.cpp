#include "app/systems.hpp"

#include "edges/api/economy/economy_system.hpp"
#include "edges/api/events/event_routes.hpp"
#include "edges/api/ledger/ledger_system.hpp"
#include "edges/api/messages/messages_system.hpp"
#include "edges/http/operation_routes.hpp"

namespace larder {

Systems all_systems() {
  Systems systems;
  systems.push_back(std::make_unique<api::EventsSystem>());
  systems.push_back(std::make_unique<api::LedgerSystem>());
  systems.push_back(std::make_unique<api::EconomySystem>());
  systems.push_back(std::make_unique<api::MessagesSystem>());
  return systems;
}

std::vector<http::Api> apis_of(Systems const& systems) {
  std::vector<http::Api> apis{http::operations_api()};
  for (auto const& system : systems) apis.push_back(system->api());
  return apis;
}

}  // namespace larder
