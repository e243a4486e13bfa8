// `larder economy items load`: gives realms a catalogue while servers run.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"
#include "systems/economy/realm_catalogue.hpp"

namespace larder::economy {

// What became of a realm that was to get a catalogue.
enum class Given { loaded, closed, missing };

// A realm that is being deleted, or is missing, stays as it is: only with IfMissing::create a missing one is
// created. Throws SetupError if Redis has lost the realm, or SQL has.
Task<Given> give_catalogue(redis::Redis& redis, EconomyJournal& journal, RealmId id, CataloguePtr catalogue,
                           IfMissing if_missing);

}  // namespace larder::economy
