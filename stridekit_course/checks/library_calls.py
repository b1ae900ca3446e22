"""Which library functions are called while a function runs, and whether it can reach any.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`.

Watching takes several times as long as most functions themselves. From plain numbers, a function
gets at a library only by its globals, defaults, closure and imports, and by what Python offers to
look around with. All of these can be seen beforehand.
"""

import builtins
import dis
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from stridekit_course.checks.callee import Watch
from stridekit_course.checks.rules import PRINTING
from stridekit_course.checks.source_calls import LIBRARIES, OWN_PACKAGES, library_name

# What these modules do while a learner's function runs, such as looking at the clock, is ours.
_OURS = (
    "stridekit_course.checks.limits",
    "stridekit_course.checks.library_calls",
    "stridekit_course.checks.calling",
    "stridekit_grading.",
)

Note = Callable[[str], None]


@contextmanager
def watched(watch: Watch, note: Note) -> Iterator[None]:
    """Notes library calls while it is entered, each name again and again.

    In a plain exercise: every call into torch, NumPy and stridekit. In one on tensors: every
    function and attribute of torch, and calls into NumPy and stridekit.
    """
    if watch == "nothing":
        yield
        return
    if watch == "torch":
        with _torch_watch()(note) if "torch" in sys.modules else nullcontext():
            yield
        return
    on_tensors = watch == "tensors"
    before = sys.getprofile()
    torch_watch = on_tensors and "torch" in sys.modules
    with _torch_watch()(note) if torch_watch else nullcontext():
        sys.setprofile(_listener(note, LIBRARIES - {"torch"} if on_tensors else LIBRARIES))
        try:
            yield
        finally:
            _give_back(before)


def _give_back(profiler: Any) -> None:
    """Let the profiler that was there go on. One that is written in C is no function."""
    if profiler is None or callable(profiler):
        sys.setprofile(profiler)
    else:
        sys.setprofile(None)
        profiler.enable()


def _listener(note: Note, libraries: frozenset[str]) -> Callable[[FrameType, str, Any], None]:
    """What `sys.setprofile` calls, thousands of times: so all that can be known is looked up."""
    # Codes by identity: the root of the module that they belong to, or "".
    homes: dict[int, str] = {}
    # Modules and types, by identity, that builtin functions belong to: whether a library has them.
    owners: dict[int, bool] = {}

    def home_of(frame: FrameType) -> str:
        module = str(frame.f_globals.get("__name__"))
        root = module.partition(".")[0]
        if root not in LIBRARIES:
            root = ""
        elif module.startswith(_OURS):
            root = "ours"
        homes[id(frame.f_code)] = root
        return root

    def is_in_library(frame: FrameType) -> bool:
        home = homes.get(id(frame.f_code))
        return bool(home_of(frame) if home is None else home)

    def listen(frame: FrameType, event: str, arg: Any) -> None:
        # What a library calls in its turn is its own affair.
        if event == "c_call":
            owner = arg.__self__
            kind = owner.__class__
            key = owner if kind is ModuleType or kind is type else kind
            known = owners.get(id(key))
            if known is None:
                known = owners[id(key)] = bool(library_name(arg))
            if known and not is_in_library(frame):
                _note_builtin(note, arg, libraries)
        elif event == "call":
            home = homes.get(id(frame.f_code))
            if home is None:
                home = home_of(frame)
            if home and home in libraries and frame.f_code.co_name not in PRINTING:
                caller = frame.f_back
                if caller is not None and not is_in_library(caller) and not _notes_itself(frame):
                    note(f"{home}.{_plain_name(frame.f_code)}")

    return listen


def _note_builtin(note: Note, function: Any, libraries: frozenset[str]) -> None:
    kind = type(getattr(function, "__self__", None)).__name__
    name = library_name(function)
    if name and name.partition(".")[0] in libraries:
        root, _, last = name.rpartition(".")
        note(f"{root}.ndarray.{last}" if kind == "ndarray" else name)


def _notes_itself(frame: FrameType) -> bool:
    """Whether it is a method of a tensor that notes its own names."""
    owner = frame.f_locals.get("self")
    return owner is not None and hasattr(type(owner), "notes_its_names")


def _plain_name(code: CodeType) -> str:
    name = code.co_name.removesuffix("_dispatcher")
    return name if name.startswith("__") else name.removeprefix("_")


@cache
def _torch_watch() -> Any:
    from torch.overrides import TorchFunctionMode

    names: dict[Any, str] = {}

    class TorchWatch(TorchFunctionMode):
        """Notes which torch functions and attributes are used while it is entered."""

        def __init__(self, note: Note) -> None:
            super().__init__()
            self._note = note
            # A loop over elements asks for the same few, ten thousands of times.
            self._noted: set[Any] = set()

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func not in self._noted:
                name = names.get(func)
                if name is None:
                    name = names[func] = torch_name(func)
                self._note(name)
                self._noted.add(func)
            return func(*args, **kwargs) if kwargs else func(*args)

    return TorchWatch


def torch_name(func: Any) -> str:
    """How a function or attribute of torch is named, overloads of an operator by its base name.

    (`torch.overrides.resolve_name` would first build a table of them all.)
    """
    name = str(getattr(func, "__name__", func))
    if name in ("__get__", "__set__", "__delete__"):
        descriptor = func.__self__
        return f"Tensor.{getattr(descriptor, '__name__', descriptor)}"
    packet = getattr(func, "overloadpacket", func)
    operator = getattr(packet, "_qualified_op_name", "")
    if operator:
        return f"torch.ops.{operator.replace('::', '.')}"
    qualified = str(getattr(func, "__qualname__", name))
    holder = qualified.rpartition(".")[0]
    if "Tensor" in holder or "_TensorBase" in holder or _is_method(func):
        return f"Tensor.{name}"
    module = str(getattr(func, "__module__", None) or "torch")
    return f"{module if module.startswith('torch.nn') else 'torch'}.{name}"


def _is_method(func: Any) -> bool:
    holder = getattr(func, "__objclass__", None)
    return holder is not None and "Tensor" in holder.__name__


# What a function can reach at all.


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
        *("torch", "numpy", "np", *OWN_PACKAGES, "f_globals", "f_locals", "gi_frame", "tb_frame"),
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
