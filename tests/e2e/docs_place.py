"""The place where the commands of a page run: a network namespace with nothing but loopback, a directory like a clone, and what
else the page needs. So a page can use any address and port that it prints, several pages can run at the same time, and nothing
depends on what else this machine does."""
import os
import subprocess
import sys
from pathlib import Path

from processes import BINARY, PATIENCE_S, ROOT, TempDir, die_with_parent, environment, eventually
from store_servers import PostgresServer, redis_cli

# Addresses of other machines in the pages.
ADDRESSES = [f"10.0.0.{number}" for number in range(1, 10)]
NAME = "points.example"
UNSHARE = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"]


def own_namespaces(command):
    """The command in namespaces of its own, also for a user who is not root. Its processes end with it."""
    return [*UNSHARE, *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), *map(str, command)]


def make_network():
    batch = "link set lo up\n" + "".join(f"addr add {address}/32 dev lo\n" for address in ADDRESSES)
    subprocess.run(["ip", "-batch", "-"], input=batch, text=True, check=True, capture_output=True)


class Node:
    """A Redis at the address that a page prints."""

    def __init__(self, home, host, port=6379, *more):
        self.where = host, port
        home.mkdir()
        with open(home / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--bind", host, "--port", str(port), "--dir", str(home), "--appendonly", "yes",
                 "--appendfsync", "always", "--save", "", "--protected-mode", "no", "--maxmemory-policy", "noeviction", *more],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)

    def ask(self, *args):
        return redis_cli(self.where, *args, check=False).strip()


class Place:
    def __init__(self):
        self.directory = TempDir()
        self.others = []
        self.work = self.directory / "larder"
        self.work.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in ("build", "data", ".git"):
                (self.work / entry.name).symlink_to(entry)
        (self.work / "build").mkdir()
        (self.work / "build/release").symlink_to(Path(BINARY).parent)
        self.bin = self.directory / "bin"
        self.bin.mkdir()
        self._program("larder", f'exec "{BINARY}" "$@"')
        self._program("python3", f'exec "{sys.executable}" "$@"')
        # redis-cli tells of errors in its exit code only if it is asked to.
        self._program("redis-cli", 'exec /usr/bin/redis-cli -e "$@"')
        # curl also fails if the server refuses the request.
        (self.directory / ".curlrc").write_text("fail-with-body\nno-progress-meter\nmax-time = 60\n")
        self.env = environment({"CURL_HOME": str(self.directory.path), "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1",
                                "PATH": f"{self.bin}:{os.environ['PATH']}:/usr/sbin"})
        make_network()
        # Names that the pages use: of the server, and of somebody on the internet, who cannot be reached.
        hosts = self.directory / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {NAME}\n93.184.215.14 example.org\n")
        self._put(hosts, "/etc/hosts")

    def _program(self, name, script):
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def make(self, name):
        getattr(self, "make_" + name.replace("-", "_"))()

    def make_usr_local(self):
        """An empty /usr/local, into which a page may install. What it installs comes first in the path."""
        self._cover("/usr/local")
        (self.bin / "larder").unlink()
        self.env["PATH"] = f"{self.bin}:/usr/local/bin:{self.env['PATH']}"

    def make_redis(self):
        """Another Redis of this machine: the one of an older bot."""
        node = Node(self.directory / "redis", "127.0.0.1")
        eventually(lambda: node.ask("PING") == "PONG", "the other Redis starts")

    def make_cluster(self):
        """A Redis Cluster with a replica for each master."""
        cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000", "--repl-diskless-sync-delay", "0"]
        nodes = [Node(self.directory / host, host, 6379, *cluster, "--cluster-announce-ip", host, "--bind-source-addr", host)
                 for host in ADDRESSES[:6]]
        for node in nodes:
            eventually(lambda: node.ask("PING") == "PONG", "a node of the cluster starts")
        where = [f"{host}:{port}" for host, port in (node.where for node in nodes)]
        subprocess.run(["redis-cli", "--cluster", "create", *where, "--cluster-replicas", "1", "--cluster-yes"], check=True,
                       capture_output=True, timeout=PATIENCE_S)
        for node in nodes:
            eventually(lambda: "cluster_state:ok" in node.ask("CLUSTER", "INFO"), "the cluster is whole")
            eventually(lambda: "state=online" in node.ask("INFO", "replication")
                       or "master_link_status:up" in node.ask("INFO", "replication"), "the replicas follow")

    def make_postgresql(self):
        server = PostgresServer(address=ADDRESSES[8])
        self.others.append(server)
        server.start()
        server.query("ALTER USER larder PASSWORD 'secret'")
        server.query("CREATE DATABASE larder OWNER larder")

    def make_tls(self):
        """A certificate for the page's server that this machine trusts, and room for the settings of nginx."""
        private = self._cover("/etc/ssl/private")
        certificate = private / f"{NAME}.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                        "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout",
                        private / f"{NAME}.key", "-out", certificate], check=True, capture_output=True)
        self.env["CURL_CA_BUNDLE"] = str(certificate)
        for where in ("/etc/nginx/conf.d", "/etc/nginx/sites-enabled", "/run", "/var/log/nginx", "/var/lib/nginx"):
            self._cover(where)
        self.env |= {name: str(self.directory / "home") for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}

    def _cover(self, where):
        """Puts an empty directory over one of this machine's, so that the page changes nothing there."""
        empty = self.directory / where.strip("/").replace("/", "-")
        empty.mkdir()
        self._put(empty, where)
        return empty

    @staticmethod
    def _put(what, where):
        subprocess.run(["mount", "--bind", what, where], check=True)

    def close(self):
        for other in self.others:
            other.close()
        self.directory.remove()
