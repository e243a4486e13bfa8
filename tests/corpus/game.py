"""A small separate game, for what the shipped catalogue cannot show: it has no bomb and hardly any chance."""

GAME = {"currency": ":shell:", "farm": {"gain": 1, "drop_balance_min": 0, "drop_faces": 10},
        "vampire": {"level_max": 1, "chance_first": 0, "chance_log10": 0, "level_ttl_s": 60, "ttl_max_s": 60,
                    "damage_low_tenths": 10,
                    "damage_low_max": 1, "damage_high_tenths": 10, "damage_high_max": 1},
        "bomb": {"damage_percent": 1, "timer_max_s": 60, "spread_s": 0}, "gamble": {"win_one_in": 2, "win_faces": 2,
                                                                                    "win_divisor": 1},
        "discombobulate": {"offer_min_percent": 1, "damage_low": 1, "damage_high": 1, "lock_s": 1},
        "inspect": {"fee": 1},
        "roulette": {"chambers": 2, "ttl_s": 60}, "rewards": [{"name": "daily", "points": 5, "every_s": 86400}],
        "items": [{"id": ":net:", "names": ["net"], "max_stack": 2, "drop": 1,
                   "craft": [{"item": ":shell:", "amount": 3}]}]}

# The same with everything that a game may have beyond it. Nobody claims its second reward: how long that takes depends on the
# time of the day.
OPTIONS = GAME | {
    "farm": GAME["farm"] | {"cooldown_s": 600},
    "rewards": [*GAME["rewards"], {"name": "local", "points": 5, "every_s": 86400, "time_zone": "Europe/Berlin"}],
    "items": [GAME["items"][0] | {"max_stack": 5, "sell": 4}, {"id": ":rod:", "names": ["rod"], "max_stack": 1}]}
