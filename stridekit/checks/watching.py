"""Which library functions are called while a function runs.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import CodeType, FrameType, ModuleType
from typing import Any

from stridekit.checks.reading import LIBRARIES, library_name
from stridekit.checks.rules import PRINTING
from stridekit.checks.seam import Watch

# What these modules do while a learner's function runs, such as looking at the clock, is ours.
_OURS = (
    "stridekit.checks.limits",
    "stridekit.checks.watching",
    "stridekit.checks.hearing",
    "stridekit.grading.",
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
