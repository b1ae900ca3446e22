"""`%%layout`: the header of each tensor that a cell makes or changes, line by line."""

import ast
import html
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from IPython.core.error import UsageError

from stridekit.errors import StridekitError
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.reasons import filled
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

_HOOK = "__stridekit_layout__"


class CellFailed(Exception):  # noqa: N818 - what failed is told by its own traceback
    """The cell under `%%layout` failed: its own traceback stands above."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


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


class Headers:
    """What `%%layout` shows: one `Line` for each tensor, in `lines`."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines

    def __repr__(self) -> str:
        if not self.lines:
            return "layout: this cell made no tensor and changed none."
        return "\n".join(
            f"line {each.line}: {each.name} · {each.header}\n{filled(each.said, 4)}"
            for each in self.lines
        )

    def _repr_html_(self) -> str:
        if not self.lines:
            return f"<p>{html.escape(repr(self))}</p>"
        left = 'style="text-align: left"'
        head = "".join(
            f'<th scope="col" {left}>{name}</th>' for name in ("line", "tensor", "header", "memory")
        )
        rows = "".join(
            f"<tr><td {left}>{each.line}</td><td {left}><code>{html.escape(each.name)}</code></td>"
            f"<td {left}>{html.escape(each.header)}</td>"
            f"<td {left}>{html.escape(each.said)}</td></tr>"
            for each in self.lines
        )
        return (
            f"<table><caption {left}>Layout, line by line</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
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

    recorder = _Recorder(ip.user_ns)
    transformer = _Instrument()
    ip.ast_transformers.append(transformer)
    ip.user_ns[_HOOK] = recorder
    try:
        result = ip.run_cell(cell, store_history=False)
    finally:
        ip.ast_transformers.remove(transformer)
        ip.user_ns.pop(_HOOK, None)
    display(Headers(recorder.lines))
    if not result.success:
        raise CellFailed("the cell under %%layout failed, as its traceback above says") from None


class _Instrument(ast.NodeTransformer):
    """Calls the recorder after each line of a cell, and passes it what an expression gives."""

    def __init__(self) -> None:
        self._done = False

    def visit(self, node: ast.AST) -> ast.AST:
        # Once: what the cell itself runs is not this cell.
        if self._done or not isinstance(node, ast.Module):
            return node
        self._done = True
        body: list[ast.stmt] = []
        for statement in node.body:
            if isinstance(statement, ast.Expr):
                call = _call(statement, statement.value)
                body.append(ast.copy_location(ast.Expr(call), statement))
            else:
                body += [statement, ast.copy_location(ast.Expr(_call(statement)), statement)]
        node.body = body
        return ast.fix_missing_locations(node)


def _call(statement: ast.stmt, *values: ast.expr) -> ast.Call:
    name = ast.copy_location(ast.Name(_HOOK, ast.Load()), statement)
    text = "" if not values else ast.unparse(values[0])
    line = ast.Constant(statement.lineno)
    return ast.copy_location(ast.Call(name, [line, ast.Constant(text), *values], []), statement)


class _Recorder:
    """What each line of a cell made of the notebook's tensors."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._known = {name: _known(x) for name, x in self._tensors()}
        self.lines: list[Line] = []

    def __call__(self, line: int, text: str, value: Any = None) -> Any:
        told = False
        current = dict(self._tensors())
        # A change of a header counts as a write, in all tensors on that memory.
        turned = [
            known.memory
            for name, x in current.items()
            if (known := _known(x)).identity == self._identity(name)
            and known.header != self._known[name].header
        ]
        for name, x in current.items():
            known, before = _known(x), self._known.get(name)
            told |= x is value and known != before
            if known == before:
                continue
            if before is None or before.identity != known.identity:
                said = self._origin(name, x, known)
            elif before.header != known.header:
                said = f"the header changed in place; it was {before.header}"
            elif any(_meet(memory, known.memory) for memory in turned):
                continue
            else:
                said = f"written in place{self._also(name, known)}"
            if not (said.startswith("written") and self._is_told(line, known)):
                self.lines.append(Line(line, name, known.header, said))
        self._known = {name: _known(x) for name, x in current.items()}
        if not told and _is_tensor(value) and not any(x is value for x in current.values()):
            known = _known(value)
            shown = text if len(text) <= 40 else text[:39] + "…"
            self.lines.append(Line(line, shown, known.header, self._origin("", value, known)))
        return value

    def _identity(self, name: str) -> int:
        before = self._known.get(name)
        return 0 if before is None else before.identity

    def _is_told(self, line: int, known: _Known) -> bool:
        """Whether a write to this memory is told for this line: views of it need no line more."""
        return any(
            each.line == line
            and each.said.startswith("written")
            and _meet(self._known_now(each.name), known.memory)
            for each in self.lines
        )

    def _known_now(self, name: str) -> range:
        x = self._names.get(name)
        return _known(x).memory if _is_tensor(x) else range(0)

    def _origin(self, name: str, x: Any, known: _Known) -> str:
        same = [other for other, y in self._tensors() if y is x and other != name]
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
            for other, y in self._tensors()
            if other != name and _meet(_known(y).memory, known.memory)
        ]

    def _tensors(self) -> Iterator[tuple[str, Any]]:
        for name, x in list(self._names.items()):
            if not name.startswith("_") and _is_tensor(x):
                yield name, x


def _is_tensor(x: Any) -> bool:
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    kind = type(x)
    return (
        issubclass(kind, Tensor)
        or (torch is not None and issubclass(kind, torch.Tensor))
        or (numpy is not None and issubclass(kind, numpy.ndarray))
    )


def _known(x: Any) -> _Known:
    try:
        subject = subject_of("layout", x)
    except StridekitError as error:
        size = tuple(getattr(x, "shape", ()))
        reason = str(error).partition(": ")[2].partition(".")[0]
        return _Known(id(x), f"size {size} · {reason}", 0, range(0))
    return _Known(id(x), _header(subject), _version(x), _memory(subject))


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
