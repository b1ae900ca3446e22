"""A recording of the main thread, cut into slices that are read and thrown away.

What torch's profiler records takes 1.5 to 3.5 KB for each event until it is read. So a slice is
short, and ends where no operation is under way. For that we come into the main thread by one of
Python's pending calls, which are made between two of its instructions, and which a thread of
ours asks for.
"""

import _thread
import ctypes
import gc
import os
import sys
import time
from types import FrameType
from typing import Any, NamedTuple

from stridekit.own_code import torch_profiler

# In twice so many seconds Python can make no more calls than fit into 350 MB.
SLICE = 0.02
# How long until one asks again, where an operation was under way, or a function began, in seconds.
_AGAIN, _SOON = 0.01, 0.002
# Slices that told nothing new may take so many seconds to read, and so much of the program's
# time. Then it rests, at most so many seconds, or so much of that time, and has a shorter look.
_READING, _READING_SHARE = 0.4, 0.05
_REST, _REST_SHARE = 1.0, 0.1
_LOOK = 0.3 * SLICE
# The way back of a graph of more nodes could not be cut.
_NODES_MOST = 60_000


class Extent(NamedTuple):
    """How far a recording is: what was watched of what passed, in seconds; and its gaps.

    `taken` counts those in which another profiler was open.
    """

    watched: float
    passed: float
    gaps: int
    taken: int


class Recording:
    """Records the main thread, from `begin` to `end`."""

    def __init__(self, outermost: FrameType) -> None:
        """What runs outside of the outermost frame does not matter."""
        self._outermost = outermost
        # How long all reading took on the clock, and that of what told nothing new, of the
        # processor.
        self._reading = self._idle_reading = 0.0
        self._watched = self._wakes_at = 0.0
        # When the slice began, and when it was muted; 0 if it was not.
        self._since = self._muted = 0.0
        self._is_on = self._is_busy = self._is_asked = self._is_over = False
        self._gaps = self._taken = self._nodes = self._collections = 0
        # How often one came in where a function began.
        self._begun = 0
        # How many nodes autograd had made when the slice ended.
        self.nodes = 0
        # What a slice recorded, until it is read.
        self._recorded: list[Any] = []
        self.failed: Exception | None = None
        self.is_forked = False

    def read(self, recorded: Any) -> bool:
        """Read what a slice recorded; whether it told something new."""
        raise NotImplementedError

    def begin(self) -> None:
        """Begin to record."""
        self._began, self._nodes = time.perf_counter(), torch_profiler.nodes_made()
        self._start(SLICE)
        # Others may have callbacks of their own: ours are the first and the last.
        gc.callbacks.insert(0, self._collects)
        gc.callbacks.append(self._collects)
        _thread.start_new_thread(self._ask, ())

    def end(self) -> None:
        """End, and leave everything as it was before."""
        self._is_busy = self._is_over = True
        try:
            self._stop()
        finally:
            # If what was raised, such as by Ctrl-C, left something to be done.
            self._stop()
            gc.callbacks[:] = [each for each in gc.callbacks if each != self._collects]

    def flush(self) -> None:
        """Read what was recorded until now, and go on."""
        self._is_busy = True
        try:
            self._stop()
            self._start(SLICE)
        finally:
            self._is_busy = False

    @property
    def extent(self) -> Extent:
        """How far it is, up to the end of the last slice."""
        passed = time.perf_counter() - self._began - self._reading
        return Extent(self._watched, passed, self._gaps, self._taken)

    def way_back_seen(self) -> None:
        """A graph was gone back through, and its nodes are no more."""
        self._nodes = self.nodes

    def forked(self) -> None:
        """In a process that was forked while it was on: nobody will read what it records."""
        if self._is_on:
            torch_profiler.mute()
        self._is_on, self._is_over, self.is_forked = False, True, True

    def visit(self, frame: FrameType | None) -> None:
        """Come into the main thread, between two instructions of a frame."""
        if self._is_busy or self._is_over or time.perf_counter() < self._wakes_at:
            self._is_asked = False
            return
        self._is_busy, now = True, time.perf_counter()
        # Where a function begins, the next instruction would do; in a recursion there is none. Once
        # it may have been called by what took long itself, such as a fork.
        begins = torch_profiler.is_beginning(frame)
        self._begun += begins
        is_late = begins and self._begun > 1 and now > self._since + 1.5 * SLICE
        self._wakes_at = now + (_SOON if begins else _AGAIN)
        try:
            # Garbage may be collected anywhere, and then Python runs there: four callbacks each.
            if self._collections % 4:
                return
            if torch_profiler.between_operations(frame, self._outermost):
                self._cut()
            elif is_late or torch_profiler.is_compiling(frame, self._outermost):
                self._mute()
        finally:
            self._is_busy = self._is_asked = False

    def wake(self) -> None:
        """Come into the main thread soon."""
        self._wakes_at = 0.0

    def _ask(self) -> None:
        """What the thread of ours does: now and then, ask to be let into the main thread."""
        while not self._is_over:
            remains = self._wakes_at - time.perf_counter()
            if remains <= 0 and not self._is_asked:
                self._is_asked = True
                if ctypes.pythonapi.Py_AddPendingCall(_IS_TRUE, _VISITOR):
                    # As many calls are pending as there may be.
                    self._is_asked = False
            time.sleep(min(max(remains, _SOON), 0.25))

    def _cut(self) -> None:
        """Go on with another slice, or rest; after a rest, have a look."""
        rested, rest = not self._is_on, 0.0
        self._stop()
        passed = self.extent.passed
        if not rested:
            rest = (self._idle_reading - _READING) / _READING_SHARE - passed
            if torch_profiler.nodes_made() - self._nodes > _NODES_MOST:
                rest = passed
        if self.failed:
            self._wakes_at = float("inf")
        elif rest > 0:
            self._gaps += 1
            self._wakes_at = time.perf_counter() + min(rest, max(_REST, _REST_SHARE * passed))
        else:
            self._start(SLICE if self._idle_reading < _READING else _LOOK)

    def _collects(self, *_: object) -> None:
        self._collections += 1

    def _start(self, seconds: float) -> None:
        if torch_profiler.is_taken():
            self._taken += 1
            self._wakes_at = time.perf_counter() + seconds
            return
        # On before it begins: what is raised meanwhile, such as by Ctrl-C, leaves it to be ended.
        self._is_on, self._muted, self._since = True, 0.0, time.perf_counter()
        self._begun = 0
        torch_profiler.start()
        self._since = time.perf_counter()
        self._wakes_at = self._since + seconds

    def _mute(self) -> None:
        if self._is_on and not self._muted and torch_profiler.is_ours(muted=False):
            torch_profiler.mute()
            self._muted = time.perf_counter()
            self._gaps += 1

    def _stop(self) -> None:
        """Stop, and read what there is. A fault in reading is no fault of the program.

        What is raised meanwhile, such as by Ctrl-C, leaves the rest for the next time.
        """
        stopped, busy = time.perf_counter(), time.thread_time()
        if self._is_on:
            self.nodes = torch_profiler.nodes_made()
            if not torch_profiler.is_ours(muted=self._muted > 0):
                # Somebody else opened a profiler, and has ended this recording.
                self._is_on = False
                self._gaps += 1
                self._taken += 1
                torch_profiler.drop()
                return
            try:
                torch_profiler.stop(self._recorded)
            finally:
                self._is_on = not self._recorded
                self._watched += (self._muted or stopped) - self._since if self._recorded else 0.0
        elif not self._recorded:
            self._nodes = torch_profiler.nodes_made()
        if self._recorded:
            try:
                self._read_apart(time.thread_time() - busy)
            finally:
                self._reading += time.perf_counter() - stopped

    def _read_apart(self, busy: float) -> None:
        """Read in another thread: the program's modes are not there, nor do its signals come.

        It took `busy` seconds to get what was recorded. What is raised here meanwhile, such as by
        Ctrl-C, is raised once all is read.
        """
        done, is_read = _thread.allocate_lock(), False

        def work() -> None:
            nonlocal is_read
            is_new = False
            try:
                # It is taken out, so that it is gone when its time is counted.
                is_new = self.read(self._recorded.pop())
            except Exception as error:  # noqa: BLE001 - whatever it is, the user's code goes on
                # Its frames hold what was recorded.
                self.failed = error.with_traceback(None)
            finally:
                if not is_new:
                    self._idle_reading += busy + time.thread_time()
                is_read = True
                done.release()

        raised: BaseException | None = None
        done.acquire()
        _thread.start_new_thread(work, ())
        while True:
            try:
                # It may be raised when the lock is ours already.
                while not is_read:
                    done.acquire()
                break
            except BaseException as error:  # noqa: BLE001 - it is raised below
                raised = error
        if raised is not None:
            raise raised


class _Visitor:
    """Whether it is true is asked by a pending call. It is not, but who asks lets us in.

    What we raise, or what a handler of signals raises meanwhile, goes on in the frame that runs.
    """

    def __bool__(self) -> bool:
        for each in under_way:
            each.visit(sys._getframe(1))
        return False


# At most one, for torch has one profiler.
under_way: list[Any] = []
_visitor = _Visitor()
_VISITOR = ctypes.c_void_p(id(_visitor))
_IS_TRUE = ctypes.cast(ctypes.pythonapi.PyObject_IsTrue, ctypes.c_void_p)


def _forked() -> None:
    for each in under_way:
        each.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
