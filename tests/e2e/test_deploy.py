"""The files in deploy/: compose file, Dockerfile, dashboards, alerts, service, settings. They are compared with the real server."""
import json
import re
import shlex
import subprocess
import tomllib
import uuid

from accounts import Player
from harness import (BINARY, ROOT, Case, RedisServer, Server, SharedServerCase, TempDir, die_with_parent, eventually, main,
                     now_ms, run_larder, stamp)

DEPLOY = ROOT / "deploy"
CHECK = ROOT / "tests/deploy/check.mjs"
COMPOSE = DEPLOY / "docker/compose.yaml"
RULES = DEPLOY / "prometheus/larder.rules.yml"
DASHBOARDS = sorted((DEPLOY / "grafana").glob("*.json"))
EXPOSURE_MAX = 30  # tenths, as systemd-analyze counts


def check(kind, file):
    done = subprocess.run(["node", CHECK, kind, file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{file}: {done.stderr}")
    return json.loads(done.stdout)


def names_in(queries):
    """The names of metrics that PromQL queries use; a query that is not PromQL fails."""
    directory = TempDir()
    try:
        (directory / "queries").write_text(json.dumps(queries))
        return {name for names in check("promql", directory / "queries") for name in names}
    finally:
        directory.remove()


def queries_of(dashboard):
    return [target["expr"] for panel in json.loads(dashboard.read_text())["panels"] for target in panel["targets"]]


def alerts():
    return [rule for group in check("yaml", RULES)["groups"] for rule in group["rules"]]


class Metrics(SharedServerCase):
    def exported(self):
        """The names of all time series of a server on which every system has worked."""
        text = self.client.get("/metrics").raw.decode()
        return set(re.findall(r"^(larder_\w+)", text, re.M))

    def use_every_system(self):
        kind = self.client.new_type("gold")
        account = {"type": kind, "domain": "main", "uid": "u"}
        self.client.entry(order_id=uuid.uuid4().hex, op="add", amount=9, **account)
        self.client.post("/v1/ledger/holds", {"order_id": "h", "amount": 1, "expires_at": stamp(now_ms() + 10**7), **account})
        self.client.post("/v1/economy/main/players/111/farm", {"name": "Ann"})
        self.client.post("/v1/messages/select", {"user_id": "ada"})
        Player(self, self.server.client()).register().client.post("/v1/tribes/worlds/default/join")

    def test_dashboards_and_alerts_use_only_metrics_that_the_server_has(self):
        self.use_every_system()
        used = names_in([query for dashboard in DASHBOARDS for query in queries_of(dashboard)])
        alarmed = names_in([alert["expr"] for alert in alerts()])
        for names in (used, alarmed):
            self.assertGreater(len(names), 5)
        wanted = (used | alarmed) - {"up"}
        eventually(lambda: wanted <= self.exported(), f"the server exports all of {sorted(wanted)}", patience_s=20)


class Alerts(Case):
    def test_every_alert_says_what_is_wrong_and_what_to_do(self):
        found = alerts()
        self.assertEqual(len({alert["alert"] for alert in found}), len(found))
        for alert in found:
            with self.subTest(alert["alert"]):
                self.assertLessEqual(set(alert), {"alert", "expr", "for", "labels", "annotations"})
                self.assertIn(alert["labels"]["severity"], ("warning", "critical"))
                self.assertEqual(set(alert["annotations"]), {"summary", "description"})
                self.assertRegex(alert.get("for", "0s"), r"^\d+[sm]$")

    def test_the_alerts_that_operating_md_asks_for_are_there(self):
        text = (ROOT / "docs/operating.md").read_text()
        asked = {name for name in re.findall(r"^\| `(\w+)(?:\{\w+\})?` \|.*Set an alert", text, re.M)}
        self.assertGreater(len(asked), 3)
        self.assertLessEqual(asked, names_in([alert["expr"] for alert in alerts()]))

    def test_headings_that_an_alert_names_exist(self):
        text = (ROOT / "docs/operating.md").read_text()
        for alert in alerts():
            if match := re.search(r"docs/operating.md, (.*)$", alert["annotations"]["description"]):
                self.assertIn(f"## {match[1]}\n", text)


class Dashboards(Case):
    def test_every_panel_has_a_place_and_a_query(self):
        for path in DASHBOARDS:
            dashboard = json.loads(path.read_text())
            with self.subTest(path.name):
                self.assertEqual(dashboard["uid"], f"larder-{path.stem}")
                places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard["panels"]]
                self.assertEqual(len(set(places)), len(places))
                self.assertTrue(all(panel["targets"] for panel in dashboard["panels"]))


class Compose(Case):
    def setUp(self):
        self.file = check("compose", COMPOSE)
        self.services = self.file["services"]

    def test_the_services_are_those_of_the_documentation(self):
        self.assertEqual(set(self.services), {"larder", "postgres", "redis", "prometheus", "grafana"})

    def test_what_is_mounted_from_the_repository_exists(self):
        for service in self.services.values():
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                if source.startswith("."):
                    self.assertTrue((COMPOSE.parent / source).exists(), volume)
                else:
                    self.assertIn(source, self.file["volumes"])

    def test_only_this_machine_reaches_the_ports(self):
        for service in self.services.values():
            for port in service.get("ports", []):
                self.assertRegex(port, r"^127\.0\.0\.1:\d+:\d+$")

    def test_no_password_is_in_the_file(self):
        for service in self.services.values():
            for name, value in service.get("environment", {}).items():
                if "PASSWORD" in name or "URL" in name and "@" in value:
                    self.assertRegex(value, r"\$\{\w+_PASSWORD:\?")

    def test_the_settings_of_the_server_are_valid(self):
        variables = {name: re.sub(r"\$\{[^}]*\}", "secret", value) for name, value in self.services["larder"]["environment"].items()}
        done = run_larder("config", "check", env=variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_command_of_redis_makes_one_that_larder_trusts(self):
        command = shlex.split(self.services["redis"]["command"])
        redis = RedisServer()
        redis_server, *options = command
        self.assertEqual(redis_server, "redis-server")
        self.addCleanup(redis.close)
        redis.process = subprocess.Popen([redis_server, *options, "--port", "0", "--unixsocket", str(redis.socket), "--dir",
                                          str(redis.directory.path)], stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)
        eventually(lambda: redis.ask("PING") == "PONG", "Redis starts")
        server = self.open(Server("--redis", redis.url))
        eventually(lambda: '"started"' in server.log(), "the server starts")
        self.assertNotIn('"level":"warn"', server.log())

    def test_prometheus_asks_the_server_and_knows_the_rules(self):
        settings = check("yaml", DEPLOY / "prometheus/prometheus.yml")
        self.assertEqual(settings["rule_files"], [RULES.name])
        job, = settings["scrape_configs"]
        self.assertEqual((job["job_name"], job["static_configs"]), ("larder", [{"targets": ["larder:7420"]}]))

    def test_grafana_finds_prometheus_and_the_dashboards(self):
        source, = check("yaml", DEPLOY / "docker/grafana/datasources.yaml")["datasources"]
        self.assertEqual((source["type"], source["url"]), ("prometheus", "http://prometheus:9090"))
        provider, = check("yaml", DEPLOY / "docker/grafana/dashboards.yaml")["providers"]
        self.assertIn(f"../grafana:{provider['options']['path']}:ro", self.services["grafana"]["volumes"])


class Dockerfile(Case):
    """There is no Docker here to build it. tests/package does the same steps in a chroot."""

    def setUp(self):
        text = re.sub(r"\\\n\s*", "", (DEPLOY / "docker/Dockerfile").read_text())
        self.steps = [line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]

    def of(self, name):
        return [rest for step, rest in self.steps if step == name]

    def test_the_image_starts_what_the_package_installs(self):
        entry, words = json.loads(self.of("ENTRYPOINT")[0]), json.loads(self.of("CMD")[0])
        self.assertEqual(entry, ["larder"])
        service = re.search(r"^ExecStart=/usr/bin/larder (.*)$", (DEPLOY / "larder.service").read_text(), re.M)[1].split()
        self.assertEqual(words[:len(service)], service)
        self.assertEqual(self.of("USER"), ["larder"])

    def test_the_package_is_where_the_build_leaves_it(self):
        self.assertEqual(self.of("RUN")[0], "tools/package deb")
        self.assertTrue((ROOT / "tools/package").exists())
        self.assertIn("build/release/packages/*.deb", self.of("COPY")[1])
        self.assertIn('packages=$build/packages', (ROOT / "tools/package").read_text())

    def test_its_check_tells_a_server_that_is_ready_from_none(self):
        words = json.loads(re.search(r"CMD (\[.*\])", self.of("HEALTHCHECK")[0])[1])
        server = self.open(Server())
        here = [word.replace("/7420", f"/{server.address[1]}") for word in words]
        self.assertEqual(subprocess.run(here, check=False).returncode, 0)
        server.stop()
        self.assertNotEqual(subprocess.run(here, check=False, stderr=subprocess.DEVNULL).returncode, 0)


class Service(Case):
    def setUp(self):
        self.directory = TempDir()
        self.addCleanup(self.directory.remove)
        text = (DEPLOY / "larder.service").read_text()
        # The pages are not installed here, and the binary is elsewhere.
        text = re.sub(r"^Documentation=.*\n", "", text.replace("/usr/bin/larder ", f"{BINARY} "), flags=re.M)
        self.unit = self.directory / "larder.service"
        self.unit.write_text(text)

    def analyze(self, *words):
        done = subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_systemd_finds_nothing_wrong(self):
        code, said = self.analyze("verify", self.unit)
        said = [line for line in said.splitlines() if str(self.unit) in line or "larder" in line]
        self.assertEqual((code, said), (0, []))

    def test_systemd_notices_a_mistake(self):
        self.unit.write_text(self.unit.read_text().replace("NoNewPrivileges", "NoNewPriviliges"))
        self.assertIn("NoNewPriviliges", self.analyze("verify", self.unit)[1])

    def test_the_exposure_is_below_3(self):
        code, said = self.analyze("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager", self.unit)
        self.assertEqual(code, 0, said)
        self.assertLess(float(re.search(r"Overall exposure level for larder.service: ([\d.]+)", said)[1]), EXPOSURE_MAX / 10)

    def test_the_limits_fit_the_server(self):
        text, limits = self.unit.read_text(), (ROOT / "src/base/limits.hpp").read_text()
        shutdown_s = int(re.search(r"shutdown_ms = ([\d']+)", limits)[1].replace("'", "")) / 1000
        self.assertGreater(int(re.search(r"TimeoutStopSec=(\d+)", text)[1]), shutdown_s)
        # SIGTERM must not reach the Redis of the server before the server is done with it.
        self.assertIn("KillMode=mixed", text)


class DefaultSettings(Case):
    def dump(self, *words):
        done = run_larder("config", "dump", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return tomllib.loads(done.stdout)

    def test_they_are_valid_and_change_only_the_data_directory(self):
        wanted = self.dump() | {"data": "/var/lib/larder"}
        self.assertEqual(self.dump("--config", DEPLOY / "larder.toml"), wanted)

    def test_what_is_in_comments_is_the_default(self):
        directory = TempDir()
        self.addCleanup(directory.remove)
        text, count = re.subn(r"^# (?=\w+ = )", "", (DEPLOY / "larder.toml").read_text(), flags=re.M)
        self.assertGreater(count, 5)
        (directory / "all.toml").write_text(text)
        self.assertEqual(self.dump("--config", directory / "all.toml"), self.dump() | {"data": "/var/lib/larder"})


if __name__ == "__main__":
    main()
