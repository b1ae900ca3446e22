"""How much memory a call holds at most, beyond what was there before, in bytes.

Python's and NumPy's memory is counted by tracemalloc. torch allocates on its own: its storages
are entered as operations make them, and taken out as they are freed. To read or write an element
or a slice makes none, and loops do that some ten thousand times: there nobody looks.
"""

import sys
import tracemalloc
import weakref
from collections.abc import Callable
from functools import cache
from types import EllipsisType
from typing import Any

# What may stand in the brackets of a tensor, and nothing is copied.
_BASIC = (int, slice, EllipsisType, type(None))
# What works in place, and may still give a tensor another storage, or a longer one.
_CHANGE_STORAGE = ("resize_", "set_")
# Python keeps the names that torch looks up in a cache, and they would count. After so many
# operations they are forgotten.
FORGET_EVERY = 8
if sys.version_info >= (3, 13):
    _forget = sys._clear_internal_caches  # noqa: SLF001
else:
    _forget = sys._clear_type_cache  # noqa: SLF001


def peak_meter() -> Callable[[Callable[[], Any]], tuple[Any, int]]:
    """What gives a call's result and its peak, with all it needs loaded beforehand."""
    ledger, indexing = _modes()

    def measured(call: Callable[[], Any]) -> tuple[Any, int]:
        was_tracing = tracemalloc.is_tracing()
        if not was_tracing:
            tracemalloc.start()
        account = _Account()
        try:
            with ledger(account), indexing(account):
                account.open()
                result = call()
                account.close()
        finally:
            account.forget()
            if not was_tracing:
                tracemalloc.stop()
        return result, account.peak

    return measured


class _Account:
    """What is held now, and the most that was held at once."""

    def __init__(self) -> None:
        self.peak = 0
        self._before = 0
        self._operations = 0
        # The bytes in torch's storages: of all together, and of each, by its identity.
        self._held = 0
        self._storages: dict[int, tuple[Any, int]] = {}

    def open(self) -> None:
        """The call begins."""
        tracemalloc.reset_peak()
        self._before = tracemalloc.get_traced_memory()[0]

    def close(self) -> None:
        """The call has ended."""
        self._settle()

    def forget(self) -> None:
        """What is freed from now on is not the call's affair."""
        self._storages.clear()

    def note(self) -> None:
        """An operation begins."""
        self._operations += 1
        if self._operations % FORGET_EVERY == 0:
            _forget()

    def knows(self, key: int) -> bool:
        """Whether a storage was made by the call."""
        return key in self._storages

    def enter(self, key: int, storage: Any) -> None:
        """A storage is new, or it may have another length now."""
        self._settle()
        known = self._storages.get(key)
        ref, was = known or (weakref.ref(storage, lambda _: self._freed(key)), 0)
        size = storage.nbytes()
        self._storages[key] = ref, size
        self._held += size - was

    def _freed(self, key: int) -> None:
        self._settle()
        self._held -= self._storages.pop(key)[1]

    def _settle(self) -> None:
        """Take stock: what torch has held since the last time, and the most of Python beside it."""
        python = tracemalloc.get_traced_memory()[1] - self._before
        tracemalloc.reset_peak()
        self.peak = max(self.peak, self._held + python)


@cache
def _modes() -> Any:
    import torch
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    get, put = torch.Tensor.__getitem__, torch.Tensor.__setitem__
    makes: dict[Any, bool] = {}

    def may_make(func: Any) -> bool:
        """Whether an operation may give a storage that was not there before."""
        schema = func._schema  # noqa: SLF001
        return (
            any(each.alias_info is None for each in schema.returns)
            or any(each.is_out for each in schema.arguments)
            or schema.name.rpartition(":")[2].startswith(_CHANGE_STORAGE)
        )

    def storages(tree: Any) -> dict[int, Any]:
        """The storages of all tensors in a tree of tuples, lists and dicts, by their identity."""
        if isinstance(tree, torch.Tensor):
            if tree.layout is not torch.strided:
                return {}
            storage = tree.untyped_storage()
            return {storage._cdata: storage}  # noqa: SLF001
        parts = tree.values() if isinstance(tree, dict) else tree
        if not isinstance(tree, tuple | list | dict):
            return {}
        return {key: each for part in parts for key, each in storages(part).items()}

    class Ledger(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Enters torch's storages, operation by operation."""

        def __init__(self, account: _Account) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self._account = account

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            # True would import torch's compiler at the first operation: seconds, and megabytes.
            return False

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self._account.note()
            kwargs = kwargs or {}
            if func not in makes:
                makes[func] = may_make(func)
            if not makes[func]:
                return func(*args, **kwargs)
            # What happens in here is no call of the learner's: `watching` must not hear it.
            with torch._C.DisableTorchFunction():  # noqa: SLF001
                given = storages((args, kwargs))
                result = func(*args, **kwargs)
                for key, storage in storages(result).items():
                    # What lies on an argument's storage was there before, and memory that is
                    # NumPy's or Python's, which torch cannot resize, is counted as theirs.
                    is_new = key not in given and storage.resizable()
                    if is_new or self._account.knows(key):
                        self._account.enter(key, storage)
                return result

    class Indexing(TorchFunctionMode):
        """Has the ledger overlook elements and slices that are read or written."""

        def __init__(self, account: _Account) -> None:
            super().__init__()
            self._account = account

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self._account.note()
            if func is get or func is put:
                key = args[1]
                for each in key if type(key) is tuple else (key,):
                    if type(each) not in _BASIC:
                        break
                else:
                    with torch._C._DisableTorchDispatch():  # noqa: SLF001
                        return func(*args)
            return func(*args, **(kwargs or {}))

    return Ledger, Indexing
