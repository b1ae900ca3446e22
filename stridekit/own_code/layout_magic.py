"""`%%layout`: the header of each tensor that a cell makes or changes, line by line."""

import ast
import html
import io
import tokenize
from typing import Any

from IPython.core.error import UsageError

from stridekit.own_code.line_recorder import LINES_MOST, Line, Recorder
from stridekit.own_code.reasons import filled

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

    recorder = Recorder(ip.user_ns)
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
        tokens = list(tokenize.generate_tokens(io.StringIO(cell).readline))
    except (tokenize.TokenError, SyntaxError):
        return False
    passed = (tokenize.ENDMARKER, tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)
    last = next((token for token in reversed(tokens) if token.type not in passed), None)
    return last is not None and last.string == ";"


def _times(line: Line) -> str:
    return f" ×{line.times}" if line.times > 1 else ""
