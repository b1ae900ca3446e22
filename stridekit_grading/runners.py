"""Runs notebooks: on this machine, or on a Dask cluster, which stands in its place.

Either tries whether learners' code is shut in before it runs any. What was handed in is read, and
entered, by whoever asks.
"""

import json
import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.isolation import something_secret, try_out
from stridekit_grading.results import environment
from stridekit_grading.sandbox.channel import ChannelError
from stridekit_grading.sandbox.launch import ENDLESS, Server, Told

# So many may wait beside those that compute; each may hold as much memory as others.
SLEEPERS_MOST = 16
_GO_ON = "What was graded is entered; run the same command again to go on."
Ran = list[Told]
"""What came of each notebook of a submission; the last for all the rest, where it ended there."""


class Machine:
    """This one; and what whoever else runs notebooks has to offer."""

    def __init__(self, imports: list[str], *, jobs: int, trust: bool) -> None:
        """Start its server, which takes a while."""
        self._jobs = jobs
        self._asleep: set[int] = set()
        self._threads = ThreadPoolExecutor(jobs + SLEEPERS_MOST)
        self._server = Server(imports, trust=trust)

    @property
    def places(self) -> int:
        """How many may run now: who waits takes no place from who computes."""
        return self._jobs + min(len(self._asleep), SLEEPERS_MOST)

    def prepare(self, plan: dict[str, Any], folder: Path) -> None:
        """Have everything ready; nothing in `folder` may be reached. Raises CommandError."""
        try_out(self._server, plan, folder)

    def submit(self, job: dict[str, Any]) -> "Future[Ran]":
        """Have a submission run."""
        return self._threads.submit(self._run, job)

    def _run(self, job: dict[str, Any]) -> Ran:
        def sleeps(is_asleep: bool) -> None:
            (self._asleep.add if is_asleep else self._asleep.discard)(id(job))

        try:
            return self._server.run(job, sleeps)
        except ChannelError as error:
            raise CommandError(
                f"the server that runs notebooks has ended: {self._server.complaint()}. {_GO_ON}"
            ) from error
        finally:
            sleeps(False)

    def result(self, future: "Future[Ran]") -> Ran:
        """What came of one that is over. Raises CommandError."""
        return future.result()

    def look(self) -> None:
        """See whether anything can still come. Raises CommandError."""

    def close(self) -> None:
        """End all that was started."""
        self._server.close()
        self._threads.shutdown()


# On a worker of a cluster. Where one ends, Dask has another run what it ran.

# A server dies with the thread that started it, and Dask's threads come and go.
_starter = ThreadPoolExecutor(1, "stridekit-servers")


def execute(plan: str, job: str) -> Ran:
    """Run one submission by a plan. Raises CommandError where that cannot be."""
    server = _starter.submit(_server_for, plan).result()
    try:
        return server.run(json.loads(job), _leave_place)
    except ChannelError:
        # Whoever asks next makes another.
        _server_for.cache_clear()
        return [ENDLESS]


@lru_cache(maxsize=2)
def _server_for(plan: str) -> Server:
    """A server that has been tried; it ends when nobody holds it any more.

    It holds torch and all cases of an assignment in memory, so there are few.
    """
    asked = json.loads(plan)
    if asked["here"] != [*environment()]:
        raise CommandError(_difference(asked["here"], environment()))
    server = Server(asked["imports"], trust=asked["trust"])
    with something_secret() as folder:
        try_out(server, asked, folder)
    return server


def _leave_place(_: bool) -> None:
    """Called when a notebook falls asleep: who waits takes no place from who computes."""
    from distributed import secede

    # Outside of a worker there is no place to be left; and who has left it, has none.
    with suppress(ValueError, KeyError):
        secede()


def _difference(mine: list[str], theirs: tuple[str, ...]) -> str:
    """What differs between two environments, in words; the first part is the digest of the code."""
    pairs = zip(mine[1:], theirs[1:], strict=False)
    found = [f"{other} in place of {one}" for one, other in pairs if one != other]
    return (
        f"it has {', '.join(found) or 'a stridekit whose code differs'}, and results would not be "
        "the same. Install the same there as here"
    )


# For who asks a cluster.

# Seconds to wait: for the scheduler, for a first worker, and for another one when all are gone.
CONNECT, FIRST_WORKER, NEXT_WORKER = 10.0, 20.0, 300.0
# So many notebooks are on their way for each thread, so that none waits for the next.
_AHEAD = 2
LOST = "all workers of the cluster that tried to run it have ended"


class Cluster:
    """In place of a Machine."""

    def __init__(self, address: str) -> None:
        """Connect to a scheduler. Raises CommandError."""
        self._address = address
        self._client = _connected(address)
        self._executor = self._client.get_executor(pure=False)
        self._plan: Any = None
        self._threads = 0
        self._seen = time.monotonic()

    @property
    def places(self) -> int:
        """See Machine."""
        return _AHEAD * max(1, self._threads)

    def prepare(self, plan: dict[str, Any], folder: Path) -> None:  # noqa: ARG002
        """See Machine. It waits for a worker; each has everything ready when it begins."""
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError as error:
            raise CommandError(
                f"the scheduler at {self._address} has no workers. Start some "
                f"(dask worker {self._address} --nthreads 1), then run the same command again."
            ) from error
        self.look()
        # As the result of a task, it comes to each worker once, and is there again where one ends.
        self._plan = self._client.submit(str, json.dumps({**plan, "here": environment()}))

    def submit(self, job: dict[str, Any]) -> "Future[Ran]":
        """See Machine."""
        future: Future[Ran] = self._executor.submit(execute, self._plan, json.dumps(job))
        return future

    def result(self, future: "Future[Ran]") -> Ran:
        """See Machine."""
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker:
            return [{"broken": LOST}]
        except CommandError as error:
            raise CommandError(f"a worker says: {str(error).rstrip('.')}. {_GO_ON}") from error
        except Exception as error:
            self._assert_connected()
            raise CommandError(
                f"a worker of {self._address} cannot run it: {_first_line(error)}. The scheduler "
                f"and all workers need the same stridekit as this machine. {_GO_ON}"
            ) from error

    def look(self) -> None:
        """See Machine."""
        self._assert_connected()
        # Where it breaks just now, the next look tells.
        with suppress(OSError):
            self._threads = sum(self._client.nthreads().values())
        if self._threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > NEXT_WORKER:
            raise CommandError(
                f"all workers of {self._address} are gone, and none has come for "
                f"{NEXT_WORKER:.0f} s. {_GO_ON}"
            )

    def close(self) -> None:
        """See Machine. Notebooks that run there come to their end; nobody asks for what comes."""
        with suppress(Exception):
            self._client.close(timeout=2)

    def _assert_connected(self) -> None:
        if self._client.status != "running":
            raise CommandError(f"the scheduler at {self._address} is gone. {_GO_ON}")


def _connected(address: str) -> Any:
    try:
        import dask
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
        from distributed.security import Security
    except ImportError as error:
        raise CommandError(
            '--scheduler needs Dask, which is not here: pip install "stridekit-grading[cluster]".'
        ) from error
    # A command says what it has to say in one sentence.
    for name in ("distributed", "distributed.client", "distributed.comm", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})
    try:
        # A client that cannot be made leaves a mess: so what Dask refuses is asked before.
        get_address_host_port(address)
        secured = Security().get_connection_args("client").get("ssl_context")
        if address.startswith("tls://") and secured is None:
            raise ValueError("Dask's configuration names no certificates in distributed.comm.tls")
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise CommandError(
            f"no scheduler answers at {address!r} ({_first_line(error)}). Start one (dask "
            "scheduler), and name it as it says: --scheduler tcp://HOST:8786."
        ) from error


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or repr(error)).splitlines()[0].rstrip(".")
