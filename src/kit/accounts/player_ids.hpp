// The ids of players: 20 characters of 0-9a-v, in which 96 bits are written as base32hex. The first 42 bits
// are the time in milliseconds, so ids sort by time. The other 54 bits are unpredictable.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <string_view>

namespace larder::accounts {

inline constexpr std::size_t player_id_chars = 20;

UserId new_player_id(TimeMs now);
// Whether the text has the form of an id that new_player_id() can make.
bool is_player_id(std::string_view text);
// When the id was made. The text must have the form of an id.
TimeMs time_of_player_id(std::string_view id);

// `chars` unpredictable characters of 0-9a-v, 5 bits each.
std::string random_base32(std::size_t chars);

}  // namespace larder::accounts
