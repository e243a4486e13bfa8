// Pseudonyms: what users become who are forgotten.
//
// A pseudonym is a keyed hash of the id. Without the key, which only SQL has, nobody can find out which id it
// was, not even by trying all ids. It is in the same partition as the id (crc16 mod 1024), so that accounts,
// flows and outboxes stay where they are.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "stores/sql/session.hpp"

#include <string>
#include <string_view>

namespace larder::privacy {

inline constexpr std::string_view pseudonym_prefix = "forgotten-";

// The key as hex. Makes it if there is none yet. Call it within a transaction.
std::string keep_pseudonym_key(sql::Session& session, TimeMs now);
// Empty if nobody was ever forgotten.
std::string find_pseudonym_key(sql::Session& session);

// A user who comes back after being forgotten is somebody else: each `life`, from 0 on, has its own
// pseudonym.
UserId pseudonym_of(std::string const& key, UserId const& user, int life);

}  // namespace larder::privacy
