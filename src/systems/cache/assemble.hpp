// Puts objects together again: where Redis has the id of a nested object, Discord's API has the object
// itself. docs/cache.md lists what is taken out of which object.
//
// These functions do no I/O: see reads.hpp. Their results count only when the Reads is complete.
#pragma once

#include "systems/cache/cache_types.hpp"
#include "systems/cache/events.hpp"
#include "systems/cache/reads.hpp"

#include <optional>
#include <string>
#include <vector>

namespace larder::cache {

// The JSON text of an object; nothing if it is not cached, or if its stored text is not valid JSON.
//
// A nested user that is not cached becomes {"id": "..."}. Other nested objects that are not cached are left
// out. A referenced message is included, but not the message that it refers to in turn.
std::optional<std::string> assemble(Reads& reads, CacheKeys const& keys, ObjectKey const& key, Form form);

// The objects that an event updates or deletes, as they were before it. Events that replace whole lists have
// none.
std::vector<std::string> before_of(Reads& reads, CacheKeys const& keys, Dispatch const& dispatch);

// Every event for which before_of() may return objects, for tests and documentation.
std::vector<std::string_view> events_with_before();

}  // namespace larder::cache
