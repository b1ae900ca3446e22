"""Ways in which somebody's right function may talk, or look at itself, while it is checked.

Each is a decorator by its name. Nothing of it belongs to torch, NumPy or stridekit.
"""

import asyncio
import cProfile
import dataclasses
import enum
import faulthandler
import functools
import inspect
import io
import itertools
import logging
import os
import pdb
import pprint
import statistics
import sys
import threading
import time
import timeit
import traceback
import typing
import warnings
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from decimal import Decimal
from fractions import Fraction

import rich
import tqdm
from rich.console import Console
from rich.pretty import pprint as rich_pprint


def _plain_print(*arguments):
    print("called with", *arguments, sep="\n", end="!\n", flush=True)
    print("oh", file=sys.stderr)


def _stream_methods(*arguments):
    for stream in (sys.stdout, sys.stderr):
        stream.write(f"{len(arguments)}\n")
        stream.writelines(["a\n", "b\n"])
        stream.flush()
        stream.isatty(), stream.writable(), stream.readable(), stream.seekable()
        assert stream.encoding
        assert stream.errors
        stream.buffer.write(b"bytes\n")
        stream.buffer.flush()
        stream.reconfigure(line_buffering=True)


def _descriptors(*_):
    os.write(sys.stdout.fileno(), b"")
    faulthandler.dump_traceback(file=sys.stderr)


def _logging(*arguments):
    logger = logging.getLogger("talking")
    handler = logging.StreamHandler(sys.stdout)
    logger.addHandler(handler)
    logger.warning("given %r", arguments)
    logger.removeHandler(handler)
    logging.getLogger().error("well")
    logging.captureWarnings(capture=True)
    warnings.warn("captured", stacklevel=2)
    logging.captureWarnings(capture=False)


def _warning(*arguments):
    warnings.warn(f"{len(arguments)}", RuntimeWarning, stacklevel=1)
    with warnings.catch_warnings(record=True):
        warnings.warn("mine", DeprecationWarning, stacklevel=1)


def _pprint(*arguments):
    pprint.pprint(arguments)
    pprint.pformat(arguments, width=20, compact=True)


def _rich(*arguments):
    rich.print("[bold]hello[/bold]", len(arguments))
    rich_pprint(arguments)
    Console().log("at", 3)
    Console(file=sys.stderr).rule("here")


def _tqdm(*_):
    for _each in tqdm.tqdm(range(2), file=sys.stdout):
        pass
    for _each in tqdm.trange(2, leave=False):
        tqdm.tqdm.write("in between")


def _timing(*_):
    began = time.perf_counter(), time.process_time(), time.time(), time.monotonic_ns()
    timeit.timeit(lambda: None, number=2)
    print(began, time.strftime("%H"))


def _tracing(*_):
    def trace(_frame, _event, _arg):
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    sys.settrace(before)
    profiler, profile = sys.getprofile(), cProfile.Profile()
    sys.setprofile(None)
    profile.runcall(len, "x")
    sys.setprofile(profiler)
    sys.getrefcount(began := []), sys.getrecursionlimit(), began.append(1)


def _debugging(*_):
    breakpoint()
    pdb.set_trace()
    # Without the source of each frame, which takes longer than all else here: test_library_calls.py
    # has that.
    inspect.stack(context=0)
    print(inspect.currentframe().f_back.f_code.co_name)
    inspect.getsource(_warning)
    traceback.print_stack(limit=2)
    try:
        raise KeyError("x")
    except KeyError:
        traceback.print_exc()


@dataclasses.dataclass(order=True)
class _Seen:
    arguments: tuple = ()
    count: int = dataclasses.field(default=0, compare=False)


class _Colour(enum.IntFlag):
    RED = enum.auto()
    GREEN = enum.auto()


class _Pair(typing.NamedTuple):
    a: int = 0


def _data(*arguments):
    print(dataclasses.asdict(_Seen((len(arguments),))), _Seen() < _Seen((1,)))
    print(_Colour.RED | _Colour.GREEN, _Pair(a=1)._asdict(), typing.get_type_hints(_Seen))


def _standard_library(*_):
    print(statistics.fmean([1, 2]), Fraction(1, 3) + 1, Decimal("0.1") * 3)
    print([*itertools.accumulate([1, 2])], functools.reduce(max, (1, 2)))


@contextmanager
def _context():
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(io.StringIO()))
        yield


def _contexts(*_):
    with _context():
        print("nowhere")
    with suppress(ZeroDivisionError):
        print(1 / 0)


def _threads(*_):
    thread = threading.Thread(target=print, args=("from a thread",))
    thread.start()
    thread.join()


def _coroutines(*_):
    async def speak():
        print("later")

    coroutine = speak()
    with suppress(StopIteration):
        coroutine.send(None)
    assert asyncio.iscoroutinefunction(speak)


STYLES = {
    name.strip("_").replace("_", " "): style
    for name, style in (
        *(("plain print", _plain_print), ("stream methods", _stream_methods)),
        *(("descriptors", _descriptors), ("logging", _logging)),
        *(("warning", _warning), ("pprint", _pprint), ("rich", _rich), ("tqdm", _tqdm)),
        *(("timing", _timing), ("tracing", _tracing), ("debugging", _debugging), ("data", _data)),
        *(("standard library", _standard_library), ("contexts", _contexts)),
        *(("threads", _threads), ("coroutines", _coroutines)),
    )
}
# Some take a millisecond. One of them in each fifth call is enough for each to have its turn, also
# among the last calls, which are those that are watched.
EVERY = 5


def talking(function, *styles):
    """The function, which talks in all those styles, in turn, as it is called."""
    calls = itertools.count()

    @functools.wraps(function)
    def talks(*arguments):
        turn, rest = divmod(next(calls), EVERY)
        if rest == 0:
            STYLES[styles[turn % len(styles)]](*arguments)
        return function(*arguments)

    return talks
