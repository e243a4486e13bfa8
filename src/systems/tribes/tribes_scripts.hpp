// Makes the calls of the scripts of tribes. The head of each script says what it does and what it returns.
#pragma once

#include "base/idempotency_key.hpp"
#include "stores/redis/script_call.hpp"
#include "systems/tribes/map.hpp"
#include "systems/tribes/world.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::tribes {

// What happened, for the journal and the feed.
struct NewEvent {
  std::string_view type;
  std::string user_id;  // empty: the event belongs to no user
  GameMs at;
  std::string data;  // a JSON object
};

// A town that is written, and everything that follows from its new state.
struct TownWrite {
  UserId user;
  std::optional<std::int64_t> revision;  // the expected one; nothing: the town is new
  std::string text;
  std::optional<TimeMs> due;  // nothing: the town has nothing to wait for
  TimeMs due_watched;
  std::int64_t coins = 0;
  std::int64_t pizzas = 0;
  bool ranked = true;
  std::optional<GameMs> goal_at;
  std::string report;  // a JSON object; empty: none
};

// Towns that have only advanced. Each is written on its own.
struct UpdatesWrite {
  World const& world;
  std::int64_t world_revision = 0;
  TimeMs now;
  struct Update {
    TownWrite town;  // without a report
    GameMs at;
    std::string coins_block = {};  // of the history, with the new point; empty: the script makes it
    std::string pizzas_block = {};
  };
  std::vector<Update> updates;
};

// An Idempotency-Key, and the answer that is kept for it.
struct KeptAnswer {
  IdempotencyKey key;
  TimeMs started_at;  // of the world
  std::string answer;
};

struct TownsWrite {
  World const& world;
  std::int64_t world_revision = 0;
  TimeMs now;
  GameMs at;  // of all towns
  std::vector<TownWrite> towns;
  std::optional<NewEvent> event = {};
  std::optional<KeptAnswer> kept = {};
};

// Where a new town is founded.
struct Place {
  std::string user_name;
  Field field;
  int zone_x = 0;
  int zone_y = 0;
  std::size_t zone_index = 0;  // in zones_by_distance()
  std::int64_t towns_max = 0;  // in the zone
};

// The moment of the event must not be before a moment that a town has reached.
struct WorldWrite {
  World const& world;
  std::optional<std::int64_t> revision;  // the expected one; nothing: the world is new
  std::string text;
  TimeMs now;
  std::string_view job = {};  // to be done next; empty: none
  bool freeze = false;        // ends all updates
  NewEvent event;
};

namespace scripts {

// `started_at` of the world.
redis::ScriptCall read_towns(World const& world, std::span<UserId const> users,
                             std::optional<IdempotencyKey> const& key, TimeMs started_at);
redis::ScriptCall read_due_towns(World const& world, std::span<UserId const> users, std::string_view block);
redis::ScriptCall commit_towns(TownsWrite const& write);
redis::ScriptCall join_world(TownsWrite const& write, Place const& place);
redis::ScriptCall keep_refusal(World const& world, UserId const& user, KeptAnswer const& kept);
redis::ScriptCall change_world(WorldWrite const& write);
// `revision` of the town: nothing if there is no town.
redis::ScriptCall end_updates(World const& world, UserId const& user, std::int64_t world_revision,
                              std::optional<std::int64_t> revision);
redis::ScriptCall finish_job(World const& world, std::string_view job, std::string_view due);
redis::ScriptCall forget_name(World const& world, UserId const& user);
redis::ScriptCall read_frame(World const& world);
// A town, and where it should be.
struct TownPlace {
  UserId user;
  Field field;
  Zone zone;
};
redis::ScriptCall read_page(World const& world, std::span<TownPlace const> towns);
redis::ScriptCall read_report(World const& world, UserId const& user, std::string_view report);
redis::ScriptCall remove_keys(World const& world, std::int64_t revision, std::span<std::string const> keys);
redis::ScriptCall update_towns(UpdatesWrite const& write);
redis::ScriptCall watch_towns(World const& world, std::span<UserId const> users, TimeMs now, TimeMs until);

}  // namespace scripts

}  // namespace larder::tribes
