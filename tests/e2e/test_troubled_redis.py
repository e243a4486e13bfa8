"""A Redis that answers, but cannot do what it should: its disk is full, its replicas are gone, or its settings make it
forget."""
import unittest
import uuid

from fault_places import Part, SmallDisk
from harness import Case, RedisServer, Server, eventually, free_port, kill_quietly, main, redis_cli


class RedisCase(Case):
    def open_server(self, *args, **more):
        server = self.open(Server(*args, **more))
        client = server.client()
        self.addCleanup(client.close)
        return server, client

    def entry(self, client, points, order=None):
        return client.entry(order_id=order or uuid.uuid4().hex, op="add", type=points, domain="main", uid="u", amount=1)

    def wait_until_well(self, client):
        eventually(lambda: client.get("/readyz").raw == b'{"status":"ok"}', "/readyz is well again")


class Disk(RedisCase):
    def small_disk(self, mib):
        disk = SmallDisk(mib)
        self.addCleanup(disk.remove)
        return disk

    @unittest.skipUnless(SmallDisk.MOUNTS, "only root can mount a small disk")
    def test_a_full_disk_of_the_embedded_redis(self):
        disk = self.small_disk(64)
        server, client = self.open_server(data=disk / "data")
        points = client.new_type("points")
        self.assertEqual(self.entry(client, points).status, 200)
        self.assertEqual(len(client.flows("u")), 1)
        disk.fill()
        with self.symptom("the disk of the embedded Redis is full") as row:
            row.answer(eventually(lambda: (a := self.entry(client, points)).status == 503 and a, "entries are refused"))
            row.readyz(client, "redis", only=False)
            row.log(server)
        disk.free()
        self.wait_until_well(client)
        self.assertEqual(self.entry(client, points).status, 200)

    @unittest.skipUnless(SmallDisk.MOUNTS, "only root can mount a small disk")
    def test_a_full_disk_of_another_redis(self):
        disk = self.small_disk(8)
        redis = self.open(RedisServer(Part(disk, "redis")))
        redis_cli(redis.socket, "CONFIG", "SET", "appendfsync", "everysec")
        server, client = self.open_server("--redis", redis.url)
        with self.symptom("your own Redis may lose what it acknowledged") as row:
            row.log(server)
        points = client.new_type("points")
        self.wait_until_well(client)
        disk.fill()
        with self.symptom("the disk of your own Redis is full") as row:
            row.answer(eventually(lambda: (a := self.entry(client, points)).status == 503 and a, "entries are refused"))
            row.readyz(client, "redis")
        disk.free()
        self.wait_until_well(client)
        self.assertEqual(self.entry(client, points).status, 200)


class Replicas(RedisCase):
    @staticmethod
    def follow(replica, port):
        redis_cli(replica.socket, "REPLICAOF", "127.0.0.1", port)
        eventually(lambda: "master_link_status:up" in replica.ask("INFO", "replication"), "the replica follows")

    def assert_accepted(self, client, points):
        """Sends one order until it is accepted: a replica that has just begun to follow may confirm a write too late."""
        order = uuid.uuid4().hex
        eventually(lambda: self.entry(client, points, order).status == 200, "an entry is accepted")

    def test_a_master_without_its_replica(self):
        master, replica, port = self.open(RedisServer()), self.open(RedisServer()), free_port()
        for name, value in (("port", port), ("repl-diskless-sync-delay", 0)):
            redis_cli(master.socket, "CONFIG", "SET", name, value)
        self.follow(replica, port)
        server, client = self.open_server("--redis", master.url, "--set", "redis.replicas_min=1", "--set",
                                          "redis.timeout_ms=500")
        points = client.new_type("points")
        self.wait_until_well(client)
        self.assert_accepted(client, points)
        replica.kill()
        with self.symptom("too few replicas follow a master") as row:
            row.readyz(client, "redis")
            refused = self.entry(client, points)
            self.assert_problem(refused, 503, "store_unavailable", outcome_unknown=True)
            row.answer(refused)
        replica.start()
        self.follow(replica, port)
        self.wait_until_well(client)
        self.assert_accepted(client, points)


class Others(RedisCase):
    def test_an_embedded_redis_that_dies(self):
        server, client = self.open_server()
        kill_quietly(server.redis_pid())
        with self.symptom("the embedded Redis has died") as row:
            row.log(server)
        self.wait_until_well(client)

    def test_a_redis_that_is_away_when_a_server_starts(self):
        redis = RedisServer()
        self.addCleanup(redis.close)
        server, client = self.open_server("--redis", redis.url)
        with self.symptom("Redis is away when a server starts") as row:
            row.log(server)
            row.readyz(client, "clock", only=False)
        redis.start()
        self.wait_until_well(client)

    def test_types_that_are_older_in_sql(self):
        server, client = self.open_server()
        points = client.new_type("points")
        for shard in range(4):
            redis_cli(server.redis_socket, "SET", f"{{{shard}}}:{points}:score_revision", 1)
        with self.symptom("the types of the ledger are older in SQL than in Redis") as row:
            row.answer(self.entry(client, points))
            row.log(server)
        changed = client.send("PATCH", f"/v1/ledger/types/{points}", {"ends_at": "2099-01-01T00:00:00Z"})
        self.assertEqual(changed.status, 200, changed)
        self.assertEqual(self.entry(client, points).status, 200)


if __name__ == "__main__":
    main()
