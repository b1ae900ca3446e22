"""Which library functions stand in a function's source, and in that of its helpers.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`; of a
method of the function's own argument, `argument.reshape`. A name means what it means to Python;
one that is local anywhere in the function may mean anything, and what is called by it is seen when
it runs.
"""

import ast
import builtins
import functools
import inspect
import io
import linecache
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from stridekit_course.checks.callee import Function, SourceCall, SourceLine
from stridekit_course.checks.library_calls import LIBRARIES


def calls_in_source(function: Function) -> tuple[SourceCall, ...]:
    """The library calls in a function's source and in that of its helpers, each name once.

    Names in comments, strings and annotations are not calls. Empty where there is no source,
    as for a function made by exec. What is odd about a callable never stops the reading.
    """
    try:
        return tuple({call.name: call for call in [*_read(function)][::-1]}.values())[::-1]
    except Exception:  # noqa: BLE001 - somebody's own __getattr__, say, may raise anything
        return ()


def code_of(function: Any) -> CodeType | None:
    """The code of what was written, below decorators and partials."""
    try:
        code = getattr(_unwrapped(function), "__code__", None)
    except Exception:  # noqa: BLE001 - as above
        return None
    return code if isinstance(code, CodeType) else None


def _read(function: Function) -> Iterator[SourceCall]:
    itself = _library_name(function)
    if itself:
        yield SourceCall(itself, SourceLine(0))
        return
    home = getattr(_unwrapped(function), "__module__", None)
    seen: list[Any] = []
    waiting: list[Any] = [function]
    while waiting:
        each = waiting.pop(0)
        if inspect.isclass(each):
            waiting += vars(each).values()
            continue
        written = _unwrapped(each)
        if not isinstance(written, FunctionType) or written in seen:
            continue
        # A named tuple has functions of Python's own.
        if written.__module__ != home:
            continue
        seen.append(written)
        helper = "" if len(seen) == 1 else written.__name__
        lines, nodes = _source_of(written)
        names = _meanings(written, nodes, _given(each) if not helper else ())
        for node in nodes:
            if isinstance(node, ast.Name) and _is_own(names.get(node.id), home):
                waiting.append(names[node.id])
            if isinstance(node, ast.Call) and (name := _called(node.func, names)):
                text = lines[node.lineno - 1].strip()
                yield SourceCall(name, SourceLine(node.lineno, text, helper))


def _unwrapped(function: Any) -> Any:
    """The function that was written: below partials, decorators and methods."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if isinstance(function, property):
        function = function.fget
    if not isinstance(function, FunctionType) and not hasattr(function, "__func__"):
        function = getattr(type(function), "__call__", function)  # noqa: B004 - it is asked for
    return getattr(function, "__func__", function)


_tree: Any = functools.lru_cache(maxsize=1)(ast.parse)


def _source_of(function: FunctionType) -> tuple[list[str], list[ast.AST]]:
    """The lines of its file or cell, and what runs when it is called. Empty if not known."""
    code = function.__code__
    # A file may have been written, and loaded, again.
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    try:
        tree = _tree("".join(lines))
    except SyntaxError:
        return [], []
    kinds = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    found = []
    for node in ast.walk(tree):
        if isinstance(node, kinds) and _first_line(node) == code.co_firstlineno:
            found.append(node)
        # Annotations of locals do not run.
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    # Of several lambdas in a line nobody knows which it is.
    if len(found) != 1:
        return [], []
    body = [found[0].body] if isinstance(found[0], ast.Lambda) else found[0].body
    return lines, [node for part in body for node in ast.walk(part)]


def _first_line(node: ast.Lambda | ast.FunctionDef) -> int:
    """As a code has it: decorators belong to what they decorate."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


class _Argument:
    """Stands for an argument of the function."""


def _given(function: Function) -> Iterable[str]:
    """The names of what it is given: of a method, without `self`."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ()


def _meanings(function: FunctionType, nodes: list[ast.AST], given: Iterable[str]) -> dict[str, Any]:
    """What its free names mean, and what its imports bind; what it is given, if only it is that."""
    names = {**vars(builtins), **function.__globals__}
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            # A name that has no value yet.
            names.pop(name, None)
    codes = [*_codes(function.__code__)]
    for code in codes:
        for name in (*code.co_varnames, *code.co_cellvars):
            names.pop(name, None)
    stored = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {name: each for name, each in _imported(node) if name not in stored}
    rebound = stored.union(*(code.co_varnames for code in codes[1:]))
    names |= {name: _Argument() for name in given if name not in rebound}
    return names


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code and those that are nested in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Any]]:
    """The names that an import binds to something of a library, and that."""
    for alias in node.names:
        home = alias.name if isinstance(node, ast.Import) else node.module or ""
        if home.partition(".")[0] not in LIBRARIES:
            continue
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, getattr(import_module(home), alias.name, None)
        elif alias.asname:
            yield alias.asname, import_module(home)
        else:
            import_module(home)
            yield home.partition(".")[0], sys.modules[home.partition(".")[0]]


def _called(target: ast.expr, names: dict[str, Any]) -> str | None:
    """The name of what is called, if a library has it, or the argument itself."""
    path: list[str] = []
    while isinstance(target, ast.Attribute):
        path.insert(0, target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return None
    thing = names.get(target.id)
    if isinstance(thing, _Argument):
        return f"argument.{path[0]}" if len(path) == 1 else None
    for name in path:
        if issubclass(type(thing), io.IOBase):
            # Whose stream it is that stands for sys.stdout is not the function's affair.
            return None
        thing = _attribute(thing, name)
    return _library_name(thing, path[-1] if path else target.id)


def _attribute(thing: Any, name: str) -> Any:
    """What stands behind a dot, without running anybody's code. None if that is not known."""
    found = inspect.getattr_static(thing, name, None)
    if found is None and isinstance(thing, ModuleType) and thing.__name__ in LIBRARIES:
        # A module may look for its parts when they are asked for.
        return getattr(thing, name, None)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


def _library_name(thing: Any, called: str = "") -> str | None:
    """How a call of something is named if a library has it; None if not.

    `called` is what it is called in the source, for things that have no name of their own.
    """
    roots = _roots(thing)
    if not roots or _only_names_a_type(thing):
        return None
    name = getattr(thing, "__name__", None)
    if not isinstance(name, str) or name in LIBRARIES:
        name = called or "a call"
    holder = getattr(thing, "__objclass__", None)
    if holder is not None and "Tensor" in holder.__name__:
        return f"Tensor.{name}"
    return f"{min(roots)}.{name}"


def _is_own(thing: Any, home: object) -> bool:
    """Whether it is a function or class that the learner wrote, beside the function."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing) or inspect.ismethod(thing)):
        return False
    return getattr(thing, "__module__", None) == home and not _roots(thing)


def _only_names_a_type(thing: Any) -> bool:
    """torch.Size(...) and numpy.int64(...) compute nothing: what comes of them is judged."""
    if not isinstance(thing, type):
        return False
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    return bool(
        (numpy is not None and issubclass(thing, numpy.generic))
        or (torch is not None and thing is torch.Size)
    )


def _roots(thing: Any) -> set[str]:
    """The libraries whose modules a callable goes by."""
    holder = getattr(thing, "__self__", None)
    named = (
        getattr(thing, "__module__", None),
        type(thing).__module__,
        getattr(holder, "__module__", None) if holder is not None else None,
        type(holder).__module__ if holder is not None else None,
        getattr(getattr(thing, "__objclass__", None), "__module__", None),
    )
    return {name.split(".")[0] for name in named if isinstance(name, str)} & LIBRARIES
