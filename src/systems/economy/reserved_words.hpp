// Words that the economy refuses, because they would name another key. See docs/keys.md.
// tests/keys/record writes this file from the key patterns of all systems.
#pragma once

#include <string_view>

// clang-format off
namespace larder::economy {

// As the id of a player.
inline constexpr std::string_view reserved_players[] = {
    "ajobus",
    "ajobus-inventory",
    "bomb",
    "bomb-due",
    "bombs",
    "bombs-schedule",
    "catalogue",
    "catalogue-data",
    "catalogue-source",
    "caught_up",
    "craft",
    "deletions",
    "drc",
    "drop-rate",
    "economy",
    "events",
    "goals",
    "index",
    "items",
    "jobs",
    "larder",
    "lb",
    "leaderboard",
    "line",
    "logins",
    "names",
    "once",
    "open_zone",
    "outbox",
    "reached",
    "refusals",
    "registrations",
    "revoked",
    "roulette",
    "score_open_holds",
    "score_outbox",
    "score_relay",
    "score_schedule",
    "score_types",
    "tribes",
    "user",
    "user_updates",
    "username",
    "waiting",
    "watched",
    "webhook",
    "webhooks",
    "world",
    "zone",
};

// As the name of a reward.
inline constexpr std::string_view reserved_rewards[] = {
    "discombobulate",
    "discombobulate-buff",
    "gain",
    "inventory",
    "tokens",
    "vampire",
    "vampire-curse",
};

// As the id of an item, or after the last colon of an item's id.
inline constexpr std::string_view reserved_item_endings[] = {
    "score",
    "score_due",
    "score_expiring",
    "score_more",
    "score_os",
};

}  // namespace larder::economy
