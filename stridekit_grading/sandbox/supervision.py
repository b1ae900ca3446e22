"""A learner's process as its referee sees it: asked one thing at a time, and stopped in time."""

import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from stridekit_grading.sandbox.channel import (
    PAUSE,
    Channel,
    ChannelError,
    GoneError,
    receive_descriptors,
    send_descriptors,
)
from stridekit_grading.sandbox.processes import Processes

# Whoever computes less than this part of the time is asleep, after so many seconds of it.
_ASLEEP, _SPAN = 0.2, 1.0
# How long a guard is waited for whose process has ended; it may have hung up, and go on.
_PATIENCE = 20
WAITED = "it waited for something that never came"


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a notebook may take.

    Seconds of processor time: for a cell, for a check, for the notebook with its referee. Seconds
    in which nothing is computed though it could be: in one go in a cell, in one check, in all cells
    together. What was stopped before gets seconds `again`, and who is `interrupted` has so many to
    come to an end. `memory` in bytes, for all of its processes together. `wall` is the end,
    whatever happens.
    """

    cell: float = 40.0
    check: float = 90.0
    notebook: float = 300.0
    asleep: float = 20.0
    asleep_in_check: float = 40.0
    asleep_in_all: float = 60.0
    again: float = 5.0
    interrupted: float = 3.0
    wall: float = 3600.0
    memory: int = 3 * 1024**3


class DeathError(BaseException):
    """The learner's process has ended, or had to be, and no check can go on.

    `is_killed` says that somebody has killed it: itself, or whoever else may, such as a kernel
    that runs out of memory; `ends_all` that nothing more may be run.
    """

    def __init__(self, reason: str, *, is_killed: bool = False, ends_all: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.is_killed, self.ends_all = reason, is_killed, ends_all


class Supervised:
    """The learner's processes of one run of a notebook, of which one lives at a time."""

    def __init__(
        self, requests: socket.socket, budgets: Budgets, tell: Callable[[bool], None]
    ) -> None:
        """`tell` is called when one falls asleep, and when it wakes."""
        self._requests, self._budgets, self._tell = requests, budgets, tell
        # Whether one was stopped for that, be it in a run before.
        self.was_asleep = False
        # What those that have ended had taken, and the present one; and cells that stood still.
        self._before = self.seconds = self._asleep_in_all = 0.0
        self._asleep_most = budgets.asleep_in_all
        # What this process, the referee's, had computed before.
        self._referee_began = time.process_time()
        self.folder: int | None = None

    def start(self, begins_with: int | None) -> None:
        """Begin one, with what lies in an open folder, if there is one. Raises DeathError."""
        (control, of_guard), (mine, theirs) = socket.socketpair(), socket.socketpair()
        handed = [of_guard.fileno(), theirs.fileno()]
        send_descriptors(self._requests, [*handed, *([] if begins_with is None else [begins_with])])
        of_guard.close()
        theirs.close()
        self._control, self._channel = Channel(control), Channel(mine, self._look)
        self._began = self._looked_before = self._looked = time.monotonic()
        self._before, self.seconds = self._before + self.seconds, 0.0
        self._is_told = False
        self.begin_step()
        try:
            begun = {**self._control.receive(), **self._control.receive()}
            (folder,) = receive_descriptors(self._channel.socket) or []
        except (ChannelError, KeyError, ValueError) as error:
            raise DeathError("no process could be started for it") from error
        self._tree = Processes(begun["first"], begun["files"], is_apart=begun["namespaces"])
        # Where its files lie; they are there for as long as somebody has it open.
        self.folder = folder

    def begin_step(self, *, is_check: bool = False, was_stopped: bool = False) -> None:
        """A cell or a test begins: what is asked from now on counts against its budget."""
        self._is_check, self._step, self._asleep = is_check, self.seconds, 0.0
        budgets = self._budgets
        most = budgets.check if is_check else budgets.cell
        self._most = min(most, budgets.again) if was_stopped else most

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Ask it for one thing. Raises DeathError.

        An answer that had to be hurried says why, as `stopped`.
        """
        self._hurried, self._until = "", 0.0
        self._asked = time.monotonic()
        answer = None
        try:
            self._channel.send(message)
            answer = self._channel.receive()
        except GoneError:
            self._die()
        except ChannelError:
            """What came is told below."""
        if type(answer) is not dict:
            self._end("it sent what no cell sends")
        self._say(False)
        # Whoever takes too much at the end takes it here, and not in the next cell.
        self._look_at_memory()
        # It says nothing of that itself.
        return {**answer, "stopped": self._hurried}

    def close(self) -> None:
        """End it all."""
        self._tree.kill()
        self._control.close()
        self._channel.close()
        self._say(False)

    # While an answer is waited for.

    def _look(self) -> None:
        """Has it ended? Has too much been taken? Raises DeathError."""
        before = self.seconds
        is_new = self._look_at_memory()
        if select.select([self._control], [], [], 0)[0]:
            self._die()
        budgets = self._budgets
        if self.seconds - self._step > self._most:
            reason = f"it computed for more than {self._most:.0f} s"
            # What it has started would go on, at the cost of the cells that follow.
            if self._living > 1:
                self._end(reason)
            self._hurry(reason)
        # To look at its answers may take longer than to give them.
        referee = time.process_time() - self._referee_began
        if self._before + self.seconds + referee > budgets.notebook:
            said = f"the notebook computed for more than {budgets.notebook:.0f} s in all"
            self._end(said, ends_all=True)
        if self._looked - self._began > budgets.wall:
            self._end(f"the notebook took more than {budgets.wall:.0f} s", ends_all=True)
        if self._hurried and self._looked > self._until:
            self._end(self._hurried)
        if is_new:
            self._see_whether_it_sleeps(self.seconds - before)

    def _look_at_memory(self) -> bool:
        """Unless that was done just now; gives whether it was not. Raises DeathError."""
        if time.monotonic() - self._looked < PAUSE:
            return False
        most = self._budgets.memory
        self.seconds, memory, self._living, self._states = self._tree.look(most)
        self._looked_before, self._looked = self._looked, time.monotonic()
        if memory > most:
            self._end(f"it took more than {most / 1024**3:.0f} GiB of memory")
        return True

    def _see_whether_it_sleeps(self, computed: float) -> None:
        """It has `computed` for so many seconds since it was looked at."""
        budgets = self._budgets
        passed = self._looked - max(self._looked_before, self._asked)
        # Who would compute and gets no processor is not asleep.
        idle = 0.0 if "R" in self._states else max(passed - computed, 0.0)
        computes = computed >= _ASLEEP * passed
        if computes and not self._is_check:
            self._asleep = 0.0
        elif self._is_check or "D" not in self._states:
            # What a cell imports may come from a slow disk. One may wait so for other things, too:
            # then it is all of it that counts.
            self._asleep += idle
        is_asleep = idle > 0 and not computes and self._asleep > _SPAN
        self._say(is_asleep)
        most = budgets.asleep_in_check
        if not self._is_check:
            # Who computes a part of the time sleeps for the rest of it.
            most, self._asleep_in_all = budgets.asleep, self._asleep_in_all + idle
        most = min(most, budgets.again) if self.was_asleep else most
        if self._asleep_in_all > 2 * budgets.asleep_in_all:
            self._end("it waited again and again for what never came", ends_all=True)
        if self._asleep > most or self._asleep_in_all > self._asleep_most:
            self.was_asleep = True
            self._asleep_most = max(self._asleep_most, self._asleep_in_all + budgets.again)
            self._hurry(WAITED)

    def _say(self, is_asleep: bool) -> None:
        if is_asleep != self._is_told:
            self._is_told = is_asleep
            self._tell(is_asleep)

    # Its end.

    def _hurry(self, reason: str) -> None:
        """Interrupt it, as nbgrader does; who does not hear is ended. Raises DeathError."""
        if not self._hurried:
            self._hurried, self._until = reason, time.monotonic() + self._budgets.interrupted
            with suppress(ChannelError):
                self._control.send("interrupt")

    def _end(self, reason: str, *, ends_all: bool = False) -> NoReturn:
        self.close()
        raise DeathError(reason, ends_all=ends_all)

    def _die(self) -> NoReturn:
        """The process is gone; its guard tells how it ended."""
        # On a busy machine its guard, too, may wait for a processor.
        self._control.socket.settimeout(_PATIENCE)
        try:
            code = int(self._control.receive()["ended"])
        except GoneError:
            code = -signal.SIGKILL
        except ChannelError:
            self._end("it closed the connection by which it is asked")
        self.close()
        # Of an interrupt some end.
        how = f"exit status {code}" if code >= 0 else signal.strsignal(-code)
        reason = self._hurried or f"it ended its own process ({how})"
        raise DeathError(reason, is_killed=code == -signal.SIGKILL and not self._hurried)
