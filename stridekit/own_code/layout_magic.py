"""`%%layout`: the header of each tensor that a cell makes or changes, line by line."""

import ast
import sys
import tokenize
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from html import escape
from io import StringIO
from itertools import islice
from typing import Any, NamedTuple

from IPython.core.error import UsageError
from IPython.display import display

from stridekit.diagrams.scenes.captions import cut
from stridekit.errors import StridekitError
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.reasons import filled, html_table, times
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
    transformer = _Instrument(hook, _ends_in_semicolon(cell))
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


def _ends_in_semicolon(cell: str) -> bool:
    """Whether a cell asks not to show what its last line gives, as IPython sees it."""
    try:
        tokens = [*tokenize.generate_tokens(StringIO(cell).readline)]
    except (tokenize.TokenError, SyntaxError):
        return False
    written = [x.string for x in tokens if x.type != tokenize.COMMENT and x.string.strip()]
    return written[-1:] == [";"]


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


class _Seen(NamedTuple):
    """What a name stands for after a line."""

    tensor: Any
    header: str
    version: int = 0
    memory: range = range(0)

    def meets(self, other: "_Seen") -> bool:
        """Whether both lie in the same memory, in part."""
        one, two = self.memory, other.memory
        return max(one.start, two.start) < min(one.stop, two.stop)


class _Recorder:
    """What each line of a cell made of the notebook's tensors, and of those in its lists and dicts.

    It runs in the middle of somebody's cell: it never raises. It shows itself as a table.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names, self._calls, self._now = names, 0, _look(names)
        # Line, name, header, what happened: how often, as in a loop; and how many are not told.
        self._told: dict[tuple[int, str, str, str], int] = {}
        self._more = 0

    def __call__(self, line: int, text: str = "", value: Any = None) -> Any:
        """Look at what changed since the last line, and hand an expression's value on."""
        self._calls += 1
        if self._calls > LINES_MOST * 10:
            # A long loop: all that it makes has been told.
            self._more += 1
            return value
        before, self._now = self._now, _look(self._names)
        stayed = {n: x for n, x in before.items() if n in self._now and self._now[n][0] is x.tensor}
        # Views of what was written need no line more; a new header counts as a write.
        written = [self._now[n] for n, was in stayed.items() if self._now[n].header != was.header]
        for name, seen in self._now.items():
            was = stayed.get(name)
            if was and was.header != seen.header:
                said = f"the header changed in place; it was {was.header}"
            elif was is None or was.memory != seen.memory:
                said = self._origin(name, seen)
            elif was.version == seen.version or any(map(seen.meets, written)):
                continue
            else:
                written.append(seen)
                shared = self._sharing(name, seen)
                see = f", which {', '.join(shared)} {'see' if shared[1:] else 'sees'} too"
                said = f"written in place{see if shared else ''}"
            self._tell(line, name, seen.header, said)
        if is_tensor(value) and not any(seen.tensor is value for seen in self._now.values()):
            seen = _seen(value)
            self._tell(line, cut(text, 40), seen.header, self._origin("", seen))
        return value

    def _tell(self, *told: Any) -> None:
        if told in self._told or len(self._told) < LINES_MOST:
            self._told[told] = self._told.get(told, 0) + 1
        else:
            self._more += 1

    def _origin(self, name: str, seen: _Seen) -> str:
        for other, theirs in self._now.items():
            if other != name and theirs.tensor is seen.tensor:
                return f"the same tensor as {other}"
        if shared := self._sharing(name, seen):
            return f"shares memory with {', '.join(shared)}"
        return f"memory of its own, {in_bytes(len(seen.memory))}" if seen.memory else "no memory"

    def _sharing(self, name: str, seen: _Seen) -> list[str]:
        return [other for other, x in self._now.items() if other != name and x.meets(seen)]

    # How it is shown.

    def __repr__(self) -> str:
        if not self._told:
            return "layout: this cell made no tensor and changed none."
        lines = [
            f"line {line}: {name} · {header}{times(n)}\n{filled(said, 4)}"
            for (line, name, header, said), n in self._told.items()
        ]
        return "\n".join([*lines, self._rest] if self._more else lines)

    def _repr_html_(self) -> str:
        if not self._told:
            return f"<p>{escape(repr(self))}</p>"
        rows = (
            (str(line), f"<code>{escape(name)}</code>", escape(header + times(n)), escape(said))
            for (line, name, header, said), n in self._told.items()
        )
        heads = ("line", "tensor", "header", "memory")
        table = html_table("Layout, line by line", heads, rows)
        return table + (f"<p>{self._rest}</p>" if self._more else "")

    @property
    def _rest(self) -> str:
        return f"and {self._more} more: {LINES_MOST} lines are shown at most"


def _look(names: dict[str, Any]) -> dict[str, _Seen]:
    """The tensors that have names, then those in lists, tuples and dicts that have."""
    # What IPython keeps is not the notebook's: the cells' texts and their results.
    waiting = [(n, x) for n, x in [*names.items()] if n[:1] != "_" and n not in ("In", "Out")]
    seen: dict[str, _Seen] = {}
    # One list in another is looked into as well, and no further.
    for _ in range(3):
        seen |= {name: _seen(x) for name, x in waiting if is_tensor(x)}
        waiting = [item for name, x in waiting for item in _items_of(name, x)]
    return seen


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


def _seen(x: Any) -> _Seen:
    torch = sys.modules.get("torch")
    # A subclass may answer with anything; what its memory is, torch itself knows.
    with torch._C.DisableTorchFunctionSubclass() if torch else nullcontext():
        try:
            at = (subject := subject_of("layout", x)).layout
            header = f"size {at.size} · stride {at.stride} · offset {at.storage_offset}"
            start, end = subject.storage_address, subject.storage_length * subject.itemsize
            memory = range(start, start + end) if subject.readable else range(0)
            version = 0
            with suppress(RuntimeError):
                # How often a torch tensor was written to. Those of inference_mode do not count.
                version = getattr(x, "_version", 0)
            return _Seen(x, f"{header} · {subject.dtype}", version, memory)
        except StridekitError as error:
            reason = str(error).partition(": ")[2].partition(".")[0]
        except Exception as error:  # noqa: BLE001 - whatever it is, the user's cell goes on
            reason = f"its header cannot be read ({type(error).__name__})"
        size = ""
        with suppress(Exception):
            # Nested tensors have none.
            size = f"size {tuple(x.shape)} · "
        return _Seen(x, f"{size}{reason}")
