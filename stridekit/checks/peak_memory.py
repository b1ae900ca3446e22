"""How much memory a call holds at most, beyond what was there before, in bytes.

Python's and NumPy's memory is counted by tracemalloc. torch allocates on its own: its storages
are noted as its operations make them, and forgotten when they are freed.
"""

import tracemalloc
from collections.abc import Callable
from functools import cache
from typing import Any


def peak_meter() -> Callable[[Callable[[], Any]], tuple[Any, int]]:
    """What gives a call's result and its peak, with all it needs loaded beforehand."""
    make = _ledger()

    def measured(call: Callable[[], Any]) -> tuple[Any, int]:
        was_tracing = tracemalloc.is_tracing()
        if not was_tracing:
            tracemalloc.start()
        try:
            ledger = make()
            with ledger:
                result = call()
            ledger.settle()
        finally:
            if not was_tracing:
                tracemalloc.stop()
        return result, ledger.peak

    return measured


@cache
def _ledger() -> Any:
    import torch
    from torch.multiprocessing.reductions import StorageWeakRef
    from torch.overrides import resolve_name
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    # The first name that `watching` looks up builds a table of them all: not in a measured call.
    resolve_name(torch.empty)
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
            tracemalloc.reset_peak()
            self._before = tracemalloc.get_traced_memory()[0]
            self._alive: dict[int, tuple[Any, int]] = {}
            self.peak = 0

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            # True would import torch's compiler at the first operation: seconds, and megabytes.
            return False

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            # What happens in here is no call of the learner's: `watching` must not hear it.
            with torch._C.DisableTorchFunction():  # noqa: SLF001
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
