"""`watch`: which lines copied, in torch code that runs inside of a `with` block."""

import sys
import threading
from types import FrameType
from typing import Any

from stridekit.errors import WatchError
from stridekit.own_code import torch_profiler
from stridekit.own_code.copies import Reader
from stridekit.own_code.places import CodeLine, is_of_torch
from stridekit.own_code.recording import Recording, under_way
from stridekit.own_code.seen import Seen


class Watch:
    """What `watch()` gives: a context manager. Each time it is entered, it gives a new `Seen`."""

    def __init__(self) -> None:
        self._open: list[Seen] = []

    def __enter__(self) -> Seen:
        self._open.append(_open(_calling(sys._getframe(1))))
        return self._open[-1]

    def __exit__(self, *error: object) -> None:
        _close(self._open.pop())


def watch() -> Watch:
    """Watch torch code: which lines copied, how long it took, how many bytes, and why.

    `with sk.watch() as seen:` goes round any code, a model's way forward and back too. It takes
    no part in it: torch's profiler writes down what happens. Afterwards `print(seen)` is a
    table, and `seen` in a notebook is one too; `seen.copies` and `seen.to_dicts()` are data.
    Bytes count what was written: elements x itemsize.

    A long program is watched as long as it tells something new, in at most 500 MB, and the
    table says what was watched. It sees the main thread. It cannot see what a kernel does inside
    of itself, what NumPy does, or other threads and processes, such as a DataLoader's workers.

    Raises WatchError in other threads, and where another profiler is open.

    >>> import torch
    >>> x = torch.arange(8).view(2, 4)
    >>> with sk.watch() as seen:
    ...     y = x.t().reshape(8)
    >>> [(row.call, row.bytes) for row in seen.copies]
    [('reshape', 64)]
    >>> seen.copies[0].why
    'reshape crosses the seam between dims 0 and 1: stride[0] is 1, and to merge they need \
2 × 4 = 8'

    Source: torch/csrc/autograd/profiler_kineto.cpp, as `torch.profiler` uses it.
    """
    return Watch()


class _Session(Recording):
    """All watches that are open, the inner ones last, over one recording."""

    def __init__(self, frame: FrameType) -> None:
        super().__init__(frame)
        code, line = frame.f_code, frame.f_lineno
        self.reader = Reader(CodeLine(code.co_filename, line, code.co_name, line))
        self.open: list[Seen] = []
        # Those that were closed in another thread, until the main one is at hand.
        self.leaving: list[Seen] = []

    def visit(self, frame: FrameType | None) -> None:
        """Come into the main thread, where alone a recording may end."""
        super().visit(frame)
        while self.leaving and not self._is_busy:
            _close(self.leaving.pop())

    def read(self, recorded: Any) -> bool:
        """Tell a slice to all that are open; whether it told one of them something new."""
        is_new = False
        for row in self.reader.read(recorded, self.nodes):
            for seen in self.open:
                is_new |= seen.add(row)
        if self.reader.went_back:
            self.way_back_seen()
        return is_new


def _open(frame: FrameType) -> Seen:
    refusal = _refusal()
    if refusal:
        raise WatchError(f"watch(){refusal}")
    if under_way:
        under_way[0].flush()
    else:
        session = _Session(frame)
        session.begin()
        under_way.append(session)
    session = under_way[0]
    seen = Seen(session.extent, session.reader)
    session.open.append(seen)
    return seen


def _close(seen: Seen) -> None:
    session = under_way[0]
    if session.is_forked:
        return
    if threading.current_thread() is not threading.main_thread():
        session.leaving.append(seen)
        session.wake()
        return
    try:
        if len(session.open) > 1:
            session.flush()
        else:
            under_way.clear()
            session.end()
    finally:
        session.open.remove(seen)
        seen.closed(session.extent, session.reader, session.failed)


def _refusal() -> str:
    """Where no watch can open, where that is, and why; else nothing."""
    thread, lacking = threading.current_thread(), torch_profiler.lacking()
    if lacking:
        return f": {lacking}"
    if thread is not threading.main_thread():
        return (
            f" in thread {thread.name!r}: a recording has to be cut from within its thread, "
            "and Python lets nobody into any but the main one. Open it there."
        )
    if under_way and under_way[0].is_forked:
        return (
            " in a process that was forked inside of another watch: torch's profiler does "
            "not end here. Fork before the watch opens."
        )
    if not under_way and torch_profiler.is_taken():
        return (
            " while another profiler is open: torch and Python have room for one. Close "
            "the other one (torch.profiler, cProfile, sys.setprofile) before it."
        )
    return ""


def _calling(frame: FrameType) -> FrameType:
    """The frame that opens a watch, past what it is opened with, such as an ExitStack."""
    while is_of_torch(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame
