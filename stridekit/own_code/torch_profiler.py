"""torch's profiler as an observer: it records what one thread does, and takes no part in it.

Modes are part of dispatch, even empty ones: under them encoders leave their fast path, and
inference_mode takes operations apart. The profiler only writes down. All of torch's names that
begin with an underscore, and that watching needs, stand here.

A recording may begin and end only where no operation is under way in its thread. One that ended
inside of an operation would go on when the way back leaves it; one that began there would end
an operation that it never saw begin.
"""

import os
import sys
from contextlib import suppress
from cProfile import Profile
from ctypes import CDLL, c_int
from dis import opmap
from functools import cache, lru_cache
from itertools import starmap
from operator import call
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType
from typing import Any

import torch
from torch._C import _profiler as names

from stridekit.own_code.places import TORCH

# What each of torch's modules must have: a test says which versions do.
NEEDED = {
    "torch.autograd": (
        "_disable_profiler",
        "_enable_profiler",
        "_enable_record_function",
        "_get_sequence_nr",
        "_prepare_profiler",
        "_profiler_enabled",
        # Without it, before 2.12, a recording that Ctrl+C comes into as it begins may end Python.
        "_KinetoEvent.is_python_function",
    ),
    "torch._C": ("_current_autograd_node",),
    "torch._C._autograd": ("_top_saved_tensors_default_hooks",),
    "torch._C._profiler": (
        "ProfilerActivity",
        "ProfilerConfig",
        "ProfilerState",
        "RecordScope",
        "_ExperimentalConfig",
        "_ExtraFields_Kineto",
        "_ExtraFields_PyCCall",
        "_ExtraFields_PyCall",
        "_ExtraFields_TorchOp",
        "_TensorMetadata",
    ),
}


def _parts(names: str) -> tuple[str, ...]:
    return tuple(TORCH + name.replace("/", os.sep) for name in names.split())


# These parts of torch, or functions there, are called from Python alone, and never by an operation
# under way.
_CALLED_FROM_PYTHON = _parts(
    "_compile.py _dynamo/eval_frame.py:_fn _tensor.py amp/ autograd/grad_mode.py functional.py "
    "nn/ optim/ utils/_contextlib.py utils/checkpoint.py:checkpoint "
    "utils/checkpoint.py:_checkpoint_impl utils/data/"
)
# What these do is torch.compile's, torch.export's or torch.fx's own affair.
COMPILERS = _parts(
    "_dynamo/convert_frame.py _inductor/compile_fx.py export/_trace.py fx/_symbolic_trace.py "
    "fx/experimental/proxy_tensor.py"
)
# What begins with an underscore is not an export of the module that has it.
_autograd: Any = torch.autograd
# Where a function begins, or a generator goes on.
_RESUME = opmap["RESUME"]
# How grave a thing is of which kineto speaks on stderr: what it asks the environment for when it
# begins, its own number, and one that nothing is as grave as.
_LEVEL, _SILENCE = "KINETO_LOG_LEVEL", 99
_LEVEL_IN_MEMORY, _HIDDEN = "_ZN9libkineto6Logger14severityLevel_E", c_int()
# When it begins, torch looks at 128 frames, six of which are ours. Of a deeper stack it would not
# know, when those have returned, who calls.
_FRAMES_MOST = 120
# What torch has Python call, for the recording that is on; None if it is muted.
_tracer: Any = None


def lacking() -> str:
    """In a sentence, what this torch lacks; empty if nothing.

    >>> lacking()
    ''
    """
    missing = [
        f"{module}.{name}"
        for module, names in NEEDED.items()
        for name in names
        if not _is_there(module, name)
    ]
    if not missing:
        return ""
    return (
        f"torch {torch.__version__} has no {', '.join(missing)}, which watching reads. Versions "
        "2.12 to 2.14 have it."
    )


def _is_there(module: str, name: str) -> bool:
    try:
        resolve_name(f"{module}:{name}")
    except (AttributeError, ImportError):
        return False
    return True


def is_taken() -> bool:
    """Whether somebody profiles this thread already, with torch's profiler or with Python's."""
    taken = _autograd._profiler_enabled() or sys.getprofile() is not None
    if sys.version_info[:2] == (3, 12):
        # There torch needs the place that cProfile has.
        taken = taken or sys.monitoring.get_tool(sys.monitoring.PROFILER_ID) is not None
    return taken


def is_ours() -> bool:
    """Whether what `start` began goes on: a profiler that somebody opens meanwhile ends it."""
    return _autograd._profiler_enabled() and sys.getprofile() is _tracer


def drop() -> None:
    """End what is left of a recording that another profiler has ended, and leave that one on."""
    other: Any = sys.getprofile()
    if _autograd._profiler_enabled():
        stop([])
    _autograd._enable_record_function(True)
    if isinstance(other, Profile):
        other.enable()
    else:
        # What is left of ours is not a function, nor is what other code in C has Python call.
        sys.setprofile(other if callable(other) else None)


def start() -> None:
    """Begin to record this thread. Not where `between_operations` says no."""
    own_thread()
    _begin()


@cache
def own_thread() -> int:
    """The number by which recordings name this thread, as a short one tells."""
    held = os.environ.get(_LEVEL)
    if _level() is _HIDDEN:
        os.environ[_LEVEL] = str(_SILENCE)
    recorded: list[Any] = []
    try:
        _begin()
        _nothing()
        stop(recorded)
    finally:
        # The first end imports: what a handler of signals raises there spoils it.
        if is_ours():
            stop(recorded)
        os.environ.pop(_LEVEL, None)
        os.environ.update({_LEVEL: held} if held is not None else {})
    for event in recorded[0].events():
        # Code that is gone has no name.
        with suppress(UnicodeDecodeError):
            if event.name().endswith(f": {_nothing.__name__}"):
                return int(event.start_thread_id())
    return 0


def _nothing() -> None:
    """What is called to see in which thread."""


@cache
def _level() -> c_int:
    """Kineto's own number; where its library lets nobody see that, one that nobody reads."""
    with suppress(OSError, StopIteration, ValueError):
        library = next(Path(TORCH, "lib").glob("libtorch_cpu.*"))
        return c_int.in_dll(CDLL(str(library)), _LEVEL_IN_MEMORY)
    return _HIDDEN


def last_called(event: Any) -> str:
    """The name of the function in C with which an event ended, if it did."""
    while children := event.children:
        event = children[-1]
    return event.name if type(event.extra_fields) is names._ExtraFields_PyCCall else ""


def _begin() -> None:
    global _tracer
    shapes, allocations, stack, flops, modules = True, False, True, False, True
    kineto, more = names.ProfilerState.KINETO, names._ExperimentalConfig()
    config = names.ProfilerConfig(kineto, shapes, allocations, stack, flops, modules, more)
    activities = {names.ProfilerActivity.CPU}
    if torch.cuda.is_initialized():
        activities.add(names.ProfilerActivity.CUDA)
    # What the user marks himself, with record_function, may be open across our ends.
    scopes = set(names.RecordScope.__members__.values()) - {names.RecordScope.USER_SCOPE}
    prepare, level = (_autograd._prepare_profiler, config, activities), _level()
    asked, quiet = (getattr, level, "value"), (setattr, level, "value", _SILENCE)
    enable = (_autograd._enable_profiler, config, activities, scopes)
    made, raised = _at_once(prepare, asked, quiet, enable, (sys.getprofile,))
    _, asked_level, _, _, _tracer = made
    # What kineto makes of its level when it begins the first time stays.
    level.value = level.value if asked_level == _SILENCE else asked_level
    if raised:
        raise raised.pop()


def _at_once(*calls: tuple[Any, ...]) -> tuple[list[Any], list[BaseException]]:
    """What some functions in C give; and what a handler of signals raised where nobody heard it.

    Kineto says nothing meanwhile. What is raised comes before all of them, or after. But an audit
    hook of somebody's is asked whether a profiler may come or go, and the handler may run there:
    then the profiler stays as it was, and what was raised goes to `sys.unraisablehook`.
    """
    unheard: list[Any] = []
    hook, level, named = sys.unraisablehook, _level(), (sys, "unraisablehook")
    held, level.value = level.value, _SILENCE
    try:
        listen, leave = (setattr, *named, unheard.append), (setattr, *named, hook)
        _, *made, _ = starmap(call, (listen, *calls, leave))
    finally:
        sys.unraisablehook = hook
        if level.value == _SILENCE:
            level.value = held
    raised = []
    while unheard:
        told = unheard.pop()
        if told.object is None:
            raised.append(told.exc_value)
        else:
            hook(told)
    return made, raised


def stop(recorded: list[Any]) -> None:
    """End the recording, and append what torch recorded. Not where `between_operations` says no.

    It takes long, and what a handler of signals raises then, such as Ctrl-C, loses nothing: that
    comes after the next call in Python, and what `_disable_profiler` gives is in the list by then.
    """
    try:
        if torch.cuda.is_initialized() and not torch.cuda.is_current_stream_capturing():
            torch.cuda.synchronize()
    finally:
        # Python's own call says it, where an audit hook is in the way.
        end = (recorded.extend, starmap(_autograd._disable_profiler, [()]))
        _, raised = _at_once((sys.setprofile, None), end)
        _autograd._enable_record_function(True)
        if raised:
            raise raised.pop()


def mute() -> None:
    """Record no more in this thread, without an end yet. This may be done anywhere."""
    global _tracer
    if is_ours():
        sys.setprofile(None)
    _tracer = None
    _autograd._enable_record_function(False)


def leave_uncompiled(function: Any) -> None:
    """Have torch.compile leave a function alone, and all that it calls, wherever it is called."""
    # Asked where it is called by what is compiled; the rest, where it comes in between.
    function._torchdynamo_disable = True
    # Older versions of torch have no such names.
    with suppress(ImportError):
        from torch._C._dynamo.eval_frame import (
            _FrameAction,
            _FrameExecStrategy,
            set_code_exec_strategy,
        )

        strategy = _FrameExecStrategy(_FrameAction.SKIP, _FrameAction.SKIP)
        set_code_exec_strategy(function.__code__, strategy)


def nodes_made() -> int:
    """How many nodes autograd has made in this thread."""
    return int(_autograd._get_sequence_nr())


def between_operations(frame: FrameType | None, outermost: FrameType | None) -> bool:
    """Whether it is certain that no operation is under way, from a frame to one around it.

    Python may run inside of operations: on the way back, in hooks, in a function of one's own
    for autograd, in compiled code. It may run inside of the profiler, too, which asks tensors
    for their hash: what called it has then not begun. Nor has a function that is at its first
    instruction, and it would be recorded twice. Where the stack is deep, it is not certain either.
    """
    if torch._C._current_autograd_node() is not None:
        return False
    hooks = torch._C._autograd._top_saved_tensors_default_hooks(False)
    # Operations call what packs a tensor for the way back. Where that is torch's, one sees it.
    if hooks and not getattr(getattr(hooks[0], "__code__", None), "co_filename", "").startswith(
        TORCH
    ):
        return False
    depth = 0
    while frame is not None and frame is not outermost:
        code, at = frame.f_code, frame.f_lasti
        # A function has begun, or a generator goes on, and its profiler does not know yet.
        begins = at < 0 or code.co_code[at] == _RESUME
        if begins or _is_at_work(code.co_filename, code.co_name):
            return False
        depth, frame = depth + 1, frame.f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth <= _FRAMES_MOST


# Not asked anew each time: what runs here is recorded.
@lru_cache(4096)
def _is_at_work(file: str, function: str) -> bool:
    """Whether a function may be called by an operation that is under way."""
    is_called = f"{file}:{function}".startswith(_CALLED_FROM_PYTHON)
    is_torchs = file.startswith(TORCH) and not is_called
    return is_torchs or function in ("__torch_dispatch__", "__del__")
