// Exports and forgets a user of Discord.
//
// The cache is a copy of what Discord says, so nothing is kept under a pseudonym: objects of the user go, and
// where other objects name the user, they name user 0. Events that come later bring the user back.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "systems/cache/cache.hpp"

namespace larder::cache {

// Section: keys. Each object is a key that belongs to the user or names the user, with what it has of the
// user. Reads the whole cache.
Task<void> export_user(redis::Redis& redis, CacheSetup setup, UserId user, privacy::ExportTo to);

// May be repeated, also after it was cut off at any point. Reads the whole cache. Returns what stays, in
// words; empty: nothing.
Task<std::string> forget_user(redis::Redis& redis, CacheSetup setup, Clock const& clock, UserId user);

}  // namespace larder::cache
