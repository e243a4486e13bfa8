// Where Redis has the objects of each collection.
#pragma once

#include "systems/cache/cache_keys.hpp"
#include "systems/cache/cache_types.hpp"
#include "systems/cache/reads.hpp"

namespace larder::cache {

struct CollectionInfo {
  enum class Form : std::uint8_t {
    hash,       // names and objects
    index,      // a hash of our own whose names are ids; each object has its own key
    set,        // of ids
    messages,   // a sorted set of our own
    reactions,  // a set of emojis
  };
  Form form = Form::hash;
  std::string key = {};
  ObjectKind kind = ObjectKind::user;  // of the objects
  bool needs_guild = true;             // whether the key of an object has the collection's parent
  // Whether the key is our own index of objects that may expire one by one. What has expired is taken out of
  // it. The lists of the specification stay as they are: a member is a member, even if the object has
  // expired.
  bool has_own_index = false;
};

// The parent of the collection must be well-formed: see is_valid(). So must be the emoji.
CollectionInfo info_of(CacheKeys const& keys, Collection const& collection);

// Whether others are found only through the index entry of this object: the reactions and the votes of a
// message, or the members of a thread.
bool leads_to_more(Reads& reads, CacheKeys const& keys, ObjectKind kind, Id id);

// Whether the collection has the parent that its kind needs.
bool is_valid(Collection const& collection);

}  // namespace larder::cache
