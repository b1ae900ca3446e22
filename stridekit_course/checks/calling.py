"""Calls a learner's function in this process: cases as plain data in, outcomes out.

Most calls of a batch run one after another under one clock and one pair of streams, and whatever
takes longer than the call itself is done after them. So a result that a later call changes is seen
as it is then. The last ones run by themselves, and library calls are noted: the next one's
arguments lie on the same memory, or else are made when these are gone. So an answer that is kept
under an argument's address is seen to be another's.
"""

import dis
import marshal
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import CodeType, FrameType, TracebackType
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
from stridekit_course.checks.library_calls import (
    is_learners,
    library_calls,
    place_of,
    torch_calls,
)
from stridekit_course.checks.limits import Clock, Limits, TimeUpError
from stridekit_course.checks.source_calls import calls_in_source, code_of
from stridekit_course.checks.streams import listening

# So many of a batch's last calls run by themselves.
ALONE = 100
# After so many calls, what they left behind is freed.
COLLECT_EVERY = 1_000
# A message of an exception is cut to so many characters.
RAISED_MOST = 300
# Where a module lies that lacks a name: Python says so at the end of an ImportError.
_PATH = re.compile(r" \((?:/|[A-Z]:\\|unknown location)[^()]*\)$")
_RAISE = dis.opmap["RAISE_VARARGS"]


class Local(Callee):
    """A function of this process."""

    def __init__(self, function: Function, limits: Limits | None = None) -> None:
        self.function = function
        self.limits = limits or Limits()

    def read(self) -> Sequence[SourceCall]:
        """The library calls in its source and in that of its helpers."""
        return calls_in_source(self.function)

    def run(self, cases: Sequence[Case], watch: Watch, *, closely: bool = False) -> BatchOutcomes:
        """The outcome of each case; closely, each is a batch of its own."""
        if not closely:
            return _Run(self, cases, watch).outcomes()
        runs = [_Run(self, [case], watch, closely=True).outcomes() for case in cases]
        outcomes = tuple(outcome for run in runs for outcome in run.outcomes)
        return BatchOutcomes(outcomes, any(run.talks for run in runs))


class _Raised(NamedTuple):
    """What a call raised: its kind, and itself where one looks closely, for it holds its frames."""

    kind: type[BaseException]
    error: BaseException | None


class _Run:
    """One batch, as far as it has come."""

    def __init__(
        self, local: Local, cases: Sequence[Case], watch: Watch, *, closely: bool = False
    ) -> None:
        self._function = local.function
        self._itself = code_of(local.function)
        self._cases = cases
        self._watch = watch
        self._closely = closely
        self._clock = Clock(local.limits, _Run._call, _Run._outcome)
        self._heard: dict[str, tuple[int, SourceLine]] = {}
        self._outcomes: list[Outcome] = []
        # Where the storages of results begin that are held.
        self._begins: set[int] = set()
        self._measure: Any = None

    def outcomes(self) -> BatchOutcomes:
        """Make the calls."""
        with self._clock, listening() as printed, self._measuring() as self._measure:
            try:
                self._run()
            except TimeUpError:
                self._outcomes.append(Outcome("stopped", raised=self._clock.ran_out))
            finally:
                self._clock.rest()
        outcomes = self._outcomes
        for name, (number, place) in self._heard.items():
            number = min(number, len(outcomes) - 1)
            calls = (*outcomes[number].calls, SourceCall(name, place))
            outcomes[number] = outcomes[number]._replace(calls=calls)
        if self._closely:
            outcomes = [each._replace(printed=printed.told) for each in outcomes]
        return BatchOutcomes(tuple(outcomes), not printed.is_silent)

    def _run(self) -> None:
        together = max(len(self._cases) - ALONE, 0)
        given = [_arguments_of(case) for case in self._cases[:together]]
        watching_torch = torch_calls(self._note) if self._watch == "tensors" else nullcontext()
        ended: list[Any] = []
        late: TimeUpError | None = None
        try:
            with watching_torch:
                for number in range(together):
                    if number % COLLECT_EVERY == COLLECT_EVERY - 1:
                        collect_young()
                    ended.append(self._call(number, given[number]))
        except TimeUpError as error:
            late = error
        finally:
            self._clock.rest()
        # All these are held, so no two lie on the same memory by chance.
        for number, result in enumerate(ended):
            self._add(number, result, given[number])
        if late is not None:
            raise late
        arguments: Arguments | None = None
        watching = library_calls(self._watch, self._note)
        for number in range(together, len(self._cases)):
            case = self._cases[number]
            # On the same memory, if that is as long: so whatever lies at an address may be another
            # thing than what lay there before.
            if arguments is None or not arguments.refill(case):
                arguments = None
                arguments = _arguments_of(case)
            with watching_torch, watching:
                result = self._call(number, arguments)
            self._clock.rest()
            self._begins.clear()
            self._add(number, result, arguments)
            del result

    def _measuring(self) -> AbstractContextManager[Any]:
        if not any(case.measured for case in self._cases):
            return nullcontext()
        from stridekit_course.checks.peak_memory import measuring

        return measuring()

    def _call(self, number: int, made: Arguments | None) -> tuple[Any, int | None]:
        """What one call gave or raised, and its peak of memory."""
        case, function = self._cases[number], self._function
        # Each time other objects: none of a learner's functions may go by what is the same one.
        values = marshal.loads(marshal.dumps(case.arguments, 2)) if made is None else made.values
        self._clock.number, self._clock.may_end = number, True
        try:
            if case.measured:
                self._clock.is_slowed = True
                own = min(self._measure_own(case) for _ in range(2))
                # Chance adds to a peak, and takes nothing away.
                first, second = (self._measure(lambda: function(*values)) for _ in range(2))
                return second[0], min(first[1], second[1]) - own
            return function(*values), None
        except (TimeUpError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its outcome
            return _Raised(type(error), error if self._closely else None), None
        finally:
            self._clock.is_slowed = False

    def _measure_own(self, case: Case) -> int:
        """What the function holds for tensors of one element, such as an event loop.

        Something may be set up in the first call: what is printed, say, is kept in caches.
        """
        each_one = (data._replace(size=(1,) * len(data.size)) for data in case.tensors)
        values = Arguments(Case((*each_one,))).values
        return int(self._measure(lambda: self._function(*values))[1])

    def _add(self, number: int, result: tuple[Any, int | None], given: Arguments | None) -> None:
        # To look at a result may take long too: it may have a repr of its own.
        self._clock.number, self._clock.may_end = len(self._cases) + number, False
        outcome = self._outcome(result[0], given)
        self._clock.rest()
        if result[1] is not None:
            outcome = outcome._replace(peak=result[1])
        if given is not None and (changed := given.changed()) is not None:
            outcome = outcome._replace(changed=changed)
        self._outcomes.append(outcome)

    def _outcome(self, result: Any, given: Arguments | None) -> Outcome:
        if type(result) is _Raised:
            return self._raised(*result)
        if type(result) in _PLAIN:
            return Outcome("value", plain(result))
        return (given or _NO_ARGUMENTS).outcome(result, self._begins)

    def _raised(self, kind: type[BaseException], error: BaseException | None) -> Outcome:
        bases = tuple(map(_class_name, kind.__mro__[:-1]))
        if error is None:
            return Outcome("raised", bases=bases)
        try:
            said = printable(_PATH.sub("", " ".join(f"{error}".split())))
        except Exception:  # noqa: BLE001 - somebody's own message
            said = ""
        said = said if len(said) <= RAISED_MOST else f"{said[:RAISED_MOST]} ..."
        place = _where_raised(error.__traceback__, self._itself)
        return Outcome("raised", bases=bases, raised=said, place=place)

    def _note(self, name: str, frame: FrameType) -> None:
        if name in self._heard:
            return
        # What wraps the function, such as a decorator of torch, stands in none of its lines.
        place, at = SourceLine(0), frame
        while at.f_back is not None and at.f_code is not _Run._call.__code__:
            if is_learners(at):
                place = place_of(at, at.f_lineno, self._itself)
                break
            at = at.f_back
        self._heard[name] = self._clock.number, place


_NO_ARGUMENTS = Arguments(Case(()))
# What a function may have returned that is not a tensor, and can be told at a glance.
_PLAIN = (tuple, int, bool, list, str, type(None))


def _arguments_of(case: Case) -> Arguments | None:
    """The arguments of a case that has tensors; others are passed as they are."""
    for each in case.arguments:
        if type(each) is TensorData:
            return Arguments(case)
    return None


def _class_name(kind: type) -> str:
    """Python's own exceptions by their name; others with their module, so that none looks alike."""
    if kind.__module__ == "builtins":
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def _where_raised(trace: TracebackType | None, itself: CodeType | None) -> SourceLine | None:
    """The innermost line of the learner's that an exception came through.

    The learner's is what has the globals of the function itself: its file, or its notebook.
    """
    place = names = None
    while trace is not None:
        frame, code = trace.tb_frame, trace.tb_frame.f_code
        if code is itself:
            names = frame.f_globals
        if names is not None and frame.f_globals is names:
            raises = trace.tb_next is None and code.co_code[trace.tb_lasti] == _RAISE
            place = place_of(frame, trace.tb_lineno, itself, raises=raises)
        trace = trace.tb_next
    return place
