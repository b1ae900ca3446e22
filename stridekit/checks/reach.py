"""What a function can reach at all: where no library is, none has to be watched for.

Watching takes several times as long as most functions themselves. From plain numbers, a function
gets at a library only by its globals, defaults, closure and imports, and by what Python offers to
look around with. All of these can be seen beforehand.
"""

import builtins
import dis
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from stridekit.checks.reading import LIBRARIES

# Modules that lead to no library by themselves.
_SAFE = frozenset(
    (
        *("math", "itertools", "functools", "operator", "collections", "typing", "dataclasses"),
        *("fractions", "decimal", "enum", "bisect", "heapq", "string", "abc", "numbers", "time"),
        *("statistics", "random", "warnings", "logging", "copy", "contextlib", "cmath"),
        *("_operator", "_functools", "_collections", "_bisect", "_heapq", "_random", "_warnings"),
        *("collections.abc", "_collections_abc", "_decimal", "numbers", "_abc"),
    )
)
# Names with which one looks around, as a global, an attribute or an import.
_LOOKING_AROUND = frozenset(
    (
        *("eval", "exec", "compile", "getattr", "setattr", "globals", "locals", "vars", "dir"),
        *("open", "input", "breakpoint", "help", "attrgetter", "methodcaller", "sys", "os"),
        *("modules", "importlib", "import_module", "gc", "inspect", "ctypes", "builtins", "type"),
        *("torch", "numpy", "np", "stridekit", "f_globals", "f_locals", "gi_frame", "tb_frame"),
        *("f_back", "gi_code", "cr_frame", "pickle", "marshal", "subprocess", "threading"),
        *("get_ipython", "warnings_module", "ag_frame", "from_numpy", "asarray", "array"),
    )
)
# Of these, a function on tensors needs no others than torch.
_TORCH = frozenset({"torch", "type"})
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), range, slice)
_SEEN_MOST = 2_000


def is_out_of_reach(function: Callable[..., Any], *, but_torch: bool) -> bool:
    """Whether a function can get at no library; `but_torch` lets torch count for none.

    >>> is_out_of_reach(max, but_torch=False), is_out_of_reach(eval, but_torch=False)
    (True, False)
    """
    home = str(getattr(function, "__globals__", {}).get("__name__"))
    own = {"__main__", home} - LIBRARIES - _SAFE
    todo: list[Any] = [function]
    seen: dict[int, Any] = {}
    try:
        while todo:
            thing = todo.pop()
            if id(thing) in seen:
                continue
            seen[id(thing)] = thing
            if len(seen) > _SEEN_MOST:
                return False
            todo += _beyond(thing, own, but_torch=but_torch)
    except _InReachError:
        return False
    return True


class _InReachError(Exception):
    """Something from which anything may be reached."""


def _beyond(thing: Any, own: set[str], *, but_torch: bool) -> Iterator[Any]:
    """What can be reached from a thing directly. Raises _InReachError.

    `own` are the modules whose classes are the function's own maker's.
    """
    kind = type(thing)
    if kind in _PLAIN:
        return
    if kind is FunctionType:
        yield from _of_function(thing, but_torch=but_torch)
    elif kind in (tuple, list, set, frozenset):
        yield from thing
    elif kind is dict:
        yield from thing.keys()
        yield from thing.values()
    elif kind is partial:
        yield from (thing.func, thing.args, thing.keywords)
    elif kind is property:
        yield from (thing.fget, thing.fset)
    elif kind in (staticmethod, classmethod) or hasattr(kind, "cache_info"):
        yield thing.__wrapped__
    elif kind is ModuleType:
        _must_be_safe(thing.__name__, but_torch=but_torch)
    elif kind is BuiltinFunctionType:
        if thing.__name__ in _LOOKING_AROUND:
            raise _InReachError
        owner = thing.__self__
        if owner is not None and type(owner) is not ModuleType:
            yield owner
        elif owner is not builtins:
            _must_be_safe(str(thing.__module__), but_torch=but_torch)
    elif isinstance(thing, type):
        yield from _of_class(thing, own, but_torch=but_torch)
    elif kind.__module__ in ("torch", "torch._C", "torch._tensor", "builtins") or _is_safe(kind):
        if not but_torch and kind.__module__.startswith("torch"):
            raise _InReachError
        if kind.__module__ == "builtins" and kind not in _KNOWN:
            raise _InReachError
    elif kind.__module__ in own:
        # An object of the function's own maker.
        yield kind
        yield from getattr(thing, "__dict__", {}).values()
    else:
        raise _InReachError


_KNOWN = (object, type(len), type("".join), bytearray, type(NotImplemented))


def _of_function(function: FunctionType, *, but_torch: bool) -> Iterator[Any]:
    home = str(function.__globals__.get("__name__"))
    if _is_safe_name(home):
        return
    if home.partition(".")[0] in LIBRARIES:
        # What torch does in its turn is its own affair.
        _must_be_safe(home, but_torch=but_torch)
        return
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from function.__dict__.values()
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            # A name without a value, so far.
            continue
    for code in _codes(function.__code__):
        allowed = _TORCH if but_torch else frozenset()
        for name in code.co_names:
            if (name in _LOOKING_AROUND and name not in allowed) or _is_dunder(name):
                raise _InReachError
            if name in function.__globals__:
                yield function.__globals__[name]
        for module in _imports(code):
            _must_be_safe(module, but_torch=but_torch)


def _of_class(kind: type, own: set[str], *, but_torch: bool) -> Iterator[Any]:
    if kind.__module__ in own:
        yield from kind.__bases__
        for name, thing in vars(kind).items():
            if not _is_dunder(name) or isinstance(thing, FunctionType):
                yield thing
    elif kind.__module__ == "builtins":
        if kind is type:
            raise _InReachError
    else:
        _must_be_safe(kind.__module__, but_torch=but_torch)


@cache
def _codes(code: CodeType) -> tuple[CodeType, ...]:
    """A code and those that are nested in it."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return (code, *(each for one in inner for each in _codes(one)))


@cache
def _imports(code: CodeType) -> tuple[str, ...]:
    return tuple(
        str(each.argval) for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"
    )


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name not in ("__init__", "__name__", "__len__", "__iter__")


def _is_safe(kind: type) -> bool:
    return _is_safe_name(kind.__module__)


def _is_safe_name(module: str) -> bool:
    return module in _SAFE


def _must_be_safe(module: str, *, but_torch: bool) -> None:
    is_torch = module.partition(".")[0] == "torch"
    if not (_is_safe_name(module) or (but_torch and is_torch)):
        raise _InReachError
