"""The copies in what torch's profiler recorded, each with its place in the user's code.

The profiler gives a tree of events in the order of the program: calls of Python's functions,
with their lines; calls of C functions, with the line that called them; and torch's operations,
with what went into them. What an operation gave is not there: the numbers that it was given
tell it.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from math import prod
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch._C import _profiler as names

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.memory_formats import stride_of, suggested
from stridekit.layouts.view_rule import infer_size
from stridekit.own_code.code_lines import (
    CodeLine,
    Gap,
    full_name,
    is_of_torch,
    is_users,
    operators_line,
    package_of,
)
from stridekit.own_code.headers import Header
from stridekit.own_code.torch_profiler import COMPILERS, nodes_made

_OURS = str(Path(__file__).parent)
# Operations that move elements and change at most their dtype; most are made of others.
_NAMES = (
    "_index_put_impl_ _pad_circular _pin_memory _reshape_copy _to_copy _unsafe_index block_diag "
    "cat channel_shuffle clone column_stack concat concatenate constant_pad_nd contiguous copy "
    "copy_ dstack embedding flatten flip fliplr flipud gather hstack im2col index index_copy "
    "index_copy_ index_put index_put_ index_select native_channel_shuffle pad pin_memory "
    "pixel_shuffle pixel_unshuffle put_ ravel reflection_pad1d reflection_pad2d "
    "reflection_pad3d repeat repeat_interleave replication_pad1d replication_pad2d "
    "replication_pad3d reshape reshape_as roll rot90 scatter scatter_ select_backward "
    "select_scatter slice_backward slice_scatter stack take take_along_dim tile to tril triu "
    "type_as vstack"
)
_MOVERS = frozenset(_NAMES.split())
# Those that write by themselves: the place of what they write among their inputs, or of what
# gives the size of their result.
_VALUES = {"_index_put_impl_": 2, "index_copy_": 3, "put_": 2, "scatter_": 3}
_SIZED_BY = {
    "channel_shuffle": 0,
    "flip": 0,
    "gather": 2,
    "roll": 0,
    "take": 1,
    "tril": 0,
    "triu": 0,
}
_PADS = {f"{kind}_pad{n}d" for kind in ("reflection", "replication") for n in (1, 2, 3)}
_SIZED = frozenset(
    {*_SIZED_BY, *_PADS, "_unsafe_index", "embedding", "im2col", "index", "index_select"}
    | {"pixel_shuffle", "pixel_unshuffle", "repeat"}
)
# A result that begins with a bias in every row holds it as a part of it.
_PRODUCTS = frozenset({"addbmm", "addmm", "addmv", "addr", "baddbmm", "_addmm_activation"})
_VIEWS = frozenset({"chunk", "narrow", "select", "slice", "split", "unbind"})
_NODE = "autograd::engine::evaluate_function: "
# Python's functions that start a thread or a process.
_STARTING = ("threading.py", "multiprocessing/process.py".replace("/", os.sep))
# How Python's calls of operations are named: a method of a tensor, or one of torch's functions.
_CALLED = re.compile(r"<built-in method (\w+) of (?:Tensor|Parameter|type) object")
_FORWARD_MOST = 50_000
_VIEWED_MOST = 5_000
# A view of less than this keeps nothing large alive, in bytes: to look for all takes a while.
_VIEWED_LEAST = 32 * 1024
# So many tensors of one copy are kept to be drawn, with the result a fourth.
SOURCES_MOST = 3


class CallSite:
    """A line in a function that ran, or the gap between two of its calls, until it is asked for."""

    __slots__ = ("after", "before", "file", "function", "number", "operation", "peers")

    def __init__(
        self, file: str, function: str, after: int, before: int, operation: str = ""
    ) -> None:
        self.file, self.function, self.after, self.before = file, function, after, before
        self.operation, self.number, self.peers = operation, 0, [self]

    @property
    def place(self) -> CodeLine:
        """The line in the source."""
        gap = Gap(self.after, self.before)
        return operators_line(
            full_name(self.file), self.function, gap, self.operation, self.number, len(self.peers)
        )


class Where(NamedTuple):
    """Where an operation was called: the user's line, the innermost line, and the modules."""

    users: CallSite
    innermost: CallSite
    modules: tuple[tuple[int, str], ...]


class Copy(NamedTuple):
    """A copy that was seen.

    `call` is the outermost operation, or the node of autograd; `operation` what moved the
    elements in there, below the operations `above`. `is_second`: it was the second of what the
    outermost was given.
    """

    call: str
    operation: str
    above: tuple[str, ...]
    where: Where
    backward: bool
    compiled: bool
    sources: tuple[Header, ...]
    result: Header
    nbytes: int
    nanoseconds: int
    is_second: bool


class _Frame:
    """A Python function that runs, as far as it matters to what it calls."""

    __slots__ = (
        "after",
        "compiled",
        "file",
        "function",
        "is_users",
        "modules",
        "node",
        "outer",
        "waiting",
    )

    def __init__(self, outer: CallSite, file: str = "", function: str = "", after: int = 0) -> None:
        self.file, self.function, self.after = file, function, after
        self.outer, self.is_users = outer, False
        self.modules: tuple[tuple[int, str], ...] = ()
        self.node, self.compiled = "", False
        self.waiting: dict[str, list[CallSite]] = {}

    def called(self, line: int) -> None:
        """It called something at a line: what waited for it lies before that."""
        self.after = line
        if self.waiting:
            for lines in self.waiting.values():
                for each in lines:
                    each.before = line
            self.waiting = {}

    def where(self, line: int, operation: str) -> Where:
        """Where it called an operation: at a line, or, with 0, after its last call."""
        if line:
            here = CallSite(self.file, self.function, line, line)
        else:
            here = CallSite(self.file, self.function, self.after, 0, operation)
            here.peers = self.waiting.setdefault(operation, [])
            here.number = len(here.peers)
            here.peers.append(here)
        return Where(here if self.is_users else self.outer, here, self.modules)

    def inner(self, **changes: Any) -> "_Frame":
        """The same, for what runs below an operation."""
        made = _Frame(self.outer, self.file, self.function, self.after)
        made.is_users, made.modules = self.is_users, self.modules
        made.node, made.compiled = self.node, self.compiled
        for name, value in changes.items():
            setattr(made, name, value)
        return made


class Reader:
    """Reads recordings of one thread, one after the other, and keeps what goes on between them."""

    def __init__(self, opened: CodeLine) -> None:
        self._opened = CallSite(opened.file, opened.function, opened.line, opened.line)
        # Where everything is installed, the package that opened the watch is the user's.
        foreign = not is_users(opened.file) and not is_of_torch(opened.file)
        self._package = package_of(opened.file) if foreign else ""
        # Where autograd's nodes were made, by the number of the first that an operation made.
        self._numbers_made: list[int] = []
        self._made_at: list[Where | None] = []
        self.went_back = False
        self._ints: dict[tuple[int, str], Any] | None = None
        self._recorded: Any = None
        self.operations = 0
        self.unseen = 0
        self.uses_channels_last = False
        # The number of autograd's last node when each step of an optimizer was seen.
        self.steps: list[int] = []
        self.threads: dict[CodeLine, None] = {}
        # Where a view was made last, by the address of its storage and its size.
        self.viewed: dict[tuple[int, Ints], CallSite] = {}

    def read(self, recorded: Any) -> list[Copy]:
        """The copies of one recording, in the order of the program."""
        self._recorded, self._ints, self.went_back = recorded, None, False
        roots = recorded.experimental_event_tree()
        mine = next((root.start_tid for root in roots if _ends_here(root)), None)
        found: list[Copy] = []
        others: set[int] = set()
        for root in roots:
            # Of other threads only Python's calls are seen, unless they do our way back.
            if root.start_tid == mine or root.tag == names._EventType.TorchOp:
                self._walk(root, found)
            elif root.start_tid not in others and (place := _moves_elements(root)):
                others.add(root.start_tid)
                self.threads.setdefault(place)
        self._made(nodes_made(), None)
        self._recorded = None
        return found

    def _walk(self, root: Any, found: list[Copy]) -> None:
        """Go through a tree in the order of the program. Python's stack may be too short for it."""
        frame = _Frame(self._opened)
        waiting = [(iter((root,)), frame, 0, ())]
        while waiting:
            events, frame, line, chain = waiting[-1]
            event = next(events, None)
            if event is None:
                waiting.pop()
                continue
            kind, fields = event.typed
            if kind == names._EventType.PyCall:
                frame.called(line or fields.caller.line_number)
                if fields.optimizer is not None:
                    self.steps.append(self._numbers_made[-1] if self._numbers_made else 0)
                children = event.children
                inner = self._entered(frame, fields) if children else None
                if inner is not None:
                    waiting.append((iter(children), inner, 0, ()))
            elif kind == names._EventType.PyCCall:
                children = event.children
                at = line or fields.caller.line_number
                frame.called(at)
                if children:
                    waiting.append((iter(children), frame, at, ()))
            elif kind == names._EventType.TorchOp:
                self.operations += 1
                below = self._operation(event, fields, frame, line, chain, found)
                if below is not None:
                    waiting.append((iter(event.children), below[0], line, below[1]))

    def _entered(self, frame: _Frame, fields: Any) -> _Frame | None:
        """The frame of a function that a frame calls; None where nobody has to look into it."""
        code = fields.callsite
        file, function = _named(code)
        if function == "start" and file in _STARTING:
            self.threads.setdefault(frame.where(frame.after, "").users.place)
        whole = full_name(file)
        if whole.startswith((_OURS, *COMPILERS)):
            return None
        outer = frame.where(frame.after, "").users if frame.is_users else frame.outer
        made = _Frame(outer, file, function, code.line_number)
        made.is_users = self._is_users(whole)
        made.modules, made.node, made.compiled = frame.modules, frame.node, frame.compiled
        module = fields.module
        if module is not None and not frame.compiled:
            made.modules = (*frame.modules, (module.self_ptr, module.cls_name))
        return made

    def _is_users(self, file: str) -> bool:
        if is_users(file):
            return True
        return bool(self._package) and file.startswith(self._package) and not is_of_torch(file)

    def _operation(
        self, event: Any, fields: Any, frame: _Frame, line: int, chain: Any, found: list[Copy]
    ) -> tuple[_Frame, Any] | None:
        """Look at an operation; where and below what the operations in it are to be looked at."""
        full = fields.name
        if full.startswith(_NODE):
            return self._node(full, fields, frame, line), ()
        name = full.removeprefix("aten::")
        if fields.scope == names.RecordScope.BACKWARD_FUNCTION or (
            name == full and "::" not in full
        ):
            # Autograd's nodes, and functions of one's own for autograd: what is in them counts.
            compiled = full.startswith("Torch-Compiled Region")
            return (frame.inner(compiled=True) if compiled else frame), chain
        where, outermost, above = chain or (frame.where(line, name), fields, ())
        if fields.sequence_number >= 0:
            self._made(fields.sequence_number, where)
        if not above and name in _VIEWS:
            self._view(name, fields.inputs, where)
        if name == "convolution" and not self.uses_channels_last:
            given = map(_header, fields.inputs[:2])
            self.uses_channels_last = any(each and each.is_channels_last for each in given)
        if name not in _MOVERS:
            return frame, (where, outermost, (*above, name))
        moved = list(self._moves(event, name, above[-1] if above else ""))
        if moved:
            largest = max(moved, key=lambda m: m.nbytes)
            on_cpu = largest.result.device == "cpu"
            found.append(
                Copy(
                    call=frame.node or (above[0] if above else name),
                    operation=name,
                    above=above,
                    where=where,
                    backward=bool(frame.node),
                    compiled=frame.compiled,
                    sources=largest.sources,
                    result=self._result(event, name, largest),
                    nbytes=sum(m.nbytes for m in moved),
                    nanoseconds=event.duration_time_ns if on_cpu else _kernels_time(event),
                    is_second=_is_second(largest.sources[0], outermost.inputs),
                )
            )
        return None

    def _node(self, full: str, fields: Any, frame: _Frame, line: int) -> _Frame:
        """Below a node of autograd all is told for the line of the way forward that made it."""
        self.went_back = True
        made_by = self._maker(fields.sequence_number)
        node = full.removeprefix(_NODE).removeprefix("torch::autograd::")
        if made_by is None:
            return frame.inner(node=node, outer=frame.where(line, "").users, is_users=False)
        return frame.inner(node=node, outer=made_by.users, is_users=False, modules=made_by.modules)

    def _made(self, number: int, where: Where | None) -> None:
        """An operation makes autograd's nodes from a number on; with None, nobody known does."""
        if len(self._made_at) >= _FORWARD_MOST:
            del self._numbers_made[: _FORWARD_MOST // 2], self._made_at[: _FORWARD_MOST // 2]
        self._numbers_made.append(number)
        self._made_at.append(where)

    def _maker(self, number: int) -> Where | None:
        """Where a node was made: by the last operation that began before there was one more."""
        place = bisect_right(self._numbers_made, number) - 1
        return self._made_at[place] if place >= 0 else None

    def _view(self, name: str, given: Any, where: Where) -> None:
        """Remember where a view was made, in case that it keeps a large storage alive."""
        base = _header(given[0])
        if base is None or base.nbytes < _VIEWED_LEAST:
            return
        if len(self.viewed) >= _VIEWED_MOST:
            self.viewed.clear()
        self.viewed[given[0].storage_data_ptr, _viewed_size(name, base.size, given)] = where.users

    def _moves(self, event: Any, name: str, above: str) -> Iterator["_Move"]:
        """What an operation moves, by itself or by those that it is made of."""
        if name == "copy_":
            to, source, *_ = event.extra_fields.inputs
            yield from self._copied(event, _header(to), _header(source), above)
        elif name in _SIZED:
            given = event.extra_fields.inputs
            first = _header(given[0])
            size = None if first is None else self._size(event, name, given, first)
            if first is not None and size is not None:
                made = _made(size, first)
                yield _Move((first,), made, made.nbytes)
        elif name == "cat":
            given = event.extra_fields.inputs
            parts = [part for part in map(_header, given[0]) if part is not None and part.nbytes]
            if parts:
                yield _concatenated(parts, given[1])
        elif name in _VALUES:
            given = event.extra_fields.inputs
            to, values = _header(given[0]), _header(given[_VALUES[name]])
            adds = name == "_index_put_impl_" and given[3]
            if to is not None and values is not None and values.size and not adds:
                yield _Move((values,), to, values.nbytes)
        else:
            for each in event.children:
                if each.tag == names._EventType.TorchOp:
                    yield from self._moves(each, each.name.removeprefix("aten::"), name)

    def _copied(
        self, event: Any, to: Header | None, source: Header | None, above: str
    ) -> Iterator["_Move"]:
        """One tensor's elements written to another; not one number written everywhere."""
        if to is None or source is None:
            self.unseen += 1
            return
        moved = prod(source.size)
        is_fill = moved <= 1 and (prod(to.size) > 1 or source.device == to.device)
        is_bias = bool(above) and (
            moved < prod(to.size)
            or (above in _PRODUCTS and (0 in source.stride or _is_of_less_rank(event.parent, to)))
        )
        if moved and not is_fill and not is_bias:
            yield _Move((source,), to, to.nbytes)

    def _size(self, event: Any, name: str, given: Any, first: Header) -> Ints | None:
        """The size of what an operation gives that moves by itself."""
        if name in _SIZED_BY:
            return tuple(given[_SIZED_BY[name]].sizes)
        if name == "repeat":
            times = tuple(self._numbers(event)[1])
            return tuple(map(mul, (1,) * (len(times) - len(first.size)) + first.size, times))
        if name == "index_select":
            dim = given[1] % max(len(first.size), 1)
            return (*first.size[:dim], prod(given[2].sizes), *first.size[dim + 1 :])
        if name == "embedding":
            return (*given[1].sizes, *first.size[1:])
        if name in ("index", "_unsafe_index"):
            strided = (c for c in event.children if c.name == "aten::as_strided")
            return next((tuple(self._numbers(c)[1]) for c in strided), None)
        if name == "pixel_shuffle":
            *lead, c, h, w = first.size
            return (*lead, c // given[1] ** 2, h * given[1], w * given[1])
        if name == "pixel_unshuffle":
            *lead, c, h, w = first.size
            return (*lead, c * given[1] ** 2, h // given[1], w // given[1])
        if name == "im2col":
            return self._windows(event, first)
        pads = self._numbers(event)[1]
        size = list(first.size)
        for place in range(len(pads) // 2):
            size[-1 - place] += pads[2 * place] + pads[2 * place + 1]
        return tuple(size)

    def _windows(self, event: Any, first: Header) -> Ints:
        _, kernel, dilation, padding, stride = self._numbers(event)
        counts = [
            (n + 2 * p - d * (k - 1) - 1) // s + 1
            for n, k, d, p, s in zip(
                first.size[-2:], kernel, dilation, padding, stride, strict=True
            )
        ]
        return (*first.size[:-3], first.size[-3] * prod(kernel), prod(counts))

    def _numbers(self, event: Any) -> Any:
        """The numbers that an operation was given; only torch's flat list of events has them."""
        if self._ints is None:
            wanted = {"aten::reshape", "aten::as_strided", "aten::im2col", "aten::repeat"}
            self._ints = {
                (each.start_ns(), each.name()): each
                for each in self._recorded.events()
                if each.name() in wanted or "_pad" in each.name()
            }
        return self._ints[event.start_time_ns, event.name].concrete_inputs()

    def _result(self, event: Any, name: str, move: "_Move") -> Header:
        """What came of a copy: for `reshape` and `stack`, in the size that was asked for."""
        source, given = move.sources[0].size, event.extra_fields.inputs
        if name == "flatten":
            first, last = (n % max(len(source), 1) for n in given[1:3])
            size = (*source[:first], prod(source[first : last + 1]), *source[last + 1 :])
        elif name == "reshape":
            size = infer_size(name, prod(source), tuple(self._numbers(event)[1]))
        elif name == "reshape_as":
            size = tuple(given[1].sizes)
        elif name == "stack":
            part = tuple(given[0][0].sizes)
            dim = given[1] % (len(part) + 1)
            size = (*part[:dim], len(given[0]), *part[dim:])
        else:
            return move.result
        return _made(size, move.result)


class _Move(NamedTuple):
    """What one operation moved: from where, to where."""

    sources: tuple[Header, ...]
    result: Header
    nbytes: int


def _made(size: Ints, like: Header) -> Header:
    """The header of a new tensor, contiguous, with the dtype of another."""
    nbytes = prod(size) * like.itemsize
    return Header(size, contiguous_stride(size), 0, like.dtype, like.itemsize, nbytes, like.device)


def _concatenated(parts: list[Header], dim: int) -> _Move:
    first = parts[0]
    dim %= max(len(first.size), 1)
    size = (*first.size[:dim], sum(part.size[dim] for part in parts), *first.size[dim + 1 :])
    widest = max(parts, key=lambda part: part.itemsize)
    made = _made(size, widest)
    # It keeps the format that all parts suggest (ATen/native/TensorShape.cpp).
    formats = {suggested(part.layout) for part in parts}
    if len(formats) == 1:
        made = made._replace(stride=stride_of("cat", size, formats.pop()))
    return _Move(tuple(parts[:SOURCES_MOST]), made, made.nbytes)


def _header(given: Any) -> Header | None:
    """The header of a tensor that went into an operation; None for what has no strides."""
    if type(given) is not names._TensorMetadata or given.layout != torch.strided:
        return None
    size, stride, dtype = tuple(given.sizes), tuple(given.strides), given.dtype
    if len(size) != len(stride):
        return None
    reach = Layout(size, stride).reach
    nbytes = 0 if reach is None else (reach[1] + 1) * dtype.itemsize
    return Header(size, stride, 0, str(dtype)[6:], dtype.itemsize, nbytes, str(given.device))


def _viewed_size(name: str, size: Ints, given: Any) -> Ints:
    """The size of a view, where all of several are alike."""
    dim = given[2 if name in ("chunk", "split") else 1] % len(size)
    n = size[dim]
    if name in ("select", "unbind"):
        return (*size[:dim], *size[dim + 1 :])
    if name == "slice":
        n = len(range(n)[given[2] or 0 : given[3] : given[4]])
    elif name == "narrow":
        n = given[3]
    else:
        n = min(n, given[1]) if name == "split" else -(-n // given[1])
    return (*size[:dim], n, *size[dim + 1 :])


def _is_of_less_rank(product: Any, to: Header) -> bool:
    """Whether what is added to a product has fewer dims than it."""
    return len(product.extra_fields.inputs[0].sizes) < len(to.size)


def _is_second(source: Header, given: Any) -> bool:
    """Whether a tensor is the second of what an operation was given, and not the first."""
    return len(given) > 1 and _header(given[1]) == source != _header(given[0])


def _named(code: Any) -> tuple[str, str]:
    """The file and the function of a frame, as torch has kept them."""
    try:
        return code.file_name, code.function_name
    except UnicodeDecodeError:
        # Code that was made while it ran, and is gone: torch has not kept its name.
        return "<gone>", "<gone>"


def _moves_elements(root: Any) -> CodeLine | None:
    """Where Python's calls of another thread move elements, in the user's code; None if nowhere."""
    waiting = [(root, CodeLine("<gone>", 0, "<gone>", 0))]
    while waiting:
        event, place = waiting.pop()
        kind, fields = event.typed
        if kind in (names._EventType.PyCall, names._EventType.PyCCall):
            line = fields.caller.line_number
            file, function = _named(fields.caller)
            if is_users(full_name(file)):
                place = CodeLine(full_name(file), line, function, line)
        if kind == names._EventType.PyCCall:
            called = _CALLED.match(event.name)
            if called and called[1] in _MOVERS:
                return place
        waiting += [(child, place) for child in event.children]
    return None


def _ends_here(root: Any) -> bool:
    """Whether a recording was ended from below an event."""
    while root.children:
        root = root.children[-1]
    return "_disable_profiler" in root.name


def _kernels_time(event: Any) -> int:
    """How long the kernels ran that were launched below an event, in nanoseconds.

    An operation's launch is an event below it, and what was launched is below that.
    """
    total, waiting = 0, [event]
    while waiting:
        each = waiting.pop()
        launches = each.tag == names._EventType.Kineto
        for below in each.children:
            if launches and below.tag == names._EventType.Kineto:
                total += below.duration_time_ns
            waiting.append(below)
    return total
