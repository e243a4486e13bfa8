#include "systems/webhooks/webhooks.hpp"

#include "base/random.hpp"
#include "base/try.hpp"
#include "kit/events/feed.hpp"
#include "systems/webhooks/delivery.hpp"
#include "systems/webhooks/target.hpp"
#include "systems/webhooks/webhook_rules.hpp"
#include "systems/webhooks/webhook_table.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::webhooks {

namespace {

constexpr std::size_t id_bytes = 6;
constexpr std::size_t secret_bytes = 32;
constexpr std::chrono::milliseconds lookup_patience{3000};

std::unexpected<Error> no_webhook() { return refuse(errors::webhook_not_found, "there is no such webhook"); }

// The answer of webhooks_page.lua: those that wait or were made.
std::vector<Delivery> parse_page(redis::Reply const& page) {
  std::vector<Delivery> found;
  auto const delivered = page.at(0);
  for (std::size_t i = 0; i < delivered.size(); ++i) found.push_back(parse_delivered(delivered.at(i).text()));
  auto const troubles = page.at(1);
  for (std::size_t i = 2; i < page.size(); ++i) {
    auto const lane = page.at(i);
    for (std::size_t j = 0; j < lane.size(); ++j) {
      auto& delivery = found.emplace_back(parse_waiting(lane.at(j).text()));
      for (std::size_t k = 0; k + 1 < troubles.size(); k += 2) {
        if (troubles.at(k).text() == std::to_string(i - 2)) add_trouble(delivery, troubles.at(k + 1).text());
      }
    }
  }
  return found;
}

}  // namespace

Task<Result<void>> Webhooks::check_url(std::string url) {
  CO_TRY(auto const target, parse_target(url));
  auto const found = co_await shared_.lookup.find(target.host, lookup_patience);
  if (!found)
    co_return invalid("url", fmt::format("url names a host that cannot be used: {}", found.error()));
  if (shared_.allow.allows(target.host, *found)) co_return Result<void>();
  co_return std::unexpected(
      Error{.code = errors::address_not_allowed,
            .detail = "the host has an address that is not public, and the setting webhooks.allow does not "
                      "name it",
            .field = "url"});
}

Task<Result<Webhook>> Webhooks::create(NewWebhook webhook) {
  CO_TRY_DO(co_await check_url(webhook.url));
  auto const now = shared_.clock.now();
  Webhook made{.id = random_hex(id_bytes),
               .url = std::move(webhook.url),
               .secret = random_hex(secret_bytes),
               .filter = std::move(webhook.filter),
               .created_at = now};
  CO_TRY_DO(
      co_await shared_.sql.write([made](sql::Session& session) { return insert_webhook(session, made); }));
  std::exception_ptr failure;
  try {
    co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_change(now, true, {}));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    // Nobody learns its secret, so it must not stay.
    co_await shared_.sql.write([id = made.id](sql::Session& session) { return delete_webhook(session, id); });
    std::rethrow_exception(failure);
  }
  co_return made;
}

Task<std::vector<Webhook>> Webhooks::list() { return shared_.sql.read(list_webhooks); }

Task<Result<Webhook>> Webhooks::find(std::string id) {
  auto const found =
      co_await shared_.sql.read([id](sql::Session& session) { return find_webhook(session, id); });
  if (!found) co_return no_webhook();
  co_return *found;
}

Task<Result<Webhook>> Webhooks::change(std::string id, WebhookChange change) {
  CO_TRY_DO(co_await find(id));
  if (change.url) CO_TRY_DO(co_await check_url(*change.url));
  auto const now = shared_.clock.now();
  CO_TRY(auto const changed, co_await shared_.sql.write([id, change](sql::Session& session) {
    return change_webhook(session, id, change);
  }));
  co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_change(now, true, changed.id));
  shared_.on_due(now);
  co_return changed;
}

Task<Result<void>> Webhooks::remove(std::string id) {
  if (!is_webhook_id(id)) co_return no_webhook();
  auto const now = shared_.clock.unchecked();
  // Before and after: if the server dies in between, the webhook is still listed, and what it gets until then
  // goes, too.
  co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_remove(id, now));
  bool const deleted =
      co_await shared_.sql.write([id](sql::Session& session) { return delete_webhook(session, id); });
  co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_remove(id, now));
  if (!deleted) co_return no_webhook();
  co_return Result<void>();
}

Task<std::vector<Delivery>> Webhooks::read(std::string id, DeliveryQuery query) {
  std::vector<Delivery> found;
  if (query.state != Delivery::State::dead) {
    found = parse_page(
        co_await redis_.run(redis::Use::read, scripts::webhooks_page(id, query.below, query.limit)));
    if (query.state) std::erase_if(found, [&](Delivery const& each) { return each.state != *query.state; });
  }
  if (!query.state || query.state == Delivery::State::dead) {
    auto dead = co_await shared_.sql.read(
        [id, query](sql::Session& session) { return list_dead(session, id, query.below, query.limit); });
    std::ranges::move(dead, std::back_inserter(found));
  }
  // While a delivery dies or is replayed, it is in both stores for a moment.
  std::ranges::sort(found, [](Delivery const& a, Delivery const& b) {
    return a.number != b.number ? a.number > b.number : a.state < b.state;
  });
  auto const twice = std::ranges::unique(found, {}, &Delivery::number);
  found.erase(twice.begin(), twice.end());
  if (std::int64_t(found.size()) > query.limit) found.resize(std::size_t(query.limit));
  co_return found;
}

Task<Result<std::vector<Delivery>>> Webhooks::deliveries(std::string id, DeliveryQuery query) {
  CO_TRY_DO(co_await find(id));
  co_return co_await read(id, query);
}

Task<Result<Delivery>> Webhooks::replay(std::string id, DeliveryNumber number) {
  CO_TRY_DO(co_await find(id));
  auto const now = shared_.clock.now();
  auto found = co_await read(id, {.below = number + 1, .limit = 1});
  if (found.empty() || found.front().number != number)
    co_return refuse(errors::delivery_not_found, "the webhook has no such delivery, or no longer");
  auto delivery = std::move(found.front());
  bool const dead = delivery.state == Delivery::State::dead;
  if (delivery.state != Delivery::State::waiting)
    delivery = {.number = number, .queued_at = now, .line = std::move(delivery.line)};
  auto const event = events::parse_line(delivery.line);
  if (!event)
    co_return refuse(errors::delivery_not_found, "only a newer version of Larder can read this delivery");
  co_await redis_.run(redis::Use::idempotent_write,
                      scripts::webhooks_replay(id, lane_of(*event), number, waiting_entry(delivery), now));
  shared_.on_due(now);
  if (dead) {
    co_await shared_.sql.write([id, number](sql::Session& session) { delete_dead(session, id, number); });
  }
  co_return delivery;
}

}  // namespace larder::webhooks
