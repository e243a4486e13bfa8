// Work on a type that takes longer than a request: a new end, and what a type leaves behind when it is over.
//
// The end of a type is in the expiry of its accounts' keys, and of the orders of open holds and transfers.
// When the end changes, all of these keys have to change:
//   1. SQL gets the end, a new revision of it, and an empty cursor, in one step.
//   2. Every shard learns the revision. From then on, scripts refuse servers that know an older end.
//   3. The journal catches up. Then it knows every account that may have the old end.
//   4. The accounts that the journal knows get the new end, page by page. The cursor says how far this has
//   come.
// Any server can continue where another one was cut off. The type is in a due set until the work is done.
#pragma once

#include "systems/ledger/ledger.hpp"

namespace larder::ledger {

// How long a request works on a new end itself. After that, the rest is left to the due set.
inline constexpr auto type_work_by_request = std::chrono::milliseconds(8'000);
// When the due set takes over.
inline constexpr std::int64_t type_work_after_ms = 10'000;
// How long after the keys of a type have vanished the rest is removed. Clocks differ.
inline constexpr std::int64_t clear_after_ms = 3'600'000;

bool has_work(ScoreType const& type, TimeMs now);

// Adds the type to the due set. If it is already there, its due time stays.
Task<void> schedule_type_work(redis::Redis& redis, TypeId id, TimeMs now);

// Does a part of the work on the type. Returns whether nothing is left. May run several times at once, even
// for different ends: in the end, all keys have the newest end. Throws std::runtime_error for an unknown
// type.
Task<bool> work_on_type(redis::Redis& redis, Shared& shared, TypeId id);

}  // namespace larder::ledger
