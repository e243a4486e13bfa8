// A game that differs from the shipped one.
#pragma once

#include "systems/economy/catalogue.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace larder::economy {

// Shells, fish and sushi. Every chance that can be certain is certain.
inline std::string small_game(std::string_view change_from = "", std::string_view change_to = "") {
  std::string text = R"({
    "currency": "shell",
    "farm": {"gain": 2, "drop_balance_min": 0, "drop_faces": 1},
    "vampire": {"level_max": 3, "chance_first": 100, "chance_log10": 1000, "level_ttl_s": 10, "ttl_max_s": 20,
      "damage_low_tenths": 0, "damage_low_max": 0, "damage_high_tenths": 0, "damage_high_max": 0},
    "bomb": {"damage_percent": 50, "timer_max_s": 60, "spread_s": 0},
    "gamble": {"win_one_in": 1, "win_faces": 1, "win_divisor": 2},
    "discombobulate": {"offer_min_percent": 50, "damage_low": 100, "damage_high": 100, "lock_s": 0},
    "inspect": {"fee": 0},
    "roulette": {"chambers": 1, "ttl_s": 30},
    "rewards": [{"name": "tide", "points": 10, "every_s": 60}],
    "items": [
      {"id": "fish", "names": ["f"], "max_stack": 50, "drop": 1},
      {"id": "sushi", "names": ["roll"], "max_stack": 5, "tradable": false,
       "craft": [{"item": "fish", "amount": 2}, {"item": "shell", "amount": 5}],
       "use": {"kind": "effect", "effect": "gain", "by": 3, "seconds": 900}},
      {"id": "urchin", "names": [], "max_stack": 3, "craft": [{"item": "shell", "amount": 1}],
       "use": {"kind": "bomb"}},
      {"id": "crab", "names": [], "max_stack": 3, "craft": [{"item": "shell", "amount": 1}],
       "use": {"kind": "guard"}}
    ]
  })";
  if (!change_from.empty()) text.replace(text.find(change_from), change_from.size(), change_to);
  return text;
}

inline CataloguePtr parsed(std::string const& json) {
  return std::make_shared<Catalogue const>(parse_catalogue(json).value());
}

}  // namespace larder::economy
