"""A learner's process as its referee sees it: asked one thing at a time, and killed in time."""

import json
import select
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stridekit_grading.sandbox.channel import LONGEST, Channel, ChannelError, pair, send_descriptors

# How often somebody looks at what is taken, in seconds.
_SOON, _LATER = 0.05, 0.25
# How long a guard is waited for whose process has ended, in seconds.
_PATIENCE = 60
_UNKNOWN = "an unknown end"
_HEADER = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a cell, a test and a notebook may take: seconds of processor time, and on the wall.

    `memory` in bytes, for all processes of a notebook together.
    """

    cell: float = 60.0
    cell_wall: float = 300.0
    notebook: float = 180.0
    notebook_wall: float = 900.0
    memory: int = 3 * 1024**3


class DeathError(Exception):
    """The learner's process has ended, or had to be.

    `starved` says that it was not its fault, `is_killed` that somebody has killed it: itself, or
    whoever else may, such as a kernel that runs out of memory.
    """

    def __init__(self, reason: str, *, starved: bool = False, is_killed: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.starved, self.is_killed = reason, starved, is_killed


class Supervised:
    """A learner's process."""

    def __init__(
        self,
        requests: socket.socket,
        budgets: Budgets,
        spent: float = 0.0,
        answer_to: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        """`spent` is the processor time that earlier processes of the notebook took."""
        self._budgets, self._spent, self._answer_to = budgets, spent, answer_to
        mine, theirs = pair()
        control, guards = pair()
        send_descriptors(requests, [theirs.fileno(), guards.fileno()])
        theirs.close()
        guards.close()
        self._channel, self._control = Channel(mine), Channel(control)
        self._buffer = memoryview(bytearray(1 << 18))
        self._began = self._looked = time.monotonic()
        self.seconds = 0.0
        self.peak = 0
        self._step = self._began, self.seconds
        try:
            self.namespaces = bool(self._control.receive()["namespaces"])
        except (ChannelError, KeyError, TypeError) as error:
            raise DeathError("no process could be started for it", starved=True) from error

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Ask for one thing, and wait for the answer. Raises DeathError."""
        answer = self._exchange(message)
        while "callback" in answer and self._answer_to is not None:
            answer = self._exchange(self._answer_to(answer))
        return answer

    def begin_step(self) -> None:
        """A cell or a test begins: what is asked from now on counts against its budget."""
        self._step = time.monotonic(), self.seconds

    def close(self) -> None:
        """End it."""
        self._control.close()
        self._channel.close()

    def _exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps(message, separators=(",", ":")).encode()
        out = memoryview(_HEADER.pack(len(body)) + body)
        received = bytearray()
        patience = _SOON
        sockets = self._channel.socket
        sockets.setblocking(False)
        while True:
            ready, writable, _ = select.select(
                [self._channel, self._control], [self._channel] if out else [], [], patience
            )
            # Not in pauses alone: somebody may leave none.
            if (not ready and not writable) or time.monotonic() - self._looked > _LATER:
                self._look()
                patience = min(2 * patience, _LATER)
            try:
                if writable:
                    out = out[sockets.send(out[: 1 << 18]) :]
                if self._channel in ready:
                    length = sockets.recv_into(self._buffer)
                    if not length:
                        self._die()
                    received += self._buffer[:length]
                    whole = _message_in(received)
                    if whole is not None:
                        return whole
                elif self._control in ready:
                    self._die()
            except BlockingIOError:
                continue
            except OSError:
                self._die()

    def _look(self) -> None:
        """Has too much been taken? Raises DeathError."""
        began, before = self._step
        try:
            self._control.send({"do": "usage"})
            told = self._control.receive()
        except ChannelError:
            self._die()
        if "usage" not in told:
            self._die(told)
        self.seconds, memory, _ = told["usage"]
        self._looked = time.monotonic()
        self.peak = max(self.peak, memory)
        budgets, now = self._budgets, time.monotonic()
        if memory > budgets.memory:
            self._kill(f"it took more than {budgets.memory / 1024**3:.0f} GiB of memory")
        if self.seconds - before > budgets.cell:
            self._kill(f"it computed for more than {budgets.cell:.0f} s")
        if self._spent + self.seconds > budgets.notebook:
            self._kill(f"the notebook computed for more than {budgets.notebook:.0f} s in all")
        # Somebody who sleeps is not starved, but who is to tell? He is tried again, alone.
        if now - began > budgets.cell_wall:
            self._kill(f"it took more than {budgets.cell_wall:.0f} s", starved=True)
        if now - self._began > budgets.notebook_wall:
            self._kill(f"the notebook took more than {budgets.notebook_wall:.0f} s", starved=True)

    def _kill(self, reason: str, *, starved: bool = False) -> None:
        self.close()
        raise DeathError(reason, starved=starved)

    def _die(self, told: Any = None) -> None:
        """The process is gone; its guard knows how it ended."""
        try:
            while told is None or "ended" not in told:
                # On a busy machine its guard, too, may wait for a processor.
                self._control.socket.settimeout(_PATIENCE)
                told = self._control.receive()
            how = str(told["ended"])
        except (ChannelError, OSError):
            how = _UNKNOWN
        self.close()
        reason = f"it ended its own process ({_in_words(how)})"
        raise DeathError(reason, is_killed=how in ("SIGKILL", _UNKNOWN))


_IN_WORDS = {
    "SIGSEGV": "a segmentation fault",
    "SIGABRT": "it aborted",
    "SIGKILL": "it was killed",
    "exit status 0": "it exited",
}


def _in_words(how: str) -> str:
    return _IN_WORDS.get(how, how)


def _message_in(received: bytearray) -> dict[str, Any] | None:
    """The one message, once it is whole. Raises DeathError for what is none."""
    if len(received) < _HEADER.size:
        return None
    (length,) = _HEADER.unpack(received[: _HEADER.size])
    if length > LONGEST or len(received) > length + _HEADER.size:
        raise DeathError("it sent what no cell sends")
    if len(received) < length + _HEADER.size:
        return None
    try:
        message = json.loads(received[_HEADER.size :])
    except (ValueError, RecursionError) as error:
        raise DeathError("it sent what no cell sends") from error
    if type(message) is not dict:
        raise DeathError("it sent what no cell sends")
    return message
