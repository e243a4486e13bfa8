"""The ledger does what /openapi.json says, limit by limit."""
import re
import uuid

from harness import AMOUNT_MAX, main
from openapi import Document
from ledger_case import TYPES, ORDERS, ENTRIES, PAST, FUTURE, LedgerCase


class Protocol(LedgerCase):
    def test_every_answer_has_a_request_id_and_takes_over_a_sane_one(self):
        for path in ("/livez", f"{TYPES}/{self.type}", "/v1/ledger/nothing", f"{TYPES}/0"):
            own = self.client.get(path).headers["X-Request-Id"]
            self.assertRegex(own, r"^[A-Za-z0-9_.-]{1,64}$")
            self.assertNotEqual(own, self.client.get(path).headers["X-Request-Id"])
            for theirs, taken in (("trace-1.a_b", True), ("x" * 64, True), ("x" * 65, False), ("a b", False)):
                got = self.client.get(path, headers={"X-Request-Id": theirs}).headers["X-Request-Id"]
                self.assertEqual(got == theirs, taken, (theirs, got))

    def test_health_readiness_and_documents_need_no_token(self):
        anonymous = self.server.client(token="")
        self.addCleanup(anonymous.close)
        for path in ("/livez", "/healthz", "/readyz", "/openapi.json", "/docs", "/metrics"):
            self.assertEqual(anonymous.get(path).status, 200, path)
        names = ("server", "redis", "sql", "clock", "outbox", "schedule", "lost", "dead_events", "dead_work", "cache_redis")
        self.assertEqual(anonymous.get("/readyz?verbose").json, {"status": "ok", "checks": dict.fromkeys(names, "ok")})

    def test_unknown_paths_and_methods_are_told_apart(self):
        self.assert_problem(self.client.get("/v1/ledger/nothing"), 404, "route_not_found")
        answer = self.client.send("DELETE", TYPES)
        self.assert_problem(answer, 405, "method_not_allowed")
        self.assertEqual(set(re.split(", *", answer.headers["Allow"])), {"GET", "HEAD", "POST"})

    def test_one_connection_carries_many_requests(self):
        for _ in range(50):
            self.client.get("/livez")
            connection = self.client._connection
            self.assertIsNotNone(connection)
        self.assertIs(connection, self.client._connection)


class Documentation(LedgerCase):
    """/openapi.json says what the server does."""

    WRONG = {"string": (5, 1.5, True, [], {}), "integer": ("five", 1.5, True, [], {}), "boolean": ("true", 1, [], {}),
             "array": ("five", 5, 1.5, True, {})}
    TYPE_IDS = ("type", "from_type", "to_type")

    def setUp(self):
        super().setUp()
        self.document = Document(self.client)
        self.other_type = self.client.new_type(uuid.uuid4().hex)
        rate = {"numerator": 1, "denominator": 1}
        self.client.send("PUT", f"/v1/ledger/rates/{self.type}/{self.other_type}", rate)

    def post_routes(self):
        """Path, fields with their schemas, and required names."""
        routes = []
        for path, methods in self.document.raw["paths"].items():
            if "{" in path or "requestBody" not in methods.get("post", {}):
                continue
            schema = self.document.body_schema("post", path)
            if "oneOf" in schema:  # events of Discord, which may have any member
                continue
            self.assertIs(schema["additionalProperties"], False, path)
            routes.append((path, schema["properties"], schema["required"]))
        moves = {f"/v1/ledger/{name}" for name in ("entries/batch", "transfers", "exchanges", "holds")}
        self.assertLessEqual({TYPES, ORDERS, ENTRIES, *moves}, {path for path, _, _ in routes})
        return [route for route in routes if route[0].startswith("/v1/ledger/")]

    def rich_user(self):
        uid = uuid.uuid4().hex
        self.post("add", AMOUNT_MAX, uid=uid)
        return uid

    def full_body(self, path, fields):
        """A body for users who have enough points, whatever the amount."""
        uid = self.rich_user() if path.endswith(("/transfers", "/exchanges", "/holds")) else uuid.uuid4().hex
        valid = {"name": uuid.uuid4().hex, "order_id": uuid.uuid4().hex, "op": "add", "type": self.type,
                 "domain": "main", "uid": uid, "from": uid, "to": uuid.uuid4().hex, "from_type": self.type,
                 "to_type": self.other_type, "amount": 1, "remark": "why", "starts_at": PAST, "ends_at": FUTURE,
                 "effective_at": PAST, "expires_at": FUTURE, "order_ttl_days": 7, "order_age_days_max": 7,
                 "mode": "continue", "entries": [self.entry("add", 1)]}
        return {name: valid[name] for name in fields}

    def test_a_body_with_every_field_is_taken_and_so_is_one_with_only_the_required(self):
        for path, fields, required in self.post_routes():
            for names in (fields, required):
                answer = self.client.post(path, self.full_body(path, names))
                self.assertIn(answer.status, (200, 201), (path, answer))

    def test_a_batch_is_of_entries(self):
        entry = self.document.body_schema("post", ENTRIES)
        of_batch = self.document.body_schema("post", f"{ENTRIES}/batch")["properties"]["entries"]["items"]
        self.assertEqual((of_batch["properties"], of_batch["required"]), (entry["properties"], entry["required"]))

    def test_a_required_field_left_out_or_null_is_refused_by_name(self):
        for path, fields, required in self.post_routes():
            for name in required:
                with self.subTest(path=path, name=name):
                    body = self.full_body(path, fields)
                    self.assert_problem(self.client.post(path, body | {name: None}), 400, "invalid_request", name)
                    del body[name]
                    self.assert_problem(self.client.post(path, body), 400, "invalid_request", name)

    def test_a_field_of_the_wrong_type_is_refused_by_name(self):
        for path, fields, _ in self.post_routes():
            for name, schema in fields.items():
                for wrong in self.WRONG[self.document.resolve(schema)["type"]]:
                    with self.subTest(path=path, name=name, wrong=wrong):
                        body = self.full_body(path, fields) | {name: wrong}
                        self.assert_problem(self.client.post(path, body), 400, "invalid_request", name)

    def test_a_value_beyond_the_documented_limits_is_refused_by_name(self):
        for path, fields, _ in self.post_routes():
            for name, schema in fields.items():
                schema = self.document.resolve(schema)
                beyond = []
                if "minimum" in schema:
                    beyond.append(schema["minimum"] - 1)
                if schema.get("maximum", 2**63) < 2**63 - 1:
                    beyond.append(schema["maximum"] + 1)
                if "maxLength" in schema:
                    beyond.append("é" * (schema["maxLength"] + 1))
                if schema.get("minLength"):
                    beyond.append("")
                if "pattern" in schema:
                    beyond += ["", "{x}", "a b", "x" * 129]
                if "enum" in schema:
                    beyond += ["", "ADD", "other"]
                if schema.get("format") == "date-time":
                    beyond += ["", "yesterday", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01"]
                if schema["type"] == "array":
                    beyond += [[], [self.entry("add", 1)] * 1001]
                self.assertTrue(beyond or schema["type"] == "boolean", (path, name))
                for value in beyond:
                    with self.subTest(path=path, name=name, value=str(value)[:200]):
                        body = self.full_body(path, fields) | {name: value}
                        self.assert_problem(self.client.post(path, body), 400, "invalid_request", name)

    def test_a_value_at_the_documented_limits_is_taken(self):
        for path, fields, _ in self.post_routes():
            for name, schema in fields.items():
                schema = self.document.resolve(schema)
                edges = []
                if "maxLength" in schema:
                    edges.append(uuid.uuid4().hex + "é" * (schema["maxLength"] - 32))
                if name not in self.TYPE_IDS and "maximum" in schema:
                    edges += [max(schema["minimum"], 1), schema["maximum"]]
                for value in edges:
                    with self.subTest(path=path, name=name, value=value):
                        body = self.full_body(path, fields) | {name: value}
                        self.assertIn(self.client.post(path, body).status, (200, 201), body)

    def test_an_unknown_field_is_refused_by_name(self):
        for path, fields, _ in self.post_routes():
            for name in ("unknown", "Amount", "", "effective_att", "ключ"):
                with self.subTest(path=path, name=name):
                    body = self.full_body(path, fields) | {name: 1}
                    self.assert_problem(self.client.post(path, body), 400, "invalid_request", name or None)

    def test_answers_have_the_documented_members(self):
        order = self.entry("add", 5, expires_at=FUTURE)
        self.client.entry(**order)
        requests = [
            ("POST", TYPES, {"name": uuid.uuid4().hex}), ("GET", TYPES, None), ("GET", f"{TYPES}/{self.type}", None),
            ("POST", ORDERS, {"type": self.type, "domain": "d", "uid": "u"}), ("POST", ENTRIES, self.entry("add", 1)),
            ("POST", ENTRIES, self.entry("deduct", AMOUNT_MAX)),
            ("POST", ENTRIES, self.entry("add", AMOUNT_MAX, expires_at=FUTURE)),
            ("GET", f"/v1/ledger/accounts/{self.type}/main/u", None),
            ("GET", f"/v1/ledger/orders/u/{order['order_id']}", None), ("GET", "/v1/ledger/flows?uid=u", None),
            ("GET", "/v1/ledger/flows", None), ("GET", f"{TYPES}/999999", None)]
        for method, path, body in requests:
            with self.subTest(path=path, method=method):
                answer = self.client.send(method, path, body)
                self.assertEqual(self.document.faults_of(method, path, answer), [], answer)


if __name__ == "__main__":
    main()
