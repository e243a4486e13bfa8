#include "kit/events/dead_events.hpp"
#include "kit/events/projector.hpp"
#include "systems/economy/economy_privacy.hpp"
#include "systems/economy/player_keys.hpp"
#include "systems/economy/realm_catalogue.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::economy {

namespace {

constexpr std::int64_t exported_at_once = 500;
constexpr auto export_patience = std::chrono::seconds(2);

Task<json::value> value_of_key(redis::Redis& redis, std::string key) {
  auto const type = std::string((co_await redis.command(redis::Use::read, key, {"TYPE", key})).text());
  if (type == "string") {
    auto const text = (co_await redis.command(redis::Use::read, key, {"GET", key})).optional_text();
    co_return text ? json::value(*text) : json::value();
  }
  json::object fields;
  if (type == "hash") {
    auto const all = co_await redis.command(redis::Use::read, key, {"HGETALL", key});
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) fields[all.at(i).text()] = all.at(i + 1).text();
  }
  co_return fields;
}

Task<json::value> score_of(redis::Redis& redis, std::string key, UserId player) {
  auto const reply = co_await redis.command(redis::Use::read, key, {"ZSCORE", key, player.str()});
  auto const text = reply.optional_text();
  co_return text ? json::value(*text) : json::value();
}

Task<json::object> player_of(redis::Redis& redis, RealmId realm, UserId player) {
  RealmKeys const keys(realm);
  json::object found;
  if (auto name = co_await value_of_key(redis, keys.name(player)); name.is_string()) found["name"] = name;
  if (auto points = co_await score_of(redis, keys.leaderboard(), player); !points.is_null())
    found["balance"] = points;
  if (auto due = co_await score_of(redis, keys.bombs(), player); !due.is_null()) found["bomb_due_ms"] = due;
  auto const bomb = co_await value_of_key(redis, keys.bomb());
  if (bomb.is_string() && std::string_view(bomb.as_string()) == player.str())
    found["owns_pending_bomb"] = true;
  for (auto const& end : co_await player_key_ends(redis, keys, player))
    found[end] = co_await value_of_key(redis, fmt::format("{}:{}", keys.name(player), end));
  co_return found;
}

json::object event_json(RealmId const& realm, EconomyEvent const& event) {
  return {{"realm", realm.str()},   {"id", event.id()},
          {"type", event.type},     {"guild_id", event.guild_id},
          {"item", event.item},     {"amount", event.amount},
          {"detail", event.detail}, {"at", to_rfc3339({event.ms})}};
}

Task<void> export_events(EconomyJournal& journal, RealmId realm, UserId user, privacy::ExportTo to) {
  EventQuery query{.user = user, .limit = exported_at_once};
  for (;;) {
    auto const page = co_await journal.events(realm, query);
    for (auto const& event : page) to("events", event_json(realm, event));
    if (std::int64_t(page.size()) < exported_at_once) co_return;
    query.before = {.ms = page.back().ms, .sequence = page.back().sequence, .of = page.back().of};
  }
}

Task<void> export_set_aside(redis::Redis& redis, RealmId realm, UserId user, privacy::ExportTo to) {
  RealmKeys const keys(realm);
  auto const take = [&](EconomyEvent::Of of, events::Event const& event) {
    auto const made = to_economy_event(of, event);
    if (made.user_id == user.str()) to("set_aside", event_json(realm, made));
  };
  for (auto const of : {EconomyEvent::Of::points, EconomyEvent::Of::items}) {
    auto const outbox = of == EconomyEvent::Of::points ? keys.points() : keys.items();
    events::OutboxKeys const streams(outbox);
    std::vector<std::string> const set_aside{streams.dead, streams.retry};
    for (auto const& stream : set_aside) {
      co_await events::each_dead(redis, stream, [&](events::DeadEvent const& dead) { take(of, dead.event); });
    }
    co_await events::each_lost(redis, outbox, [&](events::Event const& event) { take(of, event); });
  }
}

}  // namespace

Task<std::vector<std::string>> player_key_ends(redis::Redis& redis, RealmKeys const& keys, UserId player) {
  std::set<std::string> ends;
  auto const begin = keys.name(player) + ":";
  co_await redis.scan(begin + "*", [&](std::vector<std::string> found) -> Task<void> {
    for (auto const& key : found) {
      auto end = key.substr(begin.size());
      // What has another colon is a key of another system.
      if (end.find(':') == std::string::npos) ends.insert(std::move(end));
    }
    co_return;
  });
  co_return std::vector(ends.begin(), ends.end());
}

std::vector<std::string> usual_key_ends(RealmKeys const& keys, UserId const& player) {
  std::vector<std::string> ends{keys.inventory(player),           keys.vampire(player),
                                keys.discombobulate_lock(player), keys.farm_lock(player),
                                keys.reward(player, "daily"),     keys.reward(player, "weekly")};
  for (auto const kind : all_effects) ends.push_back(keys.effect(player, kind));
  for (auto& end : ends) end.erase(0, keys.name(player).size() + 1);
  return ends;
}

Task<std::vector<RealmId>> realms_of_both(redis::Redis& redis, EconomyJournal& journal) {
  std::set<RealmId> realms;
  for (auto& realm : co_await all_realms(redis)) realms.insert(std::move(realm));
  for (auto& realm : co_await journal.realms()) realms.insert(std::move(realm));
  if (redis.is_cluster()) realms.erase(RealmId::from(default_realm).value());
  co_return std::vector(realms.begin(), realms.end());
}

Task<void> export_user(redis::Redis& redis, EconomyJournal& journal, UserId user, privacy::ExportTo to) {
  if (problem_of_player(user)) co_return;  // see forget_user()
  auto const realms = co_await realms_of_both(redis, journal);
  for (auto const& realm : realms) {
    auto player = co_await player_of(redis, realm, user);
    if (player.empty()) continue;
    player["realm"] = realm.str();
    to("players", std::move(player));
  }
  for (auto const& realm : realms) {
    RealmKeys const keys(realm);
    std::vector<std::string> const outboxes{keys.points(), keys.items()};
    for (auto const& outbox : outboxes) co_await events::caught_up(redis, outbox, export_patience);
    co_await export_events(journal, realm, user, to);
  }
  for (auto const& realm : realms) {
    std::optional<ToldState> last = ToldState{.user_id = user.str()};
    for (;;) {
      auto const page = co_await journal.states(realm, last, exported_at_once);
      for (auto const& told : page) {
        if (told.user_id != user.str()) break;
        json::object fields;
        for (auto const& [name, value] : told.fields) fields[name] = value;
        to("states", {{"realm", realm.str()}, {"fields", std::move(fields)}, {"at", to_rfc3339({told.ms})}});
      }
      if (page.empty() || page.back().user_id != user.str()) break;
      last = page.back();
    }
  }
  for (auto const& realm : realms) co_await export_set_aside(redis, realm, user, to);
}

}  // namespace larder::economy
