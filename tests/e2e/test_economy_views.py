"""The views of a realm: players, leaderboard, catalogue, history and event stream, and who may see them."""
import json
import re

from economy import ECONOMY, EconomyCase, Realm, new_name, seed_where
from harness import ROOT, TIME, eventually, main, redis_cli, run_larder
from event_stream import Listener

CATALOGUE = json.loads((ROOT / "src/systems/economy/ajo.json").read_text())
READY = {"daily": 0, "discombobulate": 0, "weekly": 0}


class Players(EconomyCase):
    def test_a_player_is_seen_whole(self):
        self.realm.fill("ann", 40, bone=3, athletic_shoe=1)
        self.realm.fill("bob", 41)
        self.done("ann", "use", item="shoe")
        self.done("ann", "rewards/daily")
        self.realm.cli("SET", "ann:vampire", 4, "EX", 600)
        seed, _ = seed_where(lambda find, meet: find > 50_000 and meet > 13, (1, 100_000), (0, 99))
        self.done("ann", "farm", name="Ann", seed=seed)
        seen = self.player("ann")
        self.assertTrue(0 < seen["effects"][0].pop("seconds_left") <= 600)
        self.assertTrue(86_340 < seen["cooldowns"].pop("daily") <= 86_400)
        self.assertEqual(seen, {
            "id": "ann", "name": "Ann", "balance": 74, "rank": 1, "inventory": {":bone:": 3}, "vampire_level": 4,
            "effects": [{"name": "gain", "value": 2}], "cooldowns": {"discombobulate": 0, "weekly": 0}})
        self.assertEqual(self.player("bob")["rank"], 2)

    def test_a_player_nobody_has_met_owns_nothing(self):
        expected = {"id": "eve", "name": None, "balance": 0, "rank": None, "inventory": {}, "effects": [],
                    "cooldowns": READY, "vampire_level": 1}
        self.assertEqual(self.player("eve"), expected)
        self.done("ann", "farm", name="Ann")
        self.assertEqual(self.player("eve"), expected)

    def test_who_only_looks_leaves_no_trace(self):
        for path in ("/players/ann", "/leaderboard", "/leaderboard?around=ann", "/items", "/events",
                     "/players/ann/events"):
            self.get(path)
        self.assertEqual(self.realm.state(), [])
        self.assertNotIn(self.realm.name, redis_cli(self.server.redis_socket, "SMEMBERS", "{larder}:economy:realms"))


class Leaderboard(EconomyCase):
    def test_it_shows_the_first_or_those_around_a_player_with_their_names(self):
        for number in range(1, 26):
            self.realm.fill(f"p{number:02}", number * 10)
        self.realm.cli("SET", "p25", "Zoë 🧄")
        self.done("p01", "rewards/daily")  # 42 now: between p04 and p05

        def ranks(query):
            return [(item["rank"], item["id"], item["balance"]) for item in self.get(f"/leaderboard{query}")["items"]]

        top = [(26 - number, f"p{number:02}", number * 10) for number in range(25, 4, -1)]
        top += [(22, "p01", 42), (23, "p04", 40), (24, "p03", 30), (25, "p02", 20)]
        self.assertEqual(ranks(""), top[:10])
        self.assertEqual(ranks("?limit=3"), top[:3])
        self.assertEqual(ranks("?limit=500"), top)
        self.assertEqual(ranks("?limit=5&around=p20"), top[3:8])
        self.assertEqual(ranks("?limit=1&around=p20"), top[5:6])
        self.assertEqual(ranks("?limit=5&around=p25"), top[:5])
        self.assertEqual(ranks("?limit=5&around=p02"), top[22:])
        self.assertEqual(ranks("?around=nobody"), [])
        names = [item["name"] for item in self.get("/leaderboard?limit=2")["items"]]
        self.assertEqual(names, ["Zoë 🧄", None])


class Catalogues(EconomyCase):
    def test_the_items_are_those_of_the_file(self):
        seen = self.get("/items")
        self.assertEqual((seen["currency"], seen["rewards"]), (CATALOGUE["currency"], CATALOGUE["rewards"]))
        self.assertEqual([item["id"] for item in seen["items"]], [item["id"] for item in CATALOGUE["items"]])
        for item, given in zip(seen["items"], CATALOGUE["items"]):
            use = given.get("use", {"kind": "none"})
            if use["kind"] == "effect":
                use = {"stacks": False, "on": "self"} | use
            costs = [cost | {"points": cost["item"] == CATALOGUE["currency"]} for cost in given.get("craft", [])]
            self.assertEqual(item, {"tradable": True, "drop": 0} | given | {"use": use, "craft": costs})
        self.done("ann", "farm", name="A")
        self.assertEqual(self.get("/items"), seen)


class History(EconomyCase):
    def setUp(self):
        super().setUp()
        self.realm.fill("ann", 100, herb=8)
        self.done("ann", "pay", to="bob", amount=10, guild_id="11")
        self.done("ann", "trade", to="bob", item="herb", quantity=3, guild_id="12")
        self.done("ann", "craft", item="cross", guild_id="13")
        self.done("bob", "pay", to="ann", amount=1)
        self.done("ann", "craft", item="gear", guild_id="14")

    def pages(self, path, limit, query=""):
        items, cursor, count = [], "", 0
        while cursor is not None:
            page = self.get(f"{path}?limit={limit}{query}" + (f"&cursor={cursor}" if cursor else ""))
            self.assertLessEqual(len(page["items"]), limit)
            items += page["items"]
            cursor = page["next_cursor"]
            count += 1
        return items, count

    def test_it_tells_every_change_newest_first(self):
        self.assertEqual(self.lines("/players/bob/events"), [
            "bob payee 10 in 11 payer_id=ann", "bob payer -1 payee_id=ann", "bob tradee 3 :herb: in 12 trader_id=ann"])
        self.assertEqual(self.lines("/players/ann/events"), [
            "ann payer -10 in 11 payee_id=bob", "ann payee 1 payer_id=bob", "ann craft_fee -15 in 14 item=:gear:",
            "ann trader -3 :herb: in 12 tradee_id=bob", "ann craft_fee -4 :herb: in 13 crafted=:cross:",
            "ann item_crafted 1 :cross: in 13", "ann item_crafted 1 :gear: in 14"])
        events = self.get("/events")["items"]
        self.assertEqual([event["at"] for event in events], sorted((event["at"] for event in events), reverse=True))
        self.assertEqual({event["type"] for event in events if event["guild_id"] == "0"},
                         {"opening", "payer", "payee"}, "0 stands for none")
        self.assertEqual(events[-1]["type"], "opening", "what the realm began with")

    def test_pages_together_are_the_whole(self):
        for path in ("/events", "/players/ann/events"):
            whole = self.get(f"{path}?limit=500")["items"]
            for limit in (1, 2, 3, len(whole), len(whole) + 1):
                items, count = self.pages(path, limit)
                self.assertEqual(items, whole)
                self.assertEqual(count, max(1, -(-len(whole) // limit)))

    def test_only_one_type_is_told_if_asked(self):
        for path, query, expected in (("/events", "payer", ["ann", "bob"]), ("/events", "item_crafted", ["ann", "ann"]),
                                      ("/players/bob/events", "payer", ["bob"]), ("/events", "nosuch", [])):
            for limit in (1, 50):
                items, _ = self.pages(path, limit, f"&type={query}")
                self.assertEqual([event["user_id"] for event in items[::-1]], expected)
                self.assertLessEqual({event["type"] for event in items}, {query})

    def test_a_cursor_that_is_none_is_refused(self):
        for path in ("/events", "/players/ann/events"):
            for cursor in ("x", "5", "5-1", "5-1-x", "-5-1-p", "5-1-p-i", "99999999999999999999-0-p", "%F0%9F%8D%95"):
                self.assert_problem(self.send("GET", f"{path}?cursor={cursor}"), 400, "invalid_request", "cursor")


class Realms(EconomyCase):
    def test_realms_are_games_of_their_own_and_the_default_one_has_no_prefix(self):
        self.realm.fill("ann", 5)
        named, default = self.realm, Realm(self.server.redis_socket, "default")
        player = new_name("p")
        self.done("ann", "pay", to=player, amount=2)
        self.realm = default
        self.done(player, "rewards/weekly")
        self.assertEqual(self.owns(player), (256, {}))
        self.assertEqual(redis_cli(self.server.redis_socket, "ZSCORE", "lb", player).strip(), "256")
        self.assertEqual(self.lines(f"/players/{player}/events"), [f"{player} timely_reward 256 reward=weekly"])
        self.realm = named
        self.assertEqual(self.owns(player), (2, {}))
        self.assertEqual(redis_cli(self.server.redis_socket, "ZSCORE", f"{{{named.name}}}:lb", player).strip(), "2")


class Stream(EconomyCase):
    def listen(self, query="", token=None):
        listener = Listener(self.server.address, token or self.server.token, query)
        self.addCleanup(listener.close)
        return listener

    def test_every_change_is_told_as_it_happens_with_its_realm_and_guild(self):
        self.realm.fill("ann", 100, bomb=1)
        player = new_name("p")
        economy = self.listen("?system=economy")
        others = [self.listen("?system=ledger"), self.listen(f"?system=economy&user_id={player}"),
                  self.listen("?system=economy&type=item_used")]
        self.done("ann", "pay", to=player, amount=7, guild_id="5")
        self.done("ann", "bomb", seconds=9000)

        def seen(listener):
            events = [event for event in listener.events if event.data["data"]["realm"] == self.realm.name]
            return {event.name: event.data for event in events if event.name != "economy.opening"}

        eventually(lambda: len(seen(economy)) == 3, "the events come")
        payer, payee, used = (seen(economy)[f"economy.{name}"] for name in ("payer", "payee", "item_used"))
        for event in (payer, payee, used):
            self.assertRegex(event.pop("at"), TIME)
            self.assertRegex(event["data"].pop("id"), r"^\d+-\d+-i$" if event is used else r"^\d+-\d+$")
        realm = {"realm": self.realm.name}
        self.assertEqual(payer, {"system": "economy", "type": "payer", "user_id": "ann", "data": realm | {
            "guild_id": "5", "amount": -7, "detail": {"payee_id": player}}})
        self.assertEqual(payee, {"system": "economy", "type": "payee", "user_id": player, "data": realm | {
            "guild_id": "5", "amount": 7, "detail": {"payer_id": "ann"}}})
        self.assertEqual(used, {"system": "economy", "type": "item_used", "user_id": "ann", "data": realm | {
            "guild_id": "0", "item": ":bomb:", "quantity": -1, "detail": {"trigger": "bomb"}}})
        for listener, expected in zip(others, ([], ["economy.payee"], ["economy.item_used"])):
            eventually(lambda: list(seen(listener)) == expected, f"{expected}, not {list(seen(listener))}")

    def test_the_metrics_count_moves_by_what_came_of_them(self):
        def moves(move, outcome):
            text = self.client.get("/metrics").raw.decode()
            self.assertIn("larder_economy_seconds_bucket", text)
            pattern = rf'^larder_economy_moves_total\{{move="{move}",outcome="{outcome}"\}} (\S+)$'
            found = re.findall(pattern, text, re.M)
            return sum(map(float, found))

        self.done("ann", "rewards/daily")
        before = moves("pay", "ok"), moves("pay", "insufficient_balance"), moves("claim", "ok")
        self.done("ann", "pay", to="bob", amount=1)
        self.move("ann", "pay", to="bob", amount=1000)
        key = new_name("key")
        for _ in range(3):
            self.move("ann", "rewards/weekly", key)
        self.assertEqual((moves("pay", "ok"), moves("pay", "insufficient_balance"), moves("claim", "ok")),
                         tuple(count + 1 for count in before))


class Scopes(EconomyCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tokens = {}
        for scope in ("economy", "ledger"):
            made = run_larder("key", "create", "--data", cls.server.data, "--name", scope, "--scope", scope)
            assert made.returncode == 0, made.stderr
            cls.tokens[scope] = made.stdout.strip()

    def requests(self):
        """Every route of the document."""
        values = {"{realm}": self.realm.name, "{id}": "ann", "{reward}": "daily"}
        for template, methods in self.document.raw["paths"].items():
            if template.startswith(ECONOMY):
                for method in methods:
                    path = re.sub(r"\{\w+\}", lambda match: values[match[0]], template)
                    yield method.upper(), path, {} if method == "post" else None

    def test_every_route_asks_for_a_key_with_the_scope(self):
        requests = list(self.requests())
        self.assertEqual(len(requests), 26, "all of them")
        for authorization, status, code in ((None, 401, "unauthorized"), ("Bearer nonsense", 401, "unauthorized"),
                                            (f"Bearer {self.tokens['ledger']}", 403, "forbidden")):
            eventually(lambda: self.client.get(self.path("/items"), headers={"Authorization": authorization}).status
                       == status, "the new key is known")
            for method, path, body in requests:
                with self.subTest(path=path, status=status):
                    answer = self.client.send(method, path, body, headers={"Authorization": authorization})
                    self.assert_problem(answer, status, code)
        self.assertEqual(self.realm.state(), [])

    def test_the_scope_alone_opens_them(self):
        client = self.server.client(token=self.tokens["economy"])
        self.addCleanup(client.close)
        eventually(lambda: client.get(self.path("/items")).status == 200, "the new key is known")
        self.assertEqual(client.post(self.path("/players/ann/rewards/daily")).status, 200)
        self.assert_problem(client.get("/v1/ledger/types"), 403, "forbidden")


if __name__ == "__main__":
    main()
