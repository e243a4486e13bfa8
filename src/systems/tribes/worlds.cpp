#include "systems/tribes/worlds.hpp"

#include "base/log.hpp"
#include "base/try.hpp"
#include "base/when_all.hpp"
#include "kit/documents/documents.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/due_set.hpp"
#include "stores/redis/reply_reader.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

constexpr std::string_view portion_size = "100";
constexpr std::chrono::seconds removal_wait_max{3};
constexpr std::chrono::milliseconds removal_pause{20};

Error world_is_over() {
  return {.code = errors::world_over, .detail = "the world was won; nothing changes any more"};
}

Task<bool> to_flag(Task<void> task) {
  co_await std::move(task);
  co_return true;
}

}  // namespace

// Returns false if somebody else was faster.
Task<bool> Worlds::write(World& world, WorldInfo const& info, std::optional<std::int64_t> revision,
                         NewEvent event, std::string_view job, bool freeze) {
  auto const reply =
      co_await redis_.run(redis::Use::write, scripts::change_world({.world = world,
                                                                    .revision = revision,
                                                                    .text = to_document(info),
                                                                    .now = shared_.clock.now(),
                                                                    .job = job,
                                                                    .freeze = freeze,
                                                                    .event = std::move(event)}));
  redis::ReplyReader in(reply);
  bool const written = in.flag();
  auto made = info;
  made.revision = in.integer();
  in.end();
  if (!written) co_return false;
  world.put(std::make_shared<WorldInfo const>(std::move(made)));
  shared_.wake_projector(world);
  if (!job.empty()) shared_.wake_jobs(world);
  co_return true;
}

Task<Result<WorldLine>> Worlds::create(WorldId id, std::int64_t speed, RulesPtr rules) {
  auto const there = co_await tribes_.open_fresh(id);
  if (there) co_return refuse(errors::world_exists, "a world with this id already exists");
  if (there.error().code != errors::world_not_found) co_return std::unexpected(there.error());
  if (co_await is_lost(id)) {
    co_return refuse(
        errors::world_lost,
        "SQL has towns of a world with this id, but Redis has lost it; stop the servers and run `larder "
        "tribes rebuild`");
  }
  // First the list of worlds: a world that is not in the list would never be updated after a restart.
  co_await list(id);
  auto const now = shared_.clock.now();
  WorldInfo const info{.clock = {.base_real = now, .base_game = {}, .speed = speed},
                       .started_at = now,
                       .eras = {{.from = {}, .rules = rules}}};
  World fresh(id);
  co_await wait_for_removal(id);
  // An earlier world with this id had no towns, or was deleted. So nothing is missing from the new outbox.
  co_await events::restore_outbox(redis_, shared_.journal.database(), fresh.keys.outbox(), {});
  auto const written =
      co_await write(fresh, info, std::nullopt,
                     {.type = "created",
                      .user_id = {},
                      .at = {},
                      .data = json::serialize(json::object{
                          {"speed", speed}, {"started_at", now.value}, {"rules", to_json(*rules)}})},
                     "", false);
  if (!written) co_return refuse(errors::world_exists, "a world with this id already exists");
  co_await list(id);  // again: the removal of an earlier world with this id may have come in between
  CO_TRY(auto const world, co_await tribes_.open(id));
  co_return co_await tribes_.line_of(*world);
}

// A deleted world with this id may not be removed completely yet.
Task<void> Worlds::wait_for_removal(WorldId const& id) {
  auto const deadline = std::chrono::steady_clock::now() + removal_wait_max;
  for (auto info = co_await read_world(redis_, id); info && info->deleted;
       info = co_await read_world(redis_, id)) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw StoreError("an earlier world with this id is still being removed; try again later", false);
    }
    co_await sleep_for(removal_pause);
  }
}

// No town may be past the moment of a change: until then it has lived by the old clock and the old rules.
// While many towns are updated, some get past it before the change is written. So each attempt looks a little
// further ahead, and game time waits there for the real time.
Task<Worlds::Moment> Worlds::moment_of_change(World& world, int attempt) {
  co_await towns_.refresh(world);
  auto const key = world.keys.reached();
  auto const reached = co_await redis_.command(redis::Use::read, key, {"GET", key});
  auto const ahead_ms = attempt == 0 ? 0 : std::int64_t(1) << std::min(attempt, 12);
  auto const real = shared_.clock.now() + ahead_ms;
  GameMs const towns{reached.is_nil() ? 0 : reached.integer()};
  auto const info = world.info();
  auto const game = std::max(info->game_at(real), towns);
  // By the clock of another server, it may be later. Game time must not run through the time in between
  // again.
  co_return Moment{.real = std::max(real, info->clock.real_at(game)), .game = game, .info = info};
}

Task<Result<WorldLine>> Worlds::change(WorldId id, WorldChange change) {
  CO_TRY(auto const world, co_await tribes_.open(id));
  for (int attempt = 0;; ++attempt) {
    auto const [now, at, before] = co_await moment_of_change(*world, attempt);
    if (before->deleted) co_return refuse_missing_world();
    if (before->state == WorldState::won) co_return std::unexpected(world_is_over());
    auto info = *before;
    json::object data{{"real_ms", now.value}};
    if (change.state && *change.state != info.state) {
      info.state = *change.state;
      data["state"] = world_state_names[std::size_t(info.state)];
    }
    if (change.speed && *change.speed != info.clock.speed) data["speed"] = *change.speed;
    info.clock = {.base_real = now, .base_game = at, .speed = change.speed.value_or(info.clock.speed)};
    if (change.rules && change.rules->world != info.rules().world)
      co_return invalid("rules.world", "the map of a world cannot change");
    if (change.rules && *change.rules != info.rules()) {
      if (info.eras.size() == limits::world_eras_max)
        co_return invalid("rules", "the rules of this world have changed too often");
      info.eras.push_back({.from = at, .rules = change.rules});
      data["rules"] = to_json(*change.rules);
    }
    bool const freeze = info.state == WorldState::closed;
    if (data.size() == 1 ||
        co_await write(*world, info, before->revision,
                       {.type = "changed", .user_id = {}, .at = at, .data = json::serialize(data)},
                       freeze ? job::settle : job::reschedule, freeze)) {
      co_return co_await tribes_.line_of(*world);
    }
  }
}

Task<Result<void>> Worlds::remove(WorldId id) {
  CO_TRY(auto const world, co_await tribes_.open(id));
  for (int attempt = 0;; ++attempt) {
    auto const [now, at, before] = co_await moment_of_change(*world, attempt);
    if (before->deleted) co_return refuse_missing_world();
    auto info = *before;
    if (info.is_running()) info.state = WorldState::closed;
    info.deleted = true;
    if (co_await write(*world, info, before->revision,
                       {.type = "deleted", .user_id = {}, .at = at, .data = "{}"}, job::remove, true)) {
      co_return Result<void>();
    }
  }
}

Task<void> Worlds::notice_missing(World& world) {
  co_await towns_.refresh(world);
  if (!world.info()->deleted) co_await list(world.id);
}

Task<void> Worlds::do_job(WorldPtr world, std::string name) {
  auto const key = world->keys.jobs();
  auto const due = co_await redis_.command(redis::Use::read, key, {"ZSCORE", key, name});
  if (due.is_nil()) co_return;
  if (name == job::judge) co_await judge(*world);
  if (name == job::reschedule) co_await reschedule(*world);
  if (name == job::settle) co_await settle(*world);
  if (name == job::archive) co_await archive(*world);
  if (name == job::remove) co_await remove_keys(*world);
  co_await redis_.run(redis::Use::idempotent_write, scripts::finish_job(*world, name, due.text()));
}

// Every town that could have been first must have got to the moment at which somebody reached the goal. Then
// all moments before it are known, and the earliest one wins.
Task<void> Worlds::judge(World& world) {
  auto const key = world.keys.goals();
  for (int attempt = 0;; ++attempt) {
    co_await towns_.refresh(world);
    auto const first =
        co_await redis_.command(redis::Use::read, key, {"ZRANGE", key, "0", "0", "WITHSCORES"});
    if (first.size() != 2 || !world.info()->is_running()) co_return;
    GameMs const at{first.at(1).integer()};
    co_await take_all_to(world, at);
    auto const best = co_await redis_.command(redis::Use::read, key, {"ZRANGE", key, "0", "0", "WITHSCORES"});
    auto const winner = UserId::from(best.at(0).text()).value();
    if (co_await crown(world, winner, {best.at(1).integer()}, attempt)) co_return;
  }
}

Task<void> Worlds::take_all_to(World& world, GameMs at) {
  co_await each_portion(world, [&](std::vector<UserId> users) -> Task<void> {
    std::vector<Task<bool>> updates;
    for (auto& user : users) updates.push_back(to_flag(take_town_to(world, std::move(user), at)));
    co_await when_all(std::move(updates));
  });
}

// A town that cannot be read is out of the race: it must not keep the others from winning.
Task<void> Worlds::take_town_to(World& world, UserId user, GameMs at) {
  std::string why;
  try {
    co_await towns_.update_to(world, user, at);
    co_return;
  } catch (CorruptDocument const& error) {
    why = error.what();
  } catch (redis::ReplyError const& error) {
    why = error.what();
  }
  log::warn("a town cannot be read", {{"world", world.id.str()}, {"user", user.str()}, {"why", why}});
}

// The world runs on until it is judged, so it stops a little after the winner has reached the goal.
Task<bool> Worlds::crown(World& world, UserId const& winner, GameMs goal_at, int attempt) {
  auto const [now, at, before] = co_await moment_of_change(world, attempt);
  if (!before->is_running()) co_return true;
  auto info = *before;
  info.state = WorldState::won;
  info.winner = winner;
  info.won_at = std::clamp(before->clock.real_at(goal_at), std::min(info.started_at, now), now);
  info.clock = {.base_real = now, .base_game = at, .speed = info.clock.speed};
  auto const read = co_await towns_.read_at(world, {winner}, at);
  auto const users = std::vector{winner.str()};
  auto const citizens = co_await tribes_.citizens(world, users);
  json::object const data{{"won_at", info.won_at->value},
                          {"real_ms", now.value},
                          {"started_at", info.started_at.value},
                          {"username", citizens[0].username},
                          {"coins", read.towns[0] ? read.towns[0]->town.coins() : 0},
                          {"players", co_await count_players(world)}};
  co_return co_await write(world, info, before->revision,
                           {.type = "won", .user_id = winner.str(), .at = at, .data = json::serialize(data)},
                           job::archive, true);
}

Task<void> Worlds::reschedule(World& world) {
  auto const key = world.keys.updates();
  co_await each_portion(world, [&](std::vector<UserId> users) -> Task<void> {
    auto const now = fmt::to_string(shared_.clock.now().value);
    std::vector<std::string_view> words{"ZADD", key, "LT"};
    for (auto const& user : users) words.insert(words.end(), {now, user.str()});
    co_await redis_.command(redis::Use::idempotent_write, key, words);
  });
  shared_.wake_updates(world, shared_.clock.unchecked());
  // If the world was closed when it should have been judged, it is judged now.
  auto const goals = world.keys.goals();
  if ((co_await redis_.command(redis::Use::read, goals, {"EXISTS", goals})).integer() == 0) co_return;
  auto const now = fmt::to_string(shared_.clock.now().value);
  auto const jobs = world.keys.jobs();
  co_await redis_.command(redis::Use::idempotent_write, jobs, {"ZADD", jobs, now, job::judge});
  shared_.wake_jobs(world);
}

// Until the world stopped, each town was updated at another moment. Afterwards the leaderboard shows all
// towns at the same moment, as their players see them.
Task<void> Worlds::settle(World& world) {
  co_await towns_.refresh(world);
  auto const info = world.info();
  if (!info->is_running() && !info->deleted) co_await take_all_to(world, info->clock.base_game);
}

Task<void> Worlds::archive(World& world) {
  constexpr std::int64_t portion = 500;
  co_await settle(world);
  auto const info = world.info();
  if (info->state != WorldState::won || info->deleted) co_return;
  // The journal must have the event "won", because that event makes the entry of the hall of fame.
  if (!co_await events::caught_up(redis_, world.keys.outbox(), std::chrono::seconds(2)))
    throw StoreError("the journal does not have all events of the world yet", false);
  auto const key = world.keys.leaderboard();
  for (std::int64_t first = 0;; first += portion) {
    auto const reply = co_await redis_.command(
        redis::Use::read, key,
        {"ZREVRANGE", key, fmt::to_string(first), fmt::to_string(first + portion - 1), "WITHSCORES"});
    if (reply.size() == 0) co_return;
    std::vector<std::string> users;
    for (std::size_t i = 0; i < reply.size(); i += 2) users.emplace_back(reply.at(i).text());
    auto const citizens = co_await tribes_.citizens(world, users);
    std::vector<Standing> standings;
    for (std::size_t i = 0; i < users.size(); ++i) {
      standings.push_back({.rank = first + std::int64_t(i) + 1,
                           .user_id = UserId::from(users[i]).value(),
                           .username = citizens[i].username,
                           .coins = reply.at(2 * i + 1).integer(),
                           .field = citizens[i].field});
    }
    co_await shared_.journal.archive(world.id, info->won_at.value_or(info->clock.base_real),
                                     std::move(standings), info->winner);
  }
}

// The document of the world goes last. If this is interrupted, the job is repeated; it must not touch a new
// world with the same id. No revision is used twice, so the revision tells the two apart.
Task<void> Worlds::remove_keys(World& world) {
  auto const& keys = world.keys;
  documents::Documents documents(redis_);
  auto const document = co_await documents.read(keys.world());
  if (!document.text) co_return;  // everything is gone
  co_await towns_.refresh(world);
  auto const info = world.info();
  if (!info->deleted) co_return;
  if (!co_await events::caught_up(redis_, keys.outbox(), std::chrono::seconds(2)))
    throw StoreError("the journal does not have all events of the world yet", false);
  bool replaced = false;
  auto const remove = [&](std::vector<std::string> gone) -> Task<void> {
    if (replaced) co_return;
    auto const reply =
        co_await redis_.run(redis::Use::idempotent_write, scripts::remove_keys(world, info->revision, gone));
    replaced = reply.integer() == 0;
  };
  co_await each_portion(world, [&](std::vector<UserId> users) -> Task<void> {
    for (auto const& user : users) {
      auto const town = keys.town(user);
      co_await remove({town, documents::revision_key(town), keys.coins(user), keys.pizzas(user),
                       keys.reports(user), keys.read_reports(user)});
    }
  });
  for (auto const& zone : zones_by_distance(info->rules().world))
    co_await remove({keys.zone(zone.x, zone.y)});
  schedule::DueSetKeys const updates(keys.updates());
  schedule::DueSetKeys const jobs(keys.jobs());
  co_await remove({keys.names(), keys.watched(), keys.goals(), keys.reached(), keys.open_zone(),
                   keys.leaderboard(), updates.due, updates.failures, updates.dead, updates.reasons,
                   jobs.failures, jobs.dead, jobs.reasons});
  if (replaced) co_return;
  co_await redis_.command(redis::Use::idempotent_write, worlds_key, {"SREM", worlds_key, world.id.str()});
  co_await remove({keys.world()});
}

// A failure in one world does not keep the others from forgetting the user.
Task<void> Worlds::make_ruins(UserId user) {
  std::exception_ptr failure;
  for (auto const& id : co_await tribes_.world_ids()) {
    try {
      auto const world = co_await tribes_.open(id);
      if (world) co_await make_ruin(**world, user);
    } catch (std::exception const&) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

Task<void> Worlds::make_ruin(World& world, UserId const& user) {
  for (;;) {
    auto read = co_await towns_.read_now(world, {user});
    if (!read.towns[0]) co_return;  // a town that is founded right now must keep its name until it is a ruin
    if (read.towns[0]->town.ruin || read.info->state == WorldState::won) break;
    tribes::make_ruin(read.towns[0]->town);
    auto const now = shared_.clock.now();
    TownsWrite const write{
        .world = world,
        .world_revision = read.info->revision,
        .now = now,
        .at = read.towns[0]->town.at,
        .towns = {Towns::to_write(*read.towns[0], *read.info)},
        .event =
            NewEvent{.type = "ruined", .user_id = user.str(), .at = read.towns[0]->town.at, .data = "{}"}};
    auto const committed = co_await towns_.commit(write, redis::Use::idempotent_write);
    if (committed.done()) shared_.wake_projector(world);
    if (committed.status == CommitStatus::world_changed) co_await towns_.refresh(world);
  }
  co_await redis_.run(redis::Use::idempotent_write, scripts::forget_name(world, user));
  auto const& keys = world.keys;
  std::vector<std::string> const personal{keys.coins(user), keys.pizzas(user), keys.reports(user),
                                          keys.read_reports(user)};
  co_await redis_.command(redis::Use::idempotent_write, personal[0],
                          {"UNLINK", personal[0], personal[1], personal[2], personal[3]});
}

// The keys of a deleted world are removed after SQL has its last event, and the document goes last. So
// without a document, events in the outbox belong to a lost world, or to a new one that has a document by
// now.
Task<bool> Worlds::is_lost(WorldId const& id) {
  if (co_await read_world(redis_, id)) co_return false;
  auto const outbox = WorldKeys(id).outbox();
  auto const waiting = co_await redis_.command(redis::Use::read, outbox, {"XLEN", outbox});
  if (waiting.integer() == 0 && !co_await shared_.journal.has_towns(id)) co_return false;
  co_return !co_await read_world(redis_, id);
}

Task<void> Worlds::list(WorldId const& id) {
  co_await redis_.command(redis::Use::idempotent_write, worlds_key, {"SADD", worlds_key, id.str()});
}

Task<std::int64_t> Worlds::count_players(World const& world) {
  auto const key = world.keys.names();
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HLEN", key});
  co_return reply.integer();
}

Task<void> Worlds::each_portion(World const& world, std::function<Task<void>(std::vector<UserId>)> each) {
  auto const key = world.keys.names();
  std::string cursor = "0";
  do {
    auto const reply =
        co_await redis_.command(redis::Use::read, key, {"HSCAN", key, cursor, "COUNT", portion_size});
    cursor = reply.at(0).text();
    std::vector<UserId> users;
    for (std::size_t i = 0; i < reply.at(1).size(); i += 2) {
      if (auto user = UserId::from(reply.at(1).at(i).text())) users.push_back(std::move(*user));
    }
    if (!users.empty()) co_await each(std::move(users));
  } while (cursor != "0");
}

}  // namespace larder::tribes
