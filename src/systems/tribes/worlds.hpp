// Creates, changes and ends worlds.
#pragma once

#include "systems/tribes/tribes.hpp"

namespace larder::tribes {

// What must be done once for a whole world. The jobs are members of the world's due set `jobs`, so they
// survive a crash. Each can be repeated.
namespace job {
inline constexpr std::string_view judge = "judge";  // somebody has reached the goal: who was first?
inline constexpr std::string_view reschedule =
    "reschedule";                                       // every town is due, since the clock has changed
inline constexpr std::string_view settle = "settle";    // the towns of a closed world get to its last moment
inline constexpr std::string_view archive = "archive";  // the standings of a world that was won
inline constexpr std::string_view remove = "remove";    // the keys of a deleted world
}  // namespace job

struct WorldChange {
  std::optional<std::int64_t> speed = {};
  std::optional<WorldState> state = {};  // running or closed
  RulesPtr rules = {};                   // null: they stay
};

// Thread-compatible, like the Redis it uses.
class Worlds {
 public:
  Worlds(redis::Redis& redis, Shared& shared)
      : redis_(redis), shared_(shared), tribes_(redis, shared), towns_(tribes_.towns()) {}

  // Refusals: world_needs_name, world_exists; world_lost, if Redis has lost a world with this id and its
  // towns.
  Task<Result<WorldLine>> create(WorldId id, std::int64_t speed, RulesPtr rules);
  // A closed world stands still until it runs again. New rules count from now on; the map stays. Refusals:
  // world_not_found; world_over, if the world was won.
  Task<Result<WorldLine>> change(WorldId id, WorldChange change);
  // The world is gone at once, and its keys are removed step by step. The journal keeps its events. Refusal:
  // world_not_found.
  Task<Result<void>> remove(WorldId id);

  // The world is not in the list of worlds. Another server has deleted it; otherwise it is put into the list.
  Task<void> notice_missing(World& world);

  // Does a job, and takes it out of the due set.
  Task<void> do_job(WorldPtr world, std::string name);

  // The account was deleted: its towns become ruins, in all worlds that run or are closed.
  Task<void> make_ruins(UserId user);

 private:
  struct Moment {
    TimeMs real;
    GameMs game;
    WorldInfoPtr info;  // the world before the change
  };
  Task<Moment> moment_of_change(World& world, int attempt);
  Task<bool> write(World& world, WorldInfo const& info, std::optional<std::int64_t> revision, NewEvent event,
                   std::string_view job, bool freeze);
  Task<void> judge(World& world);
  Task<bool> crown(World& world, UserId const& winner, GameMs goal_at, int attempt);
  Task<void> reschedule(World& world);
  Task<void> settle(World& world);
  Task<void> archive(World& world);
  Task<void> remove_keys(World& world);
  // Takes all towns at least to this moment.
  Task<void> take_all_to(World& world, GameMs at);
  Task<void> take_town_to(World& world, UserId user, GameMs at);
  Task<void> list(WorldId const& id);
  Task<void> wait_for_removal(WorldId const& id);
  Task<bool> is_lost(WorldId const& id);
  Task<void> make_ruin(World& world, UserId const& user);
  Task<std::int64_t> count_players(World const& world);
  // Calls `each` with the ids of all users of a world, in portions. A user may come twice.
  Task<void> each_portion(World const& world, std::function<Task<void>(std::vector<UserId>)> each);

  redis::Redis& redis_;
  Shared& shared_;
  Tribes tribes_;
  Towns& towns_;
};

}  // namespace larder::tribes
