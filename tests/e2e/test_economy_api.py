"""The HTTP contract of the economy's moves: exact answers, refusals with their members, and the events that they
leave."""
from economy import EconomyCase, Realm, new_name, seed_where
from harness import AMOUNT_MAX, eventually, main, now_ms, stamp

FIND, MEET = (1, 100_000), (0, 99)
HERB = range(2002, 5652)  # most of its faces, which follow those of :sauropod:, :chopsticks:, :cross: and :bomb:
NOTHING = {"gained": 0, "drop": None, "vampire": None, "bomb": None}


def roll(seed, *values):
    return {"seed": seed, "values": list(values)}


class Farm(EconomyCase):
    def test_a_farm_gives_a_point_and_keeps_the_name(self):
        seed, (meet,) = seed_where(lambda meet: meet > 1, MEET)
        farmed = NOTHING | {"gained": 1, "roll": roll(seed, meet)}
        self.assertEqual(self.done("ann", "farm", name="Ann", seed=seed), farmed | {"balance": 1})
        self.assertEqual(self.player("ann")["name"], "Ann")
        self.assertEqual(self.done("ann", "farm", name="Änn 🧄", seed=seed), farmed | {"balance": 2})
        self.assertEqual(self.player("ann")["name"], "Änn 🧄")
        self.assertEqual(self.lines(), ["ann farm 1", "ann farm 1"])

    def test_who_has_enough_may_find_an_item_but_not_beyond_a_full_stack(self):
        self.realm.fill("ann", 49)
        self.realm.fill("bob", 60, herb=20)
        self.realm.fill("cat", 48)
        seed, values = seed_where(lambda find, meet: find in HERB and meet > 1, FIND, MEET)
        self.assertEqual(self.done("ann", "farm", name="A", seed=seed),
                         NOTHING | {"gained": 1, "balance": 50, "drop": {"item": ":herb:", "stack": 1},
                                    "roll": roll(seed, *values)})
        self.assertEqual(self.done("bob", "farm", name="B", seed=seed),
                         NOTHING | {"gained": 1, "balance": 61, "roll": roll(seed, *values)})
        drawn = self.done("cat", "farm", name="C", seed=seed)
        self.assertEqual((drawn["drop"], len(drawn["roll"]["values"])), (None, 1), "49 are not enough to look")
        self.assertEqual(self.owns("ann"), (50, {":herb:": 1}))
        self.assertIn("ann item_earned 1 :herb: trigger=farm", self.lines())
        self.assertEqual(self.lines("/players/bob/events"), ["bob farm 1"])

    def test_a_vampire_takes_its_share_or_a_necklace(self):
        for player, items in (("ann", {}), ("bob", {"reminder_ribbon": 1})):
            self.realm.fill(player, 999, **items)
            self.realm.cli("SET", f"{player}:vampire", 5, "EX", 600)
        seed, values = seed_where(lambda find, meet, share: find > 50_000 and meet < 13 and share == 7, FIND, MEET,
                                  (6, 10))
        self.assertEqual(self.done("ann", "farm", name="A", seed=seed),
                         NOTHING | {"gained": 1, "balance": 930, "roll": roll(seed, *values),
                                    "vampire": {"level": 5, "damage": 70, "necklace_used": False}})
        self.assertEqual(self.done("bob", "farm", name="B", seed=seed),
                         NOTHING | {"gained": 1, "balance": 1000, "roll": roll(seed, *values[:2]),
                                    "vampire": {"level": 5, "damage": 0, "necklace_used": True}})
        self.assertEqual([self.player(player)["vampire_level"] for player in ("ann", "bob")], [6, 6])
        self.assertEqual(self.owns("bob"), (1000, {}))
        self.assertEqual(self.lines(), ["ann farm 1", "ann vampire -70 level=5", "bob farm 1",
                                        "bob item_used -1 :reminder_ribbon: trigger=vampire"])

    def test_who_would_meet_too_high_a_vampire_gets_nothing(self):
        self.realm.fill("ann", 5)
        self.realm.cli("SET", "ann:vampire", 70, "EX", 600)
        farmed = self.done("ann", "farm", name="Ann", seed=7)
        self.assertEqual(farmed, NOTHING | {"balance": 5, "roll": roll(7)})
        self.assertEqual((self.lines(), self.player("ann")["name"]), ([], "Ann"))

    def test_a_planted_bomb_goes_off_on_whoever_farms_next(self):
        self.realm.fill("ann", 0, bomb=1, satellite=1)
        self.realm.fill("bob", 111)
        seed, (spread,) = seed_where(lambda spread: spread < -5000, (-210_000, 210_000))
        planted = self.done("ann", "bomb", seconds=5, seed=seed)
        self.assertEqual((planted["left"], planted["within_s"], planted["roll"]), (0, 210, None))
        self.assertLess(stamp(now_ms()), planted["due_at"], "the exact moment is hidden, which is before")
        eventually(lambda: self.realm.cli("GET", "bomb") == "ann", "the bomb is pending")
        self.assertEqual(self.done("bob", "farm", name="Bob", seed=1),
                         NOTHING | {"balance": 92, "bomb": {"owner": "ann", "damage": 19}, "roll": roll(1)})
        self.assertEqual(self.done("bob", "farm", name="Bob", seed=seed)["bomb"], None, "it goes off once")
        self.assertEqual(self.lines()[0], "bob bomb -19 owner_id=ann")
        self.assertIn("ann item_used -1 :bomb: trigger=bomb", self.lines())

    def test_no_balance_grows_beyond_the_largest(self):
        self.realm.fill("ann", AMOUNT_MAX)
        self.assert_problem(self.move("ann", "farm", name="A"), 409, "balance_limit")
        self.assertEqual(self.owns("ann"), (AMOUNT_MAX, {}))


class Points(EconomyCase):
    def test_points_are_paid(self):
        self.realm.fill("ann", 10)
        self.assertEqual(self.done("ann", "pay", to="bob", amount=3, guild_id="77"), {"balance": 7, "to_balance": 3})
        self.assertEqual(self.lines(), ["ann payer -3 in 77 payee_id=bob", "bob payee 3 in 77 payer_id=ann"])
        self.assertEqual(self.done("ann", "pay", to="bob", amount=7), {"balance": 0, "to_balance": 10})
        self.assert_too_poor(self.move("ann", "pay", to="bob", amount=1), 0, 1)
        self.assert_problem(self.move("bob", "pay", to="bob", amount=1), 409, "self_target")
        self.realm = Realm(self.server.redis_socket, new_name("realm"))
        self.realm.fill("ann", 1)
        self.realm.fill("bob", AMOUNT_MAX)
        self.assert_problem(self.move("ann", "pay", to="bob", amount=1), 409, "balance_limit")

    def test_rewards_come_once_in_their_time(self):
        for reward, points, total, every_s in (("daily", 32, 32, 86_400), ("weekly", 256, 288, 604_800)):
            self.assertEqual(self.done("ann", f"rewards/{reward}"), {"reward": points, "balance": total})
            refused = self.move("ann", f"rewards/{reward}")
            left = refused.json.get("seconds_left", 0)
            self.assert_problem(refused, 409, "reward_not_ready", seconds_left=left)
            self.assertTrue(every_s - 60 < left <= every_s, left)
        self.assert_problem(self.move("ann", "rewards/monthly"), 404, "reward_not_found")
        self.assertEqual(self.lines(), ["ann timely_reward 32 reward=daily", "ann timely_reward 256 reward=weekly"])

    def test_a_gamble_wins_or_loses(self):
        self.realm.fill("ann", 100)
        self.realm.fill("max", AMOUNT_MAX)
        win, (hit, factor) = seed_where(lambda hit, factor: hit == 1 and factor == 33, (1, 4), (1, 100))
        lose, (miss,) = seed_where(lambda hit: hit > 1, (1, 4))
        self.assertEqual(self.done("ann", "gamble", amount=50, seed=win),  # 33 / 40 of 50, rounded up
                         {"change": 42, "balance": 142, "roll": roll(win, hit, factor)})
        self.assertEqual(self.done("ann", "gamble", amount=2, seed=lose),
                         {"change": -2, "balance": 140, "roll": roll(lose, miss)})
        self.assert_too_poor(self.move("ann", "gamble", amount=141), 140, 141)
        self.assert_problem(self.move("max", "gamble", amount=1, seed=win), 409, "balance_limit")
        self.assertEqual(self.done("ann", "gamble", amount="all", seed=lose),
                         {"change": -140, "balance": 0, "roll": roll(lose, miss)})
        self.assert_too_poor(self.move("ann", "gamble", amount="all"), 0, 1)
        self.assertEqual(self.lines(), ["ann gamble 42", "ann gamble -2", "ann gamble -140"])

    def test_a_discombobulation_burns_points_of_both_and_locks_the_one_who_did_it(self):
        self.realm.fill("ann", 100, eggplant=1)
        self.realm.fill("bob", 101)
        seed, (percent,) = seed_where(lambda percent: percent == 110, (69, 200))
        refusals = (({"target": "ann", "amount": 5}, "self_target", {}),
                    ({"target": "bob", "amount": 35}, "offer_too_low", {"minimum": 36}))
        for body, code, more in refusals:
            self.assert_problem(self.move("ann", "discombobulate", **body), 409, code, **more)
        self.assert_too_poor(self.move("ann", "discombobulate", target="bob", amount=101), 100, 101)
        self.assertEqual(self.done("ann", "discombobulate", target="bob", amount=37, seed=seed),
                         {"damage": 40, "balance": 63, "target_balance": 61, "seconds_left": 110 * 1800,
                          "roll": roll(seed, percent)})
        refused = self.move("ann", "discombobulate", target="bob", amount=30)
        left = refused.json.get("seconds_left", 0)
        self.assert_problem(refused, 409, "on_cooldown", seconds_left=left)
        self.assertTrue(0 < 110 * 1800 - left < 60 or left == 110 * 1800, left)
        self.assertEqual(self.player("ann")["cooldowns"]["discombobulate"] // 60, left // 60)
        self.realm.cli("DEL", "ann:discombobulate")
        self.done("ann", "use", item="eggplant")
        burnt = self.done("ann", "discombobulate", target="bob", amount=50, seed=seed)
        self.assertEqual((burnt["damage"], burnt["target_balance"]), (61, 0), "141 % of 50, but not more than there is")
        self.assertEqual(self.lines(), [
            "ann discombobulator -37 target_id=bob", "bob discombobulatee -40 source_id=ann",
            "ann discombobulator -50 target_id=bob", "bob discombobulatee -61 source_id=ann",
            "ann item_used -1 :eggplant:"])

    def test_a_roulette_takes_everything_from_whom_it_hits(self):
        self.realm.fill("ann", 10)
        self.realm.fill("bob", 20)
        seed, (number,) = seed_where(lambda number: number == 3, (1, 6))
        made = self.send("POST", "/roulettes", {"seed": seed})
        self.assertEqual(made.status, 201, made)
        path = f"/roulettes/{made.json['id']}/shots"
        for player, balance in (("ann", 10), ("bob", 20)):
            shot = self.send("POST", path, {"player": player})
            self.assertEqual((shot.status, shot.json),
                             (200, {"outcome": "survived", "lost": 0, "balance": balance, "roll": None}))
        shot = self.send("POST", path, {"player": "bob", "guild_id": "9"})
        self.assertEqual(shot.json, {"outcome": "shot", "lost": 20, "balance": 0, "roll": roll(seed, number)})
        self.assert_problem(self.send("POST", path, {"player": "ann"}), 404, "roulette_not_found")
        self.assert_problem(self.send("POST", "/roulettes/never/shots", {"player": "ann"}), 404, "roulette_not_found")
        self.assertEqual(self.lines(), [f"bob ded -20 in 9 roulette_id={made.json['id']}"])

    def test_to_look_into_an_inventory_costs_a_fee(self):
        self.realm.fill("ann", 15)
        self.realm.fill("bob", 0, bone=7, herb=2)
        self.assertEqual(self.done("ann", "inspect", target="bob"),
                         {"balance": 5, "inventory": {":bone:": 7, ":herb:": 2}})
        self.assert_too_poor(self.move("ann", "inspect", target="bob"), 5, 10)
        self.assertEqual(self.lines(), ["ann inventory_fee -10 target_id=bob"])


class Items(EconomyCase):
    def test_items_are_traded_whole_or_not_at_all(self):
        self.realm.fill("ann", 0, herb=10, magic_wand=1)
        self.realm.fill("bob", 0, herb=15)
        self.assertEqual(self.done("ann", "trade", to="bob", item="herb", quantity=5),
                         {"item": ":herb:", "left": 5, "to_stack": 20})
        refusals = [({"to": "bob", "item": "herb", "quantity": 1}, "stack_full", {"owned": 20, "max_stack": 20}),
                    ({"to": "cat", "item": "herb", "quantity": 6}, "not_enough_items", {"owned": 5}),
                    ({"to": "cat", "item": "herb", "quantity": AMOUNT_MAX}, "not_enough_items", {"owned": 5}),
                    ({"to": "cat", "item": "cross", "quantity": 1}, "not_enough_items", {"owned": 0}),
                    ({"to": "cat", "item": "wand", "quantity": 1}, "not_tradable", {}),
                    ({"to": "cat", "item": "sword", "quantity": 1}, "unknown_item", {}),
                    ({"to": "ann", "item": "herb", "quantity": 1}, "self_target", {})]
        for body, code, more in refusals:
            with self.subTest(body=body):
                self.assert_problem(self.move("ann", "trade", **body), 409, code, **more)
        self.assertEqual((self.owns("ann"), self.owns("bob"), self.owns("cat")),
                         ((0, {":herb:": 5, ":magic_wand:": 1}), (0, {":herb:": 20}), (0, {})))
        self.assertEqual(self.lines(), ["ann trader -5 :herb: tradee_id=bob", "bob tradee 5 :herb: trader_id=ann"])

    def test_an_item_is_crafted_for_all_its_costs_at_once(self):
        self.realm.fill("ann", 60, bone=6, tooth=2, herb=4, gear=20)
        self.realm.fill("bob", 3, bone=5, tooth=1)
        self.assertEqual(self.done("ann", "craft", item="wand"), {"item": ":magic_wand:", "stack": 1, "balance": 60})
        self.assertEqual(self.done("ann", "craft", item="necklace", guild_id="8"),
                         {"item": ":reminder_ribbon:", "stack": 1, "balance": 10})
        refusals = [("ann", "necklace", "stack_full", {"owned": 1, "max_stack": 1}),
                    ("ann", "gear", "stack_full", {"owned": 20, "max_stack": 20}),
                    ("ann", "bone", "not_craftable", {}), ("ann", "sword", "unknown_item", {}),
                    ("bob", "wand", "not_enough_items", {"needs": {":bone:": 5, ":tooth:": 2}})]
        for player, item, code, more in refusals:
            with self.subTest(player=player, item=item):
                self.assert_problem(self.move(player, "craft", item=item), 409, code, **more)
        self.assert_too_poor(self.move("bob", "craft", item="gear"), 3, 15)
        self.assertEqual(self.owns("ann"), (10, {":bone:": 1, ":herb:": 4, ":gear:": 20, ":magic_wand:": 1,
                                                 ":reminder_ribbon:": 1}))
        self.assertEqual(self.lines(), [
            "ann craft_fee -50 in 8 item=:reminder_ribbon:", "ann craft_fee -5 :bone: crafted=:magic_wand:",
            "ann craft_fee -2 :tooth: crafted=:magic_wand:", "ann item_crafted 1 :magic_wand:",
            "ann item_crafted 1 :reminder_ribbon: in 8"])

    def test_each_use_does_its_own(self):
        self.realm.fill("ann", 0, chopsticks=1, cross=2, athletic_shoe=1, eggplant=1, magic_wand=1, satellite=1, herb=1,
                        bomb=1, reminder_ribbon=1)
        used = {"left": 0, "vampire_level": None, "effect": None, "bombs": None}
        self.realm.cli("SET", "ann:vampire", 3, "EX", 600)
        self.assertEqual(self.done("ann", "use", item="cross"), used | {"item": ":cross:", "left": 1, "vampire_level": 2})
        self.assertEqual(self.done("ann", "use", item="chopsticks"), used | {"item": ":chopsticks:", "vampire_level": 1})
        for item, effect in (("athletic_shoe", {"name": "gain", "value": 2, "seconds_left": 600}),
                             ("eggplant", {"name": "discombobulate", "value": 31, "seconds_left": 600})):
            self.assertEqual(self.done("ann", "use", item=item), used | {"item": f":{item}:", "effect": effect})
        curse = {"name": "vampire", "value": 12, "seconds_left": 7200}
        self.assertEqual(self.done("ann", "use", item="wand", target="bob"),
                         used | {"item": ":magic_wand:", "effect": curse})
        self.assertEqual([(effect["name"], effect["value"]) for effect in self.player("ann")["effects"]],
                         [("gain", 2), ("discombobulate", 31)])
        self.assertEqual([(effect["name"], effect["value"]) for effect in self.player("bob")["effects"]],
                         [("vampire", 12)])
        self.done("ann", "bomb", seconds=20_000)
        seen = self.done("ann", "use", item="satellite")
        self.assertEqual(len(seen["bombs"]), 1)
        self.assertEqual(seen, used | {"item": ":satellite:", "bombs": [
            {"owner": "ann", "seconds_left": seen["bombs"][0]["seconds_left"]}]})
        self.assertTrue(19_700 < seen["bombs"][0]["seconds_left"] <= 20_210, seen)
        refusals = [("cross", "not_usable", {}), ("herb", "not_usable", {}), ("bomb", "not_usable", {}),
                    ("necklace", "not_usable", {}), ("shoe", "not_enough_items", {"owned": 0}),
                    ("sword", "unknown_item", {})]
        for item, code, more in refusals:
            with self.subTest(item=item):
                self.assert_problem(self.move("ann", "use", item=item), 409, code, **more)
        self.assert_problem(self.move("ann", "use", item="wand", target="ann"), 409, "self_target")
        self.assert_problem(self.move("ann", "use", item="wand"), 400, "invalid_request", "target")
        self.assert_problem(self.move("ann", "use", item="cross", target="bob"), 400, "invalid_request", "target")
        self.assertEqual(self.owns("ann")[1], {":cross:": 1, ":herb:": 1, ":reminder_ribbon:": 1})
        self.assertIn("ann item_used -1 :magic_wand: target_id=bob", self.lines())

    def test_a_second_shoe_adds_to_the_first(self):
        self.realm.fill("ann", 0, athletic_shoe=1)
        self.realm.fill("bob", 0, athletic_shoe=1)
        self.done("ann", "use", item="shoe")
        self.done("bob", "trade", to="ann", item="shoe", quantity=1)
        self.assertEqual(self.done("ann", "use", item="shoe")["effect"]["value"], 3)
        seed, _ = seed_where(lambda meet: meet > 1, MEET)
        self.assertEqual(self.done("ann", "farm", name="A", seed=seed)["gained"], 3)

    def test_a_bomb_is_planted_with_a_timer(self):
        self.realm.fill("ann", 0, bomb=1)
        for seconds in (28_801, AMOUNT_MAX):
            self.assert_problem(self.move("ann", "bomb", seconds=seconds), 400, "invalid_request", "seconds")
        before = now_ms()
        planted = self.done("ann", "bomb", seconds=28_800, seed=11)
        self.assertTrue(stamp(before + 28_800_000) <= planted["due_at"] <= stamp(now_ms() + 28_800_000), planted)
        self.assert_problem(self.move("ann", "bomb", seconds=0), 409, "not_enough_items", owned=0)

    def test_an_item_has_many_names(self):
        self.realm.fill("ann", 0, athletic_shoe=1, reminder_ribbon=1)
        for player, item, name in (("ann", ":athletic_shoe:", ":athletic_shoe:"), ("bob", ":athletic_shoe:", "shoe"),
                                   ("cat", ":athletic_shoe:", "Athletic_SHOE"), ("dan", ":athletic_shoe:", ":SHOE:"),
                                   ("ann", ":reminder_ribbon:", "NeckLace"), ("bob", ":reminder_ribbon:", "ribbon")):
            other = {"ann": "bob", "bob": "cat", "cat": "dan", "dan": "ann"}[player]
            with self.subTest(name=name):
                self.assertEqual(self.done(player, "trade", to=other, item=name, quantity=1),
                                 {"item": item, "left": 0, "to_stack": 1})


class Chance(EconomyCase):
    def test_the_same_seed_on_the_same_state_does_the_same(self):
        moves = [("farm", {"name": "A"}), ("gamble", {"amount": 10}), ("discombobulate", {"target": "bob", "amount": 50}),
                 ("bomb", {"seconds": 5000})]
        seen = []
        for _ in range(2):
            self.realm = Realm(self.server.redis_socket, new_name("realm"))
            self.realm.fill("ann", 100, bomb=1)
            self.realm.fill("bob", 70)
            answers = [self.done("ann", what, seed=4711, **body) for what, body in moves]
            answers[-1].pop("due_at")  # depends on the time
            seen.append(answers)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual({answer["roll"]["seed"] for answer in seen[0][:-1]}, {4711})

    def test_without_a_seed_each_move_has_its_own(self):
        self.realm.fill("ann", 1000)
        seeds = {self.done("ann", "gamble", amount=1)["roll"]["seed"] for _ in range(20)}
        self.assertGreater(len(seeds), 15)


class NoSeeds(EconomyCase):
    server_args = ()

    def test_a_seed_is_refused_with_the_setting_that_allows_it(self):
        self.realm.fill("ann", 100, bomb=1)
        for what, body in (("farm", {"name": "A"}), ("gamble", {"amount": 1}), ("bomb", {"seconds": 5}),
                           ("discombobulate", {"target": "bob", "amount": 1}), ("rewards/daily", {})):
            with self.subTest(what=what):
                for seed in (1, "x", None):
                    refused = self.move("ann", what, **body, seed=seed)
                    self.assert_problem(refused, 400, "invalid_request", "seed")
                    self.assertIn("economy.allow_seed", refused.json["detail"])
        self.assert_problem(self.send("POST", "/roulettes", {"seed": 1}), 400, "invalid_request", "seed")
        self.assertEqual(self.realm.cli("EXISTS", "catalogue"), "0", "nothing was done")
        farmed = self.done("ann", "farm", name="A")
        self.assertTrue(0 <= farmed["roll"]["seed"] < 2**31, farmed)


if __name__ == "__main__":
    main()
