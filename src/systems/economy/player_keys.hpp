// All keys of one player in one realm, whatever the catalogue called its rewards.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/realm.hpp"

namespace larder::economy {

// What follows the player's id and the colon in the keys of the player that exist now, such as "inventory".
Task<std::vector<std::string>> player_key_ends(redis::Redis& redis, RealmKeys const& keys, UserId player);

// The same for the keys that a player of the shipped game may have.
std::vector<std::string> usual_key_ends(RealmKeys const& keys, UserId const& player);

// The realms of Redis and of the journal.
class EconomyJournal;
Task<std::vector<RealmId>> realms_of_both(redis::Redis& redis, EconomyJournal& journal);

}  // namespace larder::economy
