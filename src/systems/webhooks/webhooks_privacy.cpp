#include "systems/webhooks/webhooks_privacy.hpp"

#include "kit/events/feed.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "systems/webhooks/delivery.hpp"
#include "systems/webhooks/webhook_table.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"

#include <fmt/format.h>

#include <limits>

namespace larder::webhooks {

namespace {

constexpr std::int64_t portion = 500;
constexpr auto every_number = std::numeric_limits<DeliveryNumber>::max();

bool is_about(std::string_view line, UserId const& user) {
  auto const event = events::parse_line(line);
  if (!event) return line.contains(user.str());  // only a newer version can read it
  return event->user_id == user.str() || event->data.contains(fmt::format("\"{}\"", user.str())) ||
         (privacy::is_telling(user) && privacy::names(event->data, user.str()));
}

using Parse = Delivery (*)(std::string_view entry);
using Found = std::function<Task<void>(std::vector<std::string> entries)>;

// Hands over the entries of a sorted set of deliveries that are about the user, in portions.
Task<void> each_about(redis::Redis& redis, std::string key, Parse parse, UserId user, Found found) {
  auto const limit = std::to_string(portion);
  std::string after = "-inf";
  for (;;) {
    auto const page = co_await redis.command(redis::Use::read, key,
                                             {"ZRANGEBYSCORE", key, after, "+inf", "LIMIT", "0", limit});
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < page.size(); ++i) {
      auto const delivery = parse(page.at(i).text());
      after = fmt::format("({}", delivery.number);
      if (is_about(delivery.line, user)) entries.emplace_back(page.at(i).text());
    }
    if (!entries.empty()) co_await found(std::move(entries));
    if (std::int64_t(page.size()) < portion) co_return;
  }
}

// The same for the dead deliveries in SQL.
Task<void> each_dead_about(sql::Database& sql, std::string webhook, UserId user,
                           std::function<Task<void>(std::vector<Delivery>)> found) {
  auto below = every_number;
  for (;;) {
    auto page =
        co_await sql.read([&](sql::Session& session) { return list_dead(session, webhook, below, portion); });
    auto const count = std::int64_t(page.size());
    if (count > 0) below = page.back().number;
    std::erase_if(page, [&](Delivery const& delivery) { return !is_about(delivery.line, user); });
    if (!page.empty()) co_await found(std::move(page));
    if (count < portion) co_return;
  }
}

json::object to_object(Webhook const& webhook, Delivery const& delivery) {
  return {{"webhook", webhook.id},
          {"number", delivery.number},
          {"state", delivery_states[std::size_t(delivery.state)]},
          {"event", delivery.line}};
}

}  // namespace

Task<void> export_user(redis::Redis& redis, sql::Database& sql, UserId user, privacy::ExportTo to) {
  for (auto const& webhook : co_await sql.read(list_webhooks)) {
    WebhookKeys const keys(webhook.id);
    auto const hand_over = [&](Parse parse) {
      return [&, parse](std::vector<std::string> entries) -> Task<void> {
        for (auto const& entry : entries) to("deliveries", to_object(webhook, parse(entry)));
        co_return;
      };
    };
    for (auto const& lane : keys.lanes)
      co_await each_about(redis, lane, &parse_waiting, user, hand_over(&parse_waiting));
    co_await each_about(redis, keys.delivered, &parse_delivered, user, hand_over(&parse_delivered));
    co_await each_dead_about(sql, webhook.id, user, [&](std::vector<Delivery> dead) -> Task<void> {
      for (auto const& delivery : dead) to("deliveries", to_object(webhook, delivery));
      co_return;
    });
  }
}

Task<void> forget_user(redis::Redis& redis, sql::Database& sql, UserId user) {
  for (auto const& webhook : co_await sql.read(list_webhooks)) {
    WebhookKeys const keys(webhook.id);
    // A courier that is delivering such an entry at this moment keeps nothing of it: it finds that the entry
    // is gone.
    auto const remove_from = [&](std::string const& key) {
      return [&redis, key](std::vector<std::string> entries) -> Task<void> {
        std::vector<std::string_view> words{"ZREM", key};
        words.insert(words.end(), entries.begin(), entries.end());
        co_await redis.command(redis::Use::idempotent_write, key, words);
      };
    };
    for (auto const& lane : keys.lanes)
      co_await each_about(redis, lane, &parse_waiting, user, remove_from(lane));
    co_await each_about(redis, keys.delivered, &parse_delivered, user, remove_from(keys.delivered));
    co_await each_dead_about(sql, webhook.id, user, [&](std::vector<Delivery> dead) -> Task<void> {
      co_await sql.write([&](sql::Session& session) {
        for (auto const& delivery : dead) delete_dead(session, webhook.id, delivery.number);
      });
    });
  }
}

}  // namespace larder::webhooks
