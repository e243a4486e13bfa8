// Events that are only in Redis, and that no server will bring to SQL by itself. If Redis is emptied, they
// are gone. So an operator keeps a list of them.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <string>

namespace larder::events {

struct StrandedEvent {
  enum class State {
    waits,       // in an outbox that does not agree with SQL
    taken_away,  // was in such an outbox, see fence_outbox()
    dead,        // SQL refused it
    retried,     // SQL refused it, and a server shall try it again
  };
  std::string outbox;
  State state = State::waits;
  Event event;           // with the id that it had in its outbox
  std::string why = {};  // SQL refused it
  // False only if SQL does not have the event for certain. If it is true, a person looks for the event in the
  // journal.
  bool sql_may_have_it = false;
};

// Gives all of them to `each`. While servers run, one may come twice, but none is left out that was there all
// the time. Returns their number. Throws what the stores throw.
Task<std::int64_t> each_stranded(redis::Redis& redis, sql::Database& sql,
                                 std::function<void(StrandedEvent const&)> each);

}  // namespace larder::events
