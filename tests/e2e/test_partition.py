"""A Redis Cluster whose masters are cut off or killed under load: what was acknowledged stays, once.

Runs in a network namespace of its own: every node has its own loopback address, so a packet filter can cut one off
from the others while the server still reaches all of them.
"""
import os
import random
import shutil
import subprocess
import sys
import time
import unittest

from harness import LONG, SEED, Case, Server, TempDir, die_with_parent, eventually, main, redis_cli
from workload import Workload

PORT = 7000
NODES = 6
ROUNDS = ("cut", "kill") * 4
INSIDE = "E2E_OWN_NETWORK"


def why_not():
    """A reason to skip the test, or None."""
    if not LONG:
        return "only with LARDER_LONG=1"
    missing = [tool for tool in ("unshare", "ip", "nft", "redis-server", "redis-cli") if not shutil.which(tool)]
    if missing or os.geteuid() != 0:
        sys.exit(f"needs root, for a network of its own, and the tools {', '.join(missing) or 'it has'}")
    return None


def sh(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


class Node:
    def __init__(self, directory, number):
        self.host = f"127.0.1.{number}"
        self.where = (self.host, PORT)
        self.directory = directory / f"node{number}"
        self.directory.mkdir()
        self.process = None

    def start(self):
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--bind", self.host, "--bind-source-addr", self.host, "--port", str(PORT), "--dir",
                 str(self.directory), "--cluster-enabled", "yes", "--cluster-node-timeout", "1500",
                 "--cluster-require-full-coverage", "no", "--cluster-announce-ip", self.host, "--appendonly", "yes",
                 "--save", "", "--protected-mode", "no", "--repl-timeout", "10", "--repl-diskless-sync-delay", "0"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)
        eventually(lambda: self.ask("PING") == "PONG", f"{self.host} starts")

    def ask(self, *args):
        return redis_cli(self.where, *args, check=False).strip()

    def kill(self):
        self.process.kill()
        self.process.wait()


class Cluster:
    def __init__(self):
        self.directory = TempDir()
        self.nodes = [Node(self.directory, number) for number in range(1, NODES + 1)]

    @property
    def url(self):
        return "redis+cluster://" + ",".join(f"{node.host}:{PORT}" for node in self.nodes)

    def start(self):
        for node in self.nodes:
            node.start()
        sh("redis-cli", "--cluster", "create", *(f"{node.host}:{PORT}" for node in self.nodes),
           "--cluster-replicas", "1", "--cluster-yes")
        self.wait_until_whole()

    def view(self, asked):
        """How one node sees the cluster: host -> (flags, id, id of its master, whether it serves slots)."""
        view = {}
        for line in asked.ask("CLUSTER", "NODES").splitlines():
            words = line.split()
            if len(words) >= 8:
                flags = set(words[2].split(",")) - {"myself"}
                view[words[1].split(":")[0]] = (flags, words[0], words[3], len(words) > 8)
        return view

    def masters(self):
        return [node for node in self.nodes if self.serves(node, node)]

    def serves(self, node, asked):
        flags, _, _, slots = self.view(asked).get(node.host, (set(), "", "", False))
        return slots and flags == {"master"}

    def replica_of(self, master):
        view = self.view(master)
        master_id = view[master.host][1]
        return next(node for node in self.nodes if view[node.host][2] == master_id)

    def is_whole(self):
        """Whether every node knows all others, three nodes serve slots, and every replica follows its master."""
        for node in self.nodes:
            if "cluster_state:ok" not in node.ask("CLUSTER", "INFO"):
                return False
            view = self.view(node)
            flags = [entry[0] for entry in view.values()]
            if sorted(map(sorted, flags)) != [["master"]] * (NODES // 2) + [["slave"]] * (NODES // 2):
                return False
            info = node.ask("INFO", "replication")
            if "role:slave" in info and "master_link_status:up" not in info:
                return False
            if "role:master" in info and "state=online" not in info:
                return False
        return True

    def wait_until_whole(self):
        eventually(self.is_whole, "the cluster is whole", pause_s=0.1)

    @staticmethod
    def cut_off(node):
        """No packet passes between the node and the other nodes. Clients, on 127.0.0.1, still reach it."""
        sh("nft", "-f", "-", input=f"""
            table ip cut {{
              chain input {{
                type filter hook input priority 0;
                ip saddr {node.host} ip daddr 127.0.1.0/24 ip daddr != {node.host} drop
                ip daddr {node.host} ip saddr 127.0.1.0/24 ip saddr != {node.host} drop
              }}
            }}""")

    @staticmethod
    def heal():
        subprocess.run(["nft", "delete", "table", "ip", "cut"], capture_output=True)

    def close(self):
        self.heal()
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.kill()
        self.directory.remove()


@unittest.skipIf(why_not(), why_not())
class Partition(Case):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.cluster = self.open(Cluster())
        self.server = self.open(Server("--redis", self.cluster.url, "--set", "server.access_log=false"))
        self.client = self.server.client()
        self.addCleanup(self.client.close)

    def fail_over(self, how):
        old = self.rng.choice(self.cluster.masters())
        new = self.cluster.replica_of(old)
        witness = next(node for node in self.cluster.masters() if node is not old)
        if how == "cut":
            self.cluster.cut_off(old)
        else:
            old.kill()
        eventually(lambda: self.cluster.serves(new, witness), f"{new.host} takes over from {old.host}")
        if how == "cut":
            self.assertEqual(old.ask("PING"), "PONG", "the old master can still be reached")
        time.sleep(self.rng.uniform(0, 2))
        if how == "cut":
            self.cluster.heal()
        else:
            old.start()
        self.cluster.wait_until_whole()

    def test_no_acknowledged_order_is_lost_or_applied_twice(self):
        load = Workload.of_everything(lambda: self.server.address, self.server.token, self.client, SEED, clients=6,
                                      users=30)
        self.addCleanup(load.stop)
        load.start()
        for number, how in enumerate(ROUNDS, 1):
            load.wait_for_more(200)
            time.sleep(self.rng.uniform(0, 1))
            self.fail_over(how)
            self.assertEqual(load.problems, [])
            print(f"round {number} ({how}): {len(load.acknowledged)} acknowledged, {load.unknown} unknown", flush=True)
        load.wait_for_more(200)
        load.stop()
        eventually(lambda: self.client.get("/readyz").status == 200, "the server is ready")
        flows = load.verify(self, self.client)
        print(f"{len(ROUNDS)} rounds: {len(load.acknowledged)} acknowledged, {load.unknown} attempts with an unknown "
              f"outcome, none lost, none twice; flows: {dict(flows)}", flush=True)


if __name__ == "__main__":
    if why_not() is None and INSIDE not in os.environ:
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    if INSIDE in os.environ:
        sh("ip", "link", "set", "lo", "up")
    main()
