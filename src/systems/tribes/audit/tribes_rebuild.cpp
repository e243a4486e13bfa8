#include "systems/tribes/audit/tribes_rebuild.hpp"

#include "base/log.hpp"
#include "base/when_all.hpp"
#include "kit/documents/documents.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/projector.hpp"
#include "kit/presence/presence.hpp"
#include "systems/tribes/audit/event_source.hpp"
#include "systems/tribes/audit/replay.hpp"
#include "systems/tribes/map.hpp"
#include "systems/tribes/towns.hpp"
#include "systems/tribes/tribes.hpp"
#include "systems/tribes/worlds.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::tribes {

namespace {

constexpr std::size_t writes_at_once = 1000;

redis::StreamId to_stream_id(std::string const& id) {
  auto const [ms, sequence] = events::parse_id(id);
  return {.ms = ms, .sequence = sequence};
}

class Rebuilder {
 public:
  Rebuilder(redis::Redis& redis, TribesJournal& journal, Clock const& clock, RebuildOptions options)
      : redis_(redis), journal_(journal), clock_(clock), options_(std::move(options)) {}

  Task<RebuildReport> run() {
    co_await presence::close_for_rebuild(redis_, "tribes", [this] { return has_all(); });
    for (auto const& id : co_await worlds()) co_await rebuild(id);
    co_await options_.rebuild_more();
    co_await presence::open(redis_);
    co_return report_;
  }

 private:
  // Also those of which only an outbox has events.
  Task<std::set<WorldId>> worlds() {
    std::set<WorldId> worlds;
    for (auto& id : co_await possible_worlds(redis_, journal_)) worlds.insert(std::move(id));
    auto const known = co_await redis_.command(redis::Use::read, worlds_key, {"SMEMBERS", worlds_key});
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (auto id = WorldId::from(known.at(i).text())) worlds.insert(std::move(*id));
    }
    co_return worlds;
  }

  Task<bool> exists(std::string key) {
    co_return (co_await redis_.command(redis::Use::read, key, {"EXISTS", key})).integer() == 1;
  }

  Task<bool> has_all() {
    for (auto const& id : co_await possible_worlds(redis_, journal_)) {
      bool const complete = co_await exists(WorldKeys(id).world())
                                ? !co_await is_older(id) && (co_await lost_towns(id)).empty()
                                : !co_await journal_.has_towns(id);
      if (!complete) co_return false;
    }
    if (co_await options_.more_is_lost()) co_return false;
    // An empty Redis lacks the worlds without towns, too.
    auto const known = co_await redis_.command(redis::Use::read, worlds_key, {"SCARD", worlds_key});
    co_return known.integer() > 0;
  }

  // Whether SQL has events of the world that this Redis has never had: it is an older copy. New events in
  // such a copy have newer ids than those in SQL, so the ids alone do not tell.
  Task<bool> is_older(WorldId id) {
    if (!(co_await standing_of(id)).redis_lacks.empty()) co_return true;
    auto const newest = to_stream_id(co_await journal_.newest(id));
    co_return co_await redis::last_stream_id(redis_, WorldKeys(id).outbox()) < newest;
  }

  Task<events::Standing> standing_of(WorldId const& id) {
    co_return (co_await events::compare_positions(redis_, journal_.database(), {WorldKeys(id).outbox()}))[0];
  }

  // The players who have joined the world, and whose towns Redis does not have.
  Task<std::set<UserId>> lost_towns(WorldId id) {
    WorldKeys const keys(id);
    std::set<UserId> lost;
    for (auto const& user : co_await journal_.citizens(id)) {
      if (!co_await exists(keys.town(user))) lost.insert(user);
    }
    co_return lost;
  }

  // The newest events may be only in the outbox. They stay there, so that a projector tells the feed of them.
  Task<void> journal_outbox(World const& world) {
    for (std::string after = "-";;) {
      auto events = co_await events::read_events(redis_, world.keys.outbox(), after, "+", 1000);
      if (events.empty()) co_return;
      after = "(" + events.back().id;
      co_await journal_.write(world.id, std::move(events));
    }
  }

  // The events that were written to an older copy do not continue what SQL has. As with a running projector,
  // a person may look at them. Then the outbox is missing, so the world is still older if this is cut off.
  Task<void> take_outbox_away(World const& world) {
    events::OutboxKeys const keys(world.keys.outbox());
    auto const moved = co_await events::fence_outbox(redis_, keys, co_await standing_of(world.id));
    if (moved == 0) co_return;
    log::warn("events of an older Redis are not rebuilt: `larder outbox lost` lists them",
              {{"stream", keys.lost}, {"events", moved}});
  }

  Task<Replay> play(World const& world, std::string const& newest) {
    Replay replay;
    EventSource source(redis_, journal_, world);
    for (;;) {
      auto const events = co_await source.next(newest);
      if (events.empty()) co_return replay;
      for (auto const& event : events) {
        if (auto const done = replay.apply(event); !done) {
          ++report_.problems;
          options_.problem(fmt::format("world {}: event {} ({}): {}", world.id.str(), event.id(), event.type,
                                       done.error().detail));
        }
      }
      report_.events += std::int64_t(events.size());
      options_.progress(report_);
    }
  }

  // The document of a world is written last, so a world that has one is whole, unless it has lost towns
  // since.
  Task<void> rebuild(WorldId id) {
    World const world(id);
    bool const there = co_await exists(world.keys.world());
    bool const older = co_await is_older(id);
    if (older) {
      co_await take_outbox_away(world);
    } else {
      co_await journal_outbox(world);
    }
    auto const lost = there && !older ? co_await lost_towns(id) : std::set<UserId>();
    if (there && !older && lost.empty()) co_return;
    auto const newest = co_await journal_.newest(id);
    auto const replay = co_await play(world, newest);
    if (!replay.created() || (replay.info().deleted && !there)) co_return;
    if (there && older) co_await remove_strangers(world, replay);
    if (replay.info().deleted) {
      co_await remove_world(world, replay);
    } else if (lost.empty()) {
      co_await write_world(world, replay);
    } else {
      co_await write_towns(world, replay, lost);
    }
    // Last: until then, a world whose document is there is still older.
    co_await events::restore_outbox(redis_, journal_.database(), world.keys.outbox(), to_stream_id(newest));
    ++report_.worlds;
  }

  // This Redis is an older copy, in which the world was not deleted yet.
  Task<void> remove_world(World const& world, Replay const& replay) {
    auto info = replay.info();
    info.state = WorldState::closed;
    add({"ZADD", world.keys.jobs(), fmt::to_string(clock_.now().value), std::string(job::remove)});
    add({"INCR", documents::revision_key(world.keys.world())});
    co_await flush();
    co_await send({"SET", world.keys.world(), to_document(info)});
  }

  // Towns that were founded in an older copy after it was put back: SQL has no event of them.
  Task<void> remove_strangers(World const& world, Replay const& replay) {
    auto const& keys = world.keys;
    auto const names = co_await redis_.command(redis::Use::read, keys.names(), {"HGETALL", keys.names()});
    Words strangers{"HDEL", keys.names()};
    for (std::size_t i = 0; i + 1 < names.size(); i += 2) {
      auto const user = UserId::from(names.at(i).text());
      if (!user || replay.towns().contains(*user)) continue;
      auto const place = names.at(i + 1).text();
      auto const text = place.substr(0, place.find(' '));
      if (auto const field = parse_field(text)) {
        auto const zone = zone_of(*field, replay.info().rules().world);
        add({"HDEL", keys.zone(zone.x, zone.y), std::string(text)});
      }
      for (auto const& key : {keys.town(*user), documents::revision_key(keys.town(*user)), keys.coins(*user),
                              keys.pizzas(*user), keys.reports(*user), keys.read_reports(*user)})
        add({"DEL", key});
      for (auto const& key : {keys.updates(), keys.leaderboard(), keys.watched()})
        add({"ZREM", key, user->str()});
      strangers.push_back(user->str());
    }
    co_await flush();
    // Last, so that they are found again if this is cut off.
    if (strangers.size() > 2) co_await send(std::move(strangers));
  }

  Task<void> write_towns(World const& world, Replay const& replay, std::set<UserId> const& only) {
    auto const& keys = world.keys;
    auto const& info = replay.info();
    auto const writes = [&](UserId const& user, Town const& town) -> Task<void> {
      ReadTown const read{.town = town};
      auto const write = Towns::to_write(read, info);
      auto const zone = zone_of(town.field, info.rules().world);
      auto const name = replay.names().find(user);
      auto const field = fmt::format("{},{}", town.field.x, town.field.y);
      bool const named = name != replay.names().end() && !name->second.empty();
      add({"SET", keys.town(user), write.text});
      add({"INCR", documents::revision_key(keys.town(user))});
      add({"HSET", keys.zone(zone.x, zone.y), field, user.str()});
      add({"HSET", keys.names(), user.str(), named ? field + " " + name->second : field});
      if (write.ranked) add({"ZADD", keys.leaderboard(), fmt::to_string(write.coins), user.str()});
      if (write.due && info.is_running())
        add({"ZADD", keys.updates(), fmt::to_string(write.due->value), user.str()});
      if (waiting_.size() >= writes_at_once) co_await flush();
    };
    for (auto const& [user, town] : replay.towns()) {
      if (!only.empty() && !only.contains(user)) continue;
      co_await writes(user, town);
      ++report_.towns;
    }
    co_await flush();
  }

  Task<void> write_world(World const& world, Replay const& replay) {
    auto const& keys = world.keys;
    auto const& info = replay.info();
    co_await write_towns(world, replay, {});
    GameMs reached;
    for (auto const& [user, town] : replay.towns()) reached = std::max(reached, town.at);
    add({"SET", keys.reached(), fmt::to_string(reached.value)});
    co_await send({"DEL", keys.goals()});
    for (auto const& [user, at] : replay.goals())
      add({"ZADD", keys.goals(), fmt::to_string(at.value), user.str()});
    auto const now = fmt::to_string(clock_.now().value);
    if (!replay.goals().empty() && info.is_running())
      add({"ZADD", keys.jobs(), now, std::string(job::judge)});
    if (info.state == WorldState::closed) add({"ZADD", keys.jobs(), now, std::string(job::settle)});
    if (info.state == WorldState::won) add({"ZADD", keys.jobs(), now, std::string(job::archive)});
    add({"SADD", std::string(worlds_key), world.id.str()});
    add({"INCR", documents::revision_key(keys.world())});
    co_await flush();
    co_await send({"SET", keys.world(), to_document(info)});
    options_.progress(report_);
  }

  using Words = std::vector<std::string>;

  void add(Words words) { waiting_.push_back(std::move(words)); }

  Task<void> flush() {
    std::vector<Task<bool>> writes;
    for (auto& words : std::exchange(waiting_, {})) writes.push_back(send(std::move(words)));
    co_await when_all(std::move(writes));
  }

  // Sends a command whose second word is its key.
  Task<bool> send(Words words) {
    std::vector<std::string_view> const args(words.begin(), words.end());
    co_await redis_.command(redis::Use::idempotent_write, args[1], args);
    co_return true;
  }

  redis::Redis& redis_;
  TribesJournal& journal_;
  Clock const& clock_;
  RebuildOptions options_;
  RebuildReport report_;
  std::vector<Words> waiting_;
};

}  // namespace

Task<RebuildReport> rebuild(redis::Redis& redis, TribesJournal& journal, Clock const& clock,
                            RebuildOptions options) {
  Rebuilder rebuilder(redis, journal, clock, std::move(options));
  co_return co_await rebuilder.run();
}

}  // namespace larder::tribes
