// The events of a world in their order: first from SQL, then those that are still in the outbox.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/tribes/tribes_journal.hpp"

namespace larder::tribes {

// Servers may write and journal events meanwhile.
class EventSource {
 public:
  EventSource(redis::Redis& redis, TribesJournal& journal, World const& world)
      : redis_(redis), journal_(journal), world_(world) {}

  // The next events with ids up to `last`, beginning with the newest "created". Empty at the end.
  Task<std::vector<TribesEvent>> next(std::string last);

 private:
  redis::Redis& redis_;
  TribesJournal& journal_;
  World const& world_;
  std::optional<std::string> after_;  // the id of the last event that was returned
};

}  // namespace larder::tribes
