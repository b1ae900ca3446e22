"""`watch`: which operations copied, in torch code that runs inside of a `with` block.

Two of torch's modes listen. The dispatch mode sees every operation below autograd, on the way
forward and back, with the tensors that go in and come out. The function mode sees which public
function asked for it. Both belong to one thread.
"""

import sys
import threading
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from stridekit.own_code.code_lines import CodeLine, calls_compiled, users_line
from stridekit.own_code.memory_effects import (
    Kind,
    MeasuredTensor,
    MemoryEffect,
    effect_of,
    is_plain,
    judged,
    measured,
    takes_apart,
    tensors_in,
)
from stridekit.own_code.seen import Event, Seen

_OPERATION, _OF_FUNCTIONS = torch._ops.OpOverload, torch._ops.HigherOrderOperator
# So many lines of the way forward are remembered for the way back.
_LINES_MOST = 200_000
# So many storages in channels_last are remembered before those that are gone are forgotten.
_FORMATS_MOST = 1000
# These give the same header on the same memory.
_NO_CHANGE = frozenset({"alias", "detach", "detach_", "lift", "lift_fresh", "requires_grad_"})


class _Pending(NamedTuple):
    """A clone, kept until the next operation tells whether it was part of a reshape."""

    event: Event
    nbytes: int
    source: int
    storage: int


class _Format(NamedTuple):
    """That a storage holds, or held before it was copied, a channels_last tensor of a size."""

    ref: StorageWeakRef
    size: tuple[int, ...]
    lost: bool


class Watch(threading.local):
    """What `watch()` gives: a context manager. Each time it is entered, it gives a new `Seen`.

    It can be entered again, also while it is open, and in several threads.
    """

    def __init__(self) -> None:
        self._open: list[tuple[_Functions, _Operations]] = []

    def __enter__(self) -> Seen:
        operations = _Operations()
        functions = _Functions(operations)
        operations.__enter__()
        functions.__enter__()
        self._open.append((functions, operations))
        return operations.seen

    def __exit__(self, *error: object) -> None:
        functions, operations = self._open.pop()
        functions.__exit__(*error)
        operations.__exit__(*error)
        operations.finish()


def watch() -> Watch:
    """Watch torch code: which operations copied, how many bytes, at which line, and why.

    `with sk.watch() as seen:` goes round any code, a model's way forward and back too. It
    changes nothing of what the code computes. Afterwards `print(seen)` is a table, and `seen`
    in a notebook is one too; `seen.rows`, `seen.copies` and `seen.to_dicts()` are data. Bytes
    count what was copied: elements x itemsize.

    It sees this thread. It cannot see what a kernel does inside of itself, what NumPy does, or
    other threads and processes, such as a DataLoader's workers. Compiled functions run
    uncompiled inside, and the table says so.

    >>> import torch
    >>> x = torch.arange(8).view(2, 4)
    >>> with sk.watch() as seen:
    ...     y = x.t().reshape(8)
    >>> [(row.call, row.bytes) for row in seen.copies]
    [('Tensor.reshape', 64)]
    >>> seen.copies[0].why
    'reshape crosses the seam between dims 0 and 1: stride[0] is 1, and to merge they need \
2 × 4 = 8'

    Source: torch.utils._python_dispatch and torch.overrides, the modes themselves.
    """
    return Watch()


class _Functions(TorchFunctionMode):
    """Knows which public function of torch is running."""

    def __init__(self, operations: "_Operations") -> None:
        super().__init__()
        self._operations = operations

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        operations = self._operations
        before = operations.call
        # What is called inside of a call, in a subclass for example, belongs to the outer one.
        operations.call = before or _public_name(func)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            operations.call = before


class _Operations(TorchDispatchMode):
    """Writes down what each operation did to memory."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = Seen()
        self.call = ""
        self._pending: _Pending | None = None
        # Lines by the number of the node that autograd made there.
        self._lines: dict[int, CodeLine] = {}
        self._formats: dict[int, _Format] = {}
        # Lines of which it is known whether they are part of a compiled function.
        self._known: set[CodeLine] = set()

    # Such as torch.cond, whose operands are functions; without this torch would refuse them.
    supports_higher_order_operators = True

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if type(func) is not _OPERATION and isinstance(func, _OF_FUNCTIONS):
            self.seen.higher_order.setdefault(func.name())
            return func(*args, **kwargs)
        if types and any(map(takes_apart, types)):
            # What it is made of comes by here in a moment.
            return NotImplemented
        move = effect_of(func)
        if move.composite:
            with self:
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        # What we ask of tensors is no business of function modes.
        with torch._C.DisableTorchFunction():
            given = [measured(x) for x in tensors_in(args, kwargs)]
        result = func(*args, **kwargs)
        with torch._C.DisableTorchFunction():
            self._note(move, given, args, result)
        return result

    def finish(self) -> None:
        """The block is over."""
        self._flush()

    def _note(
        self, move: MemoryEffect, given: list[MeasuredTensor | None], args: Any, result: Any
    ) -> None:
        made = [measured(x) for x in tensors_in((result,), {})]
        if None in made or None in given:
            self.seen.unseen += 1
            return
        sources = [m for m in given if m is not None]
        results = [m for m in made if m is not None]
        place, backward, node = self._place_of(sys._getframe(1))
        if self._completes(move, sources, results):
            return
        kind, nbytes = judged(move, sources, results, args)
        if not results or (kind == "view" and move.name in _NO_CHANGE):
            return
        shown = sources
        if kind == "copy" and move.into is not None:
            shown = sources[1:]
        first = results[0]
        event = Event(
            kind,
            node or self.call or move.name,
            move.name,
            place,
            backward,
            tuple(m.header for m in shown),
            first.header,
            len(results),
            not move.writes and self._loses(kind, shown, first),
        )
        if move.name == "clone":
            self._pending = _Pending(event, nbytes, sources[0].cdata, first.cdata)
        else:
            self.seen.add(event, nbytes)
        for each in results:
            self._remember(event, shown, each)

    def _completes(self, move: MemoryEffect, sources: list[MeasuredTensor], results: Any) -> bool:
        """Whether this is the second half of a reshape, whose first half was a clone."""
        pending = self._pending
        if pending is None:
            return False
        if move.name != "_unsafe_view" or sources[0].cdata != pending.storage:
            self._flush()
            return False
        self._pending = None
        before, made = pending.event, results[0].header
        held = self._formats.get(pending.source)
        shuffled = held is not None and held.size == made.size and is_plain(made)
        lost = shuffled and len(before.sources[0].size) != len(made.size)
        # What is flattened has no channels any more, and nothing to lose.
        lost = lost or (before.lost_channels_last and len(made.size) in (4, 5))
        self.seen.add(
            before._replace(
                operation="reshape",
                result=made,
                lost_channels_last=lost,
            ),
            pending.nbytes,
        )
        return True

    def _loses(self, kind: Kind, sources: list[MeasuredTensor], made: MeasuredTensor) -> bool:
        """Whether a channels_last tensor went in, and one of its rank came out that is plain."""
        result = made.header
        if len(result.size) not in (4, 5) or not is_plain(result):
            return False
        if kind == "view":
            held = self._formats.get(made.cdata)
            return held is not None and held.lost and held.size == result.size
        return any(
            len(m.header.size) == len(result.size) and m.header.is_channels_last for m in sources
        )

    def _remember(self, event: Event, sources: list[MeasuredTensor], made: MeasuredTensor) -> None:
        """What later operations have to be judged by."""
        header = made.header
        if header.is_channels_last:
            self._hold(made, header.size, lost=False)
        elif event.kind == "copy" and len(header.size) > 4 and sources:
            # Channels are shuffled through another rank: view, transpose, contiguous, view.
            held = self._formats.get(sources[0].cdata)
            if held is not None and header.layout.is_contiguous:
                self._hold(made, held.size, lost=True)
        if event.kind == "view" and header.storage_nbytes >= 2 * header.nbytes + 1024:
            self.seen.keep(made.storage, header, event.place)

    def _hold(self, made: MeasuredTensor, size: tuple[int, ...], *, lost: bool) -> None:
        if len(self._formats) >= _FORMATS_MOST:
            kept = {k: held for k, held in self._formats.items() if not held.ref.expired()}
            self._formats = kept
        self._formats[made.cdata] = _Format(StorageWeakRef(made.storage), size, lost)

    def _place_of(self, frame: Any) -> tuple[CodeLine, bool, str]:
        """The user's line, whether this is the way back, and which node of it."""
        place = users_line(frame)
        if place not in self._known:
            self._known.add(place)
            compiled = calls_compiled(frame)
            if compiled is not None:
                self.seen.compiled.setdefault(compiled)
        node = torch._C._current_autograd_node()
        if node is not None:
            name = str(node.name()).removeprefix("torch::autograd::")
            return self._lines.get(node._sequence_nr(), place), True, name
        if torch.is_grad_enabled():
            if len(self._lines) >= _LINES_MOST:
                self._lines.clear()
            # The node was made just before; operations without one find it there already.
            self._lines.setdefault(torch.autograd._get_sequence_nr() - 1, place)
        return place, False, ""

    def _flush(self) -> None:
        if self._pending is not None:
            self.seen.add(self._pending.event, self._pending.nbytes)
            self._pending = None


@lru_cache(4096)
def _public_name(func: Any) -> str:
    """What a public function is called: `Tensor.reshape`, `torch.cat`, `F.linear`."""
    name = str(resolve_name(func) or getattr(func, "__name__", func)).removesuffix(".__get__")
    if name.startswith("torch.nn.functional."):
        return "F." + name.removeprefix("torch.nn.functional.")
    return name.removeprefix("torch.") if name.startswith("torch.Tensor.") else name
