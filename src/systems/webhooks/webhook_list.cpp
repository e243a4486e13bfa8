#include "systems/webhooks/webhook_list.hpp"

#include "systems/webhooks/webhook_table.hpp"

#include <algorithm>

namespace larder::webhooks {

Task<void> WebhookList::read(std::string revision) {
  auto const found = co_await sql_.read(list_webhooks);
  all_.clear();
  for (auto const& webhook : found) all_.push_back(std::make_shared<Webhook const>(webhook));
  revision_ = std::move(revision);
  read_ = true;
}

Task<WebhookList::Pointer> WebhookList::find(std::string id) {
  auto const known = std::ranges::find(all_, id, [](Pointer const& each) { return each->id; });
  if (known != all_.end()) co_return *known;
  // Somebody may have made it just now.
  auto const found = co_await sql_.read([id](sql::Session& session) { return find_webhook(session, id); });
  if (!found) co_return nullptr;
  co_return std::make_shared<Webhook const>(*found);
}

}  // namespace larder::webhooks
