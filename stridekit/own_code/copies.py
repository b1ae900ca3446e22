"""The copies in what torch's profiler recorded, each with its place in the user's code.

The profiler gives a tree of events in the order of the program: calls of Python's functions,
with their lines; calls of C functions, with the line that called them; and torch's operations.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, partial
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
# Neither what we do is told, nor what torch's compilers do.
_UNTOLD = (str(Path(__file__).parent), *COMPILERS)
# Python's functions that start a thread or a process.
_STARTING = ("threading.py", "multiprocessing/process.py".replace("/", os.sep))
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
_FUNCTIONAL = os.path.join(TORCH, "nn", "functional.py")  # noqa: PTH118 - as frames have it
_modules = ModuleNames()
_FORWARD_MOST = 50_000
_VIEWED_MOST = 5_000
# A view of less than this keeps nothing large alive, in bytes: to look for all takes a while.
_VIEWED_LEAST = 32 * 1024
# What is above the making of a view that shows a part.
_PARTS = ("aten::diagonal", "aten::select", "aten::slice", "aten::unfold")


class _Around(NamedTuple):
    """What is around an event, beside the operations that it is a part of.

    `place` is the user's line, or that of the way forward; `library` the innermost line; `is_own`
    says that the user calls there himself. `module` is the address and the class of the innermost
    module; `node` autograd's, if no function of Python's lies between that is not compiled.
    """

    place: CodeLine
    library: CodeLine
    is_own: bool = True
    module: tuple[int, str] | None = None
    node: str = ""
    backward: bool = False
    compiled: bool = False


class _Where:
    """What is around an event, worked out where it is asked for: most events tell nothing."""

    def __init__(self, outer: Any, change: Callable[[_Around], _Around] | None = None) -> None:
        """It is what is around something outer, with a change; or `outer` itself."""
        self._outer, self._change = outer, change

    def __call__(self) -> _Around:
        unknown, each = list[Any](), self
        # Python's stack may be too short for it.
        while each._change:
            unknown.append(each)
            each = each._outer
        around: _Around = each._outer
        for each in reversed(unknown):
            around = each._change(around)
            # What was recorded is let go.
            each._outer, each._change = around, None
        return around


class _Call:
    """A function that Python called, in a file that may be the user's."""

    def __init__(self, event: Any, file: str, named: tuple[str, str], is_users: bool) -> None:
        self._event, self._file, self._named, self._is_users = event, file, named, is_users

    def inside(self, around: _Around) -> _Around:
        """What is around all that it did."""
        module = None if around.compiled else self._event.extra_fields.module
        return around._replace(
            is_own=self._is_users or (around.is_own and self._file == _FUNCTIONAL),
            node=around.node if around.compiled else "",
            module=(module.self_ptr, module.cls_name) if module else around.module,
        )

    def part(self, part: Any, inside: _Around) -> _Around:
        """What is around something that it called, or did by an operator."""
        line = self._lines[part.id] if self._lines else self._line(part)
        if line is None:
            return inside
        return inside._replace(place=line if self._is_users else inside.place, library=line)

    def _line(self, part: Any) -> CodeLine | None:
        line = abs(int(self._done(part)))
        return CodeLine(self._file, line, self._named[1], line) if line else None

    @cached_property
    def _lines(self) -> dict[int, CodeLine | None]:
        """The lines of all parts, where operators did some: these lie between the others."""
        parts = self._event.children
        if not any(type(part.extra_fields) is _OPERATION for part in parts):
            return {}
        done = {part.id: self._done(part) for part in parts}
        begin, own = (
            self._event.extra_fields.callsite.line_number,
            [each for each in done.values() if each],
        )
        lines = iter(lines_of(self._file, self._named[1], begin, own))
        return {key: next(lines) if each else None for key, each in done.items()}

    def _done(self, part: Any) -> int | str:
        """The line of a call, the name of an operation; 0 for what is not this function's."""
        fields = part.extra_fields
        kind = type(fields)
        if kind is _OPERATION:
            return str(fields.name.removeprefix("aten::"))
        caller: Any = getattr(fields, "caller", None)
        # What comes in as a function begins is seen in the one that called it.
        if kind is not _C_CALL and (kind is not _PY_CALL or _named(caller) != self._named):
            return 0
        # Such as `__del__` Python calls by itself, wherever it is.
        by_itself = kind is _PY_CALL and _named(fields.callsite)[1][:2] == "__"
        return int(-caller.line_number if by_itself else caller.line_number)


class Reader:
    """Reads recordings of one thread, one after the other, and keeps what goes on between them."""

    def __init__(self, opened: CodeLine) -> None:
        self._opened = opened
        # Where everything is installed, the package that opened the watch is the user's.
        foreign = not is_users(opened.file) and not is_of_torch(opened.file)
        self._package = (package_of(opened.file),) if foreign else ()
        # What was around the making of autograd's nodes, by the number of the first that an
        # operation made, and whether that was called as it is; None where nobody known made them.
        self._made_at: list[tuple[int, _Where | None, bool]] = []
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
        self._made_at.append((nodes, None, False))
        self.unseen += moves.unseen
        if not goes_on:
            self._made_at.clear()
        # What is known holds nothing of what was recorded.
        for _, where, _ in self._made_at[self._settled :]:
            if where:
                where()
        del self._made_at[:-_FORWARD_MOST]
        self._settled = len(self._made_at)

    def _walk(self, root: Any, moves: Moves) -> Iterator[Row]:
        """Go through a tree in the order of the program. Python's stack may be too short for it."""
        # Of other threads only Python's calls are seen, unless they do our way back.
        is_known = root.start_tid == own_thread() or type(root.extra_fields) is _OPERATION
        place = self._opened if is_known else CodeLine("<gone>", 0, "<gone>", 0)
        # Each with the operations that it is a part of, the innermost last.
        waiting = [(root, _Where(_Around(place, place)), tuple[Any, ...]())]
        # On the way back torch goes on with what was muted, but not with Python's calls.
        while waiting and not self._is_muted:
            event, where, inside = waiting.pop()
            fields = event.extra_fields
            kind = type(fields)
            if kind is _PY_CALL:
                if fields.optimizer is not None:
                    self.steps.append(self._made_at[-1][0] if self._made_at else 0)
                named = _named(fields.callsite)
                if named[1] == "start" and named[0] in _STARTING:
                    self.threads.setdefault(where().place)
                file = full_name(named[0])
                if file.startswith(_UNTOLD):
                    self._is_muted |= "setprofile" in last_called(event.children)
                else:
                    is_mine = file.startswith(self._package) and not is_of_torch(file)
                    call = _Call(event, file, named, is_mine or is_users(file))
                    where = _Where(where, call.inside)
                    waiting += [
                        (part, _Where(where, partial(call.part, part)), ())
                        for part in reversed(event.children)
                    ]
                continue
            if kind is _C_CALL:
                called = None if is_known else _CALLED.match(event.name)
                if called and called[1] in MOVERS:
                    self.threads.setdefault(where().place)
            elif kind is _OPERATION:
                full = fields.name
                name = full.removeprefix("aten::")
                is_torchs = name != full
                if not is_torchs and full.startswith(_NODE):
                    where = self._node(full.removeprefix(_NODE), fields, where, inside)
                    inside = ()
                elif not is_torchs and full.startswith("Torch-Compiled Region"):
                    where = _Where(where, partial(_Around._replace, compiled=True))
                elif is_torchs or fields.scope != _BACKWARD:
                    is_mover = is_torchs and name in MOVERS
                    if (number := fields.sequence_number) >= 0:
                        # What a mover is made of is not gone through, and may have made nodes.
                        is_direct = not inside and not (is_mover and event.children)
                        self._made_at.append((number, where, is_direct))
                    if is_mover:
                        if row := self._copy(event, name, where, inside, moves):
                            yield row
                        continue
                    if full == "aten::convolution" and not self.uses_channels_last:
                        given = map(header_in, fields.inputs[:2])
                        self.uses_channels_last = any(x and x.channels_last for x in given)
                    elif full == "aten::as_strided" and (not inside or inside[-1].name in _PARTS):
                        self._view(event, where, moves)
                    # Others are functions of one's own for autograd.
                    if "::" in full:
                        inside = (*inside, event)
            waiting += [(child, where, inside) for child in reversed(event.children)]

    def _view(self, event: Any, where: _Where, moves: Moves) -> None:
        """A view of a large tensor may keep that alive."""
        given = event.extra_fields.inputs[0]
        base = header_in(given)
        if base is not None and base.nbytes >= _VIEWED_LEAST:
            if len(self.viewed) >= _VIEWED_MOST:
                self.viewed.clear()
            self.viewed[given.storage_data_ptr, tuple(moves.numbers(event)[1])] = where().place

    def _copy(self, event: Any, name: str, where: _Where, inside: Any, moves: Moves) -> Row | None:
        """The row of an operation that moves elements, if it did."""
        above = tuple(each.name.removeprefix("aten::") for each in inside)
        move = moves.of(event, name, above[-1] if above else "")
        if move is None or not move.nbytes or move.result.device == "meta":
            return None
        at, given = where(), [*map(header_in, (*inside, event)[0].extra_fields.inputs)]
        # On other devices an operation launches kernels, and does not wait for them.
        launched = (kernel for each in below(event, _KERNEL) for kernel in below(each, _KERNEL))
        on_cpu = move.result.device == "cpu"
        time = event.duration_time_ns if on_cpu else sum(x.duration_time_ns for x in launched)
        return Row(
            call=at.node or (*above, name)[0],
            operation=name,
            above=above,
            place=at.place,
            library=at.library,
            is_own=at.is_own,
            modules=(_modules.path(*at.module),) if at.module else (),
            backward=at.backward,
            compiled=at.compiled,
            argument=given.index(move.sources[0]) if move.sources[0] in given else -1,
            sources=move.sources,
            result=move.result,
            bytes=move.nbytes,
            seconds=time / 1e9,
        )

    def _node(self, name: str, fields: Any, where: _Where, inside: Any) -> _Where:
        """Below a node of autograd all is told for the line of the way forward that made it.

        That is the last operation that began before there was one node more.
        """
        self.went_back = True
        before = bisect_right(self._made_at, fields.sequence_number, key=itemgetter(0))
        _, made_at, is_direct = self._made_at[before - 1] if before else (0, None, False)
        if made_at is None:
            made_at, is_direct = where, not inside
        if not is_direct:
            made_at = _Where(made_at, partial(_Around._replace, is_own=False))
        named, compiled = (
            name.removeprefix("torch::autograd::"),
            name.startswith("CompiledFunction"),
        )
        back = partial(_Around._replace, node=named, backward=True, compiled=compiled)
        return _Where(made_at, back)


def _named(code: Any) -> tuple[str, str]:
    """The file and the function of a frame, as torch has kept them."""
    try:
        return code.file_name, code.function_name
    except UnicodeDecodeError:
        # Code that was made while it ran, and is gone: torch has not kept its name.
        return "<gone>", "<gone>"
