// Towns in Redis, and how they advance through time.
//
// A change reads towns, advances copies of them to the moment of the change, and commits them if nobody else
// was faster. The commit checks the revisions of the towns and of the world, so every change happens exactly
// once, no matter how many servers try.
//
// Heists tie two towns together: neither gets past the arrival of the thieves until one commit has changed
// both. So before a town is taken to a moment, the encounters before that moment are resolved, in their
// order.
#pragma once

#include "base/random.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/series/blocks.hpp"
#include "stores/redis/redis.hpp"
#include "systems/tribes/heist.hpp"
#include "systems/tribes/tribes_scripts.hpp"
#include "systems/tribes/world.hpp"

#include <exception>
#include <span>
#include <stdexcept>

namespace larder::tribes {

// The document of a town or of a world cannot be read. The message names the key and the member.
class CorruptDocument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The world as Redis has it. If Redis does not have it: the `known` world, marked as deleted, or null if none
// was known. Throws StoreError and CorruptDocument.
Task<WorldInfoPtr> read_world(redis::Redis& redis, WorldId const& id, WorldInfoPtr known = {});

// Where the history of a town ends. The history changes only together with the revision of the town.
struct HistoryEnd {
  std::string name;  // of the block that gets the next point
  series::SeriesEnd coins;
  series::SeriesEnd pizzas;
};

// A town that was read, and perhaps advanced since.
struct ReadTown {
  Town town;
  std::int64_t revision = 0;
  std::optional<GameMs> goal_at = {};  // when it reached the goal on its way
  std::optional<HistoryEnd> history = {};
};

// Towns that were read in one step.
struct ReadTowns {
  WorldInfoPtr info;                                // at the same moment
  std::vector<std::optional<ReadTown>> towns = {};  // nothing: the user has no town in this world
  // Of the Idempotency-Key: the answer that is kept for it, or whether another request has used it.
  std::optional<std::string> kept = {};
  bool key_conflict = false;
  bool is_kept() const { return kept || key_conflict; }
};

enum class CommitStatus { done, replayed, key_conflict, world_changed, town_changed, no_room, town_lost };
struct Committed {
  CommitStatus status = CommitStatus::done;
  std::vector<std::int64_t> revisions = {};  // after `done`, of each town
  std::string answer = {};                   // after `replayed`
  bool repeated = false;                     // the call was sent twice, so `answer` may be its own
  bool done() const { return status == CommitStatus::done; }
};

// Thread-compatible, like the Redis it uses. Throws StoreError if Redis is unavailable, and CorruptDocument.
class Towns {
 public:
  Towns(redis::Redis& redis, Clock const& clock) : redis_(redis), clock_(clock) {}

  // Makes world.info() current. If the world is gone, the info says that it was deleted.
  Task<void> refresh(World& world);
  // Reads the towns as they are stored.
  Task<ReadTowns> read(World& world, std::vector<UserId> users,
                       std::optional<IdempotencyKey> const& key = {});
  // Reads the towns and advances them all to the same moment: now, or the time of the town that is furthest
  // ahead. Resolves the encounters on the way. Does not write the towns themselves.
  Task<ReadTowns> read_now(World& world, std::vector<UserId> users,
                           std::optional<IdempotencyKey> const& key = {});
  // The same up to a given moment, or up to the end of a world that stands still. Towns that are past it stay
  // as they are.
  Task<ReadTowns> read_at(World& world, std::vector<UserId> users, GameMs at);

  // What a commit writes for this town.
  static TownWrite to_write(ReadTown const& read, WorldInfo const& info);
  // `use` says whether the commit may be repeated if its outcome is unknown. A repeated commit without an
  // Idempotency-Key may find that the town was changed by its own first attempt.
  Task<Committed> commit(TownsWrite const& write, redis::Use use);
  Task<Committed> join(TownsWrite const& write, Place const& place, redis::Use use);

  // Takes towns to now and commits each of them. If a user has no town or the world does not run, the town is
  // not due any more. Returns why each one failed, or null.
  Task<std::vector<std::exception_ptr>> update(World& world, std::vector<UserId> users);
  // Takes the town at least to this moment and commits it.
  Task<void> update_to(World& world, UserId user, GameMs at);

 private:
  Task<ReadTowns> read_ready(World& world, std::vector<UserId> users, std::optional<GameMs> at,
                             std::optional<IdempotencyKey> key);
  // The same as read(), in plain commands. Returns nothing if the world or a town is not what it seems to be;
  // then read() finds out why.
  Task<std::optional<ReadTowns>> read_plain(World& world, std::vector<UserId> const& users);
  // The same for towns that are due, with the ends of their histories.
  Task<std::optional<ReadTowns>> read_due(World& world, std::vector<UserId> const& users);
  // Resolves this encounter, and first those that come before it in one of its two towns. Resolves nothing
  // that comes after the end of a world that stands still.
  Task<void> resolve(World& world, Encounter encounter);
  Task<bool> resolve_now(World& world, ReadTowns& read, Encounter const& encounter);
  // Updates towns that only get older, with one read and one write. Returns the other ones.
  Task<std::vector<std::size_t>> update_together(World& world, std::vector<UserId> const& users);
  Task<std::exception_ptr> update_alone(World& world, UserId user);
  // Returns, for each town, whether it was written.
  Task<std::vector<bool>> commit_updates(World& world, WorldInfo const& info,
                                         std::span<ReadTown const* const> towns);
  Task<bool> commit_update(World& world, ReadTowns const& read);
  static Committed to_committed(redis::Reply const& reply);

  redis::Redis& redis_;
  Clock const& clock_;
};

enum class Side { attacker, target };
// The report of a heist for one side, as a JSON object. `at` is real time.
std::string report_of(HeistResult const& result, Side side, Field from, Field to, TimeMs at);

// The event of a heist that was resolved: what happened, for the journal.
NewEvent heist_event(HeistResult const& result);

}  // namespace larder::tribes
