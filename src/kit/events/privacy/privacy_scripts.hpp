// Makes the calls of the scripts of privacy. The head of each script says what it does and what it returns.
#pragma once

#include "kit/events/event.hpp"
#include "stores/redis/script_call.hpp"

#include <span>
#include <string_view>

namespace larder::privacy::scripts {

redis::ScriptCall erase_entries(std::string_view stream, std::span<events::Event const> gone);
redis::ScriptCall move_key(std::string_view from, std::string_view to);
redis::ScriptCall replace_text(std::string_view key, std::string_view before, std::string_view after);
redis::ScriptCall replace_field(std::string_view key, std::string_view field, std::string_view before,
                                std::string_view after);
redis::ScriptCall replace_entry(std::string_view stream, events::Event const& entry);

}  // namespace larder::privacy::scripts
