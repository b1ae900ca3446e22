"""Runs notebooks on a Dask cluster. What was handed in is read, and entered, on this machine.

Above stands what runs on a worker: bytes in, JSON out. Each worker keeps a warm server for the
plans that it was asked for last, and tries it before its first notebook, as a single machine does.
Where a worker ends, Dask has another run what it ran.
"""

import atexit
import hashlib
import json
import logging
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.isolation import level_of
from stridekit_grading.machine import Told, start, try_out
from stridekit_grading.results import environment

# A server holds torch and all cases of an assignment in memory.
SERVERS_MOST = 2


@dataclass
class _Warm:
    """A server that has been tried."""

    server: Any
    files: dict[str, str]
    isolation: dict[str, Any]
    users: int = 0


_servers: dict[str, _Warm] = {}
_lock, _preparing = threading.Lock(), threading.Lock()
# A server dies with the thread that started it, and Dask's threads come and go.
_starter = ThreadPoolExecutor(1, "stridekit-servers")


def here() -> list[str]:
    """The code and the versions that a result depends on."""
    python = f"python {sys.version_info.major}.{sys.version_info.minor}"
    return [*environment(), python]


def execute(digest: str, plan: bytes | None, job: bytes | None) -> bytes:
    """Run one notebook, or none, by the plan of that digest.

    Says what its referee told and how well it was shut in, or why that cannot be.
    """
    said: dict[str, Any] = {"here": here()}
    try:
        warm = _warm(digest, plan)
    except CommandError as error:
        return _json({**said, "refused": str(error)})
    if warm is None:
        return _json({**said, "unknown": True})
    try:
        said["isolation"] = warm.isolation
        if job is not None:
            said["told"] = _run(warm, json.loads(job))
    finally:
        with _lock:
            warm.users -= 1
    with suppress(subprocess.TimeoutExpired):
        if said.get("told", {}) is None and warm.server.process.wait(1):
            # Whoever asks next makes another.
            with _lock:
                _servers.pop(digest, None)
            warm.server.close()
    return _json(said)


def _run(warm: _Warm, asked: dict[str, Any]) -> Told | None:
    from distributed import secede

    from stridekit_grading.sandbox.channel import ChannelError

    asked["files"] |= warm.files
    has_seceded = False
    try:
        with (channel := warm.server.begin(asked)).socket:
            while True:
                told: Told = channel.receive()
                if "sleeps" not in told:
                    return told
                if not has_seceded:
                    # Who waits takes no place from who computes.
                    has_seceded = True
                    with suppress(ValueError):
                        secede()
    except ChannelError:
        return None


def _warm(digest: str, plan: bytes | None) -> _Warm | None:
    """The server for that plan, with one user more; None where it is not known here."""
    with _preparing:
        with _lock:
            known = _servers.pop(digest, None)
        if known is None:
            if plan is None:
                return None
            known = _prepared(json.loads(plan))
        with _lock:
            known.users += 1
            # The one that was used last stands last.
            _servers[digest] = known
            idle = [each for each, other in _servers.items() if not other.users]
            old = [_servers.pop(each) for each in idle[: max(0, len(_servers) - SERVERS_MOST)]]
    for each in old:
        each.server.close()
    return known


def _prepared(asked: dict[str, Any]) -> _Warm:
    if asked["here"] != here():
        raise CommandError(_difference(asked["here"], here()))
    imports, attributes = asked["imports"], asked["attributes"]
    server = _starter.submit(start, imports, attributes, trust=asked["trust"]).result()
    try:
        with _something_secret() as folder:
            server, _, isolation = _starter.submit(try_out, server, asked, folder).result()
    except BaseException:
        server.close()
        raise
    return _Warm(server, asked["files"], isolation)


@contextmanager
def _something_secret() -> Iterator[Path]:
    """A folder of this user's that nobody may read from inside: at home, where there is one."""
    place = Path.home() if os.access(Path.home(), os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=".stridekit-worker-", dir=place) as folder:
        (Path(folder) / "secret").write_text("secret", "ascii")
        yield Path(folder)


@atexit.register
def _close() -> None:
    while _servers:
        _servers.popitem()[1].server.close()


def _json(said: dict[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()


def _difference(mine: list[str], theirs: list[str]) -> str:
    """What differs between two environments, in words; the first part is the digest of the code."""
    pairs = zip(mine[1:], theirs[1:], strict=False)
    found = [f"{other} in place of {one}" for one, other in pairs if one != other]
    return (
        f"it has {', '.join(found) or 'a stridekit whose code differs'}, and results would not be "
        "the same. Install the same there as here"
    )


# On this machine.

# Seconds to wait: for the scheduler, for a first worker, and for another one when all are gone.
CONNECT, FIRST_WORKER, NEXT_WORKER = 10.0, 20.0, 300.0
# How often it is asked who is there.
_LOOK = 1.0
# So many notebooks are on their way for each thread, so that none waits for the next.
_AHEAD = 2
_GO_ON = "What was graded is entered; run the same command again to go on."
_LOST = "all workers of the cluster that tried to run it have ended"


class Cluster:
    """See Runner."""

    def __init__(self, address: str) -> None:
        """Connect to a scheduler. Raises CommandError."""
        self._address = address
        self._client = _connected(address)
        self._plan, self._digest = b"", ""
        self._levels: set[str] = set()
        self._jobs: dict[str, tuple[Any, bytes | None, Any]] = {}
        """By key: the mark, the job, and its future."""
        self._over: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._threads = 0
        self._looked = self._seen = time.monotonic()

    @property
    def active(self) -> int:
        """See Runner."""
        return len(self._jobs)

    @property
    def room(self) -> int:
        """See Runner."""
        return _AHEAD * max(1, self._threads) - len(self._jobs)

    @property
    def level(self) -> str:
        """See Runner. Workers may differ."""
        return "; ".join(sorted(self._levels))

    def prepare(self, plan: dict[str, Any], folder: Path) -> float:  # noqa: ARG002
        """See Runner. It waits for the first worker only; the others begin when they are ready."""
        began = time.monotonic()
        self._plan = _json({**plan, "here": here()})
        self._digest = hashlib.sha256(self._plan).hexdigest()
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError as error:
            raise CommandError(
                f"the scheduler at {self._address} has no workers. Start some "
                f"(dask worker {self._address} --nthreads 1), then run the same command again."
            ) from error
        self._look()
        self._submit(None, None, self._plan)
        while self._jobs:
            for _ in self.ended():
                """Nothing was asked for but a server."""
        return time.monotonic() - began

    def begin(self, mark: Any, job: dict[str, Any]) -> None:
        """See Runner."""
        self._submit(mark, _json(job), None)

    def ended(self) -> Iterator[tuple[Any, Told | None, dict[str, Any]]]:
        """See Runner. It may give nothing, when something else has changed."""
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        with suppress(queue.Empty):
            key = self._over.get(timeout=_LOOK)
            mark, job, future = self._jobs.pop(key)
            said = self._said(future)
            if said.get("unknown"):
                self._submit(mark, job, self._plan)
            elif said.get("lost"):
                yield mark, {"broken": _LOST, "lost": True}, {}
            else:
                self._levels.add(level_of(said["isolation"]))
                if job is not None:
                    yield mark, said["told"], said["isolation"]

    def close(self) -> None:
        """See Runner. Notebooks that run there come to their end; nobody asks for what comes."""
        self._jobs.clear()
        with suppress(Exception):
            self._client.close(timeout=2)

    def _submit(self, mark: Any, job: bytes | None, plan: bytes | None) -> None:
        self._assert_connected()
        future = self._client.submit(execute, self._digest, plan, job, pure=False)
        self._jobs[future.key] = mark, job, future
        future.add_done_callback(lambda done: self._over.put(done.key))

    def _said(self, future: Any) -> dict[str, Any]:
        """What came of it. Raises CommandError."""
        from distributed.scheduler import KilledWorker

        try:
            said: dict[str, Any] = json.loads(future.result(timeout=CONNECT))
        except KilledWorker:
            return {"lost": True}
        except Exception as error:
            self._assert_connected()
            raise CommandError(
                f"a worker of {self._address} cannot run it: {_first_line(error)}. The scheduler "
                f"and all workers need the same stridekit as this machine. {_GO_ON}"
            ) from error
        if said["here"] != here():
            said["refused"] = _difference(here(), said["here"])
        if "refused" in said:
            raise CommandError(f"a worker says: {said['refused'].rstrip('.')}. {_GO_ON}")
        return said

    def _look(self) -> None:
        """See who is there. Raises CommandError."""
        self._assert_connected()
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        self._assert_connected()
        self._threads = sum(int(each["nthreads"]) for each in workers.values())
        self._looked = time.monotonic()
        if workers:
            self._seen = self._looked
        elif self._looked - self._seen > NEXT_WORKER:
            raise CommandError(
                f"all workers of {self._address} are gone, and none has come for "
                f"{NEXT_WORKER:.0f} s. {_GO_ON}"
            )

    def _assert_connected(self) -> None:
        if self._client.status != "running":
            raise CommandError(f"the scheduler at {self._address} is gone. {_GO_ON}")


def _connected(address: str) -> Any:
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise CommandError(
            '--scheduler needs Dask, which is not here: pip install "stridekit-grading[cluster]".'
        ) from error
    # A command says what it has to say in one sentence.
    for name in ("distributed", "distributed.client", "distributed.comm", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})
    _look_at(address)
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise CommandError(
            f"no scheduler answers at {address} ({_first_line(error)}). Start one (dask "
            "scheduler), and name it as it says: --scheduler tcp://HOST:8786."
        ) from error


def _look_at(address: str) -> None:
    """Whether a client can be made for it: one that cannot leaves a mess. Raises CommandError."""
    from distributed.security import Security

    parts = re.fullmatch(r"(?:(tcp|tls)://)?[^/\s]+:\d{1,5}", address)
    if parts is None:
        raise CommandError(
            f"{address!r} is no address of a scheduler. Name it as it says: tcp://HOST:8786, or "
            "tls://HOST:8786."
        )
    try:
        context = Security().get_connection_args("client").get("ssl_context")
    except (OSError, ValueError, TypeError) as error:
        raise CommandError(
            f"the certificates that Dask's configuration names cannot be used "
            f"({_first_line(error)}). Put distributed.comm.tls in order."
        ) from error
    if parts[1] == "tls" and context is None:
        raise CommandError(
            f"{address} needs certificates, and Dask's configuration names none. Put them under "
            "distributed.comm.tls, or into DASK_DISTRIBUTED__COMM__TLS__CA_FILE and its like."
        )


def _first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return (str(error).strip() or repr(error)).splitlines()[0].rstrip(".")
