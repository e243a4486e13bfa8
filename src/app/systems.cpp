#include "app/systems.hpp"

#include "edges/api/accounts/accounts_system.hpp"
#include "edges/api/admin/admin_system.hpp"
#include "edges/api/cache/cache_system.hpp"
#include "edges/api/economy/economy_system.hpp"
#include "edges/api/events/event_routes.hpp"
#include "edges/api/ledger/ledger_system.hpp"
#include "edges/api/messages/messages_system.hpp"
#include "edges/api/tribes/tribes_system.hpp"
#include "edges/api/web/web_system.hpp"
#include "edges/api/webhooks/webhooks_system.hpp"

namespace larder {

Systems all_systems() {
  Systems systems;
  auto made = std::make_unique<api::EventsSystem>();
  auto& events = *made;
  systems.push_back(std::move(made));
  systems.push_back(std::make_unique<api::AccountsSystem>());
  systems.push_back(std::make_unique<api::LedgerSystem>());
  systems.push_back(std::make_unique<api::EconomySystem>());
  systems.push_back(std::make_unique<api::MessagesSystem>());
  systems.push_back(std::make_unique<api::TribesSystem>());
  systems.push_back(std::make_unique<api::CacheSystem>());
  auto made_webhooks = std::make_unique<api::WebhooksSystem>();
  auto& webhooks = *made_webhooks;
  systems.push_back(std::move(made_webhooks));
  auto made_admin = std::make_unique<api::AdminSystem>();
  auto& admin = *made_admin;
  systems.push_back(std::move(made_admin));
  systems.push_back(std::make_unique<api::WebSystem>());
  for (auto const& system : systems) {
    events.know(system->event_types());
    webhooks.know(system->event_types());
    if (system.get() != &events && system.get() != &webhooks) admin.know(*system);
  }
  // Until then, other systems may bring events of a user to the feed, and from there to the webhooks.
  admin.know(events);
  admin.know(webhooks);
  return systems;
}

}  // namespace larder
