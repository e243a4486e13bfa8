// What an operator must know before a Redis that has lost something is emptied: which of its events are not
// in SQL.
#pragma once

#include "base/task.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace larder::events {

// The outboxes with events that Projector::save() has not brought to SQL. An outbox can be in several lists.
struct UnsavedEvents {
  std::vector<std::string> waiting = {};   // a later start may save them
  std::vector<std::string> stranded = {};  // no server brings them to SQL: their outbox lacks others
  std::vector<std::string> dead = {};      // SQL refuses them, or was not asked again

  void add(UnsavedEvents more);
  bool operator==(UnsavedEvents const&) const = default;
};

// What a LostRedisError says after Projector::save().
std::string refusal_after_saving(std::string_view why, UnsavedEvents const& unsaved);

// Awaits the start of a system. If it throws LostRedisError, saves what waits in whole outboxes, and says
// what is left.
Task<void> start_or_save(Task<void> start, Task<UnsavedEvents> save);

}  // namespace larder::events
