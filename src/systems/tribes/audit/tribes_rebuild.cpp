#include "systems/tribes/audit/tribes_rebuild.hpp"

#include "base/when_all.hpp"
#include "kit/documents/documents.hpp"
#include "kit/presence/presence.hpp"
#include "systems/tribes/audit/event_source.hpp"
#include "systems/tribes/audit/replay.hpp"
#include "systems/tribes/map.hpp"
#include "systems/tribes/towns.hpp"
#include "systems/tribes/worlds.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

constexpr std::size_t writes_at_once = 1000;

class Rebuilder {
 public:
  Rebuilder(redis::Redis& redis, TribesJournal& journal, Clock const& clock, RebuildOptions options)
      : redis_(redis), journal_(journal), clock_(clock), options_(std::move(options)) {}

  Task<RebuildReport> run() {
    co_await presence::close_for_rebuild(redis_, "tribes", [this] { return has_all(); });
    for (auto const& id : co_await journal_.worlds()) {
      if (!co_await has(id)) co_await rebuild(id);
    }
    co_await options_.rebuild_more();
    co_await presence::open(redis_);
    co_return report_;
  }

 private:
  // The document of a world is written last, so a world that has one is whole.
  Task<bool> has(WorldId const& id) {
    auto const key = WorldKeys(id).world();
    co_return (co_await redis_.command(redis::Use::read, key, {"EXISTS", key})).integer() == 1;
  }

  Task<bool> has_all() {
    for (auto const& id : co_await journal_.worlds()) {
      if (co_await journal_.has_towns(id) && !co_await has(id)) co_return false;
    }
    if (co_await options_.more_is_lost()) co_return false;
    // An empty Redis lacks the worlds without towns, too.
    auto const known = co_await redis_.command(redis::Use::read, worlds_key, {"SCARD", worlds_key});
    co_return known.integer() > 0;
  }

  Task<void> rebuild(WorldId const& id) {
    World const world(id);
    Replay replay;
    EventSource source(redis_, journal_, world);
    auto const newest = co_await journal_.newest(id);
    for (;;) {
      auto const events = co_await source.next(newest);
      if (events.empty()) break;
      for (auto const& event : events) {
        if (auto const done = replay.apply(event); !done) {
          ++report_.problems;
          options_.problem(fmt::format("world {}: event {} ({}): {}", id.str(), event.id(), event.type,
                                       done.error().detail));
        }
      }
      report_.events += std::int64_t(events.size());
      options_.progress(report_);
    }
    if (!replay.created() || replay.info().deleted) co_return;
    co_await write_world(world, replay, newest);
    ++report_.worlds;
  }

  Task<void> write_world(World const& world, Replay const& replay, std::string const& newest) {
    auto const& keys = world.keys;
    auto const& info = replay.info();
    // New events must get later ids than those in the journal, even if the clock of this Redis is behind.
    co_await send({"DEL", keys.outbox()});
    co_await send({"XADD", keys.outbox(), newest, "type", "rebuilt"});
    co_await send({"XTRIM", keys.outbox(), "MAXLEN", "0"});
    auto const writes = [&](UserId const& user, Town const& town) -> Task<void> {
      ReadTown const read{.town = town};
      auto const write = Towns::to_write(read, info);
      auto const zone = zone_of(town.field, info.rules().world);
      auto const name = replay.names().find(user);
      auto const field = fmt::format("{},{}", town.field.x, town.field.y);
      bool const named = name != replay.names().end() && !name->second.empty();
      add({"SET", keys.town(user), write.text});
      add({"SET", documents::revision_key(keys.town(user)), "1"});
      add({"HSET", keys.zone(zone.x, zone.y), field, user.str()});
      add({"HSET", keys.names(), user.str(), named ? field + " " + name->second : field});
      if (write.ranked) add({"ZADD", keys.leaderboard(), fmt::to_string(write.coins), user.str()});
      if (write.due && info.is_running())
        add({"ZADD", keys.updates(), fmt::to_string(write.due->value), user.str()});
      if (waiting_.size() >= writes_at_once) co_await flush();
    };
    GameMs reached;
    for (auto const& [user, town] : replay.towns()) {
      co_await writes(user, town);
      reached = std::max(reached, town.at);
      ++report_.towns;
    }
    add({"SET", keys.reached(), fmt::to_string(reached.value)});
    for (auto const& [user, at] : replay.goals())
      add({"ZADD", keys.goals(), fmt::to_string(at.value), user.str()});
    auto const now = fmt::to_string(clock_.now().value);
    if (!replay.goals().empty() && info.is_running())
      add({"ZADD", keys.jobs(), now, std::string(job::judge)});
    if (info.state == WorldState::closed) add({"ZADD", keys.jobs(), now, std::string(job::settle)});
    if (info.state == WorldState::won) add({"ZADD", keys.jobs(), now, std::string(job::archive)});
    add({"SADD", std::string(worlds_key), world.id.str()});
    add({"SET", documents::revision_key(keys.world()), "1"});
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
