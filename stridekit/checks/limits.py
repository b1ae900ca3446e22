"""A limit for each call of a learner's function, on any system and in any thread.

A busy machine must not make right work fail, so what counts is the time that the function
itself computes. Time on the wall has a limit too, for functions that sleep.
"""

import contextlib
import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

TICK = 0.2


class TimeUpError(BaseException):
    """Raised inside a call that took too long. `except Exception` does not catch it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """In seconds: computing time and time on the wall for a call, computing time for all."""

    computing: float = 3.0
    wall: float = 15.0
    total: float = 45.0


class Clock:
    """Stops calls that go on and on. Enter it once, then enter `call()` for each call."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._spent = 0.0
        self._began: tuple[float, float] | None = None
        self._ticker: _Alarm | _Watcher | None = None

    def __enter__(self) -> Self:
        self._ticker = _Alarm(self) if _alarm_is_free() else _Watcher(self)
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

    @contextlib.contextmanager
    def call(self) -> Iterator[None]:
        """One call. Raises TimeUpError in it when it takes too long."""
        began = time.process_time()
        self._began = began, time.perf_counter()
        try:
            yield
        finally:
            self._began = None
            assert self._ticker is not None
            self._ticker.after_call()
            self._spent += time.process_time() - began

    @property
    def is_spent(self) -> bool:
        """Whether all calls together have taken too long."""
        return self._spent > self.limits.total

    @property
    def is_over(self) -> bool:
        """Whether the present call has taken too long."""
        began = self._began
        if began is None:
            return False
        return (
            time.process_time() - began[0] > self.limits.computing
            or time.perf_counter() - began[1] > self.limits.wall
        )


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

    def after_call(self) -> None:
        """A signal's exception arrives at once."""

    def _tick(self, _number: int, _frame: Any) -> None:
        if self._clock.is_over:
            raise TimeUpError


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

    def after_call(self) -> None:
        """Called when a call has ended: an exception on its way arrives here, not later."""
        with contextlib.suppress(TimeUpError):
            with self._lock:
                raised, self._has_raised = self._has_raised, False
            for _ in range(100 if raised else 0):
                pass

    def _watch(self) -> None:
        while not self._ended.wait(TICK):
            with self._lock:
                if self._clock.is_over:
                    self._has_raised = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._caller), ctypes.py_object(TimeUpError)
                    )
