"""`watch`: which lines copied, in torch code that runs inside of a `with` block."""

import sys
import threading
from types import FrameType

from stridekit.errors import WatchError
from stridekit.own_code import torch_profiler
from stridekit.own_code.places import is_of_torch

# These look for all that they need as soon as they are loaded.
if not torch_profiler.lacking():
    from stridekit.own_code.recording import Recording, under_way
    from stridekit.own_code.seen import Seen


class Watch:
    """What `watch()` gives: a context manager. Each time it is entered, it gives a new `Seen`."""

    def __init__(self) -> None:
        self._open: list[Seen] = []

    def __enter__(self) -> "Seen":
        if refusal := _refusal():
            raise WatchError(f"watch(){refusal}")
        recording = under_way[0] if under_way else Recording(_calling(sys._getframe(1)))
        self._open.append(recording.enter())
        return self._open[-1]

    def __call__(self, *_: object) -> None:
        """Refuse to be a decorator: WatchError."""
        raise WatchError(
            "watch() is not a decorator: whoever calls the function would not get what was seen. "
            "Write `with sk.watch() as seen:` round the call."
        )

    def __exit__(self, *error: object) -> None:
        if not self._open:
            raise WatchError("watch() ends before it begins: write `with sk.watch() as seen:`")
        seen = self._open.pop()
        for recording in under_way:
            recording.leave(seen)


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
    'dims 0 and 1 cannot merge, because stride[0] is 1 and merging needs size[1] × stride[1] = \
2 × 4 = 8'

    Source: torch/csrc/autograd/profiler_kineto.cpp, as `torch.profiler` uses it.
    """
    return Watch()


for each in (Watch.__enter__, Watch.__exit__, watch):
    torch_profiler.leave_uncompiled(each)


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
