"""The processes of a test, and how the test waits for them: larder as a command, directories, pids."""
import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("LARDER_BINARY", str(ROOT / "build" / "release" / "larder"))
PATIENCE_S = 120  # no test checks how fast the server is; this only ends a test that hangs

_libc = ctypes.CDLL(None)


def die_with_parent():
    _libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a test that is cut off leaves no process behind


def environment(more=None):
    """The environment without the variables of this test, which are not settings of the server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    return kept | (more or {})


def eventually(check, what, patience_s=PATIENCE_S, pause_s=0.02):
    """Repeats `check` until its value is true. Returns that value."""
    deadline = time.monotonic() + patience_s
    while True:
        value = check()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience_s} s in vain: {what}")
        time.sleep(pause_s)


def now_ms():
    return time.time_ns() // 1_000_000


def stamp(ms):
    """A time in the format of the server."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03}Z"


def run_larder(*args, env=None, cwd=None, input=None, preexec_fn=None):
    """Runs a command that ends by itself. Returns its exit code, stdout and stderr."""
    return subprocess.run([BINARY, *map(str, args)], env=environment(env), cwd=cwd, capture_output=True, text=True,
                          input=input, timeout=PATIENCE_S, preexec_fn=preexec_fn)


class TempDir:
    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="larder-"))

    def __truediv__(self, name):
        return self.path / name

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def children_of(pid):
    """Pairs of pid and name."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        if int(rest.split()[1]) == pid:
            found.append((int(entry.name), name))
    return found


def is_alive(pid):
    """A zombie counts as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_quietly(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
