"""How much memory a call holds at most, beyond what was there before, in bytes.

Python's and NumPy's memory is counted by tracemalloc. torch allocates on its own: its storages
are entered as operations make them, and taken out as they are freed. Both are looked at after each
step of the learner's: what print, say, needs for itself is gone by then, and counts for nothing.
Of what the learner's own lines do, such as `bytearray(planes.tobytes())`, the most counts.
"""

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from types import EllipsisType, FrameType
from typing import Any

from stridekit_course.checks.library_calls import is_learners

# What may stand in the brackets of a tensor, and nothing is copied. Loops ask for that ten
# thousands of times: there nobody looks.
_BASIC = {int, slice, EllipsisType, type(None)}
# Fewer bytes are those of a few elements.
_LEAST = 64
_operations = count(1)
_clear = getattr(sys, "_clear_internal_caches", sys._clear_type_cache)  # noqa: SLF001


def _forget() -> None:
    """Python keeps the names that torch looks up in a cache, and they would count."""
    if next(_operations) % 8 == 0:
        _clear()


@contextmanager
def measuring() -> Iterator[Callable[[Callable[[], Any]], tuple[Any, int]]]:
    """Gives what measures a call: its result, and the most memory that it held.

    What is freed in a call counts as such only if it was made while this was entered: so calls that
    are not measured belong in here, too.
    """
    ledger_of, indexing_of = _modes()
    was_frozen, was_tracing = _is_frozen(), tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()

    def measured(call: Callable[[], Any]) -> tuple[Any, int]:
        most, profiler = 0, sys.getprofile()

        def held(*, at_most: bool = False) -> int:
            return tracemalloc.get_traced_memory()[at_most] - before + int(ledger.held)

        def look(frame: FrameType | None = None, event: str = "", _: object = None) -> None:
            nonlocal most
            ran = frame.f_back if frame is not None and event == "call" else frame
            if ran is None or is_learners(ran):
                # Since the last look the learner's own lines ran: then what they freed counts.
                peak = held(at_most=event in ("call", "return", "c_call"))
                if peak > most + _LEAST:
                    # What nobody holds any more may only wait to be collected.
                    peak -= held()
                    gc.collect()
                    peak += held()
                most = max(most, peak)
            tracemalloc.reset_peak()

        ledger = ledger_of(look)
        # What was there before need not be looked at when something is collected.
        gc.freeze()
        with ledger, indexing_of():
            # Else what is garbage by now would be freed in the call.
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            sys.setprofile(look)
            try:
                result = call()
            finally:
                sys.setprofile(profiler)
            look()
        return result, most

    try:
        yield measured
    finally:
        if not was_frozen:
            gc.unfreeze()
        if not was_tracing:
            tracemalloc.stop()


@cache
def _is_frozen() -> bool:
    """Whoever grades has frozen what all notebooks share. To count that takes long."""
    return gc.get_freeze_count() > 0


@cache
def _modes() -> Any:
    import torch
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    get, put = torch.Tensor.__getitem__, torch.Tensor.__setitem__

    class Ledger(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Enters the storages that operations make, and takes out those that are freed."""

        def __init__(self, look: Callable[[], None]) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.held = 0
            self._look = look
            self._storages: dict[int, tuple[Any, int]] = {}

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            # True would import torch's compiler at the first operation: seconds, and megabytes.
            return False

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            _forget()
            # What happens in here is not a call of the learner's.
            with torch._C.DisableTorchFunction():  # noqa: SLF001
                result = func(*args, **(kwargs or {}))
                for each in tree_leaves(result):
                    if isinstance(each, torch.Tensor) and each.layout is torch.strided:
                        self._enter(each.untyped_storage())
            return result

        def _enter(self, storage: Any) -> None:
            # Memory that is NumPy's or Python's, which torch cannot resize, is counted as theirs.
            size = storage.nbytes() if storage.resizable() else 0
            key = storage._cdata  # noqa: SLF001
            if size >= _LEAST or key in self._storages:
                known = self._storages.get(key)
                ref, before = known or (weakref.ref(storage, lambda _: self._freed(key)), 0)
                self._storages[key] = ref, size
                self.held += size - before
                self._look()

        def _freed(self, key: int) -> None:
            self.held -= self._storages.pop(key)[1]

    class Indexing(TorchFunctionMode):
        """Has the ledger overlook elements and slices that are read or written."""

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            _forget()
            if func is get or func is put:
                keys = args[1] if type(args[1]) is tuple else (args[1],)
                if {*map(type, keys)} <= _BASIC:
                    with torch._C._DisableTorchDispatch():  # noqa: SLF001
                        return func(*args)
            return func(*args, **(kwargs or {}))

    return Ledger, Indexing
