"""The copies in what torch's profiler recorded, each with its place in the user's code.

The profiler gives a tree of events in the order of the program: calls of Python's functions,
with their lines; calls of C functions, with the line that called them; and torch's operations.
"""

import linecache
import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from torch._C import _profiler as names

from stridekit.layouts.layout import Ints
from stridekit.own_code.moves import MOVERS, Moves, below, header_in
from stridekit.own_code.places import (
    TORCH,
    CodeLine,
    ModuleNames,
    full_name,
    is_of_torch,
    is_users,
    lines_of,
    package_of,
)
from stridekit.own_code.rows import Row
from stridekit.own_code.torch_profiler import COMPILERS, last_called, own_thread

_NODE = "autograd::engine::evaluate_function: "
_COMPILED = "Torch-Compiled Region"
# Neither what we do is told, nor what torch's compilers do.
_UNTOLD = (str(Path(__file__).parent), *COMPILERS)
# Python's functions that start a thread or a process.
_STARTING = ("threading.py", str(Path("multiprocessing/process.py")))
# How Python's calls of operations are named: a method of a tensor, or one of torch's functions.
_CALLED = re.compile(r"<built-in method (\w+) of (?:Tensor|Parameter|type) object")
# Of which kind an event is, its fields say by their class. Its tag says it ten times as slowly.
_PY_CALL, _C_CALL, _OPERATION, _KERNEL = (
    names._ExtraFields_PyCall,
    names._ExtraFields_PyCCall,
    names._ExtraFields_TorchOp,
    names._ExtraFields_Kineto,
)
_BACKWARD = names.RecordScope.BACKWARD_FUNCTION
# Its functions are called as operations are.
_FUNCTIONAL = TORCH + str(Path("nn/functional.py"))
_modules = ModuleNames()
_FORWARD_MOST = 50_000
_VIEWED_MOST = 5_000
# A view of less than this keeps nothing large alive, in bytes: to look for all takes a while.
_VIEWED_LEAST = 32 * 1024
# What is above the making of a view that shows a part.
_PARTS = ("aten::diagonal", "aten::select", "aten::slice", "aten::split_with_sizes", "aten::unfold")


class Around(NamedTuple):
    """What is around something that was recorded, beside the operations that it is a part of.

    `place` is the user's line, or that of the way forward; `library` the innermost line; `is_own`
    says that the user calls there himself. `module` is the address and the class of the innermost
    module; `node` autograd's, if no function of Python's lies between that is not compiled.
    `of_gap` says that its way forward ran while nothing was recorded: the place is not its own.
    """

    place: CodeLine
    library: CodeLine
    is_own: bool = True
    module: tuple[int, str] | None = None
    node: str = ""
    backward: bool = False
    compiled: bool = False
    of_gap: bool = False


class Reader:
    """Reads recordings of one thread, one after the other, and keeps what goes on between them."""

    def __init__(self, opened: CodeLine) -> None:
        # As before each traceback: files may have been edited since they were read.
        linecache.checkcache()
        self._opened = opened
        # Where everything is installed, or in no file, what opened the watch is the user's.
        foreign = not is_users(opened.file) and not is_of_torch(opened.file)
        self._package = (package_of(opened.file), opened.file) if foreign else ()
        # What is around events, and the lines of what functions did, by their numbers. Both are
        # worked out where they are asked for: most events tell nothing.
        self._known: dict[int, Around] = {}
        self._lines: dict[int, dict[int, CodeLine]] = {}
        # Which operation made autograd's nodes from a number on, later what was around it, and
        # whether it was called as it is; None where nobody known made them.
        self._made_by: list[tuple[int, Any, bool]] = []
        self._settled = self.unseen = 0
        self.uses_channels_last = False
        # The number of autograd's last node when each step of an optimizer was seen; None where
        # there may have been more of them.
        self.steps: list[int | None] = []
        self.threads: dict[CodeLine, None] = {}
        # Where a view was made last, by the address of its storage and its size.
        self.viewed: dict[tuple[int, Ints], CodeLine] = {}

    def read(self, recorded: Any, nodes: int, goes_on: bool) -> Iterator[Row]:
        """The copies of one recording, in the order of the program.

        At its end, or when it was muted, autograd had made so many `nodes` in its thread.
        If it `goes_on`, another may go back what went forward in this one.
        """
        moves, _modules.is_fresh = Moves(recorded), False
        self.went_back = self._is_muted = False
        for root in recorded.experimental_event_tree():
            yield from self._walk(root, moves)
        self._made_by.append((nodes, None, False))
        self.unseen += moves.unseen
        if not goes_on:
            self._made_by.clear()
        # What is known holds nothing of what was recorded.
        self._made_by[self._settled :] = [
            (number, self._maker(maker, is_direct), True)
            for number, maker, is_direct in self._made_by[self._settled :]
        ]
        del self._made_by[:-_FORWARD_MOST]
        self._settled = len(self._made_by)
        self._known.clear()
        self._lines.clear()

    def _walk(self, root: Any, moves: Moves) -> Iterator[Row]:
        """Go through a tree in the order of the program. Python's stack may be too short for it."""
        # Of other threads only Python's calls are seen, unless they do our way back.
        is_known = root.start_tid == own_thread() or type(root.extra_fields) is _OPERATION
        place, caller = self._opened, getattr(root.extra_fields, "caller", None)
        if caller and not is_known:
            file, function = _named(caller)
            place = CodeLine(full_name(file), caller.line_number, function, caller.line_number)
        self._known[0] = Around(place, place)
        # Each with the operations that it is a part of, the innermost last.
        waiting = [(root, tuple[Any, ...]())]
        # On the way back torch goes on with what was muted, but not with Python's calls.
        while waiting and not self._is_muted:
            event, inside = waiting.pop()
            fields = event.extra_fields
            kind = type(fields)
            if kind is _PY_CALL:
                inside = ()
                if fields.optimizer is not None:
                    self.steps.append(self._made_by[-1][0] if self._made_by else 0)
                file, function = _named(fields.callsite)
                if function == "start" and file in _STARTING:
                    self.threads.setdefault(self._around(event).place)
                if full_name(file).startswith(_UNTOLD):
                    self._is_muted |= is_known and "setprofile" in last_called(event)
                    continue
            elif kind is _C_CALL:
                called = None if is_known else _CALLED.match(event.name)
                if called and called[1] in MOVERS:
                    self.threads.setdefault(self._around(event).place)
            elif kind is _OPERATION:
                full = fields.name
                name = full.removeprefix("aten::")
                is_torchs = name != full
                if full.startswith(_NODE):
                    self.went_back, inside = True, ()
                elif is_torchs or fields.scope != _BACKWARD:
                    is_mover = is_torchs and name in MOVERS
                    if (number := fields.sequence_number) >= 0:
                        # What a mover is made of is not gone through, and may have made nodes.
                        is_direct = not inside and not (is_mover and event.children)
                        self._made_by.append((number, event, is_direct))
                    if is_mover:
                        if row := self._copy(event, name, inside, moves):
                            yield row
                        continue
                    if full == "aten::convolution" and not self.uses_channels_last:
                        given = map(header_in, fields.inputs[:2])
                        self.uses_channels_last = any(x and x.channels_last for x in given)
                    elif full == "aten::as_strided" and (not inside or inside[-1].name in _PARTS):
                        self._view(event, moves)
                    # Others are functions of one's own for autograd.
                    if "::" in full:
                        inside = (*inside, event)
            waiting += [(child, inside) for child in reversed(event.children)]

    def _view(self, event: Any, moves: Moves) -> None:
        """A view of a large tensor may keep that alive, and so may a view of such a view."""
        given = event.extra_fields.inputs[0]
        base = header_in(given)
        is_part = base and (given.storage_data_ptr, base.size) in self.viewed
        if base and (is_part or base.nbytes >= _VIEWED_LEAST):
            if len(self.viewed) >= _VIEWED_MOST:
                self.viewed.clear()
            size = tuple(moves.numbers(event)[1])
            self.viewed[given.storage_data_ptr, size] = self._around(event).place

    def _copy(self, event: Any, name: str, inside: Any, moves: Moves) -> Row | None:
        """The row of an operation that moves elements, if it did."""
        above = tuple(each.name.removeprefix("aten::") for each in inside)
        move = moves.of(event, name, above[-1] if above else "")
        if move is None or not move.nbytes or move.result.device == "meta":
            return None
        around = self._around(event)._asdict()
        node, module = around.pop("node"), around.pop("module")
        # What the call made by itself may have the header of an argument, and has other memory.
        at = getattr(event.extra_fields.inputs[name == "copy_"], "storage_data_ptr", None)
        given = enumerate((*inside, event)[0].extra_fields.inputs)
        same = (n for n, x in given if header_in(x) == move.sources[0] and x.storage_data_ptr == at)
        # On other devices an operation launches kernels, and does not wait for them.
        launched = (kernel for each in below(event, _KERNEL) for kernel in below(each, _KERNEL))
        timed = [event] if move.result.device == "cpu" else launched
        return Row(
            call=node or (*above, name)[0],
            operation=name,
            above=above,
            modules=(_modules.path(*module),) if module else (),
            argument=next(same, -1),
            sources=move.sources,
            result=move.result,
            bytes=move.nbytes,
            seconds=sum(each.duration_time_ns for each in timed) / 1e9,
            **around,
        )

    def _around(self, event: Any) -> Around:
        """What is around all that happened in an event, by the events around it."""
        unknown = []
        while event is not None and event.id not in self._known:
            unknown.append(event)
            event = event.parent
        around = self._known[event.id if event is not None else 0]
        # Python's stack may be too short for it.
        for each in reversed(unknown):
            around = self._known[each.id] = self._inside(each, event, around)
            event = each
        return around

    def _inside(self, event: Any, caller: Any, around: Around) -> Around:
        """What is around all that happened in an event, by what is around that in its caller."""
        fields = event.extra_fields
        kind = type(fields)
        is_called = caller is not None and type(caller.extra_fields) is _PY_CALL
        if is_called and (line := self._line(caller, event)):
            place = line if self._is_users(line.file) else around.place
            around = around._replace(place=place, library=line)
        if kind is _PY_CALL:
            file, module = full_name(_named(fields.callsite)[0]), fields.module
            is_own = self._is_users(file) or (around.is_own and file == _FUNCTIONAL)
            if around.compiled:
                return around._replace(is_own=is_own)
            named = (module.self_ptr, module.cls_name) if module else around.module
            return around._replace(is_own=is_own, node="", module=named)
        name = fields.name if kind is _OPERATION else ""
        if name.startswith(_COMPILED):
            return around._replace(compiled=True)
        return self._back(fields, around) if name.startswith(_NODE) else around

    def _back(self, fields: Any, around: Around) -> Around:
        """Below a node of autograd all is told for the line of the way forward that made it.

        That is the last operation that began before there was one node more.
        """
        before = bisect_right(self._made_by, fields.sequence_number, key=itemgetter(0))
        maker = self._maker(*self._made_by[before - 1][1:]) if before else None
        node = fields.name.removeprefix(_NODE).removeprefix("torch::autograd::")
        compiled, of_gap = node.startswith("CompiledFunction"), before > 0 and maker is None
        known = (maker or around)._replace(node=node, backward=True)
        return known._replace(compiled=compiled, of_gap=of_gap)

    def _maker(self, maker: Any, is_direct: bool) -> Around | None:
        """What was around an operation that made nodes of autograd's."""
        if maker is None or type(maker) is Around:
            return maker
        around = self._around(maker)
        return around if is_direct else around._replace(is_own=False)

    def _is_users(self, file: str) -> bool:
        return (file.startswith(self._package) and not is_of_torch(file)) or is_users(file)

    def _line(self, call: Any, part: Any) -> CodeLine | None:
        """The line at which a function of Python's called something, or did it by an operator."""
        callsite = call.extra_fields.callsite
        named = _named(callsite)
        file, function, done = full_name(named[0]), named[1], _done(part, named)
        if isinstance(done, int):
            return CodeLine(file, abs(done), function, abs(done)) if done else None
        if call.id not in self._lines:
            told = {each.id: at for each in call.children if (at := _done(each, named))}
            lines = lines_of(file, function, callsite.line_number, [*told.values()])
            self._lines[call.id] = dict(zip(told, lines, strict=True))
        return self._lines[call.id][part.id]


def _done(part: Any, function: tuple[str, str]) -> int | str:
    """The line of a call, the name of an operation; 0 for what is not this function's."""
    fields = part.extra_fields
    kind = type(fields)
    if kind is _OPERATION:
        return str(fields.name.removeprefix("aten::"))
    caller: Any = getattr(fields, "caller", None)
    # What comes in as a function begins is seen in the one that called it.
    if kind is not _C_CALL and (kind is not _PY_CALL or _named(caller) != function):
        return 0
    # Such as `__del__` Python calls by itself, wherever it is.
    by_itself = kind is _PY_CALL and _named(fields.callsite)[1][:2] == "__"
    return int(-caller.line_number if by_itself else caller.line_number)


def _named(code: Any) -> tuple[str, str]:
    """The file and the function of a frame, as torch has kept them."""
    try:
        return code.file_name, code.function_name
    except UnicodeDecodeError:
        # Code that was made while it ran, and is gone: torch has not kept its name.
        return "<gone>", "<gone>"
