"""What a system gets from the server for the few lines of notes_system.cpp: settings, routes, strict input, tokens,
scopes, idempotency keys, pages, problem documents, metrics, the OpenAPI document, and a clean start and stop."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))

from harness import SharedServerCase, main, run_larder  # noqa: E402

NOTE = "/v1/notes/alice/milk"


class Notes(SharedServerCase):
    server_args = ("--set", "notes.notes_max=3")

    def put(self, uid, name, text="x", **more):
        return self.client.send("PUT", f"/v1/notes/{uid}/{name}", {"text": text}, **more)

    def test_a_note_is_kept_and_shown(self):
        self.assertEqual(self.put("alice", "milk", "two bottles").json, {"name": "milk", "text": "two bottles"})
        self.assertEqual(self.client.get(NOTE).json, {"name": "milk", "text": "two bottles"})
        missing = self.client.get("/v1/notes/alice/bread")
        self.assertEqual((missing.status, missing.json["code"]), (404, "note_not_found"))

    def test_the_setting_of_the_system_counts(self):
        self.assertEqual([self.put("bob", name).status for name in "abc"], [200] * 3)
        refused = self.put("bob", "d")
        self.assertEqual((refused.status, refused.json["code"]), (409, "too_many_notes"))
        self.assertEqual(self.put("bob", "a", "changed").status, 200)
        self.assertIn("[notes]\nnotes_max = 100\n", run_larder("config", "dump").stdout)
        wrong = run_larder("config", "check", "--set", "notes.notes_max=0")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("notes.notes_max", wrong.stderr)

    def test_a_list_has_pages(self):
        for name in "cab":
            self.put("carol", name)
        first = self.client.get("/v1/notes/carol?limit=2").json
        self.assertEqual([note["name"] for note in first["items"]], ["a", "b"])
        rest = self.client.get(f"/v1/notes/carol?cursor={first['next_cursor']}").json
        self.assertEqual(([note["name"] for note in rest["items"]], rest["next_cursor"]), (["c"], None))

    def test_input_is_strict(self):
        for body, field in (({}, "text"), ({"text": 1}, "text"), ({"text": ""}, "text"), ({"text": "x", "y": 1}, "y")):
            with self.subTest(body):
                refused = self.client.send("PUT", NOTE, body)
                self.assertEqual((refused.status, refused.json["field"]), (400, field))

    def test_a_token_with_the_scope_is_needed(self):
        self.assertEqual(self.client.send("GET", NOTE, headers={"Authorization": None}).status, 401)
        made = run_larder("key", "create", "--name", "bot", "--scope", "ledger", "--data", self.server.data)
        stranger = self.server.client(made.stdout.strip())
        self.addCleanup(stranger.close)
        self.assertEqual(stranger.get(NOTE).status, 403)

    def test_an_idempotency_key_answers_the_same_again(self):
        key = {"Idempotency-Key": "note-1"}
        self.assertEqual(self.put("dave", "a", "one", headers=key).status, 200)
        again = self.put("dave", "a", "one", headers=key)
        self.assertEqual((again.status, again.headers["Idempotency-Replayed"]), (200, "true"))
        self.assertEqual(self.put("dave", "a", "two", headers=key).status, 422)

    def test_the_routes_are_described_and_counted(self):
        paths = self.client.get("/openapi.json").json["paths"]
        self.assertEqual(set(paths["/v1/notes/{uid}/{name}"]), {"put", "get"})
        self.assertEqual([parameter["name"] for parameter in paths["/v1/notes/{uid}"]["get"]["parameters"]],
                         ["uid", "limit", "cursor"])
        self.assertNotIn("/v1/ledger/entries", paths)
        self.client.get(NOTE)
        self.assertIn('route="/v1/notes/{uid}/{name}"', self.client.get("/metrics").raw.decode())


if __name__ == "__main__":
    main()
