// The rules of the ledger that need neither Redis nor a clock.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <string_view>
#include <vector>

namespace larder::ledger {

// Checked in this order: amount_zero, type_not_active.
std::optional<Error> check_entry(Entry const& entry, ScoreType const& type, TimeMs now);

// Which parameters of a replayed entry differ from those its order was first used with. The remark is no
// parameter: it says why, not what.
std::vector<std::string_view> conflicting_fields(Entry const& entry, Outcome const& first);

}  // namespace larder::ledger
