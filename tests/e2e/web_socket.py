"""A small WebSocket client (RFC 6455)."""
import base64
import json
import os
import socket
import struct

from http_client import Answer


def apply(state, patch):
    """RFC 7396."""
    for name, value in patch.items():
        if value is None:
            state.pop(name, None)
        elif isinstance(value, dict) and isinstance(state.get(name), dict):
            apply(state[name], value)
        else:
            state[name] = value


class WebSocket:
    """Raises Refused if the server does not switch protocols."""

    class Refused(Exception):
        def __init__(self, answer):
            super().__init__(repr(answer))
            self.answer = answer

    def __init__(self, address, path, token=None, headers=None, timeout_s=60):
        self.socket = socket.create_connection(address, timeout=timeout_s)
        fields = {"Host": f"{address[0]}:{address[1]}", "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()}
        if token:
            fields["Sec-WebSocket-Protocol"] = f"larder, {token}"
        fields |= headers or {}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        self.unread = b""
        self.close_code = None
        while b"\r\n\r\n" not in self.unread:
            self.unread += self._receive()
        answered, self.unread = self.unread.split(b"\r\n\r\n", 1)
        lines = answered.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = dict(line.split(": ", 1) for line in lines[1:])
        if self.status != 101:
            while len(self.unread) < int(self.headers.get("Content-Length", 0)):
                self.unread += self._receive()
            self.close()
            raise WebSocket.Refused(Answer(self.status, self.headers, self.unread))

    def _receive(self):
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionError("the server closed the connection")
        return more

    def _take(self, count):
        while len(self.unread) < count:
            self.unread += self._receive()
        taken, self.unread = self.unread[:count], self.unread[count:]
        return taken

    def send(self, message):
        """Sends a text, or anything else as JSON."""
        text = (message if isinstance(message, str) else json.dumps(message)).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        mask = os.urandom(4)
        self.socket.sendall(b"\x81" + size + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(text)))

    def receive(self):
        """The next message, parsed. None when the server closes the socket. Answers pings."""
        while True:
            first, size = self._take(2)
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(size)
            if first == 0x89:
                self.socket.sendall(b"\x8a\x80" + os.urandom(4) if not payload else b"")
            elif first == 0x88:
                self.close_code = struct.unpack(">H", payload[:2])[0] if payload else None
                return None
            elif first == 0x81:
                return json.loads(payload)

    def receive_type(self, kind):
        """The next message of this type; others are skipped."""
        while True:
            message = self.receive()
            if message is None or message["type"] == kind:
                return message

    def receive_to_the_end(self):
        """Skips all messages, none of which may be an empty patch. Returns the code with which the server closes."""
        while (message := self.receive()) is not None:
            assert message.get("patch") != {}, message
        return self.close_code

    def close(self):
        self.socket.close()
