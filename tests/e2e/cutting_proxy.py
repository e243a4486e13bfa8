"""A proxy between a client and a server whose address changes. It swallows answers: the server has done what it was asked,
and the client learns nothing."""
import random
import socket
import threading
from contextlib import closing, suppress

PIECE_BYTES = 65536


class CuttingProxy:
    """Listens at `url`. `address_of` says where the server is now. About one of `cut_one_in` pieces of answers is not passed on,
    and its connection ends."""

    def __init__(self, address_of, seed, cut_one_in=25):
        self._address_of = address_of
        self._rng = random.Random(seed)
        self._cut_one_in = cut_one_in
        self._lock = threading.Lock()
        self._open = set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.cuts = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def start(self):
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._end(self._listening)
        self._listening.close()
        with self._lock:
            for one in self._open:
                self._end(one)

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with closing(client), suppress(OSError):
            server = socket.create_connection(self._address_of(), timeout=10)
            with closing(server):
                server.settimeout(None)
                with self._lock:
                    self._open |= {client, server}
                threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()
                self._pass_on(server, client, cuts=True)
                with self._lock:
                    self._open -= {client, server}

    def _pass_on(self, source, target, cuts=False):
        """Passes bytes on until either side ends; then ends both."""
        with suppress(OSError):
            while piece := source.recv(PIECE_BYTES):
                if cuts and self._is_cut():
                    break
                target.sendall(piece)
        self._end(source)
        self._end(target)

    def _is_cut(self):
        with self._lock:
            cut = self._rng.randrange(self._cut_one_in) == 0
            self.cuts += cut
            return cut

    @staticmethod
    def _end(one):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
