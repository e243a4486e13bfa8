// The catalogue of a realm in Redis: in the keys of the original ajo bot, which the scripts read, and as one
// text, which servers read.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/realm.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace larder::economy {

// Where the catalogue came from. The start of a server replaces only a catalogue that came from a start.
enum class CatalogueSource { start, command };

// Thrown if a realm is being deleted: until that is done, it cannot get a catalogue.
struct RealmClosed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Nothing if the realm has no catalogue.
Task<std::optional<std::string>> catalogue_version(redis::Redis& redis, RealmKeys const& keys);
// The realm's catalogue; null if the realm has none, or is being deleted. Throws std::runtime_error if this
// version of Larder cannot read it.
Task<CataloguePtr> read_catalogue(redis::Redis& redis, RealmKeys const& keys);

// Replaces the realm's catalogue in one step. Also works if the realm has no catalogue and was filled by
// hand. The outboxes must be there: see EconomyJournal::open_outboxes(). Throws RealmClosed. With
// CatalogueSource::start, a catalogue that came from a command stays. Returns the catalogue that the realm
// has afterwards; null if the realm has none and shall not be created.
Task<CataloguePtr> load_catalogue(redis::Redis& redis, RealmKeys const& keys, CataloguePtr catalogue,
                                  CatalogueSource source, IfMissing if_missing = IfMissing::create);

// The same for a rebuild: always replaces, and writes no event.
Task<void> restore_catalogue(redis::Redis& redis, RealmKeys const& keys, CataloguePtr catalogue,
                             CatalogueSource source);
// Records in an event which catalogue the realm has, as load_catalogue() does. For realms whose catalogue an
// earlier version of Larder has loaded.
Task<void> tell_catalogue(redis::Redis& redis, RealmKeys const& keys);

// Every realm that was ever opened on this Redis.
Task<std::vector<RealmId>> all_realms(redis::Redis& redis);
// Who creates a realm registers it before the realm has its catalogue, so that a crash does not lose the
// realm, and once more afterwards: see unregister_unborn().
Task<void> register_realm(redis::Redis& redis, RealmId const& id);
// Takes a name off the list whose realm has no catalogue, because it was deleted or never completed. If the
// realm is being created at this moment, it stays on the list or comes back.
Task<void> unregister_unborn(redis::Redis& redis, RealmId const& id);
// Lets running servers find a new realm within seconds, instead of with the next list of all realms.
Task<void> announce_realm(redis::Redis& redis, RealmId const& id);

}  // namespace larder::economy
