"""32 clients of all systems that keep something: ledger, economy, messages and tribes."""
import json
import time
import uuid

from economy_load import EconomyLoad
from harness import ROOT, eventually
from messages_load import MessagesLoad
from tribes_load import TribesLoad, busy_rules
from workload import Workload

PAUSE_S = 0.2
PATIENCE_S = 300
PLAYERS = 6
WORLD = "w"
TTL_SLACK_S = 120  # a script that Redis ran late has the time of its request
GONE_S = 300  # a key that had so little time left may be gone

# The keys of the ledger and of the realm with type, value and remaining time, except what a rebuild need not bring back.
_KEYS = """
local out = {}
local function left_out(key)
  for _, ending in ipairs({':lease', ':projected', ':dead', ':dead:retry', ':lost', ':failures', ':dead:why', ':in-use'}) do
    if key:sub(-#ending) == ending then return true end
  end
  return key:find(':once:', 1, true) or key:find('score_sn', 1, true)
end
for _, key in ipairs(redis.call('KEYS', '*')) do
  if (key:find('score', 1, true) or key:sub(1, 7) == '{main}:') and not left_out(key) then
    local type = redis.call('TYPE', key).ok
    local value
    if type == 'string' then value = redis.call('GET', key)
    elseif type == 'list' then value = redis.call('LRANGE', key, 0, -1)
    elseif type == 'set' then value = redis.call('SMEMBERS', key)
    elseif type == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    elseif type == 'stream' then value = 'events are in SQL'
    else
      value = redis.call('HGETALL', key)
      local pairs_of = {}
      for i = 1, #value, 2 do pairs_of[#pairs_of + 1] = value[i] .. '=' .. value[i + 1] end
      table.sort(pairs_of)
      value = pairs_of
    end
    out[#out + 1] = cjson.encode({key, type, value, redis.call('TTL', key)})
  end
end
return out
"""


class Key:
    def __init__(self, type, value, ttl_s, now):
        self.type, self.value, self.ttl_s = type, value, ttl_s
        self.ends = now + ttl_s

    def __repr__(self):
        return f"{self.type} {self.value} for {self.ttl_s} s"


class MixedLoad:
    def __init__(self, case, place, seed):
        self.case, self.place = case, place
        client = place.client()
        common = (place.address, place.token)
        players, places = self._towns(client)
        self.ledger = Workload.of_everything(*common, client, f"{seed}/ledger", clients=12, patience_s=PATIENCE_S)
        self.economy = EconomyLoad(*common, f"{seed}/economy", clients=10, patience_s=PATIENCE_S)
        self.messages = MessagesLoad(*common, f"{seed}/messages", clients=5, patience_s=PATIENCE_S)
        self.tribes = TribesLoad(*common, WORLD, players, f"{seed}/tribes", clients=5, patience_s=PATIENCE_S)
        self.tribes.places = places
        self.losses = 0
        self.loads = (self.ledger, self.economy, self.messages, self.tribes)
        for load in self.loads:
            load.pause_s = PAUSE_S
        client.close()

    @staticmethod
    def _towns(client):
        rules = busy_rules(json.loads((ROOT / "src/systems/tribes/pizza.json").read_text()))
        made = client.post("/v1/tribes/worlds", {"id": WORLD, "speed": 500, "rules": rules})
        assert made.status == 201, made
        places = {}
        for i in range(PLAYERS):
            account = client.post("/v1/auth/register", {"username": f"player{i}", "password": f"word-{i}-pass"})
            assert account.status == 201, account
            town = client.post(f"/v1/tribes/worlds/{WORLD}/join?player={account.json['user_id']}").json["state"]
            places[account.json["user_id"]] = (town["townX"], town["townY"])
        return list(places), places

    @property
    def problems(self):
        return [problem for load in self.loads for problem in load.problems]

    @property
    def decided(self):
        return sum(len(load.decided) for load in self.loads)

    @property
    def unknown(self):
        return sum(load.unknown for load in self.loads)

    def start(self):
        for load in self.loads:
            load.start()

    def stop(self):
        for load in self.loads:
            load.stop()

    def rest(self):
        for load in self.loads:
            load.rest()

    def wake(self):
        for load in self.loads:
            load.wake()

    def wait_for_more(self, count):
        """Waits until each system has decided this many more."""
        for load in self.loads:
            load.wait_for_more(count)

    def begin_anew(self):
        """Redis was lost: answers under an Idempotency-Key are gone, and so is what messages have spent."""
        self.losses += 1
        self.economy.repeatable.clear()
        self.economy.roulettes.clear()
        self.messages.begin_anew(self.losses)

    def probe(self, client):
        """Posts to accounts in many partitions, and to another realm."""
        entry = {"op": "add", "type": self.ledger.gold, "domain": "main", "amount": 1}
        answers = [client.entry(order_id=uuid.uuid4().hex, uid=f"probe-{i}", **entry) for i in range(30)]
        answers.append(client.post("/v1/economy/probes/players/probe/farm", {"name": "Probe"}))
        assert {answer.status for answer in answers} <= {200, 503}, answers
        return [answer.status for answer in answers]

    def is_refused(self, client):
        """Whether requests are refused because data is lost. On a cluster, the other nodes continue."""
        return 503 in self.probe(client)

    def check(self):
        """Everything acknowledged is there, once. The load has stopped."""
        client = self.place.client()
        flows = self.ledger.verify(self.case, client)
        events = self.economy.check(self.case, client)
        sent = self.messages.check(self.case, client)
        self.place.wait_until_projected()
        actions = self.tribes.check(self.case, self.place.sql.query)
        client.close()
        return f"{sum(flows.values())} flows, {events} events of players, {sent} messages sent, {actions} actions in towns"

    def snapshot(self):
        """The keys of ledger and economy, once nothing changes by itself any more."""
        client = self.place.client()
        self.case.assertEqual(set(self.probe(client)), {200})
        client.close()
        time.sleep(max(0, self.ledger.last_due_ms / 1000 - time.time()) + 3)
        # A server whose claim got no answer leaves a bomb to the end of the lease.
        eventually(lambda: not any(key.endswith("bombs") for key in self._keys()), "every planted bomb is pending")
        self.place.wait_until_projected()
        return self._keys()

    def _keys(self):
        found = {}
        for node in self.place.masters():
            for line in filter(None, node.ask("EVAL_RO", _KEYS, 0).splitlines()):
                key, type, value, ttl_s = json.loads(line)
                found[key] = Key(type, value, ttl_s, time.monotonic())
        return found

    def compare(self, before):
        """Every key has the value that it had, and the time that was left."""
        after = self._keys()
        for key in before.keys() | after.keys():
            old, new = before.get(key), after.get(key)
            if "probe-" in key or new is None and 0 < old.ttl_s < GONE_S:
                continue
            self.case.assertTrue(old and new, f"{key} was {old} and is {new}")
            self.case.assertEqual((new.type, new.value), (old.type, old.value), key)
            self.case.assertEqual(new.ttl_s < 0, old.ttl_s < 0, key)
            if old.ttl_s > 0:
                self.case.assertLess(abs(new.ends - old.ends), TTL_SLACK_S, f"{key} was {old} and is {new}")
