// The events of players who are forgotten, in SQL.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "systems/economy/economy_journal.hpp"

#include <optional>

namespace larder::economy {

// Whether a field of an event has the id of a player. An amount, or the strength of an effect, may look like
// one.
bool is_player_field(std::string_view name);
// The same for the field that tells who planted the pending bomb: "<id> <when>".
inline constexpr std::string_view bomb_field = ".bomb";

// The last ids before a player was forgotten. What has a later id belongs to a fresh player.
struct ForgottenMark {
  std::string points;
  std::string items;
};
// Nothing if forget_player.lua has not run for the pseudonym in this realm.
Task<std::optional<ForgottenMark>> forgotten_mark(EconomyJournal& journal, RealmId realm, UserId pseudonym);

Task<bool> has_events(EconomyJournal& journal, RealmId realm, UserId user);
Task<void> move_events(EconomyJournal& journal, RealmId realm, privacy::Subject subject, ForgottenMark mark);
// Also drops names.
Task<void> move_states(EconomyJournal& journal, RealmId realm, privacy::Subject subject, ForgottenMark mark);
// Why operators have adjusted the player is free text, so it goes. Call it after move_events().
Task<void> drop_reasons(EconomyJournal& journal, RealmId realm, UserId pseudonym);
// In what events of others say about the player. Without a mark, in all events.
Task<void> rename_in_events(EconomyJournal& journal, RealmId realm, privacy::Subject subject,
                            std::optional<ForgottenMark> mark);

}  // namespace larder::economy
