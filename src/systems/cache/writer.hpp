// Writes the changes of a workspace.
#pragma once

#include "systems/cache/workspace.hpp"

namespace larder::cache {

enum class Written {
  done,
  conflict,     // somebody has changed what the changes rest on: read it again
  job_pending,  // a job of require_no_job() must be done first
};

// On one Redis, the changes are one step, unless they are very many: then lists are built beside the old ones
// and put in their place at the end. On a cluster, the changes are written in three steps: what indexes get
// and lists lose, then objects, then what lists get and indexes lose. If the process dies in between, all
// that exists is in its index, and all that is in a list exists. After `conflict` or `job_pending`, nothing
// was changed, except that on a cluster indexes may have got elements whose objects do not exist. Throws
// StoreError.
Task<Written> write_changes(redis::Redis& redis, Workspace const& workspace);

}  // namespace larder::cache
