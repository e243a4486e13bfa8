// A world: one game of tribes, with its own towns, rules, speed and keys.
#pragma once

#include "base/idempotency_key.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/world_clock.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace larder::tribes {

struct WorldIdRules {
  static constexpr std::size_t chars_max = limits::world_chars_max;
  static constexpr std::string_view extra_chars = "_.-";
};
// The keys of the world "default" have no prefix, as in the original game.
using WorldId = Id<WorldIdRules>;

inline constexpr std::string_view default_world = "default";
inline constexpr std::string_view worlds_key = "{larder}:tribes:worlds";  // a set of all worlds

// In the world `default`, the keys of the original game, and `tribes:` before the others. In any other world,
// each key begins with "{tribes:<world>}:".
class WorldKeys {
 public:
  explicit WorldKeys(WorldId const& world);

  // Documents; see kit/documents.
  std::string town(UserId const& user) const { return of(user, "gamestate"); }
  std::string world() const { return own_ + "world"; }

  std::string coins(UserId const& user) const { return of(user, "ts_coins"); }
  std::string pizzas(UserId const& user) const { return of(user, "ts_pizzas"); }
  std::string reports(UserId const& user) const { return of(user, "reports"); }
  std::string read_reports(UserId const& user) const { return of(user, "reports_read"); }
  std::string updates() const { return prefix_ + "user_updates"; }  // a due set of users
  std::string leaderboard() const { return prefix_ + "leaderboard"; }

  std::string outbox() const { return own_ + "outbox"; }
  std::string jobs() const { return own_ + "jobs"; }            // a due set of WorldJobs
  std::string names() const { return own_ + "names"; }          // "<x>,<y> <name>" of all users, by id
  std::string watched() const { return own_ + "watched"; }      // until when somebody watches a town
  std::string reached() const { return own_ + "reached"; }      // game ms; no town is past it
  std::string goals() const { return own_ + "goals"; }          // who owned the coins of the goal, and when
  std::string open_zone() const { return own_ + "open_zone"; }  // an index in zones_by_distance()
  // The towns of a zone: users by field, "<x>,<y>".
  std::string zone(int x, int y) const;
  std::string refusals(UserId const& user) const;  // how many refusals of a player are kept
  // An answer belongs to one world. The worlds that had the same id before it started at another time.
  std::string idempotency_key(IdempotencyKey const& key, TimeMs started_at) const;

 private:
  std::string of(UserId const& user, std::string_view what) const;

  std::string prefix_;
  std::string own_;
};

enum class WorldState { running, won, closed };
inline constexpr std::array<std::string_view, 3> world_state_names = {"running", "won", "closed"};

// The rules that count from a moment on.
struct Era {
  GameMs from;
  RulesPtr rules;
};

// What the document of a world says. Every change of a town or of the world checks the revision.
struct WorldInfo {
  std::int64_t revision = 0;
  WorldState state = WorldState::running;
  WorldClock clock;  // stands still unless the world is running
  TimeMs started_at;
  std::vector<Era> eras;  // by time; the first is from 0
  std::optional<UserId> winner = {};
  std::optional<TimeMs> won_at = {};  // when the winner reached the goal
  bool deleted = false;               // its keys are being removed

  bool is_running() const { return state == WorldState::running; }
  GameMs game_at(TimeMs now) const { return is_running() ? clock.game_at(now) : clock.base_game; }
  // A world that stands still has no moment after the one at which it stopped.
  GameMs not_after_the_end(GameMs at) const { return is_running() ? at : std::min(at, clock.base_game); }
  // The real time of what the world shows: a world that stands still shows the moment at which it stopped.
  TimeMs shown_at(TimeMs now) const { return is_running() ? now : clock.base_real; }
  Rules const& rules() const { return *eras.back().rules; }
  Rules const& rules_at(GameMs at) const;
  // The rules for everything that time brings at this moment: completions and heists. If new rules count from
  // this very moment on, these are still the old ones, no matter what is done first.
  Rules const& rules_until(GameMs at) const;
};
using WorldInfoPtr = std::shared_ptr<WorldInfo const>;

std::string to_document(WorldInfo const& info);
// A refusal names the member that is wrong.
Result<WorldInfo> world_from_document(std::string_view text, std::int64_t revision);

// Takes a town to a later moment, through every era on the way. See town.hpp. Returns the first moment on the
// way at which the town owned the coins of the goal, if it did not own them before.
std::optional<GameMs> advance(Town& town, WorldInfo const& world, GameMs to);

// A world as one process knows it. Thread-safe.
class World {
 public:
  explicit World(WorldId its_id) : id(std::move(its_id)), keys(id) {}

  WorldInfoPtr info() const { return info_.load(); }
  // Keeps the newer one. But if `info` is older than what was `known` before it was read, this Redis has lost
  // changes, and `info` counts.
  void put(WorldInfoPtr info, WorldInfoPtr const& known = {});

  WorldId const id;
  WorldKeys const keys;
  // The indices of this world at the projector and the schedulers; `nowhere` until they know the world.
  static constexpr std::size_t nowhere = std::size_t(-1);
  std::atomic<std::size_t> outbox_stream = nowhere;
  std::atomic<std::size_t> updates_set = nowhere;
  std::atomic<std::size_t> jobs_set = nowhere;

 private:
  std::mutex mutex_;
  std::atomic<WorldInfoPtr> info_;
};
using WorldPtr = std::shared_ptr<World>;

// The worlds that this process knows. Thread-safe.
class WorldBook {
 public:
  WorldPtr find(WorldId const& id) const;  // null if the world is unknown
  // The world, and whether this call added it.
  std::pair<WorldPtr, bool> add(WorldId const& id, WorldInfoPtr info);
  std::vector<WorldPtr> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, WorldPtr, std::less<>> worlds_;
};

}  // namespace larder::tribes
