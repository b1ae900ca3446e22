"""A recording of the main thread, cut into slices that are read and thrown away.

What torch's profiler records takes 1.5 to 3.5 KB for each event until it is read. So a slice is
short, and ends where no operation is under way. For that we come into the main thread by one of
Python's pending calls, which are made between two of its instructions, and which a thread of
ours asks for. Recording goes on as long as it tells something new, and then as long again. After
that it looks in now and then.
"""

import _thread
import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

from stridekit.own_code import torch_profiler

# In so many seconds Python can make no more calls than fit into 500 MB.
SLICE = 0.03
# How long until one asks again, where an operation was under way, in seconds.
_AGAIN = 0.01
# Recording goes on for so many operations, at least and at most, after what told something new.
_QUIET_LEAST, _QUIET_MOST = 2_000, 40_000
# Reading may take so many seconds, and so much of the program's time; and that of one slice so
# many, or the next is shorter.
_READING, _READING_SHARE, _READING_ONE = 5.0, 0.2, 0.25
# How long it rests before it looks in, at first in seconds, and at most of the program's time.
_REST, _REST_SHARE = 1.0, 0.1
# The way back of a graph of more nodes could not be cut.
_NODES_MOST = 60_000


class Extent(NamedTuple):
    """How far a recording is: what was watched of what passed, in seconds; and its gaps."""

    watched: float
    passed: float
    gaps: int


class Slice(NamedTuple):
    """How many operations a slice held, whether one was new, and whether one went back."""

    operations: int = 0
    is_new: bool = False
    went_back: bool = False


class Recording:
    """Records the main thread, from `begin` to `end`."""

    def __init__(self, outermost: FrameType, read: Callable[[Any], Slice]) -> None:
        """`read` is given what each slice recorded."""
        self._outermost, self._read = outermost, read
        # How long reading took: on the clock, and of the processor.
        self._reading = self._cost = 0.0
        self._watched = self._wakes_at = 0.0
        # When the slice began, and when it was muted; 0 if it was not.
        self._since = self._muted = 0.0
        self._is_on = self._is_busy = self._is_asked = self._is_over = False
        # Garbage may be collected anywhere, and then Python runs there.
        self._is_collecting = False
        self._gaps = self._operations = self._new_at = self._nodes = 0
        self._rest, self._last = _REST, _READING_ONE
        self.failed: Exception | None = None

    def begin(self) -> None:
        """Begin to record."""
        self._began, self._nodes = time.perf_counter(), torch_profiler.nodes_made()
        self._start()
        _recording.append(self)
        # Others may have callbacks of their own: ours are the first and the last.
        gc.callbacks.insert(0, self._collects)
        gc.callbacks.append(self._collected)
        _thread.start_new_thread(self._ask, ())

    def end(self) -> None:
        """End, and leave everything as it was before."""
        self._is_busy = self._is_over = True
        try:
            self._stop()
        finally:
            _recording.clear()
            gc.callbacks.remove(self._collects)
            gc.callbacks.remove(self._collected)

    def flush(self) -> Extent:
        """Read what was recorded until now, and go on. Somebody may be new to it."""
        self._is_busy = True
        try:
            self._stop()
            extent, self._new_at = self.extent, self._operations
            self._start()
        finally:
            self._is_busy = False
        return extent

    @property
    def extent(self) -> Extent:
        """How far it is, up to the end of the last slice."""
        passed = time.perf_counter() - self._began - self._reading
        return Extent(self._watched, passed, self._gaps)

    def forked(self) -> None:
        """In a process that was forked while it was on: nobody will read what it records."""
        if self._is_on:
            torch_profiler.mute()
        self._is_on, self._is_over = False, True

    def _ask(self) -> None:
        """What the thread of ours does: now and then, ask to be let into the main thread."""
        while not self._is_over:
            remains = self._wakes_at - time.perf_counter()
            if remains > 0 or self._is_asked:
                time.sleep(min(max(remains, _AGAIN), _REST / 4))
                continue
            self._is_asked = True
            ctypes.pythonapi.Py_AddPendingCall(_IS_TRUE, _VISITOR)

    def visit(self, frame: FrameType | None) -> None:
        """Come into the main thread, between two instructions of a frame."""
        if self._is_busy or self._is_over or time.perf_counter() < self._wakes_at:
            self._is_asked = False
            return
        self._is_busy = True
        self._wakes_at = time.perf_counter() + _AGAIN
        try:
            if self._is_collecting or (frame and frame.f_code is _COLLECTS):
                return
            if torch_profiler.between_operations(frame, self._outermost):
                if self._is_on:
                    self._cut()
                else:
                    self._nodes = torch_profiler.nodes_made()
                    self._start()
            elif self._is_on and torch_profiler.is_compiling(frame, self._outermost):
                self._mute()
        finally:
            self._is_busy = self._is_asked = False

    def _collects(self, phase: str, _: object) -> None:
        if phase == "start":
            self._is_collecting = True

    def _collected(self, phase: str, _: object) -> None:
        if phase == "stop":
            self._is_collecting = False

    def _cut(self) -> None:
        self._stop()
        quiet = self._operations - self._new_at
        passed = time.perf_counter() - self._began
        told = quiet <= min(max(self._new_at, _QUIET_LEAST), _QUIET_MOST)
        if told and self._cost <= _READING + _READING_SHARE * passed:
            self._start()
            return
        self._gaps += 1
        self._wakes_at = time.perf_counter() + max(self._rest, self._last / _READING_SHARE)
        self._rest = min(2 * self._rest, max(_REST, _REST_SHARE * passed))

    def _start(self) -> None:
        grown = torch_profiler.nodes_made() - self._nodes
        if self.failed or grown > _NODES_MOST:
            self._wakes_at = float("inf")
            return
        torch_profiler.start()
        self._is_on, self._muted, self._since = True, 0.0, time.perf_counter()
        self._wakes_at = self._since + SLICE * min(1.0, _READING_ONE / max(self._last, 0.001))

    def _mute(self) -> None:
        if not self._muted:
            torch_profiler.mute()
            self._muted = time.perf_counter()
            self._gaps += 1

    def _stop(self) -> None:
        """Stop, and read what there is. A fault in reading is no fault of the program."""
        if not self._is_on:
            return
        stopped, busy = time.perf_counter(), time.thread_time()
        self._is_on = False
        recorded = torch_profiler.stop()
        self._watched += (self._muted or stopped) - self._since
        told = Slice()
        try:
            told = self._read(recorded)
        except Exception as error:  # noqa: BLE001 - whatever it is, the user's code goes on
            self.failed = error
        self._operations += told.operations
        if told.is_new:
            self._new_at, self._rest = self._operations, _REST
        if told.went_back:
            self._nodes = torch_profiler.nodes_made()
        self._last = time.thread_time() - busy
        self._cost += self._last
        self._reading += time.perf_counter() - stopped


class _Visitor:
    """Whether it is true is asked by a pending call. It is not, but who asks lets us in.

    What we raise, or what a handler of signals raises meanwhile, goes on in the frame that runs.
    """

    def __bool__(self) -> bool:
        for each in _recording:
            each.visit(sys._getframe(1))
        return False


_COLLECTS = Recording._collects.__code__
_recording: list[Recording] = []
_visitor = _Visitor()
_VISITOR = ctypes.c_void_p(id(_visitor))
_IS_TRUE = ctypes.cast(ctypes.pythonapi.PyObject_IsTrue, ctypes.c_void_p)


def _forked() -> None:
    for each in _recording:
        each.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
