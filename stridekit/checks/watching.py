"""Which library functions a learner's function calls: read in its source, and seen as it runs.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`; in the
source also `.reshape` where nothing tells what stands before the dot.
"""

import ast
import builtins
import functools
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from stridekit.checks.seam import Function, SourceCall, Watch

LIBRARIES = frozenset({"torch", "numpy", "stridekit"})


def calls_in_source(function: Function) -> tuple[SourceCall, ...]:
    """The library calls in a function's source and in that of its helpers.

    Names in comments, strings and annotations are not calls. Empty where there is no source,
    as for a function made by exec.
    """
    itself = _library_name(function, [])
    if itself:
        return (SourceCall(itself, 0),)
    found: dict[str, SourceCall] = {}
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        each = _unwrapped(waiting.pop())
        if id(each) in seen:
            continue
        seen.add(id(each))
        names = _names_of(each)
        for node in _nodes(each):
            if isinstance(node, ast.Name):
                helper = names.get(node.id)
                if _is_own(helper, function):
                    waiting.append(helper)
            elif isinstance(node, ast.Call):
                name = _called(node, names)
                if name:
                    found.setdefault(name, SourceCall(name, node.lineno))
    return tuple(found.values())


def _unwrapped(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if inspect.isfunction(function) or inspect.ismethod(function) or inspect.isclass(function):
        return function
    return type(function).__call__ if callable(function) else function


def _nodes(thing: Any) -> Iterator[ast.AST]:
    """The nodes of what runs: not the annotations and not the decorators."""
    try:
        tree: ast.AST = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, TypeError, SyntaxError):
        return
    if getattr(thing, "__name__", "") == "<lambda>":
        lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        if len(lambdas) != 1:
            return
        tree = lambdas[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.decorator_list = []
            node.returns = None
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = None
    yield from (node for node in ast.walk(tree))


def _names_of(thing: Any) -> dict[str, Any]:
    """What the names in a function mean: builtins, globals, what it closes over, imports."""
    if inspect.isclass(thing):
        module = sys.modules.get(thing.__module__)
        methods = [each for each in vars(thing).values() if inspect.isfunction(each)]
        inner = methods[0].__globals__ if methods else vars(module) if module else {}
        names = {**vars(builtins), **inner}
    else:
        function = getattr(thing, "__func__", thing)
        if not isinstance(function, FunctionType):
            return {}
        closed = inspect.getclosurevars(function).nonlocals
        names = {**vars(builtins), **function.__globals__, **closed}
    for node in _nodes(thing):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update(_imported(node))
    return names


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, Any]:
    """Names that an import inside the function binds, if they belong to a library."""
    bound: dict[str, Any] = {}
    for alias in node.names:
        if isinstance(node, ast.Import):
            root = alias.name.split(".")[0]
            if root in LIBRARIES:
                module = sys.modules.get(alias.name if alias.asname else root)
                bound[alias.asname or root] = module or _Unloaded(root)
        elif node.module and node.module.split(".")[0] in LIBRARIES:
            holder = sys.modules.get(node.module)
            what = getattr(holder, alias.name, None)
            bound[alias.asname or alias.name] = (
                _Unloaded(f"{node.module}.{alias.name}") if what is None else what
            )
    return bound


class _Unloaded:
    """Stands for something of a library that is not loaded yet."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> "_Unloaded":
        return _Unloaded(f"{self.name}.{name}")


def _is_own(thing: Any, function: Function) -> bool:
    """Whether it is a function or class that the learner wrote, beside the function."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return False
    home = getattr(_unwrapped(function), "__module__", None)
    return getattr(thing, "__module__", None) == home and not _root(thing) & LIBRARIES


def _called(node: ast.Call, names: dict[str, Any]) -> str | None:
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
    if isinstance(target, ast.Name) and target.id in names:
        thing = names[target.id]
        for name in path:
            thing = _attribute(thing, name)
            if thing is None:
                return f".{path[-1]}"
        return _library_name(thing, path)
    return f".{path[-1]}" if path else None


def _attribute(thing: Any, name: str) -> Any:
    """What stands behind a dot, without running anybody's code. None if that is not known."""
    found = inspect.getattr_static(thing, name, None)
    lazy = isinstance(thing, ModuleType) and thing.__name__.split(".")[0] in LIBRARIES
    if isinstance(thing, _Unloaded) or (found is None and lazy):
        return getattr(thing, name, None)
    return found


def _library_name(thing: Any, path: list[str]) -> str | None:
    if isinstance(thing, _Unloaded):
        return thing.name
    roots = _root(thing) & LIBRARIES
    if not roots or _only_names_a_type(thing):
        return None
    (root, *_) = roots
    name = getattr(thing, "__name__", None) or (path[-1] if path else root)
    holder = getattr(thing, "__objclass__", None)
    if holder is not None and "Tensor" in holder.__name__:
        return f"Tensor.{name}"
    return f"{root}.{name}"


def _only_names_a_type(thing: Any) -> bool:
    """torch.Size(...) and numpy.int64(...) compute nothing: what comes of them is judged."""
    if not isinstance(thing, type):
        return False
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    return bool(
        (numpy is not None and issubclass(thing, numpy.generic))
        or (torch is not None and thing is torch.Size)
    )


def _root(thing: Any) -> set[str]:
    """The first parts of the module names that a callable goes by."""
    if isinstance(thing, ModuleType):
        return {thing.__name__.split(".")[0]}
    holder = getattr(thing, "__self__", None)
    named = (
        getattr(thing, "__module__", None),
        type(thing).__module__,
        getattr(holder, "__module__", None) if holder is not None else None,
        type(holder).__module__ if holder is not None else None,
        getattr(getattr(thing, "__objclass__", None), "__module__", None),
    )
    return {name.split(".")[0] for name in named if isinstance(name, str)}


@contextmanager
def watched(watch: Watch) -> Iterator[list[str]]:
    """Notes library calls while it is entered.

    In a plain exercise: every call into torch, NumPy and stridekit. In one on tensors: every
    function of torch, and every use of a tensor's names.
    """
    heard: list[str] = []
    if watch == "tensors":
        with _torch_watch()(heard) if "torch" in sys.modules else nullcontext():
            yield heard
        return
    before = sys.getprofile()
    sys.setprofile(_profile(heard))
    try:
        yield heard
    finally:
        sys.setprofile(before)


def _profile(heard: list[str]) -> Callable[[FrameType, str, Any], None]:
    def listen(frame: FrameType, event: str, arg: Any) -> None:
        # What a library calls in its turn is its own affair, and so is what a check calls.
        if event == "call":
            root, _, rest = str(frame.f_globals.get("__name__")).partition(".")
            if (
                root in LIBRARIES
                and not rest.startswith(("checks", "exercises"))
                and _from_outside(frame)
            ):
                heard.append(f"{root}.{_plain_name(frame.f_code)}")
        elif event == "c_call" and not _is_in_library(frame):
            roots = _root(arg) & LIBRARIES
            if roots:
                kind = type(getattr(arg, "__self__", None)).__name__
                holder = f"{kind}." if kind == "ndarray" else ""
                heard.append(f"{min(roots)}.{holder}{arg.__name__}")

    return listen


def _from_outside(frame: FrameType) -> bool:
    return frame.f_back is not None and not _is_in_library(frame.f_back)


def _is_in_library(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in LIBRARIES


def _plain_name(code: CodeType) -> str:
    return code.co_name.removesuffix("_dispatcher").removeprefix("_")


@cache
def _torch_watch() -> Any:
    from torch.overrides import TorchFunctionMode, resolve_name

    class TorchWatch(TorchFunctionMode):
        """Notes which torch functions and attributes are used while it is entered."""

        def __init__(self, heard: list[str]) -> None:
            super().__init__()
            self._heard = heard

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            name = str(resolve_name(func) or getattr(func, "__name__", func))
            name = name.replace("torch.Tensor.", "Tensor.").removesuffix(".__get__")
            # Each once: a list that grows with every call would count as the learner's memory.
            if name not in self._heard:
                self._heard.append(name)
            return func(*args, **(kwargs or {}))

    return TorchWatch
