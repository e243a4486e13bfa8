#include "systems/tribes/tribes_scripts.hpp"

#include "kit/documents/documents.hpp"
#include "kit/schedule/due_set.hpp"
#include "larder_tribes_scripts.hpp"

#include <fmt/format.h>

namespace larder::tribes::scripts {

namespace {

// The keys and arguments that all scripts with towns have.
redis::ScriptCall begin(redis::Script const& script, TownsWrite const& write) {
  auto const& keys = write.world.keys;
  redis::ScriptCall call(script);
  call.keys(keys.outbox());
  for (auto const& town : write.towns) call.keys(keys.reports(town.user));
  call.keys(documents::revision_key(keys.world()), keys.updates(), keys.leaderboard(), keys.watched(),
            keys.goals(), keys.jobs(), keys.reached());
  call.args(write.world_revision, write.now, write.kept ? std::string_view(write.kept->key.fingerprint) : "",
            write.kept ? std::string_view(write.kept->answer) : "", write.towns.size(), write.at.value);
  for (auto const& town : write.towns) {
    auto const text_key = keys.town(town.user);
    call.keys(text_key, documents::revision_key(text_key), keys.coins(town.user), keys.pizzas(town.user));
    call.args(town.user);
    town.revision ? call.args(*town.revision) : call.args("absent");
    call.args(town.text);
    town.due ? call.args(*town.due) : call.args("");
    call.args(town.due_watched, town.coins, town.pizzas, town.ranked);
    town.goal_at ? call.args(town.goal_at->value) : call.args("");
    call.args(town.report);
  }
  return call;
}

void add_event(redis::ScriptCall& call, NewEvent const& event) {
  call.args("type", event.type, "user_id", event.user_id, "at", event.at.value, "data", event.data);
}

redis::ScriptCall end(redis::ScriptCall call, TownsWrite const& write) {
  if (write.kept) call.keys(write.world.keys.idempotency_key(write.kept->key, write.kept->started_at));
  if (write.event) add_event(call, *write.event);
  return call;
}

}  // namespace

redis::ScriptCall read_towns(World const& world, std::span<UserId const> users,
                             std::optional<IdempotencyKey> const& key, TimeMs started_at) {
  redis::ScriptCall call(lua::read_towns);
  call.keys(documents::revision_key(world.keys.world()));
  for (auto const& user : users) {
    auto const text_key = world.keys.town(user);
    call.keys(text_key, documents::revision_key(text_key));
  }
  if (key) call.keys(world.keys.idempotency_key(*key, started_at));
  call.args(key ? std::string_view(key->fingerprint) : "", users.size());
  return call;
}

redis::ScriptCall commit_towns(TownsWrite const& write) {
  return end(begin(lua::commit_towns, write), write);
}

redis::ScriptCall join_world(TownsWrite const& write, Place const& place) {
  auto const& keys = write.world.keys;
  auto call = begin(lua::join_world, write);
  call.keys(keys.names(), keys.zone(place.zone_x, place.zone_y), keys.open_zone());
  call.args(place.user_name, fmt::format("{},{}", place.field.x, place.field.y), place.towns_max,
            place.zone_index);
  return end(std::move(call), write);
}

redis::ScriptCall keep_refusal(World const& world, UserId const& user, KeptAnswer const& kept) {
  return redis::ScriptCall(lua::keep_refusal)
      .keys(world.keys.idempotency_key(kept.key, kept.started_at), world.keys.refusals(user))
      .args(kept.key.fingerprint, kept.answer, limits::refusals_kept_s, limits::refusals_kept_max);
}

redis::ScriptCall change_world(WorldWrite const& write) {
  auto const& keys = write.world.keys;
  redis::ScriptCall call(lua::change_world);
  call.keys(keys.outbox(), keys.world(), documents::revision_key(keys.world()), keys.jobs(), keys.updates(),
            keys.reached());
  write.revision ? call.args(*write.revision) : call.args("absent");
  call.args(write.text, write.now, write.job, write.freeze ? "freeze" : "", write.event.at.value);
  add_event(call, write.event);
  return call;
}

redis::ScriptCall end_updates(World const& world, UserId const& user, std::int64_t world_revision,
                              std::optional<std::int64_t> revision) {
  auto const key = world.keys.town(user);
  redis::ScriptCall call(lua::end_updates);
  call.keys(world.keys.updates(), documents::revision_key(world.keys.world()), key,
            documents::revision_key(key));
  call.args(user, world_revision);
  revision ? call.args(*revision) : call.args("absent");
  return call;
}

redis::ScriptCall finish_job(World const& world, std::string_view job, std::string_view due) {
  return redis::ScriptCall(lua::finish_job).keys(world.keys.jobs()).args(job, due);
}

redis::ScriptCall forget_name(World const& world, UserId const& user) {
  return redis::ScriptCall(lua::forget_name).keys(world.keys.names()).args(user);
}

redis::ScriptCall update_towns(UpdatesWrite const& write) {
  auto const& keys = write.world.keys;
  redis::ScriptCall call(lua::update_towns);
  call.keys(documents::revision_key(keys.world()), keys.updates(), keys.leaderboard(), keys.watched(),
            keys.goals(), keys.jobs(), keys.reached());
  call.args(write.world_revision, write.now);
  for (auto const& update : write.updates) {
    auto const& town = update.town;
    auto const text_key = keys.town(town.user);
    call.keys(text_key, documents::revision_key(text_key), keys.coins(town.user), keys.pizzas(town.user));
    call.args(town.user, *town.revision, update.at.value, town.text);
    town.due ? call.args(*town.due) : call.args("");
    call.args(town.due_watched, town.coins, town.pizzas, town.ranked);
    town.goal_at ? call.args(town.goal_at->value) : call.args("");
    call.args(update.coins_block, update.pizzas_block);
  }
  return call;
}

redis::ScriptCall read_due_towns(World const& world, std::span<UserId const> users, std::string_view block) {
  redis::ScriptCall call(lua::read_due_towns);
  call.keys(documents::revision_key(world.keys.world()));
  for (auto const& user : users) {
    auto const text_key = world.keys.town(user);
    call.keys(text_key, documents::revision_key(text_key));
  }
  for (auto const& user : users) call.keys(world.keys.coins(user), world.keys.pizzas(user));
  call.args(block);
  return call;
}

redis::ScriptCall remove_keys(World const& world, std::int64_t revision, std::span<std::string const> keys) {
  redis::ScriptCall call(lua::remove_keys);
  call.keys(documents::revision_key(world.keys.world()));
  for (auto const& key : keys) call.keys(key);
  call.args(revision);
  return call;
}

redis::ScriptCall read_frame(World const& world) {
  auto const& keys = world.keys;
  return redis::ScriptCall(lua::read_frame)
      .keys(keys.outbox(), keys.world(), documents::revision_key(keys.world()), keys.jobs(),
            schedule::DueSetKeys(keys.jobs()).dead, schedule::DueSetKeys(keys.updates()).dead, keys.goals(),
            keys.reached());
}

redis::ScriptCall read_page(World const& world, std::span<TownPlace const> towns) {
  auto const& keys = world.keys;
  redis::ScriptCall call(lua::read_page);
  call.keys(keys.outbox(), keys.updates(), keys.leaderboard(), keys.jobs(), keys.names(), keys.goals());
  for (auto const& [user, field, zone] : towns) {
    auto const text = keys.town(user);
    call.keys(text, documents::revision_key(text), keys.coins(user), keys.pizzas(user),
              keys.zone(zone.x, zone.y));
    call.args(user, fmt::format("{},{}", field.x, field.y));
  }
  return call;
}

redis::ScriptCall read_report(World const& world, UserId const& user, std::string_view report) {
  return redis::ScriptCall(lua::read_report)
      .keys(world.keys.reports(user), world.keys.read_reports(user))
      .args(report, limits::reports_kept_ms);
}

redis::ScriptCall watch_towns(World const& world, std::span<UserId const> users, TimeMs now, TimeMs until) {
  redis::ScriptCall call(lua::watch_towns);
  call.keys(world.keys.watched(), world.keys.updates()).args(now, until);
  for (auto const& user : users) call.args(user);
  return call;
}

}  // namespace larder::tribes::scripts
