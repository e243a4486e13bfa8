// What systems do to the keys of Redis in order to forget a user. Every function can be repeated.
#pragma once

#include "base/task.hpp"
#include "kit/events/event.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <optional>
#include <string>

namespace larder::privacy {

// Throws StoreError if events that wait in the outbox do not reach SQL within ten seconds: the job comes back
// later.
Task<void> journal_all(redis::Redis& redis, std::string outbox);

// Moves the key, unless the other key exists. Both must be in one slot. The expiry stays.
Task<void> move_key(redis::Redis& redis, std::string from, std::string to);

// Gives the text under each key that matches the pattern to `change`, and stores what `change` returns,
// unless somebody has changed the text meanwhile. The expiry stays. Keys of other types are left alone.
Task<void> change_texts(redis::Redis& redis, std::string pattern,
                        std::function<std::optional<std::string>(std::string const& text)> change);
// The same for one key. Returns false if somebody has changed it meanwhile.
Task<bool> replace_text(redis::Redis& redis, std::string key, std::string before, std::string after);
Task<bool> replace_field(redis::Redis& redis, std::string key, std::string field, std::string before,
                         std::string after);

// Removes from an outbox that keeps its events those up to `last` that `is_gone` names. An event that is not
// in SQL yet stays. Makes the stream again in one step, which keeps Redis busy for some microseconds per
// event that the stream has.
Task<void> erase_kept(redis::Redis& redis, std::string outbox, std::string last,
                      std::function<bool(events::Event const&)> is_gone);

// Rewrites the events of an outbox that were set aside: dead, to be retried, and lost ones. `change` returns
// whether it has changed the event. An event keeps its id and its place.
Task<void> rewrite_set_aside(redis::Redis& redis, std::string outbox,
                             std::function<bool(events::Event&)> change);

// Unlinks the keys that match the pattern and for which `is_gone` is true; all of them without `is_gone`.
Task<void> unlink_matching(redis::Redis& redis, std::string pattern,
                           std::function<bool(std::string const&)> is_gone = {});

}  // namespace larder::privacy
