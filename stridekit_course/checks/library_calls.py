"""Which library functions a learner's function calls while it runs, and in which of its lines.

What a call is named: `torch.reshape`, `Tensor.reshape`, `numpy.prod`, `stridekit.draw`. A call
counts where the learner's own code makes it: what is installed, such as Python's own modules, may
call what it likes.
"""

import linecache
import os
import sys
import sysconfig
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from stridekit_course.checks.callee import SourceLine, Watch, printable
from stridekit_course.checks.rules import PRINTING

OWN_PACKAGES = ("stridekit", "stridekit_course", "stridekit_grading")
LIBRARIES = frozenset({"torch", "numpy", *OWN_PACKAGES})
# What these modules do while a learner's function runs, such as looking at the clock, is ours.
_OURS = (
    *("stridekit_course.checks.streams", "stridekit_course.checks.limits", __name__),
    *("stridekit_course.checks.calling", "stridekit_course.checks.peak_memory"),
    "stridekit_grading.",
)
# A line that is quoted is cut to so many characters.
LINE_MOST = 120
# What runs as functions, and nobody calls one: a line of theirs is of the function round it.
_IN_BRACKETS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")

Note = Callable[[str, FrameType], None]


def torch_calls(note: Note) -> AbstractContextManager[Any]:
    """Notes every function and attribute of torch that is used while it is entered, each once."""
    return _torch_watch()(note) if "torch" in sys.modules else nullcontext()


class _LibraryWatch:
    """Listens while it is entered, and lets a profiler that was there go on then."""

    def __init__(self, watch: Watch, note: Note) -> None:
        self._listen = _listener(note, LIBRARIES if watch == "plain" else LIBRARIES - {"torch"})
        # In a thread that the function starts torch is not watched otherwise.
        self._in_threads = _listener(note, LIBRARIES)

    def __enter__(self) -> None:
        self._before = sys.getprofile(), threading.getprofile()
        threading.setprofile(self._in_threads)
        sys.setprofile(self._listen)

    def __exit__(self, *_: object) -> None:
        profiler, in_threads = self._before
        if profiler is None or callable(profiler):
            sys.setprofile(profiler)
        else:
            # One that is written in C is not a function.
            sys.setprofile(None)
            profiler.enable()
        threading.setprofile(in_threads)


def library_calls(watch: Watch, note: Note) -> AbstractContextManager[Any]:
    """Notes calls of libraries while it is entered, again and again: it takes time.

    In a plain exercise those of torch, NumPy and stridekit, in one on tensors of the last two.
    """
    return _LibraryWatch(watch, note) if watch in ("plain", "tensors") else nullcontext()


def _listener(note: Note, libraries: frozenset[str]) -> Callable[[FrameType, str, Any], None]:
    """What `sys.setprofile` calls."""
    passed: Any = None

    def listen(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal passed
        if event == "c_call":
            # Of most, which are Python's own, that is seen at once.
            root = arg.__module__ == "builtins" or _home(arg).partition(".")[0]
            if root in libraries and is_learners(frame):
                inner = ".ndarray" if type(arg.__self__).__name__ == "ndarray" else ""
                note(f"{root}{inner}.{arg.__name__}", frame)
        # Most calls are of the learner's own helpers and generators: they are passed by first.
        elif event == "call" and frame.f_globals is not passed:
            module = str(frame.f_globals.get("__name__"))
            root, name = module.partition(".")[0], frame.f_code.co_name
            if root not in libraries:
                passed = frame.f_globals
            elif name not in PRINTING and not module.startswith(_OURS):
                caller = frame.f_back
                if caller is not None and is_learners(caller):
                    if name == "__getattr__":
                        # What was asked for is its last argument.
                        *_, name = frame.f_locals.values()
                    note(f"{root}.{_plain_name(name)}", caller)

    return listen


def _home(builtin: Any) -> str:
    """The module that a function written in C belongs to, or the type that it is a method of."""
    owner = builtin.__self__
    named = builtin.__module__ or getattr(owner, "__module__", None) or type(owner).__module__
    return str(named)


def _plain_name(name: str) -> str:
    name = name.removesuffix("_dispatcher")
    return name if name.startswith("__") else name.removeprefix("_")


@cache
def _installed() -> tuple[str, ...]:
    """Where everything lies that a learner has not written.

    A virtual environment may go on to the packages of another Python: all are on the path.
    """
    ours = (Path(__file__).parents[1], Path(str(sys.modules["stridekit"].__file__)).parent)
    packages = [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    places = [*map(sysconfig.get_path, ("stdlib", "platstdlib")), *packages, *map(str, ours)]
    return ("<frozen ", *(f"{place}{os.sep}" for place in places))


@cache
def _is_installed(file: str, module: str) -> bool:
    if module == "__main__":
        return False
    if file.startswith("<") and not file.startswith("<frozen"):
        # Code that was made while something ran, such as the methods of a named tuple.
        file = str(getattr(sys.modules.get(module), "__file__", ""))
        return module.startswith("namedtuple_") or file.startswith(_installed())
    return file.startswith(_installed())


def is_learners(frame: FrameType) -> bool:
    """Whether it runs what a learner has written: in a notebook, or in a file beside it."""
    return not _is_installed(frame.f_code.co_filename, str(frame.f_globals.get("__name__")))


def place_of(
    frame: FrameType, line: int, itself: CodeType | None, *, raises: bool = False
) -> SourceLine:
    """The line of a learner's frame, which is a helper's if it is not the function itself."""
    code = frame.f_code
    text = printable(linecache.getline(code.co_filename, line, frame.f_globals).strip())
    text = text if len(text) <= LINE_MOST else f"{text[:LINE_MOST]} ..."
    name = code.co_qualname
    while name.endswith(_IN_BRACKETS):
        name = name.rpartition(".<locals>.")[0]
    if itself and (name, code.co_filename) == (itself.co_qualname, itself.co_filename):
        name = ""
    return SourceLine(line, text, name.rpartition(".")[2], raises)


@cache
def _torch_watch() -> Any:
    from torch._C import _len_torch_function_stack, _pop_torch_function_stack
    from torch.overrides import TorchFunctionMode

    names: dict[Any, str] = {}

    class TorchWatch(TorchFunctionMode):
        """Notes which torch functions and attributes are used while it is entered."""

        def __init__(self, note: Note) -> None:
            super().__init__()
            self._note = note
            # A loop over elements asks for the same few, ten thousands of times.
            self._noted: set[Any] = set()

        def __enter__(self) -> Any:
            self._below = _len_torch_function_stack()
            return super().__enter__()  # type: ignore[no-untyped-call]

        def __exit__(self, *_: object) -> None:
            # While torch works it takes this off, and whoever is stopped then leaves it so.
            while _len_torch_function_stack() > self._below:
                _pop_torch_function_stack()

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func not in self._noted:
                name = names.get(func)
                if name is None:
                    name = names[func] = torch_name(func)
                self._note(name, sys._getframe(1))  # noqa: SLF001 - there is no other way to ask
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
    holder = qualified.rpartition(".")[0] + getattr(func, "__objclass__", type).__name__
    if "Tensor" in holder:
        return f"Tensor.{name}"
    module = str(getattr(func, "__module__", None) or "torch")
    return f"{module if module.startswith('torch.nn') else 'torch'}.{name}"
