"""Which library functions stand in a function's source, and in that of its helpers.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`; where
nothing tells what stands before the dot, `.reshape`. Names mean what they mean to Python: a
local, a parameter, a nested function, or the name in a comprehension hides a global.
"""

import ast
import builtins
import functools
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from stridekit_course.checks.callee import Function, SourceCall, SourceLine

OWN_PACKAGES = ("stridekit", "stridekit_course", "stridekit_grading")
LIBRARIES = frozenset({"torch", "numpy", *OWN_PACKAGES})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# A name that is known to be no global, and whose value is not known.
_HIDDEN: Any = object()


def calls_in_source(function: Function) -> tuple[SourceCall, ...]:
    """The library calls in a function's source and in that of its helpers.

    Names in comments, strings and annotations are not calls. Empty where there is no source,
    as for a function made by exec. What is odd about a callable never stops the reading.
    """
    try:
        return tuple(_read(function))
    except Exception:  # noqa: BLE001 - somebody's own __getattr__, say, may raise anything
        return ()


def code_of(function: Any) -> CodeType | None:
    """The code of what was written, below decorators and partials."""
    code = getattr(
        getattr(_unwrapped(function), "__func__", _unwrapped(function)), "__code__", None
    )
    return code if isinstance(code, CodeType) else None


def library_name(thing: Any, called: str = "") -> str | None:
    """How a call of something is named if a library has it; None if not.

    `called` is what it is called in the source, for things that have no name of their own.
    """
    if isinstance(thing, _Unloaded):
        return thing.name
    roots = _roots(thing)
    if not roots or _only_names_a_type(thing):
        return None
    root = min(roots)
    name = getattr(thing, "__name__", None)
    if not isinstance(name, str) or name in LIBRARIES:
        name = called or "a call"
    holder = getattr(thing, "__objclass__", None)
    if holder is not None and "Tensor" in holder.__name__:
        return f"Tensor.{name}"
    return f"{root}.{name}"


def _read(function: Function) -> Iterator[SourceCall]:
    itself = library_name(function)
    if itself:
        yield SourceCall(itself, SourceLine(0))
        return
    home = getattr(_unwrapped(function), "__module__", None)
    named: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        each = _unwrapped(waiting.pop())
        if id(each) in seen:
            continue
        seen.add(id(each))
        source = _source_of(each)
        if source is None:
            continue
        helper = "" if len(seen) == 1 else str(getattr(each, "__name__", ""))
        # Of a method's parameters the first is its own object.
        reader = _Reader(_globals_of(each), is_first=each is function)
        reader.visit(source.tree)
        waiting += (thing for thing in reader.own if _is_own(thing, home))
        for name, line in reader.calls:
            if name not in named:
                named.add(name)
                place = SourceLine(source.first + line - 1, source.line(line), helper)
                yield SourceCall(name, place)


@dataclass(frozen=True, slots=True)
class _Source:
    """A function or class as it is written: its tree, its lines, and the number of the first."""

    tree: ast.AST
    lines: list[str]
    first: int

    def line(self, number: int) -> str:
        """A line's text."""
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""


def _source_of(thing: Any) -> _Source | None:
    try:
        lines, first = inspect.getsourcelines(thing)
        text = textwrap.dedent("".join(lines))
        tree: ast.AST = ast.parse(text)
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None
    if getattr(thing, "__name__", "") == "<lambda>":
        lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        if len(lambdas) != 1:
            return None
        tree = lambdas[0]
    elif isinstance(tree, ast.Module) and len(tree.body) == 1:
        (tree,) = tree.body
    return _Source(tree, text.splitlines(), max(first, 1))


@dataclass(slots=True)
class _Scope:
    """The names that a function, a class or a comprehension binds.

    `things` are those that only imports bind, with what they mean; `given` the parameters that
    nothing else binds.
    """

    bound: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    things: dict[str, Any] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    is_class: bool = False


class _Reader(ast.NodeVisitor):
    """Walks a tree with its scopes, and notes calls, and the names of helpers."""

    def __init__(self, names: dict[str, Any], *, is_first: bool) -> None:
        self.names = names
        self.calls: list[tuple[str, int]] = []
        self.own: list[Any] = []
        self._scopes: list[_Scope] = []
        self._is_first = is_first

    def visit_FunctionDef(self, node: Any) -> None:
        """Defaults belong to the scope around; annotations and decorators do not run here."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._within(_scope_of_function(node), node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast's name

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """As a function of one expression."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._within(_scope_of_function(node), [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Its names are not seen by its methods."""
        scope = _Scope(is_class=True)
        _bind(scope, node.body)
        self._within(scope, [*node.bases, *node.body])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Without the annotation."""
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        """A helper may be called, or handed on."""
        if isinstance(node.ctx, ast.Load):
            thing = self._meaning(node.id)
            if thing is not _HIDDEN:
                self.own.append(thing)

    def visit_Call(self, node: ast.Call) -> None:
        """What is called, by its name."""
        name = self._called(node)
        if name:
            self.calls.append((name, node.lineno))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        """Comprehensions have a scope of their own."""
        if isinstance(node, _COMPREHENSIONS):
            scope = _Scope()
            for each in node.generators:
                _bind(scope, [each.target])
            self._scopes.append(scope)
            super().generic_visit(node)
            self._scopes.pop()
        else:
            super().generic_visit(node)

    def _within(self, scope: _Scope, body: list[Any]) -> None:
        self._scopes.append(scope)
        for each in body:
            self.visit(each)
        self._scopes.pop()

    def _meaning(self, name: str) -> Any:
        """What a name stands for here, as Python resolves it; _HIDDEN if nobody knows."""
        for depth, scope in enumerate(reversed(self._scopes)):
            if scope.is_class and depth:
                continue
            if name in scope.elsewhere:
                continue
            if name in scope.bound:
                return scope.things.get(name, _HIDDEN)
        return self.names.get(name, _HIDDEN)

    def _is_argument(self, name: str) -> bool:
        """Whether a name is a parameter of the checked function itself, and nothing else."""
        binding = [scope for scope in self._scopes if name in scope.bound]
        return self._is_first and binding == self._scopes[:1] and name in binding[0].given

    def _called(self, node: ast.Call) -> str | None:
        """The name of what is called, if a library has it or nobody knows what it is."""
        path: list[str] = []
        target: ast.expr = node.func
        if isinstance(target, ast.Name) and target.id == "getattr" and len(node.args) >= 2:
            attribute = node.args[1]
            if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
                target = ast.Attribute(node.args[0], attribute.value)
        while isinstance(target, ast.Attribute):
            path.insert(0, target.attr)
            target = target.value
        if not isinstance(target, ast.Name):
            return f".{path[-1]}" if path else None
        thing = self._meaning(target.id)
        if thing is _HIDDEN:
            if len(path) == 1 and self._is_argument(target.id):
                return f"argument.{path[0]}"
            return f".{path[-1]}" if path else None
        for name in path:
            thing = _attribute(thing, name)
            if thing is None:
                return f".{path[-1]}"
        self.own.append(thing)
        return library_name(thing, path[-1] if path else target.id)


def _scope_of_function(node: Any) -> _Scope:
    scope = _Scope()
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each]
    given = {each.arg for each in every}
    _bind(scope, [node.body] if isinstance(node, ast.Lambda) else node.body)
    scope.given = given - scope.bound
    scope.bound |= given
    for name in given:
        scope.things.pop(name, None)
    return scope


def _bind(scope: _Scope, body: list[Any]) -> None:
    """Enter what some statements bind, but for what inner scopes bind for themselves."""
    waiting: list[Any] = list(body)
    imported: dict[str, Any] = {}
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            scope.elsewhere.update(node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported.update(_imported(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope.bound.add(node.name)
            continue
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            scope.bound.add(node.id)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope.bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            scope.bound.add(node.rest)
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, _COMPREHENSIONS):
            # Of what stands in it only := binds outside.
            waiting += (each.target for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
            continue
        waiting += ast.iter_child_nodes(node)
    scope.things = {name: imported[name] for name in imported if name not in scope.bound}
    scope.bound |= imported.keys()


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, Any]:
    """The names that an import binds; what is no library's is _HIDDEN."""
    bound: dict[str, Any] = {}
    for alias in node.names:
        if isinstance(node, ast.Import):
            root = alias.name.split(".")[0]
            known = root in LIBRARIES
            module = sys.modules.get(alias.name if alias.asname else root)
            name = alias.asname or root
            bound[name] = (module or _Unloaded(root)) if known else module or _HIDDEN
        else:
            home = node.module or ""
            holder = sys.modules.get(home)
            what = getattr(holder, alias.name, None)
            if what is None:
                is_library = home.split(".")[0] in LIBRARIES
                what = _Unloaded(f"{home}.{alias.name}") if is_library else _HIDDEN
            bound[alias.asname or alias.name] = what
    return bound


def _unwrapped(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if inspect.isfunction(function) or inspect.ismethod(function) or inspect.isclass(function):
        return function
    return type(function).__call__ if callable(function) else function


def _globals_of(thing: Any) -> dict[str, Any]:
    """What the free names of a function mean: builtins, globals, what it closes over."""
    if inspect.isclass(thing):
        module = sys.modules.get(thing.__module__)
        methods = [each for each in vars(thing).values() if inspect.isfunction(each)]
        inner = methods[0].__globals__ if methods else vars(module) if module else {}
        return {**vars(builtins), **inner}
    function = getattr(thing, "__func__", thing)
    if not isinstance(function, FunctionType):
        return {}
    names = {**vars(builtins), **function.__globals__}
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            # A name that has no value yet.
            names[name] = _HIDDEN
    return names


class _Unloaded:
    """Stands for something of a library that is not loaded yet."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> "_Unloaded":
        return _Unloaded(f"{self.name}.{name}")


def _is_own(thing: Any, home: object) -> bool:
    """Whether it is a function or class that the learner wrote, beside the function."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing) or inspect.ismethod(thing)):
        return False
    return getattr(thing, "__module__", None) == home and not _roots(thing)


def _attribute(thing: Any, name: str) -> Any:
    """What stands behind a dot, without running anybody's code. None if that is not known."""
    found = inspect.getattr_static(thing, name, None)
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    lazy = isinstance(thing, ModuleType) and thing.__name__.split(".")[0] in LIBRARIES
    if isinstance(thing, _Unloaded) or (found is None and lazy):
        return getattr(thing, name, None)
    return found


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
    if isinstance(thing, ModuleType):
        return {thing.__name__.split(".")[0]} & LIBRARIES
    holder = getattr(thing, "__self__", None)
    named = (
        getattr(thing, "__module__", None),
        type(thing).__module__,
        getattr(holder, "__module__", None) if holder is not None else None,
        type(holder).__module__ if holder is not None else None,
        getattr(getattr(thing, "__objclass__", None), "__module__", None),
    )
    return {name.split(".")[0] for name in named if isinstance(name, str)} & LIBRARIES
