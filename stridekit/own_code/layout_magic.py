"""`%%layout`: the header of each tensor that a cell makes or changes, line by line."""

import ast
import sys
import tokenize
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from html import escape
from itertools import islice
from typing import Any, NamedTuple

from IPython.core.displayhook import DisplayHook
from IPython.core.error import UsageError
from IPython.display import display

from stridekit.errors import StridekitError
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.reasons import cut, filled, html_table, times
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

# So many lines are told; a loop may make any number of tensors.
LINES_MOST = 200
# So many items of a list, tuple or dict are looked at.
_ITEMS_MOST = 50


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
    recorder = _Recorder(ip.user_ns)
    # A cell that this one runs may stand under %%layout as well.
    hook = f"__stridekit_layout_{id(recorder)}__"
    quiet = False
    with suppress(tokenize.TokenError, SyntaxError):
        quiet = DisplayHook.semicolon_at_end_of_expression(cell)
    transformer = _Instrument(hook, quiet)
    ip.ast_transformers.append(transformer)
    ip.user_ns[hook] = recorder
    try:
        result = ip.run_cell(cell, store_history=False)
    finally:
        ip.ast_transformers.remove(transformer)
        ip.user_ns.pop(hook, None)
    display(recorder)
    if not result.success:
        raise CellFailed("the cell under %%layout failed, as its traceback above says") from None


class CellFailed(Exception):  # noqa: N818 - what failed is told by its own traceback
    """The cell under `%%layout` failed: its own traceback stands above."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class _Instrument(ast.NodeTransformer):
    """Calls the recorder after each line of a cell, and passes it what an expression gives.

    Lines in loops and other blocks count, those in functions and classes do not: what is made
    there has names of its own.
    """

    def __init__(self, hook: str, quiet: bool) -> None:
        self._hook, self._quiet, self._done = hook, quiet, False

    def visit(self, node: Any) -> Any:
        """A statement, with the call after it."""
        if isinstance(node, ast.Module):
            # Once: what the cell itself runs is not this cell.
            if not self._done:
                self._done = True
                self.generic_visit(node)
                # IPython looks for the semicolon in its history, where this cell is a call.
                node.body += [ast.Pass()] if self._quiet else []
            return ast.fix_missing_locations(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            return node
        self.generic_visit(node)
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
                # These may have to stay first.
                return node
            case ast.Expr(value=value):
                node.value = self._call(node, ast.Constant(ast.unparse(value)), value)
            case ast.stmt() if not isinstance(node, ast.Break | ast.Continue | ast.Raise):
                return [node, ast.copy_location(ast.Expr(self._call(node)), node)]
        return node

    def _call(self, node: ast.stmt, *args: ast.expr) -> ast.Call:
        line = ast.Constant(node.lineno)
        return ast.Call(ast.Name(self._hook, ast.Load()), [line, *args], [])


# What is seen.


class _Known(NamedTuple):
    """What a name stands for after a line."""

    tensor: Any
    header: str
    version: int = 0
    memory: range = range(0)


class _Line(NamedTuple):
    """A tensor that a line made or changed: its name, its header, and what happened to it."""

    line: int
    name: str
    header: str
    said: str


class _Recorder:
    """What each line of a cell made of the notebook's tensors, and of those in its lists and dicts.

    It runs in the middle of somebody's cell: it never raises. It shows itself as a table.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names, self._calls = names, 0
        self._now = self._look()
        # How often each was told, as in a loop; and how many are not told any more.
        self._told: dict[_Line, int] = {}
        self._more = 0

    def __call__(self, line: int, text: str = "", value: Any = None) -> Any:
        """Look at what changed since the last line, and hand an expression's value on."""
        self._calls += 1
        if self._calls > LINES_MOST * 10:
            # A long loop: all that it makes has been told.
            self._more += 1
            return value
        before, self._now = self._now, self._look()
        now = self._now.items()
        kept = {n: before[n] for n, x in now if n in before and before[n].tensor is x.tensor}
        # Views of what was written need no line more; a new header counts as a write.
        written = [x.memory for n, x in now if n in kept and kept[n].header != x.header]
        for name, known in now:
            was = kept.get(name)
            if was is None:
                said = self._origin(name, known)
            elif was.header != known.header:
                said = f"the header changed in place; it was {was.header}"
            elif was.version == known.version or any(_meet(x, known.memory) for x in written):
                continue
            else:
                written.append(known.memory)
                shared = self._sharing(name, known)
                said = "written in place"
                if shared:
                    said += f", which {', '.join(shared)} {'see' if shared[1:] else 'sees'} too"
            self._tell(_Line(line, name, known.header, said))
        if is_tensor(value) and not any(known.tensor is value for known in self._now.values()):
            known = _known(value)
            self._tell(_Line(line, cut(text, 40), known.header, self._origin("", known)))
        return value

    def _look(self) -> dict[str, _Known]:
        return {name: _known(x) for name, x in _tensors_of(self._names)}

    def _tell(self, line: _Line) -> None:
        if line in self._told or len(self._told) < LINES_MOST:
            self._told[line] = self._told.get(line, 0) + 1
        else:
            self._more += 1

    def _origin(self, name: str, known: _Known) -> str:
        for other, theirs in self._now.items():
            if other != name and theirs.tensor is known.tensor:
                return f"the same tensor as {other}"
        shared = self._sharing(name, known)
        if shared:
            return f"shares memory with {', '.join(shared)}"
        return f"memory of its own, {in_bytes(len(known.memory))}" if known.memory else "no memory"

    def _sharing(self, name: str, known: _Known) -> list[str]:
        others = (other for other in self._now if other != name)
        return [other for other in others if _meet(self._now[other].memory, known.memory)]

    # How it is shown.

    @property
    def _rest(self) -> list[str]:
        rest = f"and {self._more} more: {LINES_MOST} lines are shown at most"
        return [rest] if self._more else []

    def __repr__(self) -> str:
        if not self._told:
            return "layout: this cell made no tensor and changed none."
        lines = [
            f"line {line}: {name} · {header}{times(n)}\n{filled(said, 4)}"
            for (line, name, header, said), n in self._told.items()
        ]
        return "\n".join([*lines, *self._rest])

    def _repr_html_(self) -> str:
        if not self._told:
            return f"<p>{escape(repr(self))}</p>"
        rows = (
            (str(line), f"<code>{escape(name)}</code>", escape(header + times(n)), escape(said))
            for (line, name, header, said), n in self._told.items()
        )
        heads = ("line", "tensor", "header", "memory")
        table = html_table("Layout, line by line", heads, rows)
        return table + "".join(f"<p>{line}</p>" for line in self._rest)


def _meet(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


def _tensors_of(names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tensors that have names, then those in lists, tuples and dicts that have."""
    # What IPython keeps is not the notebook's: the cells' texts and their results.
    waiting = [(n, x) for n, x in [*names.items()] if n[:1] != "_" and n not in ("In", "Out")]
    # One list in another is looked into as well, and no further.
    for _ in range(3):
        yield from ((name, x) for name, x in waiting if is_tensor(x))
        waiting = [item for name, x in waiting for item in _items_of(name, x)]


def _items_of(name: str, x: Any) -> Iterator[tuple[str, Any]]:
    if type(x) in (list, tuple, dict):
        pairs = x.items() if type(x) is dict else enumerate(x)
        for key, item in islice(pairs, _ITEMS_MOST):
            if type(key) in (str, int):
                yield f"{name}[{key!r}]", item


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor of stridekit or torch, or an array; its own class is not asked."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    kinds = (Tensor, *([torch.Tensor] if torch else ()), *([numpy.ndarray] if numpy else ()))
    return issubclass(type(x), kinds)


def _known(x: Any) -> _Known:
    torch = sys.modules.get("torch")
    # A subclass may answer with anything; what its memory is, torch itself knows.
    with torch._C.DisableTorchFunctionSubclass() if torch else nullcontext():
        try:
            at = (subject := subject_of("layout", x)).layout
            header = f"size {at.size} · stride {at.stride} · offset {at.storage_offset}"
            start, end = subject.storage_address, subject.storage_length * subject.itemsize
            memory = range(start, start + end) if subject.readable else range(0)
            return _Known(x, f"{header} · {subject.dtype}", _version(x), memory)
        except StridekitError as error:
            reason = str(error).partition(": ")[2].partition(".")[0]
        except Exception as error:  # noqa: BLE001 - whatever it is, the user's cell goes on
            reason = f"its header cannot be read ({type(error).__name__})"
        size = ""
        with suppress(Exception):
            # Nested tensors have none.
            size = f"size {tuple(x.shape)} · "
        return _Known(x, f"{size}{reason}")


def _version(x: Any) -> int:
    """How often a torch tensor was written to; what does not count stays at 0."""
    try:
        return int(getattr(x, "_version", 0))
    except RuntimeError:
        # Tensors made in inference_mode are not counted.
        return 0
