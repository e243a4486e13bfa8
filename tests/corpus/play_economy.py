"""The economy: every move and view, and what its rules refuse. Points and items come from moves with chosen seeds, so
the script needs nothing but the API."""
from bodies import AMOUNT_MAX
from economy import seed_where

REALM = "/v1/economy/default"
FIND, MEET = (1, 100_000), (0, 99)
# At which faces the drop die finds each item: the chances of the shipped catalogue, in its order.
DROPS = {"sauropod": 1, "chopsticks": 250, "cross": 500, "bomb": 900, "herb": 4000, "shoe": 300, "eggplant": 300,
         "bone": 2500,
         "tooth": 2000, "gear": 600}
CALM, _ = seed_where(lambda meet: meet > 1, MEET)
NOTHING, _ = seed_where(lambda find, meet: find > 50_000 and meet > 30, FIND, MEET)
WIN, _ = seed_where(lambda hit, share: hit == 1 and share == 100, (1, 4), (1, 100))
SMALL_WIN, _ = seed_where(lambda hit, share: hit == 1 and share == 33, (1, 4), (1, 100))
LOSE, _ = seed_where(lambda hit: hit > 1, (1, 4))
PERCENT_110, _ = seed_where(lambda percent: percent == 110, (69, 200))
SPREAD = (-210_000, 210_000)
LATE_BOMB, _ = seed_where(lambda spread: -110_000 < spread < -90_000, SPREAD)
BOMB_AT_ONCE, _ = seed_where(lambda spread: spread < -5000, SPREAD)


def finding(item):
    """A seed that finds this item and meets no vampire."""
    names = list(DROPS)
    low = sum(DROPS[name] for name in names[:names.index(item)])
    return seed_where(lambda find, meet: low < find <= low + DROPS[item] and meet > 30, FIND, MEET)[0]


def vampire_seed(share_range):
    """A seed that finds nothing and meets the vampire."""
    return seed_where(lambda find, meet, share: find > 50_000 and meet <= 1, FIND, MEET, share_range)[0]


class Game:
    """Moves in a realm. Moves that only prepare something are not recorded."""

    def __init__(self, play, realm=REALM):
        self.play, self.realm = play, realm

    def move(self, title, player, what, body=None, **more):
        return self.play.post(title, f"{self.realm}/players/{player}/{what}", body, **more)

    def get(self, title, path, **more):
        return self.play.get(title, f"{self.realm}{path}", **more)

    def prepare(self, player, what, **body):
        return self.play.arrange("POST", f"{self.realm}/players/{player}/{what}", body)

    def enrich(self, player, at_least=256):
        """Gives points from the weekly reward, then from gambles that win."""
        balance = self.prepare(player, "rewards/weekly")["balance"]
        while balance < at_least:
            amount = balance if balance * 3.5 <= at_least else max((at_least - balance) * 2 // 5, 1)
            balance = self.prepare(player, "gamble", amount=amount, seed=WIN)["balance"]
        return balance

    def give(self, player, **items):
        for item, count in items.items():
            for _ in range(count):
                self.prepare(player, "farm", name=player, seed=finding(item))


def play_economy(play):
    game = Game(play)
    play_first_views(game)
    play_farm(game)
    play_points(game)
    play_largest_balance(game)
    play_discombobulate(game)
    play_vampires(game)
    play_trade(game)
    play_craft(game)
    play_use(game)
    play_bombs(game)
    play_roulettes(game)
    play_once(game)
    play_views(game)
    play_events(game)
    play_other_realm(play)


def play_first_views(game):
    game.get("shows a player who has never played", "/players/ann")
    game.get("shows an empty leaderboard", "/leaderboard")
    game.get("shows the catalogue", "/items")
    game.get("lists no events", "/events")


def play_farm(game):
    game.move("farms", "ann", "farm", {"name": "Ann", "seed": CALM})
    game.move("farms with another name and a guild", "ann", "farm",
              {"name": "Änn 🧄 \"x\"", "seed": CALM, "guild_id": "77"})
    game.get("shows a player who has farmed", "/players/ann")


def play_points(game):
    game.move("claims the daily reward", "ann", "rewards/daily", {})
    game.move("claims the daily reward again", "ann", "rewards/daily", {})
    game.move("claims the weekly reward without a body", "ann", "rewards/weekly")
    game.move("claims a reward that does not exist", "ann", "rewards/monthly")
    game.move("finds an item", "ann", "farm", {"name": "Ann", "seed": finding("herb")})
    game.move("finds nothing", "ann", "farm", {"name": "Ann", "seed": NOTHING})
    game.move("wins a gamble", "ann", "gamble", {"amount": 50, "seed": SMALL_WIN})
    game.move("loses a gamble", "ann", "gamble", {"amount": 2, "seed": LOSE})
    game.move("gambles more than there is", "ann", "gamble", {"amount": 10**9, "seed": LOSE})
    game.move("pays", "ann", "pay", {"to": "bob", "amount": 20, "guild_id": "77"})
    game.move("pays more than there is", "ann", "pay", {"to": "bob", "amount": 10**9})
    game.move("pays oneself", "ann", "pay", {"to": "ann", "amount": 1})
    game.move("gambles everything", "bob", "gamble", {"amount": "all", "seed": LOSE})
    game.move("gambles everything without any points", "bob", "gamble", {"amount": "all", "seed": LOSE})
    game.move("looks into an inventory without any points", "bob", "inspect", {"target": "ann"})
    game.move("looks into an inventory", "ann", "inspect", {"target": "ann"})
    game.move("looks into an empty inventory", "ann", "inspect", {"target": "nobody", "guild_id": "5"})


def play_largest_balance(game):
    most = game.enrich("max", AMOUNT_MAX // 10 * 9)
    game.enrich("moe", AMOUNT_MAX // 10 * 9)
    game.move("pays up to the largest balance", "moe", "pay", {"to": "max", "amount": AMOUNT_MAX - most})
    game.move("pays beyond the largest balance", "moe", "pay", {"to": "max", "amount": 1})
    game.move("farms beyond the largest balance", "max", "farm", {"name": "Max", "seed": NOTHING})
    game.move("wins beyond the largest balance", "max", "gamble", {"amount": 1, "seed": WIN})
    game.move("claims a reward beyond the largest balance", "max", "rewards/daily")
    game.move("loses the largest balance", "max", "gamble", {"amount": "all", "seed": LOSE})


def play_discombobulate(game):
    def offer(title, amount, target="cat", player="dan", **more):
        game.move(title, player, "discombobulate", {"target": target, "amount": amount, "seed": PERCENT_110} | more)

    game.enrich("cat")
    game.enrich("dan", 500)
    offer("discombobulates oneself", 5, target="dan")
    offer("discombobulates for too little", 89)
    offer("discombobulates for more than there is", 10**6)
    offer("discombobulates", 90, guild_id="9")
    offer("discombobulates too soon", 90)
    game.get("shows a player who has to wait", "/players/dan")
    offer("discombobulates one who has nothing", 1, target="nobody", player="cat")


def play_vampires(game):
    game.enrich("vic")
    bite = vampire_seed((2, 2))
    game.move("meets a vampire", "vic", "farm", {"name": "Vic", "seed": bite})
    game.move("crafts a necklace", "vic", "craft", {"item": "necklace"})
    game.move("meets a vampire with a necklace", "vic", "farm", {"name": "Vic", "seed": bite})
    game.get("shows a player whom a vampire follows", "/players/vic")
    game.give("vic", cross=2, chopsticks=1)
    game.move("lowers the vampire", "vic", "use", {"item": ":cross:"})
    game.move("drives the vampire away", "vic", "use", {"item": "🥢"})
    game.move("lowers a vampire that is not there", "vic", "use", {"item": "cross"})


def play_trade(game):
    def trade(title, item, quantity, to="eve", player="tom", **more):
        game.move(title, player, "trade", {"to": to, "item": item, "quantity": quantity} | more)

    game.enrich("tom", 1000)
    game.give("tom", herb=3, bone=5, tooth=2)
    trade("trades", "Herb", 2, guild_id="3")
    trade("trades more than there is", "herb", 2)
    trade("trades an item that nobody has", "sauropod", AMOUNT_MAX)
    trade("trades an item that does not exist", "sword", 1)
    trade("trades with oneself", "herb", 1, to="tom")
    game.move("crafts a wand out of items", "tom", "craft", {"item": ":magic_wand:"})
    trade("trades what cannot be traded", "wand", 1)
    game.prepare("tom", "craft", item="necklace")
    trade("trades an item by its emoji", "🎗️", 1)
    game.prepare("tom", "craft", item="necklace")
    trade("trades to one who has as many as can be", "ribbon", 1)


def play_craft(game):
    game.enrich("kim", 100)
    game.move("crafts", "kim", "craft", {"item": "gear", "guild_id": "8"})
    game.move("crafts what takes more items", "kim", "craft", {"item": "satellite"})
    game.move("crafts what takes more items of two kinds", "kim", "craft", {"item": "wand"})
    game.move("crafts what cannot be crafted", "kim", "craft", {"item": "bone"})
    game.move("crafts what does not exist", "kim", "craft", {"item": "sword"})
    game.prepare("kim", "craft", item="necklace")
    game.move("crafts more than can be owned", "kim", "craft", {"item": "necklace"})
    game.move("crafts without points", "nil", "craft", {"item": "gear"})


def play_use(game):
    def use(title, item, player="uma", **more):
        game.move(title, player, "use", {"item": item} | more)

    game.enrich("uma", 1000)
    game.give("uma", shoe=1, eggplant=1, bone=5, tooth=2, herb=1, bomb=1)
    for item in ("wand", "necklace", "gear", "gear", "gear", "satellite"):
        game.prepare("uma", "craft", item=item)
    use("uses an item on oneself", "athletic_shoe", guild_id="4")
    use("uses an item that is gone", "shoe")
    game.give("uma", shoe=1)
    use("uses an item that adds to the first", ":SHOE:")
    use("uses an item for later", "eggplant")
    use("uses an item without its target", "wand")
    use("uses an item on oneself that is for others", "wand", target="uma")
    use("uses an item on a target that is for oneself", "cross", target="ann")
    use("uses an item on a target", "wand", target="ann")
    use("uses an item without a use", "herb")
    use("uses an item that is planted", "bomb")
    use("uses an item that guards", "necklace")
    use("uses an item that does not exist", "sword")
    game.get("shows a player with effects", "/players/uma")
    game.get("shows a player who is cursed", "/players/ann")
    game.move("farms with an effect", "uma", "farm", {"name": "Uma", "seed": NOTHING})


def play_bombs(game):
    def bombs_armed():
        text = game.play.client.get("/metrics").raw.decode()
        return any(line.startswith("larder_scheduled_done_total{") and 'schedule="economy_bombs"' in line
                   and float(line.split()[-1]) >= 1 for line in text.splitlines())

    game.move("plants a bomb", "uma", "bomb", {"seconds": 28_800, "seed": LATE_BOMB, "guild_id": "6"})
    game.move("plants a bomb that is not there", "uma", "bomb", {"seconds": 0, "seed": LATE_BOMB})
    game.move("plants a bomb for too long", "uma", "bomb", {"seconds": 28_801, "seed": LATE_BOMB})
    game.move("looks for bombs", "uma", "use", {"item": "satellite"})
    game.give("uma", bomb=1)
    game.move("plants a bomb that goes off at once", "uma", "bomb", {"seconds": 5, "seed": BOMB_AT_ONCE})
    game.play.eventually(bombs_armed, "the bomb is armed")
    game.move("farms on a bomb", "vic", "farm", {"name": "Vic", "seed": CALM})


def play_roulettes(game):
    def shoot(title, id, **body):
        game.play.post(title, f"{game.realm}/roulettes/{id}/shots", body)

    seed, _ = seed_where(lambda number: number == 3, (1, 6))
    id = game.play.post("loads a roulette", f"{game.realm}/roulettes", {"seed": seed, "guild_id": "2"},
                        capture={"roulette": ("id", r"[0-9a-f]{16}")})["roulette"]
    shoot("survives a shot", id, player="vic")
    shoot("survives a shot without any points", id, player="nil")
    shoot("is shot", id, player="vic", guild_id="2")
    shoot("shoots when the roulette is over", id, player="vic")
    shoot("shoots a roulette that does not exist", "never", player="vic")
    one, _ = seed_where(lambda number: number == 1, (1, 6))
    id = game.play.post("loads a roulette whose first shot hits", f"{game.realm}/roulettes", {"seed": one},
                        capture={"second roulette": ("id", r"[0-9a-f]{16}")})["second roulette"]
    shoot("is shot without any points", id, player="nil")


def play_once(game):
    """The scripts of the moves store the answer for an Idempotency-Key themselves."""
    key = {"Idempotency-Key": "farm-1"}
    farm = {"name": "Ida", "seed": CALM}
    game.move("farms once", "ida", "farm", farm, headers=key)
    game.move("farms once, asked again", "ida", "farm", farm, headers=key)
    game.move("farms with the key of another farm", "ida", "farm", farm | {"name": "Eda"}, headers=key)
    game.move("pays with the key of a farm", "ida", "pay", {"to": "ann", "amount": 1}, headers=key)
    game.play.post("farms in another realm with the same key", "/v1/economy/other/players/ida/farm", farm, headers=key)
    refused = {"Idempotency-Key": "pay-1"}
    game.move("is refused once", "ida", "pay", {"to": "ann", "amount": 1000}, headers=refused)
    game.move("is refused once, asked again", "ida", "pay", {"to": "ann", "amount": 1000}, headers=refused)
    for name, value in (("an empty key", ""), ("a space in the key", "a b"), ("a long key", "k" * 129)):
        game.move(f"farms with {name}", "ida", "farm", farm, headers={"Idempotency-Key": value})
    game.move("farms with the longest key", "ida", "farm", farm, headers={"Idempotency-Key": "~" * 128})
    for again in ("", ", asked again"):
        game.play.post(f"loads a roulette once{again}", f"{game.realm}/roulettes", {},
                       headers={"Idempotency-Key": "r-1"},
                       capture={"roulette of a key": ("id", r"[0-9a-f]{16}")})


def play_views(game):
    game.get("shows a player", "/players/ann")
    game.get("shows a player by a path that is percent-encoded", "/players/%61nn")
    for query in ("", "?limit=3", "?around=cat", "?around=cat&limit=2", "?around=nobody", "?limit=500"):
        game.get(f"shows the leaderboard of {query or 'ten'}", f"/leaderboard{query}")


def play_events(game):
    form = ("next_cursor", r"\d{13}-\d+-[pi]")
    game.get("lists events of a player", "/players/tom/events?limit=12")
    taken = game.get("lists two events of a player", "/players/uma/events?limit=2", capture={"cursor": form})
    game.get("lists the next events of a player", f"/players/uma/events?limit=5&cursor={taken['cursor']}")
    game.get("lists events of a type", "/events?type=payer")
    game.get("lists events of a type of a player", "/players/kim/events?type=craft_fee")
    game.get("lists events of a type that does not exist", "/events?type=x")
    game.get("lists events of a player who has none", "/players/nobody/events")
    for kind in ("ded", "bomb", "vampire", "item_used", "discombobulator", "discombobulatee", "timely_reward",
                 "inventory_fee",
                 "trader", "tradee", "item_crafted", "item_earned", "payee", "gamble"):
        game.get(f"lists the last two events of type {kind}", f"/events?type={kind}&limit=2")


def play_other_realm(play):
    other = Game(play, "/v1/economy/r_.-9")
    other.get("shows a player of a realm that was never used", "/players/ann")
    other.move("gambles in a realm that was never used", "ann", "gamble", {"amount": 1, "seed": WIN})
    for title in ("creates a realm", "creates a realm that exists"):
        play.send(title, "PUT", "/v1/economy/r_.-9", "{}")
    play.send("creates a realm with a name that cannot be", "PUT", "/v1/economy/a:b", "{}")
    other.move("farms in another realm", "ann", "farm", {"name": "Ann", "seed": CALM})
    other.move("claims a reward in another realm", "lb2", "rewards/daily")
    other.get("shows the leaderboard of another realm", "/leaderboard")
    other.get("lists the events of another realm", "/events")
    play.get("lists the realms", "/v1/economy")
    play.get("lists the first realm", "/v1/economy?limit=1")
    play.get("lists the realms after a cursor", "/v1/economy?cursor=default")
    play.get("lists the realms after a cursor that cannot be", "/v1/economy?cursor=a:b")
    play.send("deletes a realm that does not exist", "DELETE", "/v1/economy/nowhere")
    play.send("creates a realm for a moment", "PUT", "/v1/economy/moment", "{}")
    play.send("deletes a realm", "DELETE", "/v1/economy/moment")
    play.send("deletes a realm with a name that cannot be", "DELETE", "/v1/economy/a:b")
    other.move("farms with the longest id and name", "u" * 64, "farm", {"name": "🧄" * 64, "seed": CALM})
