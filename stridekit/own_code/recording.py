"""A recording of the main thread, cut into slices that are read and thrown away.

What torch's profiler records takes 1.5 to 3.5 KB for each event until it is read. So a slice is
short, and ends where no operation is under way. For that we come into the main thread by one of
Python's pending calls, which are made between two of its instructions, and which a thread of
ours asks for.
"""

import _thread
import atexit
import ctypes
import gc
import os
import sys
import threading
import time
from types import FrameType
from typing import Any

from stridekit.own_code import torch_profiler
from stridekit.own_code.copies import Reader
from stridekit.own_code.places import CodeLine
from stridekit.own_code.seen import Extent, Seen

# A slice takes so many seconds. In twice as many Python makes no more calls than fit into 350 MB,
# where one that is recorded takes 0.13 µs.
SLICE = 0.01
# It may take six times as long where operations are large: there its begin and end cost more than
# what it records. One tells by the thread that asks, which gets in while one works. Python's calls
# keep it out for longer than this, in seconds, each time; others that take the processor, at times.
_LONGEST, _KEPT_OUT, _KEPT_OUT_MOST = 6, 0.004, 2
# How long until one asks again, where an operation was under way, or a function began, in seconds.
_AGAIN = 0.003
# Slices that told nothing new may take so many seconds of work to read, and so much of the main
# thread's work. Then it rests, and has a look.
_READING, _READING_SHARE = 0.3, 0.05
# The way back of a graph of more nodes could not be cut.
_NODES_MOST = 60_000
# What cannot be cut is muted after so many seconds.
_LATE = 0.035


class Recording:
    """Records the main thread from now on, until the last watch that is open is closed."""

    # Whether the last slice, of whatever recording, took longer to read than to record.
    _was_dense = False

    def __init__(self, outermost: FrameType) -> None:
        """What runs outside of the outermost frame does not matter."""
        self._outermost: FrameType | None = outermost
        code, line = outermost.f_code, outermost.f_lineno
        self._reader = Reader(CodeLine(code.co_filename, line, code.co_name, line))
        # The inner ones last; and those that were closed in another thread.
        self._open: list[Seen] = []
        self._leaving: list[Seen] = []
        # How long all reading took, and that of what told nothing new.
        self._reading = self._idle_reading = 0.0
        self._watched = self._wakes_at = 0.0
        # When it began; when the slice did, and when that was muted: 0 if it was not.
        self._began, self._since, self._muted = time.perf_counter(), 0.0, 0.0
        # When the slice was last seen to be small; how often on end who asks was kept out.
        self._small, self._kept_out = 0.0, 0
        # What work the thread had done when it began, and when the slice did.
        self._began_at_work = self._since_at_work = time.thread_time()
        self._is_on = self._goes_on = False
        self._is_busy = True
        # Whether a slice was read, and told one of the watches something new.
        self._is_read = self._is_new = False
        self._gaps = self._taken = self._collections = self._refused = 0
        # How many nodes autograd had made when the slice ended, and when it had last gone back.
        self._nodes = self._nodes_gone = torch_profiler.nodes_made()
        # What a slice recorded, until it is read; and whether that is wanted.
        self._recorded: list[Any] = []
        self._wanted = _thread.allocate_lock()
        self._wanted.acquire()
        self._failed: BaseException | None = None
        self.is_forked = False

    def enter(self) -> Seen:
        """Another watch is opened: what comes from now on is told to it, too."""
        try:
            if not under_way:
                under_way.append(self)
                _Visitor.is_asked = False
                # Others may have callbacks of their own: ours are the first and the last.
                gc.callbacks.insert(0, self)
                gc.callbacks.append(self)
                _thread.start_new_thread(self._ask, ())
            self._read_until_now(goes_on=True)
        except BaseException:
            if not self._open:
                self._read_until_now(goes_on=False)
            raise
        self._open.append(Seen(self._extent))
        return self._open[-1]

    def leave(self, seen: Seen) -> None:
        """A watch is closed: what was recorded until now is its last. The last one ends it all."""
        if self.is_forked or seen not in self._open:
            return
        if threading.current_thread() is not threading.main_thread():
            # The main one does it, soon.
            self._leaving.append(seen)
            self._wakes_at = 0.0
            return
        try:
            self._read_until_now(goes_on=len(self._open) > 1)
        finally:
            self._open.remove(seen)
            seen.closed(self._extent, self._reader, self._failed)

    def forked(self) -> None:
        """In a process that was forked while it was on: nobody will read what it records."""
        if self._is_on:
            torch_profiler.mute()
        self._is_on, self.is_forked = False, True

    def visit(self, frame: FrameType | None) -> None:
        """Come into the main thread, between two instructions of a frame."""
        now = time.perf_counter()
        if self._is_busy or self.is_forked or now < self._wakes_at:
            return
        self._is_busy = True
        try:
            # Garbage may be collected anywhere, and then Python runs there: four callbacks each.
            if self._collections % 4:
                self._wakes_at = now + _AGAIN
            elif not torch_profiler.between_operations(frame, self._outermost):
                self._refuse(now)
            elif self._is_small():
                self._small, self._wakes_at = now, now + SLICE
            else:
                self._cut()
            while self._leaving:
                self.leave(self._leaving.pop())
        finally:
            self._is_busy = False

    @property
    def _extent(self) -> Extent:
        passed = time.perf_counter() - self._began - self._reading
        steps, unseen = len(self._reader.steps), self._reader.unseen
        return Extent(self._watched, passed, self._gaps, self._taken, steps, unseen)

    def _ask(self) -> None:
        """What the thread of ours does: ask to be let into the main thread; read what is there."""
        while self in under_way:
            if sys.getprofile():
                # Each slice would record this thread, too.
                sys.setprofile(None)
            remains, is_asked = self._wakes_at - time.perf_counter(), _Visitor.is_asked
            if remains <= 0 and _visitors and not is_asked and not self._is_busy:
                _Visitor.is_asked = True
                if ctypes.pythonapi.Py_AddPendingCall(_SORT, _VISITORS):
                    # As many calls are pending as there may be.
                    _Visitor.is_asked = False
            # Who asked before, and waits for a large operation to end, looks less often.
            wait = SLICE / 2 if is_asked else min(max(remains, 0.002), 0.25)
            until = time.perf_counter() + wait
            if self._wanted.acquire(timeout=wait):
                self._read_apart()
            is_late = time.perf_counter() - until > _KEPT_OUT
            self._kept_out = is_late * (self._kept_out + 1)

    def _read_until_now(self, goes_on: bool) -> None:
        """Read what was recorded until now; then go on, or leave everything as it was before."""
        self._is_busy, self._goes_on = True, goes_on
        try:
            self._stop()
        finally:
            # If what was raised, such as by Ctrl-C, left something to be done.
            self._stop()
            if goes_on:
                self._start()
                self._is_busy = False
            else:
                under_way.clear()
                gc.callbacks[:] = [each for each in gc.callbacks if each != self]
                # The thread that asks has us a while longer, and its end is no place for tensors.
                self._outermost = None

    def _is_small(self) -> bool:
        """Whether so little was recorded that the slice may go on."""
        return (
            self._is_on
            and not self._muted
            and time.thread_time() - self._since_at_work < (_LONGEST - 1) * SLICE
            and not Recording._was_dense
            and self._kept_out < _KEPT_OUT_MOST
        )

    def _cut(self) -> None:
        """Go on with another slice, or rest; after a rest, have a look."""
        if not self._is_on:
            self._nodes_gone = torch_profiler.nodes_made()
        self._stop()
        # Where other programs take the processor, more time passes, and no more work is done.
        worked = time.thread_time() - self._began_at_work
        rest = (self._idle_reading - _READING) / _READING_SHARE - worked
        if torch_profiler.nodes_made() - self._nodes_gone > _NODES_MOST:
            rest = self._extent.passed
        if self._failed:
            self._wakes_at = float("inf")
        elif rest > 0:
            self._gaps += 1
            self._wakes_at = time.perf_counter() + rest
        else:
            self._start()

    def _refuse(self, now: float) -> None:
        """Where nothing can be cut, try again; late and not for the first time, record no more.

        So what takes long itself, such as a way back, is recorded with what it calls, up to a
        point; but not all of a recursion, in which one always comes in where a function begins,
        nor of a compiler, which calls Python millions of times.
        """
        self._refused += 1
        self._wakes_at = now + _AGAIN
        # Python's calls alone are soon many.
        late = 2 * SLICE if self._kept_out >= _KEPT_OUT_MOST else _LATE
        is_late = self._refused > 1 and now - self._small > late
        if is_late and self._is_on and not self._muted and torch_profiler.is_ours():
            self._nodes = torch_profiler.nodes_made()
            torch_profiler.mute()
            self._muted = time.perf_counter()
            self._gaps += 1

    def __call__(self, *_: object) -> None:
        """Python looks for garbage, or has done so."""
        self._collections += 1

    torch_profiler.leave_uncompiled(__call__)

    def _start(self) -> None:
        if torch_profiler.is_taken():
            self._taken += 1
            self._wakes_at = time.perf_counter() + SLICE
            return
        if torch_profiler.nodes_made() != self._nodes:
            # Something ran that was not recorded.
            self._reader.steps.append(None)
        # On before it begins: what is raised meanwhile, such as by Ctrl-C, leaves it to be ended.
        self._is_on, self._muted, self._refused = True, 0.0, 0
        self._since = time.perf_counter()
        try:
            torch_profiler.start()
        except BaseException:
            self._is_on = torch_profiler.is_ours()
            raise
        self._since = self._small = time.perf_counter()
        self._since_at_work = time.thread_time()
        self._wakes_at, self._kept_out = self._since + SLICE, 0

    def _stop(self) -> None:
        """Stop, and read what there is. A fault in reading is no fault of the program.

        What is raised meanwhile, such as by Ctrl-C, leaves the rest for the next time.
        """
        stopped, worked = time.perf_counter(), time.process_time()
        if self._is_on and not torch_profiler.is_ours():
            # Somebody else opened a profiler, and has ended this recording.
            self._is_on = False
            self._gaps += 1
            self._taken += 1
            torch_profiler.drop()
        elif self._is_on:
            if not self._muted:
                self._nodes = torch_profiler.nodes_made()
            try:
                torch_profiler.stop(self._recorded)
            finally:
                self._is_on = not self._recorded
                self._watched += (self._muted or stopped) - self._since if self._recorded else 0.0
        if self._recorded:
            try:
                self._read()
            finally:
                took = time.perf_counter() - stopped
                Recording._was_dense = took > (self._muted or stopped) - self._since
                self._reading += took
                self._idle_reading += 0.0 if self._is_new else time.process_time() - worked

    def _read(self) -> None:
        """Read in the thread of ours: the program's modes are not there, nor do its signals come.

        What is raised here meanwhile, such as by Ctrl-C, is raised once all is read.
        """
        raised = list[BaseException]()
        self._is_read = self._is_new = False
        # A new one each time: what is done may be seen before it is said.
        self._done = _thread.allocate_lock()
        self._done.acquire()
        self._wanted.release()
        while not self._is_read:
            try:
                self._done.acquire()
            except BaseException as error:  # noqa: BLE001 - it is raised below
                raised.append(error)
        if raised:
            # Held by no name of this frame: it would hold all frames, until garbage is looked for.
            raise raised.pop()

    def _read_apart(self) -> None:
        done = self._done
        try:
            # It is taken out, so that it is gone when its time is counted.
            for row in self._reader.read(self._recorded.pop(), self._nodes, self._goes_on):
                for seen in self._open:
                    self._is_new |= seen.add(row)
            if self._reader.went_back:
                self._nodes_gone = self._nodes
        except BaseException as error:  # noqa: BLE001 - whatever it is, the user's code goes on
            # Its frames hold what was recorded.
            self._failed = error.with_traceback(None)
        finally:
            self._is_read = True
            done.release()


class _Visitor:
    """Which of two is less is asked by a pending call, which sorts them. It lets us in.

    What a handler of signals raises meanwhile goes on in the frame that runs.
    """

    # Whether such a call waits to be made.
    is_asked = False

    def __lt__(self, _: object) -> bool:
        _Visitor.is_asked = False
        try:
            for each in under_way:
                each.visit(sys._getframe(1))
        except RecursionError:
            # The program has opened as many frames as Python lets it. Ask again.
            pass
        return False

    torch_profiler.leave_uncompiled(__lt__)


# At most one, for torch has one profiler.
under_way: list[Recording] = []
# While C sorts a list, it is empty: so one sees from outside whether the call is over. While one is
# made and another waits, Python 3.11 enters no function that is traced, and goes round and round.
_visitors = [_Visitor(), _Visitor()]
_VISITORS = ctypes.c_void_p(id(_visitors))
_SORT = ctypes.cast(ctypes.pythonapi.PyList_Sort, ctypes.c_void_p)


def _forked() -> None:
    # The thread that forked is the only one there.
    torch_profiler.own_thread.cache_clear()
    for each in under_way:
        each.forked()


@atexit.register
def _at_exit() -> None:
    # Afterwards no thread of ours runs any more, and what is still open, such as in a generator,
    # could not be closed.
    for each in under_way[:]:
        for seen in each._open[::-1]:
            each.leave(seen)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
