"""Runs notebooks on a Dask cluster. What was handed in is read, and entered, on this machine.

Each notebook is sent to one worker by name, a few at a time. So it is known which of them ran
when a worker ends, and a learner is not blamed for what ran beside him.
"""

import ast
import json
import logging
import queue
import re
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading import workers
from stridekit_grading.isolation import level_of
from stridekit_grading.machine import Answer

# Seconds to wait: for the scheduler, for a first worker, and for another one when all are gone.
CONNECT, FIRST_WORKER, NEXT_WORKER = 10.0, 20.0, 300.0
# How often it is asked who is there.
_LOOK = 1.0
# A worker has work waiting for so many seconds, and so many notebooks, for each of its threads.
_AHEAD_SECONDS, _AHEAD_MOST = 0.2, 31
# Workers that end before they have run anything, one after another.
_STILLBORN_MOST = 4
_GO_ON = "What was graded is entered; run the same command again to go on."


@dataclass
class _Job:
    """A notebook on its way."""

    mark: Any
    content: bytes


@dataclass
class _Worker:
    address: str
    threads: int
    is_running: bool = True
    process: str = ""
    """Empty until it is ready."""
    jobs: dict[str, _Job] = field(default_factory=dict)
    """By key, in the order in which it runs them."""


class Cluster:
    """See Runner."""

    def __init__(
        self,
        address: str,
        *,
        prepare: Callable[[bytes], bytes] = workers.prepare,
        execute: Callable[[str, bytes], bytes] = workers.execute,
    ) -> None:
        """Connect to a scheduler. Raises CommandError.

        `prepare` and `execute` are what runs on its workers; a bench has others.
        """
        self._address, self._does_prepare, self._does_execute = address, prepare, execute
        self._client = _connected(address)
        self._workers: dict[str, _Worker] = {}
        self._futures: dict[str, tuple[Any, str]] = {}
        """By key: the future, and the address of its worker."""
        self._over: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._waiting: deque[_Job] = deque()
        self._killed: set[str] = set()
        self._plan, self._digest = b"", ""
        self._levels: set[str] = set()
        self._name, self._count = uuid.uuid4().hex, 0
        self._pace, self._last = 1.0, 0.0
        self._looked = self._seen = time.monotonic()
        self._stillborn = 0

    @property
    def width(self) -> int:
        """See Runner."""
        return max(1, sum(self._takes(each) for each in self._ready()))

    @property
    def active(self) -> int:
        """See Runner."""
        return len(self._waiting) + sum(len(each.jobs) for each in self._workers.values())

    @property
    def room(self) -> int:
        """See Runner."""
        free = sum(max(0, self._takes(each) - len(each.jobs)) for each in self._ready())
        return free - len(self._waiting)

    @property
    def level(self) -> str:
        """See Runner. Workers may differ."""
        return "; ".join(sorted(self._levels))

    def prepare(self, plan: dict[str, Any], folder: Path) -> float:  # noqa: ARG002
        """See Runner. It waits for the first worker only; the others begin when they are ready."""
        began = time.monotonic()
        self._plan = json.dumps({**plan, "environment": workers.here()}).encode()
        self._digest = workers.digest_of(self._plan)
        self._look()
        while not self._workers:
            if time.monotonic() - began > FIRST_WORKER:
                raise CommandError(
                    f"the scheduler at {self._address} has no workers. Start some "
                    f"(dask worker {self._address} --nthreads 1), then run the same command again."
                )
            time.sleep(0.2)
            self._look()
        while not any(self._ready()):
            for _ in self.ended():
                pass
        return time.monotonic() - began

    def begin(self, mark: Any, job: dict[str, Any]) -> None:
        """See Runner."""
        self._waiting.append(_Job(mark, json.dumps(job, separators=(",", ":")).encode()))

    def ended(self) -> Iterator[tuple[Any, Answer]]:
        """See Runner. It may give nothing, when something else has changed."""
        self._send()
        lost = self._look() if time.monotonic() - self._looked > _LOOK else []
        ready = []
        for key, content in [] if lost else self._results():
            if key not in self._futures:
                continue
            worker = self._workers[self._futures.pop(key)[1]]
            told = json.loads(content)
            job = worker.jobs.pop(key, None)
            if job is None:
                ready.append((worker, told))
            elif "told" in told:
                self._stillborn = 0
                yield job.mark, Answer(told["told"], told["isolation"])
            elif told["process"] != worker.process:
                # Another process has its address.
                worker.jobs = {key: job, **worker.jobs}
                lost += self._lose(worker)
            else:
                # Its server is gone: pushed out by other plans, or ended.
                self._send_plan(worker)
                if told.get("lost"):
                    lost.append(job)
                else:
                    self._waiting.appendleft(job)
        for address in self._killed & {*self._workers}:
            lost += self._lose(self._workers[address])
        self._killed.clear()
        for job in lost:
            yield job.mark, Answer(None, is_lost=True)
        # Last, since whoever is refused here ends it all.
        for worker, told in ready:
            self._admit(worker, told)

    def close(self) -> None:
        """See Runner. Notebooks that run there come to their end; nobody asks for what comes."""
        self._futures.clear()
        with suppress(Exception):
            self._client.close(timeout=2)

    # Who is there.

    def _ready(self) -> list[_Worker]:
        return [each for each in self._workers.values() if each.process and each.is_running]

    def _takes(self, worker: _Worker) -> int:
        """How many notebooks a worker has at a time, with those that wait there."""
        ahead = min(_AHEAD_MOST, 1 + int(_AHEAD_SECONDS / max(self._pace, 1e-6)))
        return worker.threads * (1 + ahead)

    def _look(self) -> list[_Job]:
        """See who has come and gone; gives what ran where somebody has gone."""
        self._assert_connected()
        there = self._client.scheduler_info(n_workers=-1)["workers"]
        self._assert_connected()
        self._looked = time.monotonic()
        lost = []
        for address in [each for each in self._workers if each not in there]:
            lost += self._lose(self._workers[address])
        for address, said in there.items():
            worker = self._workers.get(address)
            if worker is None:
                worker = self._workers[address] = _Worker(address, int(said["nthreads"]))
                self._send_plan(worker)
            worker.is_running = said.get("status", "running") == "running"
        if self._workers:
            self._seen = self._looked
        elif self._looked - self._seen > NEXT_WORKER:
            raise CommandError(
                f"all workers of {self._address} are gone, and none has come for "
                f"{NEXT_WORKER:.0f} s. {_GO_ON}"
            )
        return lost

    def _lose(self, worker: _Worker) -> list[_Job]:
        """A worker is gone: gives what it ran. What only waited there goes to others."""
        del self._workers[worker.address]
        if not worker.process:
            self._stillborn += 1
            if self._stillborn >= _STILLBORN_MOST:
                raise CommandError(
                    f"{self._stillborn} workers of {self._address} have ended before they ran "
                    f"anything. See what they say; most often it is too little memory. {_GO_ON}"
                )
        running: list[_Job] = []
        for key, job in worker.jobs.items():
            known = self._futures.pop(key, None)
            is_over = known is not None and known[0].status == "finished"
            if not is_over and len(running) < worker.threads:
                running.append(job)
            else:
                self._waiting.appendleft(job)
        for key in [
            key for key, (_, address) in self._futures.items() if address == worker.address
        ]:
            del self._futures[key]
        return running

    def _admit(self, worker: _Worker, told: dict[str, Any]) -> None:
        """A worker has answered to a plan. Raises CommandError."""
        if told["environment"] != workers.here():
            difference = _difference(workers.here(), told["environment"])
            raise CommandError(
                f"the worker {worker.address} has {difference}, and results would not be the same. "
                f"Install the same there as here. {_GO_ON}"
            )
        if "refused" in told:
            raise CommandError(f"the worker {worker.address} says: {told['refused']}")
        worker.process = told["process"]
        self._levels.add(level_of(told["isolation"]))

    def _assert_connected(self) -> None:
        if self._client.status != "running":
            raise CommandError(f"the scheduler at {self._address} is gone. {_GO_ON}")

    # What goes there, and comes back.

    def _send_plan(self, worker: _Worker) -> None:
        worker.process = ""
        self._submit(self._does_prepare, worker, [(self._plan,)])

    def _send(self) -> None:
        """Spread what waits over the workers, those with the shortest queues first."""
        sent: dict[str, list[_Job]] = {}
        ready = self._ready()
        loads = {each.address: len(each.jobs) / each.threads for each in ready}
        while self._waiting and ready:
            worker = min(ready, key=lambda each: loads[each.address])
            if loads[worker.address] * worker.threads >= self._takes(worker):
                break
            loads[worker.address] += 1 / worker.threads
            sent.setdefault(worker.address, []).append(self._waiting.popleft())
        for address, jobs in sent.items():
            worker = self._workers[address]
            given = [(self._digest, job.content) for job in jobs]
            keys = self._submit(self._does_execute, worker, given)
            worker.jobs |= dict(zip(keys, jobs, strict=True))

    def _submit(
        self, does: Callable[..., bytes], worker: _Worker, given: list[tuple[Any, ...]]
    ) -> list[str]:
        keys = []
        for _ in given:
            self._count += 1
            keys.append(f"stridekit-{self._name}-{self._count}")
        self._assert_connected()
        futures = self._client.map(
            does,
            *zip(*given, strict=True),
            key=keys,
            workers=[worker.address],
            allow_other_workers=False,
            pure=False,
        )
        for key, future in zip(keys, futures, strict=True):
            self._futures[key] = future, worker.address
            future.add_done_callback(self._note)
        return keys

    def _note(self, future: Any) -> None:
        self._over.put(future.key)

    def _results(self) -> list[tuple[str, bytes]]:
        """Wait for what is over. Raises CommandError."""
        keys = []
        with suppress(queue.Empty):
            keys.append(self._over.get(timeout=_LOOK))
            while True:
                keys.append(self._over.get_nowait())
        # Of some, nobody wants to know any more.
        known = {key: self._futures[key][0] for key in keys if key in self._futures}
        self._note_pace(len(known))
        finished = {key: each for key, each in known.items() if each.status == "finished"}
        for key, each in known.items():
            if each.status == "error":
                self._explain(self._futures[key][1], each.exception())
            elif each.status == "cancelled":
                self._assert_connected()
                raise CommandError(f"the scheduler at {self._address} was restarted. {_GO_ON}")
        if not finished:
            return []
        try:
            contents = self._client.sync(
                partial(self._client.gather, [*finished.values()], asynchronous=True),
                callback_timeout=CONNECT,
            )
        except Exception:  # noqa: BLE001 - Dask raises what it likes; who is gone is seen next
            self._assert_connected()
            for key in finished:
                self._over.put(key)
            self._looked = 0.0
            return []
        return [*zip(finished, contents, strict=True)]

    def _note_pace(self, count: int) -> None:
        """How many seconds a thread takes for one."""
        now = time.monotonic()
        if count:
            threads = sum(each.threads for each in self._ready())
            pace = (now - self._last) * max(1, threads) / count
            self._pace = (self._pace + min(pace, 10.0)) / 2 if self._last else self._pace
            self._last = now

    def _explain(self, address: str, error: BaseException) -> None:
        """Why something could not be run. Raises CommandError."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            self._killed.add(address)
            return
        raise CommandError(
            f"the worker {address} cannot run it: {_said(error)}. The scheduler and all workers "
            f"need the same stridekit as this machine. {_GO_ON}"
        )


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
            f"no scheduler answers at {address} ({_said(error)}). Start one (dask scheduler), and "
            "name it as it says: --scheduler tcp://HOST:8786."
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
            f"the certificates that Dask's configuration names cannot be used ({_said(error)}). "
            "Put distributed.comm.tls in order."
        ) from error
    if parts[1] == "tls" and context is None:
        raise CommandError(
            f"{address} needs certificates, and Dask's configuration names none. Put them under "
            "distributed.comm.tls, or into DASK_DISTRIBUTED__COMM__TLS__CA_FILE and its like."
        )


def _said(error: BaseException) -> str:
    """What an error says, in one line."""
    return (str(error).strip() or repr(error)).splitlines()[0].rstrip(".")


def _difference(mine: str, theirs: str) -> str:
    """What differs between two environments, in words."""
    found = []
    for one, other in zip(_parts(mine), _parts(theirs), strict=False):
        if one != other:
            found.append(f"{other} in place of {one}")
    return ", ".join(found) or "a stridekit whose code differs"


def _parts(environment: str) -> list[str]:
    """The versions in what `workers.here` says, after the digest of the code."""
    _, _, rest = environment.partition(" ")
    versions, _, python = rest.rpartition("] ")
    with suppress(ValueError, SyntaxError):
        return [*ast.literal_eval(f"{versions}]"), python]
    return [rest]
