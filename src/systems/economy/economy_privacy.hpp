// Exports and forgets a player, in all realms.
//
// Forgetting gives everything that the player has to the pseudonym: points, items, effects, cooldowns and
// bombs. So sums, verify and rebuild stay as they are. Names go. Where another player's event names the
// player, it names the pseudonym instead.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"

namespace larder::economy {

// Sections: players, one object for each realm; events; states; set_aside.
Task<void> export_user(redis::Redis& redis, EconomyJournal& journal, UserId user, privacy::ExportTo to);

// May be repeated, also after it was cut off at any point. Throws StoreError if events are not in SQL yet.
Task<void> forget_user(redis::Redis& redis, EconomyJournal& journal, privacy::Subject subject);

// The state that the script writes for a pseudonym. It says nothing about keys.
inline constexpr std::string_view forgotten_state = ".forgotten";

}  // namespace larder::economy
