"""Events that only Redis has, and that no server will bring to SQL: a person must see all of them before Redis is emptied."""
import re
import sqlite3
import uuid
from concurrent.futures import ThreadPoolExecutor

from harness import Case, RedisServer, Server, eventually, main, redis_cli, run_larder

OUTBOX = "{0}:score_outbox"
MANY = 2500  # more than a command reads at once


class LostEventsCase(Case):
    def larder(self, server, *args, status=0):
        done = run_larder(*args, "--data", server.data, *server.args)
        self.assertEqual(done.returncode, status, done)
        return done.stdout

    def serve(self, server):
        """For a server that does not start."""
        return run_larder("serve", "--data", server.data, "--listen", "127.0.0.1:0", *server.args)

    def post(self, client, points, uid, amount=1):
        return client.entry(order_id=uuid.uuid4().hex, op="add", type=points, domain="main", uid=uid, amount=amount)

    def add_many(self, redis, key, *fields):
        words = ", ".join(f"'{word}'" for word in fields)
        redis_cli(redis, "EVAL", f"for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', {words}, 'n', i) end", 1, key, MANY)


class OlderCopy(LostEventsCase):
    def setUp(self):
        self.redis = self.open(RedisServer())
        self.server = self.open(Server("--redis", self.redis.url))
        self.client = self.server.client()
        self.addCleanup(self.client.close)
        self.points = self.client.new_type("points")

    def cli(self, *words):
        return redis_cli(self.redis.socket, *words)

    def put_back_an_older_copy(self):
        """Of the ledger. In the copy, an event waits that SQL has by now. Returns that event's id."""
        users = [f"u{i}" for i in range(12)]
        for user in users:
            self.assertEqual(self.post(self.client, self.points, user).status, 200)
            self.assertTrue(self.client.flows(user))
        sql = self.lock_sql()
        for user in users:
            self.assertEqual(self.post(self.client, self.points, user).status, 200)
        waiting = re.findall(r"^\d+-\d+$", self.cli("XRANGE", OUTBOX, "-", "+"), re.M)
        keys = self.cli("KEYS", "*:score*").split()
        self.cli("EVAL", "for i, key in ipairs(KEYS) do redis.call('COPY', key, key .. ':copy', 'REPLACE') end", len(keys), *keys)
        sql.close()
        for user in users:
            eventually(lambda: len(self.client.flows(user)) == 2, "SQL has it")
            self.assertEqual(self.post(self.client, self.points, user).status, 200)
            eventually(lambda: len(self.client.flows(user)) == 3, "SQL has it")
        self.assertEqual(self.server.stop(), 0)
        self.cli("EVAL", "for _, key in ipairs(redis.call('KEYS', '*:score*')) do if not key:match(':copy$') then "
                 "redis.call('DEL', key) end end for i, key in ipairs(KEYS) do redis.call('RENAME', key .. ':copy', key) end",
                 len(keys), *keys)
        return waiting

    def lock_sql(self):
        sql = sqlite3.connect(self.server.data / "larder.db", isolation_level=None)
        sql.execute("BEGIN IMMEDIATE")
        return sql

    def test_what_was_acknowledged_on_an_older_copy_is_shown_before_it_is_emptied(self):
        in_sql = self.put_back_an_older_copy()
        self.assertTrue(in_sql)
        # As a server does that still runs while SQL is away.
        new = [self.cli("XADD", OUTBOX, "*", "entry", f"new{i}").strip() for i in range(3)]
        with self.symptom("Redis is an older copy, and has events that SQL lacks") as row:
            done = self.serve(self.server)
            row.ended(done)
        self.assertIn(f"events that no server can bring to SQL are in {OUTBOX}", done.stderr.splitlines()[-1])
        said = self.larder(self.server, "outbox", "lost", status=1)
        for id in new:
            self.assertIn(f"{OUTBOX} {id} waits; SQL does not have it\n", said)
        for id in in_sql:
            self.assertIn(f"{OUTBOX} {id} waits; SQL may have it\n", said)
        self.assertIn('entry = "new2"', said)


class ManyEvents(LostEventsCase):
    def test_every_event_is_listed_and_changed_however_many_there_are(self):
        server = self.open(Server())
        redis = server.redis_socket
        self.add_many(redis, f"{OUTBOX}:dead", "event", "1-1", "why", "because")
        self.add_many(redis, f"{OUTBOX}:lost", "entry", "lost")
        self.add_many(redis, "{1}:score_outbox:dead", "event", "1-1", "why", "because")
        self.assertEqual(self.larder(server, "outbox", "dead", "list", status=1).count(" is dead\n"), 2 * MANY)
        said = self.larder(server, "outbox", "lost", status=1)
        self.assertEqual(said.count(" was taken away; "), MANY)
        self.assertEqual(said.count(" is dead; "), 2 * MANY)
        self.assertEqual(self.larder(server, "outbox", "dead", "drop", OUTBOX, "all").count(" is dropped\n"), MANY)
        self.assertEqual(redis_cli(redis, "EXISTS", f"{OUTBOX}:dead").strip(), "0")
        self.assertEqual(redis_cli(redis, "XLEN", "{1}:score_outbox:dead").strip(), str(MANY))

    def test_events_that_vanish_meanwhile_do_not_end_the_command(self):
        server = self.open(Server())
        key = f"{OUTBOX}:dead"
        self.add_many(server.redis_socket, key, "event", "1-1", "why", "because")
        with ThreadPoolExecutor() as pool:
            dropped = pool.submit(self.larder, server, "outbox", "dead", "drop", OUTBOX, "all")
            eventually(lambda: int(redis_cli(server.redis_socket, "XLEN", key)) < MANY, "the command has begun", pause_s=0)
            redis_cli(server.redis_socket, "DEL", key)
            self.assertIn(" is dropped\n", dropped.result())


class DeadEvents(LostEventsCase):
    def test_dead_events_are_named_before_redis_is_emptied(self):
        redis = self.open(RedisServer())
        server = self.open(Server("--redis", redis.url))
        client = server.client()
        self.addCleanup(client.close)
        points = client.new_type("points")
        for i in range(12):
            self.assertEqual(self.post(client, points, f"u{i}").status, 200)
            self.assertTrue(client.flows(f"u{i}"))
        self.assertEqual(server.stop(), 0)
        redis_cli(redis.socket, "XADD", "{1}:score_outbox:dead", "*", "event", "1-1", "why", "because", "entry", "poison")
        redis_cli(redis.socket, "DEL", OUTBOX, f"{OUTBOX}:projected")
        with self.symptom("Redis is an older copy, and has dead events") as row:
            row.ended(self.serve(server))
        said = self.larder(server, "outbox", "lost", status=1)
        self.assertIn("{1}:score_outbox 1-1 is dead; SQL refused it: because\n", said)
        self.assertIn('entry = "poison"', said)

    def test_a_hash_of_a_password_is_not_printed(self):
        server = self.open(Server())
        secret = "$argon2id$secret"
        redis_cli(server.redis_socket, "XADD", "{accounts}:outbox:lost", "*", "type", "registered", "hashed_password", secret)
        redis_cli(server.redis_socket, "XADD", "{accounts}:outbox:dead", "*", "event", "1-1", "why", "because",
                  "hashed_password", secret)
        for command in (("lost",), ("dead", "list")):
            said = self.larder(server, "outbox", *command, status=1)
            self.assertNotIn(secret, said)
            self.assertIn("hashed_password = ***\n", said)


if __name__ == "__main__":
    main()
