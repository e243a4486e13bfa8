#include "systems/tribes/tribes_background.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "kit/accounts/account_keys.hpp"
#include "stores/redis/stream_ids.hpp"

#include <set>

namespace larder::tribes {

namespace {

constexpr auto look_for_worlds = std::chrono::milliseconds(1000);
constexpr int updates_together_max = 32;

}  // namespace

schedule::SchedulerOptions updates_options(int at_once) {
  return {.name = "tribes_updates",
          .sets = {},
          .batch = std::min(8 * at_once, 1000),  // while a batch is claimed, nothing new begins
          .attempts_max = 5,  // a corrupt document fails every time, so few attempts are enough
          .at_once = at_once,
          .group_max = updates_together_max};
}

Task<schedule::Scheduler::Failures> update_due(Towns& towns, WorldPtr world,
                                               std::vector<schedule::Claimed> members) {
  schedule::Scheduler::Failures failures(members.size());
  std::vector<UserId> users;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (auto user = UserId::from(members[i].member)) {
      users.push_back(std::move(*user));
      places.push_back(i);
    } else {
      failures[i] = std::make_exception_ptr(std::runtime_error("this is not the id of a user"));
    }
  }
  if (users.empty()) co_return failures;
  auto const ended = co_await towns.update(*world, std::move(users));
  for (std::size_t i = 0; i < places.size(); ++i) failures[places[i]] = ended[i];
  co_return failures;
}

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       BackgroundOptions const& options, Metrics& metrics)
    : io_(io),
      redis_(redis),
      journal_(sql),
      shared_{.journal = journal_,
              .clock = clock,
              .metrics = metrics,
              .rules = options.rules,
              .on_new_world =
                  [this](WorldPtr const& world) { asio::post(io_, [this, world] { attach(world); }); },
              .wake_projector =
                  [this](World const& world) {
                    if (auto const place = world.outbox_stream.load(); place != World::nowhere)
                      projector_.wake(place);
                  },
              .wake_updates =
                  [this](World const& world, TimeMs due) {
                    if (auto const place = world.updates_set.load(); place != World::nowhere)
                      updates_.wake(place, due);
                  },
              .wake_jobs =
                  [this](World const& world) {
                    if (auto const place = world.jobs_set.load(); place != World::nowhere)
                      jobs_.wake(place, shared_.clock.unchecked());
                  }},
      tribes_(redis, shared_),
      worlds_(redis, shared_),
      projector_(
          io, redis, sql, clock,
          {.name = "tribes",
           .streams = {},
           .to_feed = [this](std::string const& stream,
                             events::Event const& event) { return to_feed(owner_of(stream)->id, event); }},
          [this](sql::Session& session, std::string const& stream, std::span<events::Event const> events) {
            TribesJournal::write_events(session, owner_of(stream)->id, events);
          },
          metrics),
      updates_(
          io, redis, clock, updates_options(options.updates_at_once),
          [this](std::size_t set, std::vector<schedule::Claimed> members) {
            return update_due(tribes_.towns(), worlds_of_sets_[set], std::move(members));
          },
          metrics),
      jobs_(
          io, redis, clock, {.name = "tribes_jobs", .sets = {}, .lease = std::chrono::seconds(60)},
          [this](std::size_t set, std::string member, TimeMs) {
            return worlds_.do_job(worlds_of_sets_[set], std::move(member));
          },
          metrics),
      deletions_(
          io, redis, clock, {.name = "tribes_deletions", .sets = {accounts::AccountKeys::deletions()}},
          [this](std::size_t, std::string member, TimeMs) { return forget(std::move(member)); }, metrics),
      tasks_(io) {}

Task<void> Background::forget(std::string member) {
  if (auto user = UserId::from(member)) co_await worlds_.make_ruins(std::move(*user));
  auto const key = accounts::AccountKeys::deletions();
  co_await redis_.command(redis::Use::idempotent_write, key, {"ZREM", key, member});
}

// If the default world is corrupt, it must not keep the others closed.
Task<void> Background::open_default() {
  auto const id = WorldId::from(default_world).value();
  if (redis_.is_cluster() || shared_.worlds.find(id)) co_return;
  try {
    if (co_await tribes_.open(id)) co_return;
    auto const made = co_await worlds_.create(id, 1, shared_.rules);
    if (!made && made.error().code != errors::world_exists) throw std::runtime_error(made.error().detail);
  } catch (StoreError const&) {
    throw;
  } catch (std::exception const& error) {
    log::warn("a world was not opened", {{"world", id.str()}, {"why", error.what()}});
  }
}

// This server also opens the worlds of other servers: if such a server dies, this one updates their towns.
Task<void> Background::open_worlds() {
  co_await open_default();
  auto const ids = co_await tribes_.world_ids();
  for (auto const& id : ids) {
    if (shared_.worlds.find(id)) continue;
    try {
      co_await tribes_.open(id);
    } catch (std::exception const& error) {
      log::warn("a world was not opened", {{"world", id.str()}, {"why", error.what()}});
    }
  }
  for (auto const& world : shared_.worlds.all()) {
    if (world->info()->deleted || std::ranges::binary_search(ids, world->id)) continue;
    co_await worlds_.notice_missing(*world);
  }
}

// A server that continued would create an empty world in the place of the lost one, or play on in an older
// world.
Task<void> Background::refuse_lost_worlds() {
  for (auto const& id : co_await possible_worlds(redis_, journal_)) {
    WorldKeys const keys(id);
    auto const world = keys.world();
    bool const there = (co_await redis_.command(redis::Use::read, world, {"EXISTS", world})).integer() == 1;
    if (!there && co_await journal_.has_towns(id)) {
      throw LostRedisError(
          fmt::format("this Redis has lost the world {}, which SQL knows; run `larder tribes rebuild`, or "
                      "give the server the Redis "
                      "that has it",
                      id.str()));
    }
    auto const [ms, sequence] = events::parse_id(co_await journal_.newest(id));
    auto const last = co_await redis::last_stream_id(redis_, keys.outbox());
    if (there && last < redis::StreamId{.ms = ms, .sequence = sequence}) {
      throw LostRedisError(fmt::format(
          "this Redis is older than SQL: of the world {}, SQL has events up to {}-{}, and Redis only up to "
          "{}; give the "
          "server the newest Redis, or run `larder tribes rebuild`, which takes the world from SQL",
          id.str(), ms, sequence, last.str()));
    }
  }
}

Task<void> Background::refuse_lost_redis() {
  try {
    co_await refuse_lost_worlds();
  } catch (SetupError const&) {
    throw;
  } catch (std::exception const& error) {
    log::warn("whether Redis has every world could not be checked", {{"why", error.what()}});
  }
}

Task<events::UnsavedEvents> Background::save_events() {
  std::set<WorldId> ids;
  for (auto& id : co_await possible_worlds(redis_, journal_)) ids.insert(std::move(id));
  for (auto& id : co_await tribes_.world_ids()) ids.insert(std::move(id));
  for (auto const& id : ids) attach(std::make_shared<World>(id));
  co_return co_await projector_.save();
}

Task<void> Background::start() {
  co_await refuse_lost_redis();
  try {
    co_await open_worlds();
  } catch (std::exception const& error) {
    log::warn("the worlds were not opened", {{"why", error.what()}});
  }
  projector_.start();
  updates_.start();
  jobs_.start();
  deletions_.start();
  tasks_.spawn(watch());
}

Task<void> Background::stop() {
  tasks_.ask_to_stop();
  co_await updates_.stop();
  co_await jobs_.stop();
  co_await deletions_.stop();
  co_await projector_.stop();
  co_await tasks_.stop();
}

// Runs on the background thread. Each world comes here once, from the Tribes that opened it first.
void Background::attach(WorldPtr const& world) {
  {
    std::lock_guard const lock(mutex_);
    streams_[world->keys.outbox()] = world;
  }
  world->outbox_stream = projector_.add(world->keys.outbox());
  worlds_of_sets_.push_back(world);
  world->updates_set = updates_.add(world->keys.updates());
  world->jobs_set = jobs_.add(world->keys.jobs());
  LARDER_ASSERT(world->updates_set == worlds_of_sets_.size() - 1);
  LARDER_ASSERT(world->jobs_set == worlds_of_sets_.size() - 1);
  shared_.wake_projector(*world);
}

WorldPtr Background::owner_of(std::string const& stream) const {
  std::lock_guard const lock(mutex_);
  return streams_.at(stream);
}

Task<void> Background::watch() {
  bool told = false;
  while (!tasks_.stopping()) {
    try {
      co_await open_worlds();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) log::warn("other worlds were not looked for", {{"why", error.what()}});
    }
    co_await tasks_.sleep(look_for_worlds);
  }
}

events::FeedEvent to_feed(WorldId const& world, events::Event const& event) {
  auto made = to_tribes_event(event);
  events::FeedEvent told{
      .system = Scope::tribes, .type = made.type, .user_id = made.user_id, .at = {made.ms}, .data = {}};
  told.data = R"({"id":)";
  append_json_string(told.data, event.id);
  told.data += R"(,"world":)";
  append_json_string(told.data, world.str());
  told.data += fmt::format(R"(,"game_ms":{},"detail":{}}})", made.at.value, made.data);
  return told;
}

}  // namespace larder::tribes
