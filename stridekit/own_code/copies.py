"""The copies in what torch's profiler recorded, each with its place in the user's code.

The profiler gives a tree of events in the order of the program: calls of Python's functions,
with their lines; calls of C functions, with the line that called them; and torch's operations.
"""

import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from torch._C import _profiler as names

from stridekit.layouts.layout import Ints
from stridekit.own_code.moves import MOVERS, Moves, header_in
from stridekit.own_code.places import (
    CodeLine,
    Gap,
    ModuleNames,
    full_name,
    is_of_torch,
    is_users,
    operators_line,
    package_of,
)
from stridekit.own_code.rows import Row
from stridekit.own_code.torch_profiler import COMPILERS, ENDING

_OURS = str(Path(__file__).parent)
_NODE = "autograd::engine::evaluate_function: "
# Python's functions that start a thread or a process.
_STARTING = ("threading.py", "multiprocessing/process.py".replace("/", os.sep))
# How Python's calls of operations are named: a method of a tensor, or one of torch's functions.
_CALLED = re.compile(r"<built-in method (\w+) of (?:Tensor|Parameter|type) object")
_PY_CALL, _C_CALL, _OPERATION = (
    names._EventType.PyCall,
    names._EventType.PyCCall,
    names._EventType.TorchOp,
)
_modules = ModuleNames()
_FORWARD_MOST = 50_000
_VIEWED_MOST = 5_000
# A view of less than this keeps nothing large alive, in bytes: to look for all takes a while.
_VIEWED_LEAST = 32 * 1024
# What is above the making of a view that shows a part.
_PARTS = ((), ("diagonal",), ("select",), ("slice",), ("unfold",))


class _Operation(NamedTuple):
    """An operation that Python called: the user's line, the innermost one, and torch's record."""

    place: CodeLine
    library: CodeLine
    fields: Any


class _Around(NamedTuple):
    """What is around an event: a function of Python's that runs, and an operation in there.

    `users` is the user's line that called the function, or that of the way forward; `module` the
    address and the class of the innermost module; `node` autograd's node, if the function runs
    it; `above` the names from the operation that was called down to the event.
    """

    users: CodeLine
    file: str
    function: str
    is_users: bool = False
    module: tuple[int, str] | None = None
    node: str = ""
    backward: bool = False
    compiled: bool = False
    operation: _Operation | None = None
    above: tuple[str, ...] = ()

    def line(self, at: int | Gap) -> CodeLine:
        """A line of the function, or that of an operator in it."""
        if isinstance(at, Gap):
            return operators_line(self.file, self.function, at)
        return CodeLine(self.file, at, self.function, at)

    def users_line(self, at: int | Gap) -> CodeLine:
        """The user's line, where the function calls something."""
        return self.line(at) if self.is_users else self.users


_MadeAt = tuple[CodeLine, tuple[int, str] | None]


class Reader:
    """Reads recordings of one thread, one after the other, and keeps what goes on between them."""

    def __init__(self, opened: CodeLine) -> None:
        self._opened = opened
        # Where everything is installed, the package that opened the watch is the user's.
        foreign = not is_users(opened.file) and not is_of_torch(opened.file)
        self._package = package_of(opened.file) if foreign else ""
        # Where autograd's nodes were made, and in which module, by the number of the first that
        # an operation made.
        self._numbers_made: list[int] = []
        self._made_at: list[_MadeAt | None] = []
        self.went_back = False
        self.unseen = 0
        self.uses_channels_last = False
        # The number of autograd's last node when each step of an optimizer was seen.
        self.steps: list[int] = []
        self.threads: dict[CodeLine, None] = {}
        # Where a view was made last, by the address of its storage and its size.
        self.viewed: dict[tuple[int, Ints], CodeLine] = {}

    def read(self, recorded: Any, nodes: int) -> Iterator[Row]:
        """The copies of one recording, in the order of the program.

        At its end autograd had made so many `nodes` in its thread.
        """
        moves, self.went_back, _modules.is_fresh = Moves(recorded), False, False
        roots = recorded.experimental_event_tree()
        mine = next((root.start_tid for root in roots if _ends_here(root)), None)
        others: set[int] = set()
        for root in roots:
            # Of other threads only Python's calls are seen, unless they do our way back.
            if root.start_tid == mine or root.tag == _OPERATION:
                yield from self._walk(root, moves)
            elif root.start_tid not in others and (place := _moves_elements(root)):
                others.add(root.start_tid)
                self.threads.setdefault(place)
        self._made(nodes, None)
        self.unseen += moves.unseen

    def _walk(self, root: Any, moves: Moves) -> Iterator[Row]:
        """Go through a tree in the order of the program. Python's stack may be too short for it."""
        opened, line = self._opened, self._opened.line
        outside = _Around(opened, opened.file, opened.function)
        waiting: list[tuple[Iterator[_Called], _Around]] = [(zip([root], repeat(line)), outside)]
        while waiting:
            events, around = waiting[-1]
            event, at = next(events, (None, 0))
            if event is None:
                waiting.pop()
                continue
            kind, fields = event.typed
            if kind == _PY_CALL:
                if fields.optimizer is not None:
                    self.steps.append(self._numbers_made[-1] if self._numbers_made else 0)
                inner = self._entered(around, fields, at)
                if inner is not None:
                    begins = fields.callsite.line_number
                    waiting.append((_called(event.children, begins), inner))
            elif kind == _C_CALL:
                below = around
                if around.operation is not None:
                    below = around._replace(operation=None, above=())
                waiting.append((zip(event.children, repeat(at)), below))
            elif kind == _OPERATION:
                full = fields.name
                name = full.removeprefix("aten::")
                if name.startswith(_NODE):
                    around = self._node(around, name.removeprefix(_NODE), fields, at)
                elif name != full or not _is_autograds(name, fields):
                    operation, above = around.operation, around.above
                    if operation is None:
                        operation = _Operation(around.users_line(at), around.line(at), fields)
                    number = fields.sequence_number
                    if number >= 0:
                        self._made(number, (operation.place, around.module))
                    if name in MOVERS:
                        yield from self._copy(event, name, operation, around, moves)
                        continue
                    if name == "convolution":
                        given = map(header_in, fields.inputs[:2])
                        self.uses_channels_last |= any(x and x.channels_last for x in given)
                    if name == "as_strided" and above[-1:] in _PARTS:
                        self._view(event, fields.inputs[0], operation.place, moves)
                    if event.children:
                        around = around._replace(operation=operation, above=(*above, name))
                elif name.startswith("Torch-Compiled Region"):
                    around = around._replace(compiled=True)
                waiting.append((zip(event.children, repeat(at)), around))

    def _entered(self, around: _Around, fields: Any, at: int | Gap) -> _Around | None:
        """Inside of a function that is called; None where nobody has to look into it."""
        file, function = _named(fields.callsite)
        users = around.users_line(at)
        if function == "start" and file in _STARTING:
            self.threads.setdefault(users)
        whole = full_name(file)
        if whole.startswith((_OURS, *COMPILERS)):
            return None
        module = around.module
        if fields.module is not None and not around.compiled:
            module = (fields.module.self_ptr, fields.module.cls_name)
        mine = bool(self._package) and whole.startswith(self._package) and not is_of_torch(whole)
        return _Around(
            users=users,
            file=whole,
            function=function,
            is_users=mine or is_users(whole),
            module=module,
            backward=around.backward,
            compiled=around.compiled,
        )

    def _view(self, event: Any, viewed: Any, place: CodeLine, moves: Moves) -> None:
        """Remember where a view of a large tensor was made."""
        base = header_in(viewed)
        if base is not None and base.nbytes >= _VIEWED_LEAST:
            if len(self.viewed) >= _VIEWED_MOST:
                self.viewed.clear()
            self.viewed[viewed.storage_data_ptr, tuple(moves.numbers(event)[1])] = place

    def _copy(
        self, event: Any, name: str, operation: _Operation, around: _Around, moves: Moves
    ) -> Iterator[Row]:
        """The row of an operation that moves elements, if it did."""
        above = around.above
        move = moves.of(event, name, above[-1] if above else "")
        if move is None or not move.nbytes or move.result.device == "meta":
            return
        first, second, *_ = (*map(header_in, operation.fields.inputs[:2]), None, None)
        on_cpu = move.result.device == "cpu"
        yield Row(
            call=around.node or (above[0] if above else name),
            operation=name,
            above=above,
            place=operation.place,
            library=operation.library,
            modules=(_modules.path(*around.module),) if around.module else (),
            backward=around.backward,
            compiled=around.compiled,
            is_second=move.sources[0] == second != first,
            sources=move.sources,
            result=move.result,
            bytes=move.nbytes,
            seconds=(event.duration_time_ns if on_cpu else _kernels_time(event)) / 1e9,
        )

    def _node(self, around: _Around, name: str, fields: Any, at: int | Gap) -> _Around:
        """Below a node of autograd all is told for the line of the way forward that made it.

        That is the last operation that began before there was one node more.
        """
        self.went_back = True
        place = bisect_right(self._numbers_made, fields.sequence_number) - 1
        made_at = self._made_at[place] if place >= 0 else None
        users, module = made_at or (around.users_line(at), around.module)
        return around._replace(
            users=users,
            is_users=False,
            module=module,
            node=name.removeprefix("torch::autograd::"),
            backward=True,
            compiled=around.compiled or name.startswith("CompiledFunction"),
            operation=None,
            above=(),
        )

    def _made(self, number: int, at: _MadeAt | None) -> None:
        """An operation makes autograd's nodes from a number on; with None, nobody known does."""
        if len(self._made_at) >= _FORWARD_MOST:
            del self._numbers_made[: _FORWARD_MOST // 2], self._made_at[: _FORWARD_MOST // 2]
        self._numbers_made.append(number)
        self._made_at.append(at)


# An event, and where it was called.
_Called = tuple[Any, int | Gap]


def _called(events: Any, begins: int) -> Iterator[_Called]:
    """Events below a function that `begins` at a line, each with the line that called it.

    For an operator that is the gap between two calls. Calls in which nothing was recorded are
    left out, for Python makes millions of them; but not the one by which an optimizer says that
    it has made a step.
    """
    operators: list[Any] = []
    last = None
    for event in events:
        tag = event.tag
        if tag in (_PY_CALL, _C_CALL):
            if operators:
                yield from _in_gap(operators, _line(last) or begins, _line(event))
                operators = []
            last = event
            if event.children or (tag == _PY_CALL and event.extra_fields.optimizer is not None):
                yield event, _line(event)
        elif tag == _OPERATION:
            operators.append(event)
        else:
            yield event, 0
    yield from _in_gap(operators, _line(last) or begins, 0)


def _line(call: Any) -> int:
    """The line that called a function; 0 without a call."""
    return int(call.extra_fields.caller.line_number) if call else 0


def _in_gap(operators: list[Any], after: int, before: int) -> Iterator[_Called]:
    spelled = [each.name.removeprefix("aten::") for each in operators]
    total, number = Counter(spelled), Counter[str]()
    for event, name in zip(operators, spelled, strict=True):
        yield event, Gap(after, before, name, number[name], total[name])
        number[name] += 1


def _is_autograds(name: str, fields: Any) -> bool:
    """Whether it is a node of autograd's, or a function of one's own for it."""
    return "::" not in name or fields.scope == names.RecordScope.BACKWARD_FUNCTION


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
        if kind in (_PY_CALL, _C_CALL):
            file, function = _named(fields.caller)
            if is_users(full_name(file)):
                line = fields.caller.line_number
                place = CodeLine(full_name(file), line, function, line)
        if kind == _C_CALL:
            called = _CALLED.match(event.name)
            if called and called[1] in MOVERS:
                return place
        waiting += [(child, place) for child in event.children]
    return None


def _ends_here(root: Any) -> bool:
    """Whether a recording was ended, or muted, from below an event."""
    while root.children:
        root = root.children[-1]
    return root.tag == _C_CALL and any(name in root.name for name in ENDING)


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
