"""A limit for each call of a learner's function, on any system and in any thread.

A busy machine must not make right work fail, so what counts is the time that the function
itself computes. Time on the wall has a limit too, for functions that sleep.
"""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Literal, Self

TICK = 0.2
# So many times as long may take what is looked at, step by step.
SLOWED = 10
# In the browser: so many bytes of the stack of Python's own functions may a call use, and half of
# them again until Pyodide asks. JavaScript's stack, which nobody can ask about, ends at about twice
# as much, and Pyodide with it.
STACK = 48_000
# What takes the place of Pyodide's buffer of signals: asked every few steps of Python, it says
# that the alarm rang when the tick is over, and when the stack is. Whoever interrupts by the buffer
# before is still heard.
_BUFFER = """(module, tick, alarm, stack, deep) => {
  const before = module.Py_EmscriptenSignalBuffer;
  const top = module.stackSave?.();
  let next = performance.now() + tick;
  let told = false;
  return {
    before,
    get 0() {
      const other = before?.[0];
      if (other) {
        before[0] = 0;
        return other;
      }
      // Once: what hears it needs some of the stack, too.
      const was = told;
      told = top - module.stackSave?.() > stack;
      if (told && !was) return deep;
      const now = performance.now();
      if (now < next) return 0;
      next = now + tick;
      return alarm;
    },
    set 0(_heard) {},
  };
}"""


class TimeUpError(BaseException):
    """Raised inside a call that took too long. `except Exception` does not catch it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """In seconds: computing time and time on the wall, for one call and for all together.

    Once `enough` calls have come back, no more are made when all together have taken `total` or
    `total_wall`. Where they are fewer, all together are stopped at `most` or `most_wall`.

    The texts promise two seconds for a call. Who made a loop without an end hears of it before
    three are over: a tick or two come on top.
    """

    computing: float = 2.5
    wall: float = 15.0
    total: float = 8.0
    total_wall: float = 60.0
    most: float = 45.0
    most_wall: float = 180.0
    enough: int = 50


class Clock:
    """Stops calls that go on and on. Enter it once, and set `number` to that of each call.

    Whoever calls says nothing else: every now and then a ticker looks whether the number is
    still the same, so a call costs no more than setting it.
    """

    def __init__(self, limits: Limits, *within: Callable[..., Any]) -> None:
        """`within` are the functions that calls are made from: they alone are stopped."""
        self.limits = limits
        self._within = {function.__code__ for function in within}
        self.number = -1
        self.may_end = True
        """Whether those that have come back may be enough."""
        self.is_slowed = False
        """Whether the present call is looked at, step by step: then it has its own limit alone."""
        self.ran_out: Literal["call", "wait", "all"] = "call"
        """Which limit it was: one call's computing, its time on the wall, or that of all."""
        self._seen = -1
        self._entered = self._began = (0.0, 0.0)
        self._ticker: _Alarm | _Asked | _Watcher | None = None

    def __enter__(self) -> Self:
        self._entered = _now()
        self._ticker = _ticker(self)
        self._ticker.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._ticker is not None
        self._ticker.stop()

    def rest(self) -> None:
        """No call runs now. What the ticker has raised arrives here, at the latest."""
        assert self._ticker is not None
        self.number = -1
        self._ticker.settle()

    @property
    def is_over(self) -> bool:
        """Whether the present call, or all of them, have taken too long."""
        now, number = _now(), self.number
        if number < 0:
            return False
        if number != self._seen:
            self._seen, self._began = number, now
        limits = self.limits
        computing, wall = (b - a for a, b in zip(self._began, now, strict=True))
        slowed = SLOWED if self.is_slowed else 1
        if computing > slowed * limits.computing or wall > slowed * limits.wall:
            self.ran_out = "call" if computing > slowed * limits.computing else "wait"
            return True
        if self.is_slowed:
            # Or somebody would only have to be slow then, and nobody would know the memory.
            return False
        computing, wall = (b - a for a, b in zip(self._entered, now, strict=True))
        most, most_wall = limits.most, limits.most_wall
        if self.may_end and number >= limits.enough:
            most, most_wall = limits.total, limits.total_wall
        if computing > most or wall > most_wall:
            self.ran_out = "all"
            return True
        return False

    def is_in_call(self, frame: FrameType | None) -> bool:
        """Whether a call runs there. One that was stopped may still be cleared away."""
        while frame is not None:
            if frame.f_code in self._within:
                return True
            frame = frame.f_back
        return False


def _now() -> tuple[float, float]:
    return time.process_time(), time.perf_counter() - _waited()


def _waited() -> float:
    """Seconds in which this process wanted to compute and others did, where the system tells."""
    # A buffer would count as memory of the call in which it is made.
    try:
        file = os.open("/proc/self/schedstat", os.O_RDONLY)
        try:
            return int(os.read(file, 99).split()[1]) / 1e9
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return 0.0


def _ticker(clock: Clock) -> "_Alarm | _Asked | _Watcher":
    if sys.platform == "emscripten":
        return _Asked(clock)
    return _Alarm(clock) if _alarm_is_free() else _Watcher(clock)


def _alarm_is_free() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    )


class _Alarm:
    """Ticks by a signal: it also ends a sleep."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._before: Any = None

    def start(self) -> None:
        self._before = signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def settle(self) -> None:
        """A signal's exception arrives at once."""

    def _tick(self, _number: int, frame: FrameType | None) -> None:
        if self._clock.is_over and self._clock.is_in_call(frame):
            raise TimeUpError


class _Asked(_Alarm):
    """Ticks where there are neither timers nor threads: in the browser, when Pyodide asks.

    See `setInterruptBuffer` in Pyodide's reference. What never comes back to Python is not ended.
    A function that calls itself by way of Python's own functions, such as `map`, would bring down
    Pyodide long before Python's limit: so it is told that it went too deep.
    """

    def start(self) -> None:
        import pyodide_js
        from pyodide.code import run_js

        self._runtime = pyodide_js
        self._before = signal.signal(signal.SIGALRM, self._tick)
        self._before_deep = signal.signal(signal.SIGUSR1, self._too_deep)
        # There is no public way to ask for the buffer before, or for the stack.
        module = pyodide_js._module  # noqa: SLF001
        self._buffer = run_js(_BUFFER)(
            module, 1000 * TICK, int(signal.SIGALRM), STACK, int(signal.SIGUSR1)
        )
        pyodide_js.setInterruptBuffer(self._buffer)

    def stop(self) -> None:
        self._runtime.setInterruptBuffer(self._buffer.before)
        signal.signal(signal.SIGUSR1, self._before_deep)
        signal.signal(signal.SIGALRM, self._before)

    def _too_deep(self, _number: int, frame: FrameType | None) -> None:
        if self._clock.is_in_call(frame):
            raise RecursionError("maximum recursion depth exceeded")


class _Watcher:
    """Ticks in a thread of its own, where there are no signals.

    That is on Windows, and off the main thread. A call is ended between two of its steps.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._caller = threading.get_ident()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._has_raised = False
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def settle(self) -> None:
        """An exception on its way arrives here, not later."""
        with contextlib.suppress(TimeUpError):
            with self._lock:
                raised, self._has_raised = self._has_raised, False
            for _ in range(100 if raised else 0):
                pass

    def _watch(self) -> None:
        while not self._ended.wait(TICK):
            with self._lock:
                frame = sys._current_frames().get(self._caller)  # noqa: SLF001 - no other way
                if self._clock.is_over and self._clock.is_in_call(frame):
                    self._has_raised = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._caller), ctypes.py_object(TimeUpError)
                    )
