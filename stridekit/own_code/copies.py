"""The copies in what torch's profiler recorded, each with its place in the user's code.

The profiler gives a tree of events in the order of the program: calls of Python's functions,
with their lines; calls of C functions, with the line that called them; and torch's operations.
"""

import os
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
# Neither what we do is told, nor what torch's compilers do.
_UNTOLD = (str(Path(__file__).parent), *COMPILERS)
# Python's functions that start a thread or a process.
_STARTING = ("threading.py", "multiprocessing/process.py".replace("/", os.sep))
# How the names of Python's calls end that tell something: it starts one of these, an optimizer
# has made a step, or we mute it.
_TELLING = (": start", ": _optimizer_step_code", "setprofile>")
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
_PARTS = ((), ("diagonal",), ("select",), ("slice",), ("unfold",))


class _Around(NamedTuple):
    """What is around an event, beside the operations that it is a part of.

    `place` is the user's line, or that of the way forward; `library` the innermost line; `is_own`
    says that the user calls there himself, and `is_other` that it is in another thread. `module` is
    the address and the class of the innermost module; `node` autograd's, if no function of Python's
    lies between that is not compiled.
    """

    place: CodeLine
    library: CodeLine
    is_own: bool = True
    is_other: bool = False
    module: tuple[int, str] | None = None
    node: str = ""
    backward: bool = False
    compiled: bool = False


class Reader:
    """Reads recordings of one thread, one after the other, and keeps what goes on between them."""

    def __init__(self, opened: CodeLine) -> None:
        self._opened = opened
        # Where everything is installed, the package that opened the watch is the user's.
        foreign = not is_users(opened.file) and not is_of_torch(opened.file)
        self._package = package_of(opened.file) if foreign else ""
        # What was around the making of autograd's nodes, by the number of the first that an
        # operation made, and whether the user called that himself.
        self._made_at: list[tuple[int, _Around | None, bool]] = []
        self.unseen = 0
        self.uses_channels_last = False
        # The number of autograd's last node when each step of an optimizer was seen; None where
        # there may have been more of them.
        self.steps: list[int | None] = []
        self.threads: dict[CodeLine, None] = {}
        # Where a view was made last, by the address of its storage and its size.
        self.viewed: dict[tuple[int, Ints], CodeLine] = {}
        # Whether events tell something, by their ids.
        self._known: dict[int, bool] = {}

    def read(self, recorded: Any, nodes: int) -> Iterator[Row]:
        """The copies of one recording, in the order of the program.

        At its end, or when it was muted, autograd had made so many `nodes` in its thread.
        """
        moves, _modules.is_fresh, self._known = Moves(recorded), False, {}
        self.went_back = self._is_muted = False
        for root in recorded.experimental_event_tree():
            # Of other threads only Python's calls are seen, unless they do our way back.
            is_mine = root.start_tid == own_thread() or type(root.extra_fields) is _OPERATION
            place = self._opened if is_mine else CodeLine("<gone>", 0, "<gone>", 0)
            yield from self._walk(root, _Around(place, place, is_other=not is_mine), moves)
        self._made(nodes, None)
        self.unseen += moves.unseen

    def _walk(self, root: Any, outside: _Around, moves: Moves) -> Iterator[Row]:
        """Go through a tree in the order of the program. Python's stack may be too short for it."""
        # Each with what is around it, and the operations that it is a part of, the innermost last.
        waiting: list[tuple[Any, _Around, tuple[Any, ...]]] = [(root, outside, ())]
        # On the way back torch goes on with what was muted, but not with Python's calls.
        while waiting and not self._is_muted:
            event, around, inside = waiting.pop()
            fields = event.extra_fields
            kind = type(fields)
            if kind is _PY_CALL:
                if fields.optimizer is not None:
                    self.steps.append(self._made_at[-1][0] if self._made_at else 0)
                called = [*self._called(event.children, fields, around)]
                waiting += [(child, there, ()) for child, there in reversed(called)]
                continue
            if kind is _C_CALL:
                if around.is_other and _is_movers(event.name):
                    self.threads.setdefault(around.place)
            elif kind is _OPERATION:
                full = fields.name
                name = full.removeprefix("aten::")
                if full.startswith(_NODE):
                    around = self._node(full.removeprefix(_NODE), fields, around, inside)
                    inside = ()
                elif full.startswith("Torch-Compiled Region"):
                    around = around._replace(compiled=True)
                elif name != full or fields.scope != _BACKWARD:
                    is_mover = name != full and name in MOVERS
                    if (number := fields.sequence_number) >= 0:
                        # What a mover is made of is not gone through, and may have made nodes.
                        is_own = around.is_own and not inside
                        self._made(number, around, is_own and not (is_mover and event.children))
                    if is_mover:
                        yield from self._copy(event, name, around, inside, moves)
                        continue
                    # Others are functions of one's own for autograd.
                    if "::" in full:
                        self._notice(event, name, around, inside, moves)
                        inside = (*inside, event)
            waiting += [(child, around, inside) for child in reversed(event.children)]

    def _called(self, events: Any, fields: Any, around: _Around) -> Iterator[tuple[Any, _Around]]:
        """What a function called, or did by operators, each with what is around it there.

        Calls that tell nothing are left out, for Python makes millions of them.
        """
        callsite = fields.callsite
        file, function = named = _named(callsite)
        if function == "start" and file in _STARTING:
            self.threads.setdefault(around.place)
        file = full_name(file)
        if file.startswith(_UNTOLD):
            self._is_muted |= "setprofile" in last_called(events)
            return
        is_mine = bool(self._package) and file.startswith(self._package) and not is_of_torch(file)
        is_place = is_mine or is_users(file)
        is_own = is_place or (around.is_own and file == _FUNCTIONAL)
        node = around.node if around.compiled else ""
        module = None if around.compiled else fields.module
        named_module = (module.self_ptr, module.cls_name) if module else around.module
        around = around._replace(is_own=is_own, node=node, module=named_module)

        def of_lines(event: Any) -> int | str:
            """The line of a call, the name of an operation; 0 for what is not this function's."""
            fields = event.extra_fields
            kind = type(fields)
            if kind is _OPERATION:
                return str(fields.name.removeprefix("aten::"))
            caller: Any = getattr(fields, "caller", None)
            # What comes in as a function begins is seen in the one that called it.
            if kind is not _C_CALL and (kind is not _PY_CALL or _named(caller) != named):
                return 0
            # Such as `__del__` Python calls by itself, wherever it is.
            by_itself = is_mixed and kind is _PY_CALL and _named(fields.callsite)[1][:2] == "__"
            return int(-caller.line_number if by_itself else caller.line_number)

        is_mixed = any(type(event.extra_fields) is _OPERATION for event in events)
        if not is_mixed:
            # No line beside theirs is asked for.
            events = [event for event in events if self._tells(event)]
        done = [*map(of_lines, events)]
        own = [each for each in done if each]
        plain = (CodeLine(file, int(line), function, int(line)) for line in own)
        lines = iter(lines_of(file, function, callsite.line_number, own)) if is_mixed else plain
        for event, is_done in zip(events, done, strict=True):
            if not is_done:
                yield event, around
            elif (line := next(lines)) and self._tells(event):
                place = line if is_place else around.place
                yield event, around._replace(place=place, library=line)

    def _tells(self, event: Any) -> bool:
        """Whether an event tells something, or any that it is made of."""
        waiting = [event]
        while waiting:
            each = waiting.pop()
            known = self._known.get(each.id)
            if known or (known is None and _tells_itself(each)):
                while each.id != event.id:
                    self._known[each.id], each = True, each.parent
                self._known[event.id] = True
                break
            if known is None:
                self._known[each.id] = False
                waiting += each.children
        return self._known[event.id]

    def _notice(self, event: Any, name: str, at: _Around, inside: Any, moves: Moves) -> None:
        """What matters beside copies: a convolution in channels_last, a view of a large tensor."""
        inputs = event.extra_fields.inputs
        if name == "convolution":
            given = map(header_in, inputs[:2])
            self.uses_channels_last |= any(x and x.channels_last for x in given)
        elif name == "as_strided" and _names(inside[-1:]) in _PARTS:
            base = header_in(inputs[0])
            if base is not None and base.nbytes >= _VIEWED_LEAST:
                if len(self.viewed) >= _VIEWED_MOST:
                    self.viewed.clear()
                size = tuple(moves.numbers(event)[1])
                self.viewed[inputs[0].storage_data_ptr, size] = at.place

    def _copy(self, event: Any, name: str, at: _Around, inside: Any, moves: Moves) -> Iterator[Row]:
        """The row of an operation that moves elements, if it did."""
        above = _names(inside)
        move = moves.of(event, name, above[-1] if above else "")
        if move is None or not move.nbytes or move.result.device == "meta":
            return
        given = [*map(header_in, (*inside, event)[0].extra_fields.inputs)]
        # On other devices an operation launches kernels, and does not wait for them.
        launched = (kernel for each in below(event, _KERNEL) for kernel in below(each, _KERNEL))
        on_cpu = move.result.device == "cpu"
        time = event.duration_time_ns if on_cpu else sum(x.duration_time_ns for x in launched)
        yield Row(
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

    def _node(self, name: str, fields: Any, around: _Around, inside: Any) -> _Around:
        """Below a node of autograd all is told for the line of the way forward that made it.

        That is the last operation that began before there was one node more.
        """
        self.went_back = True
        before = bisect_right(self._made_at, fields.sequence_number, key=itemgetter(0))
        _, made_at, is_own = self._made_at[before - 1] if before else (0, None, False)
        if made_at is None:
            made_at, is_own = around, around.is_own and not inside
        return made_at._replace(
            is_own=is_own,
            is_other=around.is_other,
            node=name.removeprefix("torch::autograd::"),
            backward=True,
            compiled=around.compiled or name.startswith("CompiledFunction"),
        )

    def _made(self, number: int, at: _Around | None, is_own: bool = False) -> None:
        """An operation makes autograd's nodes from a number on; with None, nobody known does."""
        if len(self._made_at) >= _FORWARD_MOST:
            del self._made_at[: _FORWARD_MOST // 2]
        self._made_at.append((number, at, is_own))


def _names(operations: Any) -> tuple[str, ...]:
    return tuple(each.name.removeprefix("aten::") for each in operations)


def _tells_itself(event: Any) -> bool:
    """Whether an event is what is told, or is asked for by its name."""
    try:
        # Of other threads only Python's calls are seen.
        return (
            type(event.extra_fields) is _OPERATION
            or event.name.endswith(_TELLING)
            or (event.start_tid != own_thread() and _is_movers(event.name))
        )
    except UnicodeDecodeError:
        # As in `_named`.
        return False


def _is_movers(name: str) -> bool:
    """Whether Python calls an operation by this name that moves elements."""
    called = _CALLED.match(name)
    return called is not None and called[1] in MOVERS


def _named(code: Any) -> tuple[str, str]:
    """The file and the function of a frame, as torch has kept them."""
    try:
        return code.file_name, code.function_name
    except UnicodeDecodeError:
        # Code that was made while it ran, and is gone: torch has not kept its name.
        return "<gone>", "<gone>"
