// `larder ledger verify` and `larder ledger rebuild`.
#pragma once

#include "base/config.hpp"
#include "base/metrics.hpp"
#include "stores/sql/sql.hpp"

namespace larder {

// Both return the exit code, and print progress on stderr if that is a terminal. Throw SetupError,
// StoreError.

// Beside a running server, or with its Redis started for the time.
int verify_ledger(Config const& config, Sql& sql, Metrics& metrics);
int rebuild_ledger(Config const& config, Sql& sql, Metrics& metrics);

}  // namespace larder
