"""What runs on a worker of a cluster: bytes in, JSON out.

Each worker keeps a warm server for the plans that it was asked for last. A server is tried before
its first notebook, as on a single machine.
"""

import atexit
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.machine import start, try_out
from stridekit_grading.results import environment

# A server holds torch and all cases of an assignment in memory.
SERVERS_MOST = 2
# Of this process; one that takes its place has another.
PROCESS = uuid.uuid4().hex


@dataclass
class _Warm:
    """A server that has been tried."""

    server: Any
    files: dict[str, str]
    isolation: dict[str, Any]
    users: int = 0


_servers: dict[str, _Warm] = {}
_lock = threading.Lock()
_preparing = threading.Lock()
# A server dies with the thread that started it, and Dask's threads come and go.
_starter = ThreadPoolExecutor(1, "stridekit-servers")


def here() -> str:
    """The code and the versions that a result depends on."""
    return f"{environment()} python {sys.version_info.major}.{sys.version_info.minor}"


def digest_of(plan: bytes) -> str:
    """What a plan is asked for by."""
    return hashlib.sha256(plan).hexdigest()


def prepare(plan: bytes) -> bytes:
    """Have a server ready for these tests; says what was found, or why that cannot be."""
    said: dict[str, Any] = {"process": PROCESS, "environment": here()}
    asked = json.loads(plan)
    if asked["environment"] != here():
        return _json(said)
    try:
        with _preparing:
            said["isolation"] = _prepared(digest_of(plan), asked).isolation
    except CommandError as error:
        said["refused"] = str(error)
    return _json(said)


def execute(digest: str, job: bytes) -> bytes:
    """Run one notebook; says what its referee told, and how well it was shut in."""
    from stridekit_grading.sandbox.channel import ChannelError

    with _lock:
        warm = _servers.get(digest)
        if warm is None:
            return _json({"process": PROCESS})
        # The one that was used last stands last.
        _servers[digest] = _servers.pop(digest)
        warm.users += 1
    try:
        asked = json.loads(job)
        asked["files"] |= warm.files
        try:
            channel = warm.server.begin(asked)
        except ChannelError:
            _forget(digest, warm)
            return _json({"process": PROCESS})
        try:
            told = channel.receive_text()
        except ChannelError:
            told = "null"
            if _has_ended(warm.server):
                _forget(digest, warm)
                return _json({"process": PROCESS, "lost": True})
        finally:
            channel.close()
    finally:
        with _lock:
            warm.users -= 1
    return b'{"isolation":%s,"told":%s}' % (_json(warm.isolation), told.encode())


def _prepared(digest: str, asked: dict[str, Any]) -> _Warm:
    with _lock:
        known = _servers.get(digest)
    if known is not None:
        return known
    server = _starter.submit(
        start, asked["imports"], asked["attributes"], trust=asked["trust"]
    ).result()
    try:
        with _something_secret() as folder:
            _, isolation = try_out(server, asked, folder)
    except BaseException:
        server.close()
        raise
    warm = _Warm(server, asked["files"], isolation)
    with _lock:
        _servers[digest] = warm
        idle = [each for each, other in _servers.items() if not other.users and each != digest]
        old = [_servers.pop(each) for each in idle[: max(0, len(_servers) - SERVERS_MOST)]]
    for each in old:
        each.server.close()
    return warm


@contextmanager
def _something_secret() -> Iterator[Path]:
    """A folder of this user's that nobody may read from inside: at home, where there is one."""
    home = Path.home()
    place = home if os.access(home, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=".stridekit-worker-", dir=place) as folder:
        (Path(folder) / "secret").write_text("secret", "ascii")
        yield Path(folder)


def _has_ended(server: Any) -> bool:
    with suppress(subprocess.TimeoutExpired):
        server.process.wait(1)
        return True
    return False


def _forget(digest: str, warm: _Warm) -> None:
    """A server that is gone; whoever asks next makes another."""
    with _lock:
        if _servers.get(digest) is warm:
            del _servers[digest]
    warm.server.close()


@atexit.register
def _close() -> None:
    while _servers:
        _servers.popitem()[1].server.close()


def _json(said: dict[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()
