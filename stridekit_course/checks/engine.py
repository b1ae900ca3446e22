"""The check of one function: its cases, its verdict, and which case tells most.

A check compares outcomes, which are plain data, with what the specification expects. All cases
run in one batch. Of those that fail, a small and telling one is run again by itself, and shown.
"""

import sys
import textwrap
from collections.abc import Sequence
from threading import RLock
from typing import Any, NamedTuple

from stridekit.layouts.whole_numbers import a_type
from stridekit_course.checks import cards
from stridekit_course.checks.callee import (
    BatchOutcomes,
    Callee,
    Case,
    Function,
    Outcome,
    SourceCall,
    plain,
)
from stridekit_course.checks.calling import ALONE, Local
from stridekit_course.checks.exercise import SEED, Batch, Exercise, is_graded
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_course.checks.library_calls import is_learners
from stridekit_course.checks.limits import SLOWED, Limits
from stridekit_course.checks.messages import (
    FORBIDDEN_CALL,
    Failure,
    call_of,
    finding_of,
    hint_for,
    message,
    most_telling,
    veiled,
)
from stridekit_course.checks.returns import shown

# So many characters of a message stand in a line.
WIDTH = 96
# A function that raises NotImplementedError so many times is not written yet.
STUB_CALLS = 24
NOT_WRITTEN = "not written yet"
# What a function prints is kept from the whole process, so threads check in turns.
_TURN = RLock()


class CheckFailed(AssertionError):  # noqa: N818 - it is read by learners, as a sentence
    """A check that found a counterexample. The message is for the learner.

    Where a class is graded, the message of a hidden check names no case; `detail` does then, for
    the instructor.
    """

    detail: str = ""
    found: tuple[Exercise, Failure] | None = None
    # Whether somebody sees the card that was shown, once one was.
    _is_seen: bool | None = None

    @property
    def is_of_an_attempt(self) -> bool:
        """Whether there was a function to be checked, and somebody had written it."""
        return self.found is not None and self.found[1].kind != NOT_WRITTEN

    @property
    def finding(self) -> dict[str, str] | None:
        """The same as data, for whoever looks at a class: see `messages.finding_of`."""
        return None if self.found is None else finding_of(*self.found)

    def _render_traceback_(self) -> list[str]:
        # IPython shows these lines in place of a traceback through the check's own code.
        if self.found is not None and not self.detail:
            exercise, failure = self.found
            # A kernel asks more than once.
            if self._is_seen is None:
                self._is_seen = cards.show(exercise, failure)
            if self._is_seen:
                return [f"CheckFailed: {exercise.name} is {failure.counted}{failure.where}."]
        # Pages of feedback do not wrap them. What follows the first empty line is a picture.
        said, *picture = f"CheckFailed: {self}".split("\n\n", 1)
        lines = [
            part
            for line in said.split("\n")
            for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        ]
        return ["\n".join(lines), *(f"\n{each}" for each in picture)]


def check(
    exercise: Exercise, function: Function | Callee, *, hidden: bool = False, seed: int = SEED
) -> None:
    """Run the exercise's cases through a learner's function.

    Prints one line when all is right, raises CheckFailed with a small counterexample
    otherwise. `hidden` takes the larger scope, `seed` makes the random cases. `function` may
    live elsewhere: see `callee.Callee`.
    """
    callee = _callee(exercise, function)
    with _TURN, without_full_collections():
        said = _verdict(exercise, callee, hidden=hidden, seed=seed)
    print(said)  # noqa: T201 - the one line of success


def _verdict(exercise: Exercise, callee: Callee, *, hidden: bool, seed: int) -> str:
    """The line of success. Raises CheckFailed."""
    read = callee.read()
    batch = exercise.batch(hidden=hidden, seed=seed)
    most = batch.distinct
    outcomes, talks = first, _ = _first_calls(exercise, callee, batch)
    stub = _Failing(exercise, callee, read, batch, first, range(len(first))).not_written()
    if stub is not None:
        raise _failed(exercise, stub)
    if not any(outcome.kind == "stopped" for outcome in outcomes):
        outcomes, talks = callee.run(batch.cases, exercise.rules.watch)
        if _is_enough(outcomes):
            batch, outcomes = _some(callee, exercise, batch, outcomes)
    wrong = _wrong(exercise, batch, outcomes)
    if not wrong and (wrong := _wrong(exercise, batch, first)):
        # It was right when it was called again.
        outcomes = first
    if wrong or any(exercise.rules.forbids_written(call) for call in read):
        failure = _Failing(exercise, callee, read, batch, outcomes, wrong).told()
        where = "" if hidden else f"; seed {seed}"
        raise _failed(exercise, failure._replace(where=where), hidden=hidden)
    if len(outcomes) != len(batch.cases):
        raise CheckFailed(
            f"{exercise.name} gave {len(outcomes):,} answers to {len(batch.cases):,} calls."
        )
    aside = " (What it printed is not shown.)" if talks else ""
    if batch.distinct < most:
        said = f"the {batch.distinct:,} cases that there was time for, of {most:,}"
    else:
        said = f"all {most:,} cases"
    return f"{exercise.name}: right on {said}.{aside}"


def _is_enough(outcomes: Sequence[Outcome]) -> bool:
    """Whether time is over for a slow function, and enough calls of it came back."""
    if len(outcomes) <= Limits().enough:
        return False
    return (outcomes[-1].kind, outcomes[-1].raised) == ("stopped", "all")


def _some(
    callee: Callee, exercise: Exercise, batch: Batch, outcomes: Sequence[Outcome]
) -> tuple[Batch, tuple[Outcome, ...]]:
    """What a slow function was asked, and others from everywhere, so few that each runs alone."""
    asked = len(outcomes) - 1
    rest = [asked + place for place in _spread(batch.distinct - asked)[:ALONE]]
    more = callee.run([batch.cases[n] for n in rest], exercise.rules.watch).outcomes if rest else ()
    if _is_enough(more):
        more = more[:-1]
    numbers = [*range(asked), *rest[: len(more)]]
    cases = tuple(batch.cases[number] for number in numbers)
    expected = tuple(batch.expected[number] for number in numbers)
    distinct = min(len(numbers), batch.distinct)
    return Batch(cases, expected, distinct, {}, {}), (*outcomes[:-1], *more)


def _spread(count: int) -> list[int]:
    """All numbers below, in such an order that a first part of them is from everywhere.

    >>> _spread(8)
    [0, 4, 2, 6, 1, 5, 3, 7]
    """
    digits = max(count - 1, 0).bit_length()
    places = (int(f"{number:0{digits}b}"[::-1], 2) for number in range(1 << digits))
    return [place for place in places if place < count]


def _failed(exercise: Exercise, failure: Failure, *, hidden: bool = False) -> CheckFailed:
    if hidden and is_graded():
        failed = CheckFailed(veiled(exercise, failure))
        failed.detail = message(exercise, failure)
    else:
        if failure.case is not None and failure.outcome is not None:
            picture = exercise.drawn(failure.case, failure.expected, failure.outcome)
            failure = failure._replace(picture=picture)
        # Where it is shown as a picture, the text goes without.
        said = failure._replace(picture=None) if cards.shell() else failure
        failed = CheckFailed(message(exercise, said))
    failed.found = exercise, failure
    return failed


def _first_calls(exercise: Exercise, callee: Callee, batch: Batch) -> BatchOutcomes:
    """A call or a few: enough to see that a function is not written, or never returns."""
    first = callee.run(batch.cases[:1], exercise.rules.watch)
    if not _raise_not_implemented(first.outcomes):
        return first
    return callee.run(batch.cases[:STUB_CALLS], exercise.rules.watch)


def _raise_not_implemented(outcomes: Sequence[Outcome]) -> bool:
    return all("NotImplementedError" in outcome.bases[:1] for outcome in outcomes)


def _wrong(exercise: Exercise, batch: Batch, outcomes: Sequence[Outcome]) -> list[int]:
    """The numbers of what is not right."""
    wrong_with, forbids = exercise.wrong_with, exercise.rules.forbids_seen
    asked = zip(batch.cases, batch.expected, outcomes, strict=False)
    return [
        number
        for number, (case, expected, outcome) in enumerate(asked)
        if outcome.kind == "stopped"
        or outcome.changed is not None
        or (outcome.calls and any(forbids(call.name) for call in outcome.calls))
        or wrong_with(case, expected, outcome) is not None
    ]


def _callee(exercise: Exercise, function: Function | Callee) -> Callee:
    # Not by isinstance, which believes whatever an object says of its class.
    if issubclass(type(function), Callee):
        return function  # type: ignore[return-value]
    if callable(function):
        return Local(function)
    name, given = exercise.name, shown(plain(function), 60)
    given += "," if function is None else f", {a_type(function)},"
    there = _of_that_name(name)
    if there is function:
        raise CheckFailed(
            f"{name} is {given} and a function is asked for. "
            "Did a later cell give the name to something else?"
        )
    way_out = "Write"
    if callable(there):
        was_called = "Was the function called? Give its name alone"
        is_quoted = given.startswith(f"'{name}',")
        way_out = "Without quotes it is the function" if is_quoted else was_called
    raise CheckFailed(
        f"check.{name} was given {given} and a function is asked for. {way_out}: "
        f"check.{name}({name if callable(there) else 'your_function'})."
    )


def _of_that_name(name: str) -> Any:
    """What has that name where the check was called."""
    frame = sys._getframe()  # noqa: SLF001 - there is no other way to ask
    while frame is not None and not is_learners(frame):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    return frame.f_locals.get(name, frame.f_globals.get(name))


class _Failing(NamedTuple):
    """A function that fails, and all that is known of it."""

    exercise: Exercise
    callee: Callee
    read: Sequence[SourceCall]
    batch: Batch
    outcomes: Sequence[Outcome]
    wrong: Sequence[int]

    def told(self) -> Failure:
        """What is said of it: what is most worth saying."""
        return (
            self.not_written()
            or self._forbidden()
            or self._too_long()
            or self._wrong(self._telling())
        )

    def not_written(self) -> Failure | None:
        """The stub, which raises in each call."""
        if not self.outcomes or not _raise_not_implemented(self.outcomes):
            return None
        case = self.batch.cases[0]
        (outcome,) = self._closely(case)
        place = outcome.place
        if place is not None and (place.helper or not place.raises):
            return None
        return Failure(
            NOT_WRITTEN,
            f"{self.exercise.name} is not written yet: it raises NotImplementedError.",
            printed=outcome.printed,
        )

    def _forbidden(self) -> Failure | None:
        """A call that the exercise forbids: it stands in the source, or was seen."""
        rules, name = self.exercise.rules, self.exercise.name
        for call in self.read:
            if rules.forbids_written(call):
                said = call.name.removeprefix("argument.")
                sentence = f"{name} calls {said}{call.place.where}. {rules.why}"
                return Failure(f"{FORBIDDEN_CALL}: {said}", sentence)
        for number, outcome in enumerate(self.outcomes):
            for seen, place in outcome.calls:
                if rules.forbids_seen(seen):
                    call_text = call_of(self.exercise, self.batch.cases[number])
                    called = f"called {seen}{place.where}. {rules.why}"
                    kind, in_general = f"{FORBIDDEN_CALL}: {seen}", f"{name} {called}"
                    return Failure(kind, f"{call_text} {called}", in_general=in_general)
        return None

    def _too_long(self) -> Failure | None:
        """A call that was stopped, where nothing else is known to be wrong."""
        number = len(self.outcomes) - 1
        stopped = self.outcomes[number] if self.outcomes else None
        if stopped is None or stopped.kind != "stopped" or self._telling() != number:
            return None
        case = self.batch.cases[number]
        call_text = call_of(self.exercise, case)
        if stopped.raised == "all":
            return Failure(
                "computes for too long",
                f"{self.exercise.name} computes for too long: all calls together were stopped, "
                f"when {call_text} was next. Does it do the same work again and again?",
                in_general=f"{self.exercise.name} computes for too long: it was stopped.",
            )
        seconds = Limits().computing * (SLOWED if case.measured else 1)
        ended = f"it was stopped after {seconds:g} seconds of computing."
        look = "Look for a loop or a search that never ends, or that takes too many steps."
        if stopped.raised == "wait":
            ended = "it was stopped."
            look = "It did not compute, either: what does it wait for?"
        return Failure(
            "does not return",
            f"{call_text} does not return in time: {ended} {look}",
            in_general=f"{self.exercise.name} does not return in time: {ended}",
        )

    def _telling(self) -> int:
        """Of the cases that fail, the one that is small and tells most."""
        return most_telling(self.exercise, self.batch, self.wrong, self._order)

    def _order(self, number: int) -> tuple[Any, ...]:
        # That all together took too long says little of the case that was next.
        is_next = self.outcomes[number].kind == "stopped" and self.outcomes[number].raised == "all"
        late, size = self.exercise.order(self.batch, number)
        return (is_next, late), size

    def _wrong(self, number: int) -> Failure:
        """A case with a wrong outcome, in all detail."""
        exercise, case = self.exercise, self.batch.cases[number]
        expected, outcome = self.batch.expected[number], self.outcomes[number]
        call_text = call_of(exercise, case)
        (alone,) = self._closely(case)
        complaint = exercise.wrong_with(case, expected, alone)
        is_right_alone = complaint is None and alone.changed is None
        if not is_right_alone and (alone.answer == outcome.answer or alone.kind == "raised"):
            outcome = alone
        if outcome.bases[:1] == ("TypeError",) and outcome is alone and outcome.place is None:
            # No line of the learner's was reached.
            begin = f"Begin it with `def {exercise.name}({', '.join(exercise.parameters)}):`."
            cannot = f"{exercise.name} does not take the arguments that it is given"
            return Failure(
                "takes other arguments",
                f"{cannot}: {outcome.raised}. {begin}",
                in_general=f"{cannot}. {begin}",
            )
        if "RecursionError" in outcome.bases:
            return Failure(
                "calls itself too deeply",
                f"{call_text} calls itself too deeply, until Python gives up. "
                "Which case is small enough to answer directly?",
                printed=outcome.printed,
                in_general=f"{exercise.name} calls itself too deeply, until Python gives up.",
            )
        if outcome.changed is not None:
            name = exercise.parameters[outcome.changed]
            return Failure(
                f"changes {name}",
                f"{call_text} changed {name} itself. Leave the argument as it was given.",
                printed=outcome.printed,
                in_general=f"{exercise.name} changes {name} itself.",
            )
        # Looked at closely, an exception has a line.
        complaint = exercise.wrong_with(case, expected, outcome)
        sentence = f"{call_text} {complaint}"
        # What is of another type may hold addresses, which differ from call to call by themselves.
        is_of_type = exercise.returns is None or exercise.returns.complaint(alone.value) is None
        if alone.answer != outcome.answer and (
            is_right_alone or (alone.kind == "value" and is_of_type)
        ):
            told = ", by itself, it is right" if is_right_alone else " it gives another answer"
            sentence += (
                f" Called again{told}, so what it gives depends on other calls. What stays between "
                "them: a default such as [], a list or tensor that is used again, a cache, a "
                "global?"
            )
        wrong = [each for each in self.wrong if each < self.batch.distinct]
        of = f"{self.batch.distinct:,} cases"
        if self.outcomes[-1].kind == "stopped":
            of = f"the first {min(len(self.outcomes), self.batch.distinct):,} cases"
            if self.outcomes[-1].raised != "all":
                last = call_of(exercise, self.batch.cases[len(self.outcomes) - 1])
                sentence += f" And {last} does not return in time."
        return Failure(
            "a wrong answer" if outcome.kind == "value" else f"raises {outcome.bases[0]}",
            sentence,
            case,
            outcome,
            expected,
            hint=hint_for(exercise, self.batch, self.outcomes, number, self.wrong),
            counted=f"wrong on {max(len(wrong), 1):,} of {of}",
            printed=alone.printed,
        )

    def _closely(self, case: Case) -> Sequence[Outcome]:
        return self.callee.run([case], self.exercise.rules.watch, closely=True).outcomes
