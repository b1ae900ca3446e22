"""How much memory a call holds at most, beyond what was there before, in bytes.

Python's and NumPy's memory is counted by tracemalloc. torch allocates on its own: its storages
are noted as its operations make them, and forgotten when they are freed.
"""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from stridekit.exercises.seam import Outcome


def peak_of(call: Callable[[], Outcome]) -> Outcome:
    """The outcome of the call, with its peak."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    tracemalloc.reset_peak()
    ledger = _ledger()()
    try:
        with ledger:
            outcome = call()
        ledger.settle()
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return replace(outcome, peak=ledger.peak)


@cache
def _ledger() -> Any:
    import torch
    from torch.multiprocessing.reductions import StorageWeakRef
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    weak: Callable[[Any], Any] = StorageWeakRef

    def storages(tree: Any) -> dict[int, Any]:
        found = {}
        for leaf in tree_leaves(tree):
            if isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided:
                storage = leaf.untyped_storage()
                found[storage._cdata] = storage  # noqa: SLF001 - its identity
        return found

    class Ledger(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Keeps the account of torch's storages, operation by operation."""

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self._before = tracemalloc.get_traced_memory()[0]
            self._alive: dict[int, tuple[Any, int]] = {}
            self.peak = 0

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self.settle()
            result = func(*args, **(kwargs or {}))
            given = storages((args, kwargs))
            for key, storage in storages(result).items():
                # What lies on an argument's storage was there before, as after from_numpy.
                if key not in given:
                    self._alive[key] = weak(storage), storage.nbytes()
            self.settle()
            return result

        def settle(self) -> None:
            """Take stock: what torch holds now, and the most that Python held since."""
            self._alive = {
                key: (ref, size) for key, (ref, size) in self._alive.items() if not ref.expired()
            }
            held = sum(size for _, size in self._alive.values())
            python = tracemalloc.get_traced_memory()[1] - self._before
            tracemalloc.reset_peak()
            self.peak = max(self.peak, held + python)

    return Ledger
