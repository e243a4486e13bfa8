// What each event of Discord's gateway does to the cache. docs/cache.md has the table.
#pragma once

#include "systems/cache/cascade.hpp"
#include "systems/cache/objects.hpp"

#include <span>

namespace larder::cache {

// One event, as the gateway sends it. A view: the text must outlive it.
struct Dispatch {
  std::string_view name;  // `t`
  std::string_view data;  // `d`, an object
  std::optional<std::int64_t> sequence = {};
  std::optional<std::int64_t> shard = {};

  // Reads {t, d, s?, shard?}; further members are ignored. `text` comes from compact().
  static Result<Dispatch> read(std::string_view text);
};

enum class EventKind : std::uint8_t { applied, ignored, unknown };

// What the caller has to do after the changes were written.
struct Aftermath {
  std::vector<CascadeJob> jobs = {};  // that were scheduled
};

EventKind kind_of(std::string_view name);
// What an event that is applied is mainly about.
Resource resource_of(std::string_view event);

// Writes what the event changes into the workspace of `objects`. Asserts that the event is one that is
// applied.
Result<Aftermath> apply_event(Objects& objects, Dispatch const& dispatch);

// Every event that is applied or ignored, for tests and documentation.
struct EventInfo {
  std::string_view name;
  EventKind kind;
};
std::vector<EventInfo> all_events();

}  // namespace larder::cache
