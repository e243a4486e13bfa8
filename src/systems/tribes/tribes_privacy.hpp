// Exports and forgets a player of tribes.
//
// A player's id is drawn at random when the account is registered, so without the account it names nobody. It
// stays in towns and events, which a rebuild plays again. Names go. What Redis has of the player goes when
// the account is deleted: see Worlds::make_ruins().
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

namespace larder::tribes {

// Sections: towns, reports, events, fame, standings.
Task<void> export_user(redis::Redis& redis, sql::Database& sql, UserId user, privacy::ExportTo to);

// Call it after the account was deleted and its towns are ruins. May be repeated. Returns whether the player
// ever was in a world.
Task<bool> forget_user(redis::Redis& redis, sql::Database& sql, UserId user);

}  // namespace larder::tribes
