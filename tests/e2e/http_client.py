"""A small HTTP client."""
import http.client
import json
import socket
from contextlib import closing
from urllib.parse import quote


class Answer:
    def __init__(self, status, headers, raw):
        self.status = status
        self.headers = headers
        self.raw = raw

    @property
    def json(self):
        return json.loads(self.raw)

    def __repr__(self):
        return f"{self.status} {self.raw[:500]!r}"


class Client:
    """One connection that stays open. Never sends a request again by itself."""

    def __init__(self, address, token=None, timeout_s=60):
        self.address = address
        self.token = token
        self.timeout_s = timeout_s
        self._connection = None

    def send(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self.address, timeout=self.timeout_s)
        try:
            self._connection.request(method, path, body, {k: v for k, v in headers.items() if v is not None})
            response = self._connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except Exception:
            self.close()
            raise
        if response.will_close:
            self.close()
        return answer

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.send("POST", path, body, **more)

    # Short forms for the ledger.

    def new_type(self, name, **more):
        answer = self.post("/v1/ledger/types", {"name": name, **more})
        assert answer.status == 201, answer
        return answer.json["id"]

    def entry(self, **entry):
        return self.post("/v1/ledger/entries", entry)

    def account(self, type_id, domain, uid):
        answer = self.get(f"/v1/ledger/accounts/{type_id}/{quote(domain)}/{quote(uid)}")
        assert answer.status == 200, answer
        return answer.json

    def order(self, uid, order_id):
        return self.get(f"/v1/ledger/orders/{quote(uid)}/{quote(order_id)}")

    def flows(self, uid, **filters):
        """All pages, newest first."""
        items, cursor = [], None
        while True:
            query = {"uid": uid, "limit": 500, **filters} | ({"cursor": cursor} if cursor else {})
            answer = self.get("/v1/ledger/flows?" + "&".join(f"{k}={quote(str(v))}" for k, v in query.items()))
            assert answer.status == 200, answer
            items += answer.json["items"]
            cursor = answer.json["next_cursor"]
            if cursor is None:
                return items

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def raw_exchange(address, data, timeout_s=60):
    """Sends bytes as they are. Returns the first answer."""
    with closing(socket.create_connection(address, timeout=timeout_s)) as connection:
        connection.sendall(data)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return Answer(response.status, response.headers, response.read())
