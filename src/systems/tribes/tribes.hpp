// Tribes: players have towns in worlds. Time makes towns grow, and actions and heists change them.
#pragma once

#include "base/metrics.hpp"
#include "base/single_flight.hpp"
#include "kit/boards/board.hpp"
#include "kit/series/series.hpp"
#include "systems/tribes/actions.hpp"
#include "systems/tribes/map.hpp"
#include "systems/tribes/towns.hpp"
#include "systems/tribes/tribes_journal.hpp"

#include <functional>
#include <map>

namespace larder::tribes {

namespace errors {
inline constexpr ErrorCode idempotency_conflict{ErrorKind::unprocessable, "idempotency_conflict"};
inline constexpr ErrorCode world_needs_name{ErrorKind::conflict, "world_needs_name"};
inline constexpr ErrorCode world_not_found{ErrorKind::not_found, "world_not_found"};
inline constexpr ErrorCode world_exists{ErrorKind::conflict, "world_exists"};
inline constexpr ErrorCode world_lost{ErrorKind::conflict, "world_lost"};
inline constexpr ErrorCode world_full{ErrorKind::conflict, "world_full"};
inline constexpr ErrorCode world_over{ErrorKind::conflict, "world_over"};
inline constexpr ErrorCode already_joined{ErrorKind::conflict, "already_joined"};
inline constexpr ErrorCode not_joined{ErrorKind::conflict, "not_joined"};
inline constexpr ErrorCode no_town_there{ErrorKind::conflict, "no_town_there"};
inline constexpr ErrorCode report_not_found{ErrorKind::not_found, "report_not_found"};
}  // namespace errors

// What the Tribes objects of all io threads share. The functions must be thread-safe: every io thread calls
// them.
struct Shared {
  TribesJournal& journal;
  Clock const& clock;
  Metrics& metrics;
  RulesPtr rules = pizza_rules();  // of a new world that brings no rules
  std::function<void(WorldPtr const&)> on_new_world = [](WorldPtr const&) {};
  std::function<void(World const&)> wake_projector = [](World const&) {};
  std::function<void(World const&, TimeMs due)> wake_updates = [](World const&, TimeMs) {};
  std::function<void(World const&)> wake_jobs = [](World const&) {};
  WorldBook worlds = {};
};

// A town as the API shows it.
struct TownState {
  UserId user;
  std::int64_t revision = 0;
  TimeMs at;
  json::object state;
};

// The answer to a join or an action, and whether it is the answer to an earlier request with the same key.
struct Answered {
  std::string json;
  bool replayed = false;
};

struct WorldLine {
  WorldId id;
  WorldInfoPtr info;
  std::int64_t players = 0;
  std::string winner_name = {};  // empty without a winner, and if the account was deleted
};

struct MapTown {
  Field field;
  UserId user;
  std::string username;  // empty: a ruin
};

struct Ranked {
  std::int64_t rank = 0;
  UserId user;
  std::string username;
  std::int64_t coins = 0;
  Field field;
};

struct Report {
  std::string id;
  bool read = false;
  json::object data;  // see report_of()
};

// A player of a world, as a list shows it.
struct WorldPlayer {
  UserId user;
  std::string username = {};  // empty: the account was deleted
  Field field = {};
  std::int64_t coins = 0;
};
// Where a page of players begins: a step of the scan, and in it, what comes after this user.
struct PlayersAfter {
  std::uint64_t scan = 0;
  std::string user = {};
};
struct PlayersPage {
  std::vector<WorldPlayer> players = {};
  std::optional<PlayersAfter> next = {};
};
// A world that a player has joined.
struct PlayerPlace {
  std::string world;
  std::string username;  // empty: the account was deleted
};

enum class Resource { coins, pizzas };

// Thread-compatible: one per io thread. Throws StoreError when a store is unavailable, and CorruptDocument.
// If the outcome of an action is unknown, repeat it with the same Idempotency-Key; without a key it could
// happen twice. A key also remembers a refusal.
class Tribes {
 public:
  Tribes(redis::Redis& redis, Shared& shared);

  // Refusals of every function with a world: world_not_found, world_needs_name. A world that another server
  // has deleted may stay open here for a second.
  Task<Result<WorldPtr>> open(WorldId id);
  // Also makes sure that the world is still there, and as it is now.
  Task<Result<WorldPtr>> open_fresh(WorldId id);
  Task<std::vector<WorldId>> world_ids();
  // A world that cannot be read is left out, and logged.
  Task<std::vector<WorldLine>> worlds();
  // The world as this process knows it.
  Task<WorldLine> line_of(World const& world);

  // The answer is the state of the new town. Refusals: world_over, already_joined, world_full.
  Task<Result<Answered>> join(WorldId world, UserId user, std::string username,
                              std::optional<IdempotencyKey> key);
  // The answer is {"revision": n, "state": {...}}. Refusals: world_over, not_joined (also for a ruin), and
  // those of the rules.
  Task<Result<Answered>> act(WorldId world, UserId user, Action action, std::optional<IdempotencyKey> key);

  // The refusal of these functions: not_joined, also for a ruin.
  Task<Result<TownState>> state(WorldId world, UserId user);
  Task<Result<std::vector<series::Summary>>> history(WorldId world, UserId user, Resource resource,
                                                     series::Query query);
  // Newest first, after the report with the id `before`.
  Task<Result<std::vector<Report>>> reports(WorldId world, UserId user, std::string before,
                                            std::int64_t limit);
  // Refusal: report_not_found.
  Task<Result<void>> mark_read(WorldId world, UserId user, std::string report);

  // The top `limit` players. With `around`: up to `limit` players with that player in the middle. Refusal:
  // not_joined, if that player has no town.
  Task<Result<std::vector<Ranked>>> leaderboard(WorldId world, std::int64_t limit,
                                                std::optional<UserId> around);
  // The towns at most `radius` fields away in each direction.
  Task<Result<std::vector<MapTown>>> towns_around(WorldId world, Field centre, int radius);
  // Up to `limit` players, in an order that Redis chooses. Lists everybody who is there all the time, but
  // while others join, perhaps some twice.
  Task<Result<PlayersPage>> players(WorldId world, PlayersAfter after, std::int64_t limit);
  // Those of the worlds that the player has joined.
  Task<std::vector<PlayerPlace>> find_player(UserId user, std::vector<std::string> worlds);
  Task<std::vector<Fame>> hall_of_fame(std::optional<FamePlace> after, std::int64_t limit);

  struct Citizen {
    Field field;
    std::string username;  // empty: the account was deleted
  };
  // Where these users live, and their names.
  Task<std::vector<Citizen>> citizens(World const& world, std::vector<std::string> const& users);

  // Says that somebody watches these towns for the next limits::watched_ms. A town that nobody has watched
  // before is updated at once, and all are updated more often. At most 1000 towns.
  Task<void> watch(World& world, std::vector<UserId> users);

  Task<Result<void>> check_joined(World& world, UserId const& user);

  Towns& towns() { return towns_; }
  Clock const& clock() const { return shared_.clock; }

 private:
  // If somebody else was faster, these set `again`.
  Task<Result<Answered>> try_action(World& world, std::vector<UserId> const& users, Action const& action,
                                    Seed seed, std::optional<IdempotencyKey> const& key, bool& again);
  Task<Result<Answered>> try_join(World& world, UserId const& user, std::string const& username,
                                  std::optional<IdempotencyKey> const& key, bool& again);
  Task<Result<Answered>> settle(World& world, TownsWrite const& write, Committed const& committed,
                                std::string answer, bool& again);
  Task<Result<Answered>> refuse_and_keep(World& world, WorldInfo const& info, UserId const& user, Error error,
                                         std::optional<IdempotencyKey> const& key);
  Task<std::optional<Place>> choose_place(World& world, Rules const& rules);
  Task<std::vector<std::pair<Field, UserId>>> towns_of(World& world, Zone zone);
  Task<std::vector<Field>> fields_of(World& world, Zone zone);
  Task<std::optional<UserId>> town_at(World& world, Field field);
  Task<void> add_coins(World const& world, std::vector<WorldPlayer>& players);
  std::vector<Zone> const& zones(WorldMap const& map);
  void count(std::string_view type, std::string_view outcome);

  redis::Redis& redis_;
  Shared& shared_;
  Towns towns_;
  Random random_;
  SingleFlight loading_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Zone>> zones_;  // by size and size of a zone
};

std::unexpected<Error> refuse_missing_world();
// Why this player cannot act: the first of the towns is missing, or a ruin.
std::optional<Error> problem_of_player(ReadTowns const& read);

// {"user_id": ..., "revision": ..., "at": ..., "state": {...}}
json::object to_json(TownState const& town);

// "<x>,<y>"
std::optional<Field> parse_field(std::string_view text);

}  // namespace larder::tribes
