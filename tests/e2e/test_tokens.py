"""Without the right token, nothing is revealed and nothing is done."""
from bad_input import TYPES, ORDERS, ENTRIES, LEDGER, PAST, BadInputCase
from harness import eventually, main, run_larder


class TokenCase(BadInputCase):
    def requests(self):
        return [("GET", TYPES, None), ("POST", TYPES, {"name": "never-made"}),
                ("POST", ORDERS, {"type": self.type, "domain": "main", "uid": "u"}), ("POST", ENTRIES, self.entry()),
                ("GET", f"/v1/ledger/accounts/{self.type}/main/u", None), ("GET", "/v1/ledger/orders/u/start", None),
                ("GET", "/v1/ledger/flows?uid=u", None), ("POST", ENTRIES, "not even JSON"),
                ("POST", f"{ENTRIES}/batch", {"mode": "continue", "entries": [self.entry()]}),
                ("POST", f"{LEDGER}/transfers", {"order_id": "t", "type": self.type, "domain": "main", "from": "u",
                                                 "to": "v", "amount": 1}),
                ("POST", f"{LEDGER}/exchanges", {"order_id": "x", "uid": "u", "domain": "main", "amount": 10,
                                                 "from_type": self.type, "to_type": self.other_type}),
                ("POST", f"{LEDGER}/holds", {"order_id": "h", "type": self.type, "domain": "main", "uid": "u",
                                             "amount": 1}),
                ("POST", f"{LEDGER}/holds/u/held/capture", None), ("POST", f"{LEDGER}/holds/u/held/release", None),
                ("PUT", f"{LEDGER}/rates/{self.type}/{self.other_type}", {"numerator": 1, "denominator": 1}),
                ("GET", f"{LEDGER}/rates/{self.type}/{self.other_type}", None), ("GET", f"{LEDGER}/rates", None),
                ("PATCH", f"{TYPES}/{self.type}", {"remark": "changed"}),
                ("GET", f"{LEDGER}/accounts/{self.type}/main/u/at?time={PAST}", None)]

    def assert_all_refused(self, authorization, status, code):
        for method, path, body in self.requests():
            with self.subTest(authorization=authorization, path=path):
                answer = self.client.send(method, path, body, headers={"Authorization": authorization})
                self.assert_refused(answer, status, code)
                if status == 401:
                    self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")

    @classmethod
    def new_key(cls, scope):
        done = run_larder("key", "create", "--data", cls.server.data, "--name", "bot", "--scope", scope)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


class Tokens(TokenCase):
    def test_without_a_right_token_nothing_is_told_or_done(self):
        token = self.server.token
        wrong_end = token[:-1] + ("0" if token[-1] != "0" else "1")
        cases = [None, "", "Bearer", "Bearer ", "Basic dTpw", token, "Bearer x", "Bearer lk_", "Bearer lk__",
                 f"Bearer {token}x", f"Bearer {token[:-1]}", f"Bearer {wrong_end}", f"Bearer  {token}",
                 f"Bearer {token} x",
                 f"Token {token}",
                 f"Bearer {token.upper()}", "Bearer lk_unknown_" + "0" * 64, "Bearer lk_admin1_" + "0" * 64,
                 "Bearer " + "x" * 7000, "Bearer lk_'; DROP TABLE service_key; --_" + "0" * 64]
        for authorization in cases:
            self.assert_all_refused(authorization, 401, "unauthorized")

    def test_the_scheme_of_a_token_is_case_insensitive(self):
        for scheme in ("Bearer", "bearer", "BEARER"):
            answer = self.client.get(TYPES, headers={"Authorization": f"{scheme} {self.server.token}"})
            self.assertEqual(answer.status, 200, answer)


class OtherKeys(TokenCase):
    """The keys are made before the traces are recorded."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tokens = {scope: cls.new_key(scope) for scope in ("economy", "messages", "ledger")}

    def test_a_token_without_the_scope_is_forbidden(self):
        with self.symptom("a key lacks a scope") as row:
            row.answer(eventually(lambda: (a := self.client.get(TYPES, headers={
                "Authorization": f"Bearer {self.tokens['economy']}"})).status == 403 and a, "the new key is known"))
        for scope in ("economy", "messages"):
            authorization = f"Bearer {self.tokens[scope]}"
            probe = self.client.get(TYPES, headers={"Authorization": authorization})
            self.assertIn(probe.status, (401, 403))
            eventually(lambda: self.client.get(TYPES, headers={"Authorization": authorization}).status == 403,
                       "the new key is known")
            self.assert_all_refused(authorization, 403, "forbidden")

    def test_the_right_scope_alone_opens_its_routes(self):
        authorization = f"Bearer {self.tokens['ledger']}"
        eventually(lambda: self.client.get(TYPES, headers={"Authorization": authorization}).status == 200,
                   "the new key is known")


class RevokedKey(TokenCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.revoked = cls.new_key("ledger")
        client = cls.server.client(token=cls.revoked)
        eventually(lambda: client.get(TYPES).status == 200, "the new key is known")
        done = run_larder("key", "revoke", "--data", cls.server.data, cls.revoked.split("_")[1])
        assert done.returncode == 0, done.stderr
        eventually(lambda: client.get(TYPES).status == 401, "the key is revoked")
        client.close()

    def test_a_revoked_token_opens_nothing(self):
        with self.symptom("a key was revoked") as row:
            row.answer(self.client.get(TYPES, headers={"Authorization": f"Bearer {self.revoked}"}))
        self.assert_all_refused(f"Bearer {self.revoked}", 401, "unauthorized")


if __name__ == "__main__":
    main()
