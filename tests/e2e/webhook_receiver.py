"""A receiver of webhooks that fails, hangs, answers late or dies, as a test wants."""
import json
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from processes import ROOT


def code_of_docs(language):
    """How docs/webhooks.md says that a signature is verified."""
    text = (ROOT / "docs/webhooks.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def is_signed(secret, headers, body):
    names = {}
    exec(code_of_docs("python"), names)
    return names["is_from_larder"](secret, headers["Larder-Signature"], body)


def is_signed_in_javascript(secret, headers, body):
    words = json.dumps([secret, headers["Larder-Signature"], body.hex()])
    call = f'const [s, h, b] = {words}; console.log(isFromLarder(s, h, Buffer.from(b, "hex")));'
    done = subprocess.run(["node", "--input-type=module", "-e", code_of_docs("js") + call], check=True,
                          capture_output=True, text=True)
    return done.stdout.strip() == "true"


class Request:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body
        self.event = json.loads(body)


class Receiver:
    """Keeps every request. `answer` gets a request and returns the status; it may wait. `tls`: an ssl context."""

    def __init__(self, answer=lambda request: 200, port=0, tls=None):
        self.tls = tls
        self.answer = answer
        self.requests, self.accepted = [], []
        self.lock = threading.Lock()
        self.port = port
        self.server = None

    def start(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                receiver.handle(self)

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_):
                pass

        self.server = Quiet(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        if self.tls:
            self.server.socket = self.tls.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def handle(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        request = Request(handler.path, handler.headers, body)
        with self.lock:
            self.requests.append(request)
        status = self.answer(request)
        if status == 200:
            with self.lock:
                self.accepted.append(request)
        handler.send_response(status)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def close(self):
        """Nobody listens on its port any more."""
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook"

    def firsts(self):
        """The accepted events by their deliveries, each once, in the order in which they first came."""
        with self.lock:
            return list({request.headers["Larder-Delivery"]: request.event for request in self.accepted}.values())
