#include "systems/tribes/tribes.hpp"

#include "base/try.hpp"
#include "kit/documents/documents.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/tribes/kept_refusal.hpp"
#include "systems/tribes/town_document.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

// How often a change starts again because somebody else was faster. Each time, somebody's change succeeded.
constexpr int attempts_max = 100;

StoreError too_busy() { return {"too many others change the same towns", false}; }

std::optional<Error> problem_of_world(WorldInfo const& info) {
  if (info.is_running()) return std::nullopt;
  if (info.deleted) return refuse_missing_world().error();
  return Error{.code = errors::world_over,
               .detail = info.state == WorldState::won ? "the world was won; nothing changes any more"
                                                       : "the world is closed"};
}

// Rules speak of game time, and players live in real time.
Error in_real_time(Error error, WorldClock const& clock) {
  if (auto* const left = error.more.if_contains("seconds_left")) {
    auto const seconds = (left->as_int64() + clock.speed - 1) / clock.speed;
    *left = seconds;
    error.detail = fmt::format("{} left until this lot can be tapped again",
                               seconds == 1 ? "1 second is" : fmt::format("{} seconds are", seconds));
  }
  return error;
}

// Changes the towns. The first is the actor's, and the second is the target of a heist.
Result<NewEvent> apply(ReadTowns& read, Action const& action, Seed seed) {
  auto& actor = *read.towns[0];
  auto const at = actor.town.at;
  auto const& rules = read.info->rules_at(at);
  auto const before = actor.town.coins();
  auto data = to_json(action);
  if (auto const* const steal = std::get_if<Steal>(&action)) {
    auto& target = *read.towns[1];
    TRY_DO(send_heist(actor.town, target.town, rules, steal->thieves, seed));
    data["target"] = target.town.user.str();
    data["seed"] = fmt::to_string(seed.value);
  } else {
    TRY_DO(act(actor.town, rules, action));
  }
  if (before < rules.goal_coins && actor.town.coins() >= rules.goal_coins && !actor.goal_at)
    actor.goal_at = at;
  return NewEvent{
      .type = "action", .user_id = actor.town.user.str(), .at = at, .data = json::serialize(data)};
}

}  // namespace

Tribes::Tribes(redis::Redis& redis, Shared& shared)
    : redis_(redis), shared_(shared), towns_(redis, shared.clock), random_(random_seed()) {}

Task<Result<WorldPtr>> Tribes::open(WorldId id) {
  if (redis_.is_cluster() && id.str() == default_world) {
    co_return refuse(errors::world_needs_name,
                     "the default world has keys without a prefix, which a cluster cannot keep together; use "
                     "a world with a name");
  }
  auto world = shared_.worlds.find(id);
  if (world && !world->info()->deleted) co_return world;
  co_await loading_.run(id.str(), [&]() -> Task<void> {
    auto info = co_await read_world(redis_, id);
    if (!info) co_return;
    auto const [added, fresh] = shared_.worlds.add(id, std::move(info));
    if (fresh) shared_.on_new_world(added);
  });
  world = shared_.worlds.find(id);
  if (!world || world->info()->deleted) co_return refuse_missing_world();
  co_return world;
}

Task<Result<WorldPtr>> Tribes::open_fresh(WorldId id) {
  CO_TRY(auto world, co_await open(std::move(id)));
  co_await towns_.refresh(*world);
  if (world->info()->deleted) co_return refuse_missing_world();
  co_return world;
}

Task<Result<Answered>> Tribes::refuse_and_keep(World& world, WorldInfo const& info, UserId const& user,
                                               Error error, std::optional<IdempotencyKey> const& key) {
  auto const text = key ? to_kept(error) : std::nullopt;
  if (!text) co_return std::unexpected(std::move(error));
  auto const reply = co_await redis_.run(
      redis::Use::idempotent_write,
      scripts::keep_refusal(world, user, {.key = *key, .started_at = info.started_at, .answer = *text}));
  redis::ReplyReader in(reply);
  switch (in.integer()) {
    case 0: co_return std::unexpected(std::move(error));
    case 1: {
      auto kept = from_kept(in.text());
      if (!kept && reply.repeated()) kept.error().replayed = false;  // the call has found its own answer
      co_return kept;
    }
    default: co_return refuse(errors::idempotency_conflict, "this key was used for another request");
  }
}

Task<Result<Answered>> Tribes::act(WorldId id, UserId user, Action action,
                                   std::optional<IdempotencyKey> key) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  std::vector<UserId> users{user};
  if (auto const* const steal = std::get_if<Steal>(&action)) {
    auto const target = co_await town_at(*world, steal->field);
    if (target && *target != user) users.push_back(*target);
  }
  Seed const seed{random_.next()};
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    bool again = false;
    auto answered = co_await try_action(*world, users, action, seed, key, again);
    if (again) continue;
    count(type_of(action), answered ? "ok" : answered.error().code.name);
    co_return answered;
  }
  throw too_busy();
}

Task<Result<Answered>> Tribes::try_action(World& world, std::vector<UserId> const& users,
                                          Action const& action, Seed seed,
                                          std::optional<IdempotencyKey> const& key, bool& again) {
  auto read = co_await towns_.read_now(world, users, key);
  if (read.key_conflict)
    co_return refuse(errors::idempotency_conflict, "this key was used for another request");
  if (read.kept) co_return from_kept(*read.kept);
  if (auto problem = problem_of_world(*read.info))
    co_return co_await refuse_and_keep(world, *read.info, users[0], std::move(*problem), key);
  if (auto problem = problem_of_player(read))
    co_return co_await refuse_and_keep(world, *read.info, users[0], std::move(*problem), key);
  if (auto const* const steal = std::get_if<Steal>(&action); steal && !read.towns.back()) {
    throw CorruptDocument(fmt::format("{} is missing, but the map has it", world.keys.town(users.back())));
  } else if (steal && users.size() == 1) {
    bool const own = steal->field == read.towns[0]->town.field;
    co_return co_await refuse_and_keep(
        world, *read.info, users[0],
        own ? Error{.code = errors::own_town, .detail = "thieves do not steal from their own town"}
            : Error{.code = errors::no_town_there, .detail = "there is no town on this field"},
        key);
  }
  auto event = apply(read, action, seed);
  if (!event) {
    co_return co_await refuse_and_keep(world, *read.info, users[0],
                                       in_real_time(std::move(event.error()), read.info->clock), key);
  }
  auto const now = shared_.clock.now();
  auto const& actor = *read.towns[0];
  auto answer = json::serialize(
      json::object{{"revision", actor.revision + 1}, {"state", view(actor.town, read.info->clock, now)}});
  TownsWrite write{.world = world,
                   .world_revision = read.info->revision,
                   .now = now,
                   .at = actor.town.at,
                   .towns = {},
                   .event = std::move(*event)};
  for (auto const& each : read.towns) write.towns.push_back(Towns::to_write(*each, *read.info));
  if (key) write.kept = KeptAnswer{.key = *key, .started_at = read.info->started_at, .answer = answer};
  auto const committed =
      co_await towns_.commit(write, key ? redis::Use::idempotent_write : redis::Use::write);
  co_return co_await settle(world, write, committed, std::move(answer), again);
}

Task<Result<Answered>> Tribes::settle(World& world, TownsWrite const& write, Committed const& committed,
                                      std::string answer, bool& again) {
  bool const own =
      committed.status == CommitStatus::replayed && committed.repeated && committed.answer == answer;
  switch (own ? CommitStatus::done : committed.status) {
    case CommitStatus::done:
      shared_.wake_projector(world);
      for (auto const& town : write.towns) {
        if (town.due) shared_.wake_updates(world, *town.due);
        if (town.goal_at) shared_.wake_jobs(world);
      }
      co_return Answered{.json = std::move(answer)};
    case CommitStatus::replayed: co_return from_kept(committed.answer);
    case CommitStatus::key_conflict:
      co_return refuse(errors::idempotency_conflict, "this key was used for another request");
    case CommitStatus::world_changed: co_await towns_.refresh(world); break;
    case CommitStatus::town_changed:
    case CommitStatus::no_room: break;
    case CommitStatus::town_lost:
      throw CorruptDocument(
          fmt::format("{} is missing, but its player has joined the world; stop the servers and run `larder "
                      "tribes rebuild`",
                      world.keys.town(write.towns[0].user)));
  }
  again = true;
  co_return Answered{};
}

Task<Result<Answered>> Tribes::join(WorldId id, UserId user, std::string username,
                                    std::optional<IdempotencyKey> key) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    bool again = false;
    auto answered = co_await try_join(*world, user, username, key, again);
    if (again) continue;
    count("join", answered ? "ok" : answered.error().code.name);
    co_return answered;
  }
  throw too_busy();
}

Task<Result<Answered>> Tribes::try_join(World& world, UserId const& user, std::string const& username,
                                        std::optional<IdempotencyKey> const& key, bool& again) {
  auto const read = co_await towns_.read_now(world, {user}, key);
  if (read.key_conflict)
    co_return refuse(errors::idempotency_conflict, "this key was used for another request");
  if (read.kept) co_return from_kept(*read.kept);
  if (auto problem = problem_of_world(*read.info))
    co_return co_await refuse_and_keep(world, *read.info, user, std::move(*problem), key);
  if (read.towns[0]) {
    co_return co_await refuse_and_keep(
        world, *read.info, user,
        {.code = errors::already_joined, .detail = "the player already has a town in this world"}, key);
  }
  auto const& rules = read.info->rules();
  auto place = co_await choose_place(world, rules);
  if (!place) {
    co_return co_await refuse_and_keep(
        world, *read.info, user,
        {.code = errors::world_full, .detail = "no zone of this world has room for another town"}, key);
  }
  place->user_name = username;
  auto const now = shared_.clock.now();
  auto const at = read.info->game_at(now);
  ReadTown const town{.town = found_town(user, place->field, rules, at)};
  auto const written =
      TownState{.user = user, .revision = 1, .at = now, .state = view(town.town, read.info->clock, now)};
  auto answer = json::serialize(to_json(written));
  TownsWrite write{
      .world = world,
      .world_revision = read.info->revision,
      .now = now,
      .at = at,
      .towns = {Towns::to_write(town, *read.info)},
      .event = NewEvent{.type = "joined",
                        .user_id = user.str(),
                        .at = at,
                        .data = json::serialize(json::object{
                            {"x", place->field.x}, {"y", place->field.y}, {"username", username}})}};
  write.towns[0].revision = std::nullopt;
  if (key) write.kept = KeptAnswer{.key = *key, .started_at = read.info->started_at, .answer = answer};
  auto const committed =
      co_await towns_.join(write, *place, key ? redis::Use::idempotent_write : redis::Use::write);
  co_return co_await settle(world, write, committed, std::move(answer), again);
}

// A field in the open zone nearest to the centre. Zones are filled in this order and never become open again,
// so the search begins at the first zone that may be open.
Task<std::optional<Place>> Tribes::choose_place(World& world, Rules const& rules) {
  auto const& all = zones(rules.world);
  auto const open_key = world.keys.open_zone();
  auto const open = co_await redis_.command(redis::Use::read, open_key, {"GET", open_key});
  for (auto index = open.is_nil() ? std::size_t(0) : std::size_t(open.integer()); index < all.size();
       ++index) {
    auto const& zone = all[index];
    auto const taken = co_await fields_of(world, zone);
    auto const field = draw_field(zone, taken, rules.world, Seed{random_.next()});
    if (!field) continue;
    co_return Place{.user_name = {},
                    .field = *field,
                    .zone_x = zone.x,
                    .zone_y = zone.y,
                    .zone_index = index,
                    .towns_max = rules.world.towns_per_zone_max};
  }
  co_return std::nullopt;
}

Task<std::vector<Field>> Tribes::fields_of(World& world, Zone zone) {
  std::vector<Field> fields;
  for (auto const& [field, user] : co_await towns_of(world, zone)) fields.push_back(field);
  co_return fields;
}

Task<std::vector<std::pair<Field, UserId>>> Tribes::towns_of(World& world, Zone zone) {
  auto const info = world.info();
  auto const key = world.keys.zone(zone.x, zone.y);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGETALL", key});
  std::vector<std::pair<Field, UserId>> towns;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    auto const field = parse_field(reply.at(i).text());
    auto user = UserId::from(reply.at(i + 1).text());
    bool const good =
        field && user && field->x >= 0 && field->y >= 0 && zone_of(*field, info->rules().world) == zone;
    if (!good) throw CorruptDocument(fmt::format("{} is corrupt: {}", key, reply.at(i).text()));
    towns.emplace_back(*field, std::move(*user));
  }
  co_return towns;
}

Task<std::optional<UserId>> Tribes::town_at(World& world, Field field) {
  auto const info = world.info();
  auto const zone = zone_of(field, info->rules().world);
  auto const key = world.keys.zone(zone.x, zone.y);
  auto const name = fmt::format("{},{}", field.x, field.y);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGET", key, name});
  co_return reply.is_nil() ? std::nullopt : UserId::from(reply.text());
}

std::vector<Zone> const& Tribes::zones(WorldMap const& map) {
  auto const [place, fresh] = zones_.try_emplace({map.size, map.zone_size});
  if (fresh) place->second = zones_by_distance(map);
  return place->second;
}

void Tribes::count(std::string_view type, std::string_view outcome) {
  shared_.metrics
      .counter("larder_tribes_actions_total", "Joins and actions that were decided",
               {{"type", std::string(type)}, {"outcome", std::string(outcome)}})
      .Increment();
}

}  // namespace larder::tribes
