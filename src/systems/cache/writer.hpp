// Writes the changes of a workspace.
#pragma once

#include "systems/cache/cache_keys.hpp"
#include "systems/cache/workspace.hpp"

namespace larder::cache {

enum class Written : std::uint8_t {
  done,
  conflict,     // somebody has changed what the changes rest on: read it again
  job_pending,  // a job of require_no_job() must be done first
  job_ended,    // somebody else has done the job of require_job()
};

// So often in a row, changes are planned again after a conflict. At each conflict somebody else has made
// progress, so only a change that many writers compete with comes near this number: a large event, for
// example, while other shards change the same users without a pause.
inline constexpr int conflicts_max = 1000;

// On one Redis, the changes are one step, unless there are very many: then lists are built next to the old
// ones and put in their place at the end.
//
// On a cluster, the changes are written in steps: users, what indexes get and lists lose, objects, what lists
// get and indexes lose, from the inner indexes to the outermost, and the ends of jobs. Users come first
// because every shard writes them: after them, nobody else is expected to write what belongs to a guild. If
// the process dies in between, all that exists is in its index, and all that is in a list exists.
//
// If the result is not `done`, nothing was changed, except that the first steps of a very large change, or of
// any change on a cluster, may have been made. Throws StoreError.
Task<Written> write_changes(redis::Redis& redis, CacheKeys const& keys, Workspace const& workspace);

}  // namespace larder::cache
