"""Where in the user's code something happened, and which code is his and which a library's."""

import ast
import linecache
import os
import site
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

# The standard library, and stridekit itself, be it installed or not.
_NEVER_USERS = (
    *{str(Path(sysconfig.get_path(name))) + os.sep for name in ("stdlib", "platstdlib")},
    str(Path(__file__).resolve().parent.parent) + os.sep,
)
# What pip installs, wherever it does.
_INSTALLED = ("site-packages", "dist-packages")
# What torch's compilers write.
_GENERATED = ("eval_with_key", "codegen(", "torchinductor_")


class CodeLine(NamedTuple):
    """A line of a file, in a function; up to `last`, where it is not certain which of them."""

    file: str
    line: int
    function: str
    last: int

    @property
    def code(self) -> str:
        """The text of the line; empty where its source is gone, or it is not certain."""
        return linecache.getline(self.file, self.line).strip() if self.last == self.line else ""

    @property
    def where(self) -> str:
        """The line as one says it: the cell of a notebook, or the file's name."""
        named = cell_name(self.file) or Path(self.file).name
        lines = f"line {self.line}" if self.last == self.line else f"lines {self.line}-{self.last}"
        inside = "" if self.function.startswith("<module") else f", in {self.function}"
        return f"{named}, {lines}{inside}"


@lru_cache(4096)
def is_users(file: str) -> bool:
    """Whether a file is the user's: no library's, not the standard library's, not ours."""
    if (
        file.startswith("<frozen")
        or file in ("<string>", "<gone>")
        or any(g in file for g in _GENERATED)
    ):
        return False
    if is_of_torch(file) or any(name in file for name in _INSTALLED):
        return False
    return file.startswith("<") or file in linecache.cache or Path(file).is_file()


@lru_cache(4096)
def is_of_torch(file: str) -> bool:
    """Whether a file is torch's, the standard library's or ours, wherever these lie."""
    torch = sys.modules.get("torch")
    folder = (str(Path(str(torch.__file__)).parent) + os.sep,) if torch else ()
    return file.startswith((*_NEVER_USERS, *folder)) and (
        # A virtual environment may lie inside of the folder of the standard library.
        bool(folder and file.startswith(folder)) or not any(name in file for name in _INSTALLED)
    )


def package_of(file: str) -> str:
    """The folder of the package that a file belongs to, with the separator; its own where none."""
    folder = Path(file).parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return str(folder) + os.sep


@lru_cache(4096)
def full_name(file: str) -> str:
    """A file's whole name, where torch's profiler has cut off the folder that it was found in."""
    if file.startswith("<") or Path(file).is_absolute():
        return file
    for folder in (*sys.path, *site.getsitepackages(), site.getusersitepackages()):
        name = os.path.abspath(os.path.join(folder, file))  # noqa: PTH100, PTH118 - as frames do
        if Path(name).exists():
            return name
    return file


def cell_name(file: str) -> str:
    """What IPython calls the cell that a file stands for, such as `In[3]`; empty for others."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    compiler = getattr(shell, "compile", None)
    named = compiler.format_code_name(file) if compiler else None
    return named[1] if named else ""


# The line of an operator.


_OPERATORS: dict[str, type[ast.AST]] = {
    "add": ast.Add,
    "div": ast.Div,
    "matmul": ast.MatMult,
    "mul": ast.Mult,
    "sub": ast.Sub,
    **dict.fromkeys(("index", "select", "slice"), ast.Load),
    **dict.fromkeys(("copy_", "fill_", "index_put_"), ast.Store),
}
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef)
_UNNAMED: dict[str, type[ast.AST]] = {
    "<dictcomp>": ast.DictComp,
    "<genexpr>": ast.GeneratorExp,
    "<lambda>": ast.Lambda,
    "<listcomp>": ast.ListComp,
    "<setcomp>": ast.SetComp,
}
_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)


class Gap(NamedTuple):
    """Between two calls of a function: the line of the one before, and of the next; 0 if none."""

    after: int
    before: int


@lru_cache(4096)
def operators_line(
    file: str, function: str, gap: Gap, operation: str, number: int, count: int
) -> CodeLine:
    """The line of an operator, such as `@` or `[]`, which is no call that a profiler sees.

    It lies in a gap between two calls. `count` operations of its kind were seen in there, and
    this is the one of that `number`. Where just as many operators stand there, or all of them
    in one line, the line is certain; else it is one of several.
    """
    place = CodeLine(file, gap.after, function, max(gap))
    tree = None if gap.after == gap.before else _tree(file)
    if tree is None:
        return place
    root = _code_of(tree, function, gap.after)
    lines = _lines_in(root, gap)
    own = sorted(_own_nodes(root), key=_done_at)
    # Of the line before, all calls are done; of the next, none is.
    done = max((_done_at(n) for n in own if _is_call(n) and n.lineno == gap.after), default=(0, 0))
    next_ = min((_done_at(n) for n in own if _is_call(n) and n.lineno == gap.before), default=None)
    kind = _OPERATORS.get(operation, ast.Module)
    found = [
        node
        for node in own
        if isinstance(getattr(node, "op", getattr(node, "ctx", None)), kind)
        and isinstance(node, ast.BinOp | ast.AugAssign | ast.Subscript)
        and not lines.isdisjoint((node.lineno, node.end_lineno))
        and (node.lineno != gap.after or _done_at(node) > done)
        and (node.lineno != gap.before or next_ is None or _done_at(node) < next_)
    ]
    if len(found) == count:
        line = found[number].lineno
        return place._replace(line=line, last=line)
    among = {node.lineno for node in found} or lines
    return place._replace(line=min(among), last=max(among))


def _is_call(node: Any) -> bool:
    return isinstance(node, ast.Call)


def _done_at(node: Any) -> tuple[int, int]:
    """What is evaluated earlier ends earlier in the text."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


@lru_cache(64)
def _tree(file: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


def _code_of(tree: ast.Module, function: str, line: int) -> Any:
    """What a frame runs: the innermost function of that name, or what has none, at a line."""
    found: Any = tree
    for node in ast.walk(tree):
        named = isinstance(node, _NAMED) and node.name == function
        if (named or isinstance(node, _UNNAMED.get(function, ()))) and _holds(node, line):
            found = node
    return found


def _holds(node: Any, line: int) -> bool:
    # A function's first line is that of its decorators.
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return bool(first <= line <= node.end_lineno)


def _lines_in(root: Any, gap: Gap) -> set[int]:
    after, before = gap
    if after <= before:
        return {*range(after, before + 1)}
    if not before:
        return {*range(after, getattr(root, "end_lineno", 1 << 30) + 1)} & _lines_of(root)
    # A loop began anew, or a block ended: on to its end, and again from its beginning.
    around = [n for n in ast.walk(root) if isinstance(n, _BLOCKS) and _holds(n, before)]
    last = min((n.end_lineno or 0 for n in around if _holds(n, after)), default=after)
    first = max((n.lineno for n in around if _holds(n, after)), default=before)
    return {*range(after, last + 1), *range(first, before + 1)}


def _lines_of(root: Any) -> set[int]:
    return {node.lineno for node in ast.walk(root) if hasattr(node, "lineno")}


def _own_nodes(root: Any) -> list[Any]:
    """The nodes that a frame runs itself, and not a function that is made in it."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (*_NAMED, ast.Lambda, ast.GeneratorExp))
            and (sys.version_info >= (3, 12) or not isinstance(child, tuple(_UNNAMED.values())))
        ]
    return found
