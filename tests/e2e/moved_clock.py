"""A server whose clock can be moved. Redis and SQL keep the right time."""
import subprocess
from pathlib import Path

from larder_server import Server
from processes import TempDir


class MovedServer(Server):
    """The embedded Redis would inherit the clock, so give this server a separate Redis."""

    def __init__(self, *args, ahead_s=0, **more):
        self.tools = TempDir()
        library = self.tools / "moved_clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, Path(__file__).with_name("moved_clock.c"),
                        "-ldl"], check=True, capture_output=True)
        self.file = self.tools / "ahead"
        super().__init__(*args, env={"LD_PRELOAD": str(library), "MOVED_CLOCK": str(self.file)}, **more)
        self.move(ahead_s)

    def move(self, ahead_s):
        """Sets by how many seconds the clock is ahead of the right time; below 0: behind."""
        new = self.tools / "new"
        new.write_text(str(ahead_s))
        new.rename(self.file)

    def close(self):
        super().close()
        self.tools.remove()
