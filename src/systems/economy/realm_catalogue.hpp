// The catalogue of a realm, in its Redis: the keys of the original ajo bot for the scripts, and the whole of
// it for whoever runs them.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/realm.hpp"

namespace larder::economy {

// Who gave it: the next start of a server replaces only what a start has given.
enum class CatalogueSource { start, command };

// What the realm has; null if it has none. Throws std::runtime_error if it is one that only a newer version
// can read.
Task<CataloguePtr> read_catalogue(redis::Redis& redis, RealmKeys const& keys);

// The realm has this one afterwards, at once and entirely; also if it had none and was filled by hand. With
// CatalogueSource::start it keeps one that a command gave. What the realm has then.
Task<CataloguePtr> load_catalogue(redis::Redis& redis, RealmKeys const& keys, CataloguePtr catalogue,
                                  CatalogueSource source);

// Every realm that was ever opened here.
Task<std::vector<RealmId>> all_realms(redis::Redis& redis);
Task<void> register_realm(redis::Redis& redis, RealmId const& id);

}  // namespace larder::economy
