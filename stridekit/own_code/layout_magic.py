"""`%%layout`: the header of each tensor that a cell makes or changes, line by line."""

import ast
import html
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from IPython.core.displayhook import DisplayHook
from IPython.core.error import UsageError

from stridekit.errors import StridekitError
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.reasons import filled
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

# So many lines are told; a loop may make any number of tensors.
LINES_MOST = 200
# So many items of a list, tuple or dict are looked at.
_ITEMS_MOST = 50


class _Known(NamedTuple):
    """What a name stood for after the last line."""

    identity: int
    header: str
    version: int
    memory: range


@dataclass(frozen=True)
class Line:
    """A tensor that a line made or changed: its name, its header, and what happened to it."""

    line: int
    name: str
    header: str
    said: str
    times: int = 1


class LineRecorder:
    """What each line of a cell made of the notebook's tensors, and of those in its lists and dicts.

    It runs in the middle of somebody's cell: it never raises.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._calls = 0
        self._tensors: dict[str, Any] = {}
        self._now: dict[str, _Known] = {}
        self._look()
        self.lines: list[Line] = []
        self.more = 0

    def __call__(self, line: int, text: str, value: Any = None) -> Any:
        """Look at what changed since the last line, and hand an expression's value on."""
        self._calls += 1
        if self._calls > LINES_MOST * 10:
            # A long loop: all that it makes has been told.
            self.more += 1
            return value
        before = self._now
        self._look()
        # A change of a header counts as a write, in all tensors on that memory.
        turned = [
            known.memory
            for name, known in self._now.items()
            if name in before
            and before[name].identity == known.identity
            and before[name].header != known.header
        ]
        told, written = False, list[range]()
        for name, known in self._now.items():
            was = before.get(name)
            if known == was:
                continue
            told |= self._tensors[name] is value
            if was is None or was.identity != known.identity:
                said = self._origin(name, self._tensors[name], known)
            elif was.header != known.header:
                said = f"the header changed in place; it was {was.header}"
            elif any(_meet(memory, known.memory) for memory in (*turned, *written)):
                continue
            else:
                # Views of what was written need no line more.
                written.append(known.memory)
                said = f"written in place{self._also(name, known)}"
            self._tell(Line(line, name, known.header, said))
        if not told and is_tensor(value) and not any(x is value for x in self._tensors.values()):
            known = _known(value)
            shown = text if len(text) <= 40 else text[:39] + "…"
            self._tell(Line(line, shown, known.header, self._origin("", value, known)))
        return value

    def _look(self) -> None:
        self._tensors = dict(_tensors_of(self._names))
        self._now = {name: _known(x) for name, x in self._tensors.items()}

    def _tell(self, new: Line) -> None:
        """One line more, or one that was told already, once more, as in a loop."""
        for place, line in enumerate(self.lines):
            if replace(line, times=1) == new:
                self.lines[place] = replace(line, times=line.times + 1)
                return
        if len(self.lines) < LINES_MOST:
            self.lines.append(new)
        else:
            self.more += 1

    def _origin(self, name: str, x: Any, known: _Known) -> str:
        same = [other for other, y in self._tensors.items() if y is x and other != name]
        if same:
            return f"the same tensor as {same[0]}"
        shared = self._sharing(name, known)
        if shared:
            return f"shares memory with {', '.join(shared)}"
        return f"memory of its own, {in_bytes(len(known.memory))}" if known.memory else "no memory"

    def _also(self, name: str, known: _Known) -> str:
        shared = self._sharing(name, known)
        return (
            f", which {', '.join(shared)} {'see' if len(shared) > 1 else 'sees'} too"
            if shared
            else ""
        )

    def _sharing(self, name: str, known: _Known) -> list[str]:
        return [
            other
            for other, theirs in self._now.items()
            if other != name and _meet(theirs.memory, known.memory)
        ]


def _tensors_of(names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tensors that have names, then those in lists, tuples and dicts that have."""
    kept: list[tuple[str, Any]] = []
    for name, x in list(names.items()):
        if name.startswith("_") or name in _IPYTHONS:
            continue
        if is_tensor(x):
            yield name, x
        elif type(x) in (list, tuple, dict):
            kept.append((name, x))
    for name, x in kept:
        # One list in another is looked into as well, and no further.
        for part, y in _items_of(name, x):
            if is_tensor(y):
                yield part, y
            elif type(y) in (list, tuple, dict):
                yield from ((inner, z) for inner, z in _items_of(part, y) if is_tensor(z))


# What IPython keeps: the cells' texts and their results.
_IPYTHONS = ("In", "Out")


def _items_of(name: str, x: Any) -> Iterator[tuple[str, Any]]:
    pairs = x.items() if type(x) is dict else enumerate(x)
    for key, item in islice(pairs, _ITEMS_MOST):
        if type(key) in (str, int):
            yield f"{name}[{key!r}]", item


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor of stridekit or torch, or an array; its own class is not asked."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    kind = type(x)
    return (
        issubclass(kind, Tensor)
        or (torch is not None and issubclass(kind, torch.Tensor))
        or (numpy is not None and issubclass(kind, numpy.ndarray))
    )


def _known(x: Any) -> _Known:
    torch = sys.modules.get("torch")
    if torch is None:
        return _asked(x)
    # A subclass may answer with anything; what its memory is, torch itself knows.
    with torch._C.DisableTorchFunctionSubclass():
        return _asked(x)


def _asked(x: Any) -> _Known:
    try:
        subject = subject_of("layout", x)
        memory = range(0) if str(getattr(x, "device", "")) == "meta" else _memory(subject)
        return _Known(id(x), _header(subject), _version(x), memory)
    except StridekitError as error:
        reason = str(error).partition(": ")[2].partition(".")[0]
    except Exception as error:  # noqa: BLE001 - whatever it is, the user's cell goes on
        reason = f"its header cannot be read ({type(error).__name__})"
    return _Known(id(x), f"{_size_of(x)}{reason}", 0, range(0))


def _size_of(x: Any) -> str:
    try:
        return f"size {tuple(x.shape)} · "
    except Exception:  # noqa: BLE001 - nested tensors have none
        return ""


def _header(subject: Subject) -> str:
    at = subject.layout
    return f"size {at.size} · stride {at.stride} · offset {at.storage_offset} · {subject.dtype}"


def _memory(subject: Subject) -> range:
    start = subject.storage_address
    return range(start, start + subject.storage_length * subject.itemsize)


def _version(x: Any) -> int:
    """How often a torch tensor was written to; what does not count stays at 0."""
    try:
        return int(getattr(x, "_version", 0))
    except RuntimeError:
        # Tensors made in inference_mode are not counted.
        return 0


def _meet(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


# The magic.


_HOOK = "__stridekit_layout__"


class CellFailed(Exception):  # noqa: N818 - what failed is told by its own traceback
    """The cell under `%%layout` failed: its own traceback stands above."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class Headers:
    """What `%%layout` shows: one `Line` for each tensor, in `lines`; `more` are counted alone."""

    def __init__(self, lines: list[Line], more: int = 0) -> None:
        self.lines = lines
        self.more = more

    @property
    def _rest(self) -> list[str]:
        if not self.more:
            return []
        return [f"and {self.more} more: {LINES_MOST} lines are shown at most"]

    def __repr__(self) -> str:
        if not self.lines:
            return "layout: this cell made no tensor and changed none."
        lines = [
            f"line {each.line}: {each.name} · {each.header}{_times(each)}\n{filled(each.said, 4)}"
            for each in self.lines
        ]
        return "\n".join([*lines, *self._rest])

    def _repr_html_(self) -> str:
        if not self.lines:
            return f"<p>{html.escape(repr(self))}</p>"
        left = 'style="text-align: left"'
        head = "".join(
            f'<th scope="col" {left}>{name}</th>' for name in ("line", "tensor", "header", "memory")
        )
        rows = "".join(
            f"<tr><td {left}>{each.line}</td><td {left}><code>{html.escape(each.name)}</code></td>"
            f"<td {left}>{html.escape(each.header + _times(each))}</td>"
            f"<td {left}>{html.escape(each.said)}</td></tr>"
            for each in self.lines
        )
        return (
            f"<table><caption {left}>Layout, line by line</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            + "".join(f"<p>{line}</p>" for line in self._rest)
        )


def layout(ip: Any, line: str, cell: str) -> None:
    """Run a cell as it is, and show the header of each tensor that it makes or changes.

    Raises CellFailed after the traceback of a cell that fails.
    """
    if line.strip():
        raise UsageError(f"%%layout takes nothing on its line, and not {line.strip()!r:.40}.")
    if ip.should_run_async(cell, transformed_cell=ip.transform_cell(cell)):
        raise UsageError(
            "%%layout runs a cell line by line, and cannot wait inside of it: take await out, or "
            "put it into a function."
        )
    from IPython.display import display

    recorder = LineRecorder(ip.user_ns)
    transformer = _Instrument(quiet=_is_quiet(cell))
    # A cell that this one runs may stand under %%layout as well.
    outer = ip.user_ns.get(_HOOK)
    ip.ast_transformers.append(transformer)
    ip.user_ns[_HOOK] = recorder
    try:
        result = ip.run_cell(cell, store_history=False)
    finally:
        ip.ast_transformers.remove(transformer)
        ip.user_ns.pop(_HOOK, None)
        if outer is not None:
            ip.user_ns[_HOOK] = outer
    display(Headers(recorder.lines, recorder.more))
    if not result.success:
        raise CellFailed("the cell under %%layout failed, as its traceback above says") from None


class _Instrument(ast.NodeTransformer):
    """Calls the recorder after each line of a cell, and passes it what an expression gives.

    Lines in loops and other blocks count, those in functions and classes do not: what is made
    there has names of its own.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._done = False
        self._quiet = quiet

    def visit(self, node: ast.AST) -> ast.AST:
        # Once: what the cell itself runs is not this cell.
        if self._done or not isinstance(node, ast.Module):
            return node
        self._done = True
        node.body = _watched(node.body)
        if self._quiet and node.body:
            # IPython looks for the semicolon in its history, where this cell is a call.
            node.body.append(ast.Expr(ast.Constant(None)))
        return ast.fix_missing_locations(node)


def _watched(block: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a block, with calls of the recorder."""
    body: list[ast.stmt] = []
    for statement in block:
        if isinstance(statement, ast.Expr):
            if body or not _is_text(statement.value):
                call = _call(statement, statement.value)
                statement = ast.copy_location(ast.Expr(call), statement)
            body.append(statement)
            continue
        body.append(statement)
        if _must_stay_first(statement) or isinstance(statement, _LEAVES):
            continue
        if isinstance(statement, _BLOCKS):
            _watch_inside(statement)
        body.append(ast.copy_location(ast.Expr(_call(statement)), statement))
    return body


def _watch_inside(statement: ast.AST) -> None:
    for name in ("body", "orelse", "finalbody"):
        if getattr(statement, name, None):
            setattr(statement, name, _watched(getattr(statement, name)))
    for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        _watch_inside(inner)


# After these the block goes no further.
_LEAVES = (ast.Break, ast.Continue, ast.Raise, ast.Return)

_BLOCKS = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.TryStar, ast.Match)


def _is_text(node: ast.expr) -> bool:
    """Whether it may be a docstring, after which imports from __future__ may come."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _must_stay_first(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _call(statement: ast.stmt, *values: ast.expr) -> ast.Call:
    name = ast.copy_location(ast.Name(_HOOK, ast.Load()), statement)
    text = "" if not values else ast.unparse(values[0])
    line = ast.Constant(statement.lineno)
    return ast.copy_location(ast.Call(name, [line, ast.Constant(text), *values], []), statement)


def _is_quiet(cell: str) -> bool:
    """Whether a cell ends with a semicolon, which keeps its last value from being shown."""
    try:
        return bool(DisplayHook.semicolon_at_end_of_expression(cell))
    except (tokenize.TokenError, SyntaxError):
        return False


def _times(line: Line) -> str:
    return f" ×{line.times}" if line.times > 1 else ""
