"""Calls a learner's function in this process: cases as plain data in, outcomes out.

All calls of a batch run one after another under one watch, one clock and one pair of streams;
whatever takes longer than the call itself is done after them. So a result that a later call
changes is seen as it is then. Where an outcome is to be looked at closely, its case is run by
itself. What a function prints, warns and logs is heard, and kept off the page.
"""

import contextlib
import dis
import io
import linecache
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, TracebackType
from typing import Any, NamedTuple

from stridekit_course.checks.call_arguments import Arguments
from stridekit_course.checks.callee import (
    BatchOutcomes,
    Callee,
    Case,
    Function,
    Outcome,
    SourceCall,
    SourceLine,
    TensorData,
    Watch,
    plain,
    printable,
)
from stridekit_course.checks.garbage_collection import collect_young
from stridekit_course.checks.library_calls import is_out_of_reach, watched
from stridekit_course.checks.limits import Clock, Limits, TimeUpError
from stridekit_course.checks.source_calls import calls_in_source, code_of

# So much of it is kept, in characters.
KEPT_MOST = 2000


class Heard(io.TextIOBase):
    """A stream that keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self.text = ""
        self.is_cut = False

    def writable(self) -> bool:
        """Yes."""
        return True

    @property
    def told(self) -> str:
        """What was kept, and that it is not all, where it is not."""
        end = "" if self.text.endswith("\n") else "\n"
        cut = f"{end}[cut here: it printed more than {KEPT_MOST:,} characters]"
        return f"{self.text}{cut}" if self.is_cut else self.text

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        room = KEPT_MOST - len(self.text)
        self.is_cut = self.is_cut or len(text) > room
        self.text += text[: max(room, 0)]
        return len(text)


@contextlib.contextmanager
def listening() -> Iterator[Heard]:
    """Hears both streams, warnings and loggers while it is entered."""
    heard = Heard()
    # A logging handler keeps the stream that it was made with, so replacing sys.stderr is not
    # enough. A notebook's streams can be told to write elsewhere; a terminal's cannot.
    told = []
    for stream in {sys.stdout, sys.stderr}:
        try:
            stream.write = heard.write  # type: ignore[method-assign]
        except AttributeError:
            continue
        told.append(stream)
    try:
        with (
            contextlib.redirect_stdout(heard),
            contextlib.redirect_stderr(heard),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("default")
            yield heard
        for warning in warned:
            heard.write(f"{warning.category.__name__}: {warning.message}\n")
    finally:
        for stream in told:
            del stream.write


# Calls.


# After so many calls, what they left behind is freed.
COLLECT_EVERY = 1_000
# A message of an exception is cut to so many characters, and a line that is quoted.
RAISED_MOST, LINE_MOST = 300, 120
_RAISE = dis.opmap["RAISE_VARARGS"]
# What a function may have returned that is no tensor, and can be told at a glance.
_PLAIN = (tuple, int, bool, list, str, type(None))


class Local(Callee):
    """A function of this process."""

    def __init__(self, function: Function, limits: Limits | None = None) -> None:
        self.function = function
        self.limits = limits or Limits()
        self._needed: dict[Watch, Watch] = {}

    def read(self) -> Sequence[SourceCall]:
        """The library calls in its source and in that of its helpers."""
        self.look_anew()
        return calls_in_source(self.function)

    def look_anew(self) -> None:
        """A check begins: what the function reached when the last one ran may have changed."""
        self._needed.clear()

    def run(self, cases: Sequence[Case], watch: Watch, *, closely: bool = False) -> BatchOutcomes:
        """The outcome of each case.

        What the function prints, warns and logs is kept off the page: a check calls it thousands
        of times, and so much output would stop a grader.
        """
        if watch not in self._needed:
            self._needed[watch] = self._watch_needed(watch)
        watch = self._needed[watch]
        if not closely:
            return self._batch(cases, watch, None)
        # A function that anything can be done with but to look at its code is told apart by None.
        itself = code_of(self.function)
        runs = [self._batch([case], watch, _Closely(itself)) for case in cases]
        outcomes = tuple(outcome for run in runs for outcome in run.outcomes)
        return BatchOutcomes(outcomes, any(run.talks for run in runs))

    def _watch_needed(self, watch: Watch) -> Watch:
        """Nobody has to be watched for what he cannot reach."""
        try:
            if watch == "plain" and is_out_of_reach(self.function, but_torch=False):
                return "nothing"
            if watch == "tensors" and is_out_of_reach(self.function, but_torch=True):
                return "torch"
        except Exception:  # noqa: BLE001 - an object that answers to nothing as others do
            return watch
        return watch

    def _batch(
        self, cases: Sequence[Case], watch: Watch, closely: "_Closely | None"
    ) -> BatchOutcomes:
        given = [_arguments_of(case) for case in cases]
        ended: list[Any] = [_NOT_RUN] * len(cases)
        peaks: dict[int, int | None] = {}
        heard: dict[str, int] = {}
        outcomes: list[Outcome] = []
        with Clock(self.limits, _call_each, _outcome) as clock, listening() as printed:

            def note(name: str) -> None:
                if name not in heard:
                    heard[name] = clock.number

            stopped_at = len(cases)
            try:
                with watched(watch, note):
                    _call_each(self.function, cases, given, ended, peaks, clock)
            except TimeUpError:
                stopped_at = clock.number
            finally:
                clock.rest()
            clock.may_end = False
            try:
                for number in range(stopped_at):
                    # To look at a result may take long too: it may have a repr of its own.
                    clock.number = len(cases) + number
                    outcomes.append(_outcome(ended[number], given[number], closely))
            except TimeUpError:
                stopped_at = len(outcomes)
            finally:
                clock.rest()
        if stopped_at < len(cases):
            outcomes.append(Outcome("stopped", raised=clock.ran_out))
        for number, arguments in enumerate(given[: len(outcomes)]):
            if arguments is not None:
                _add_what_became(outcomes, number, arguments)
        for number, peak in peaks.items():
            if number < len(outcomes):
                outcomes[number] = outcomes[number]._replace(peak=peak)
        for name, number in heard.items():
            number = min(number, len(outcomes) - 1)
            outcome = outcomes[number]
            outcomes[number] = outcome._replace(calls=(*outcome.calls, name))
        if closely is not None:
            outcomes = [each._replace(printed=printed.told) for each in outcomes]
        return BatchOutcomes(tuple(outcomes), bool(printed.text))


class _Closely(NamedTuple):
    """That one looks closely; `itself` is the code of the function, if it has any."""

    itself: CodeType | None


class _Raised(NamedTuple):
    """What a call raised."""

    error: BaseException


_NOT_RUN = object()


def _arguments_of(case: Case) -> Arguments | None:
    """The arguments of a case that has tensors; others are passed as they are."""
    for each in case.arguments:
        if type(each) is TensorData:
            return Arguments(case)
    return None


def _call_each(
    function: Function,
    cases: Sequence[Case],
    given: Sequence[Arguments | None],
    ended: list[Any],
    peaks: dict[int, int | None],
    clock: Clock,
) -> None:
    measure = _peak_meter() if any(case.measured for case in cases) else None
    for number, case in enumerate(cases):
        if number % COLLECT_EVERY == COLLECT_EVERY - 1:
            collect_young()
        made = given[number]
        arguments = case.arguments if made is None else made.values
        clock.number = number
        try:
            if case.measured and measure is not None:
                # Reading the result takes memory too, and must not count.
                ended[number], peaks[number] = measure(lambda: function(*arguments))  # noqa: B023
            else:
                ended[number] = function(*arguments)
        except (TimeUpError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its outcome
            ended[number] = _Raised(error)


def _outcome(result: Any, arguments: Arguments | None, closely: _Closely | None) -> Outcome:
    kind = type(result)
    if kind is _Raised:
        return _raised(result.error, closely)
    if arguments is None:
        if kind in _PLAIN:
            return Outcome("value", plain(result))
        arguments = Arguments(Case(()))
    return arguments.outcome(result)


def _raised(error: BaseException, closely: _Closely | None) -> Outcome:
    bases = tuple(map(_class_name, type(error).__mro__[:-1]))
    if closely is None:
        error.__traceback__ = None
        return Outcome("raised", bases=bases)
    try:
        said = " ".join(f"{error}".split())
    except Exception:  # noqa: BLE001 - somebody's own message
        said = ""
    place = _place_of(error.__traceback__, closely.itself)
    return Outcome("raised", bases=bases, raised=_cut(said, RAISED_MOST), place=place)


def _cut(text: str, most: int) -> str:
    text = printable(text)
    return text if len(text) <= most else f"{text[:most]} ..."


def _class_name(kind: type) -> str:
    """Python's own exceptions by their name; others with their module, so that none looks alike."""
    if kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def _place_of(trace: TracebackType | None, itself: CodeType | None) -> SourceLine | None:
    """The innermost line of the learner's that an exception came through.

    The learner's is what has the globals of the function itself: its file, or its notebook.
    """
    place = names = None
    while trace is not None:
        frame, code = trace.tb_frame, trace.tb_frame.f_code
        if code is itself:
            names = frame.f_globals
        if names is not None and frame.f_globals is names:
            text = linecache.getline(code.co_filename, trace.tb_lineno, names).strip()
            helper = "" if code is itself else code.co_name
            is_raised_here = trace.tb_next is None and code.co_code[trace.tb_lasti] == _RAISE
            place = SourceLine(trace.tb_lineno, _cut(text, LINE_MOST), helper, is_raised_here)
        trace = trace.tb_next
    return place


def _add_what_became(outcomes: list[Outcome], number: int, arguments: Arguments) -> None:
    """Whether an argument was changed, and what was used of stridekit's own tensors."""
    changed = arguments.changed()
    if changed is not None or arguments.calls:
        outcome = outcomes[number]
        calls = (*outcome.calls, *arguments.calls)
        outcomes[number] = outcome._replace(changed=changed, calls=calls)


def _peak_meter() -> Callable[[Callable[[], Any]], tuple[Any, int | None]]:
    from stridekit_course.checks.peak_memory import peak_meter

    return peak_meter()
