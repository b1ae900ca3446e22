"""What one exercise asks: its cases, its verdict on an outcome, and what it says then."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from stridekit.checks.returns import Record, Returns, shown
from stridekit.checks.rules import PLAIN, Rules
from stridekit.checks.seam import Argument, Case, Function, Outcome, Plain, TensorData, same
from stridekit.diagrams import Diagram

SEED = 20261120
Arguments = tuple[Argument, ...]
Cases = Callable[[bool, random.Random], Iterable[Arguments | Case]]
"""Called with `hidden` and a source of chance; a case may come twice."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong way: what it does, and the hint for somebody who did the same."""

    function: Function
    hint: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """What one exercise asks, as data.

    `parameters` are the names of the arguments. `complaint` says what is wrong with an
    outcome, as the rest of a sentence that begins with the call, or None. `rule` is the rule
    that a case turns on, a sentence. `picture` draws a case with its outcome, or gives None
    where there is nothing to draw. `weigh` orders the cases: small and telling ones come first.
    """

    name: str
    parameters: tuple[str, ...]
    cases: Cases
    complaint: Callable[[Case, Outcome], str | None]
    rule: Callable[..., str]
    rules: Rules
    picture: Callable[[Case, Outcome], Diagram | None]
    weigh: Callable[[Case], tuple[Any, ...]]
    mistakes: tuple[Mistake, ...] = ()

    def all_cases(self, *, hidden: bool, seed: int) -> list[Case]:
        """The cases, each once, smallest first."""
        chance = random.Random(f"{self.name} {hidden} {seed}")
        made = (
            each if isinstance(each, Case) else Case(tuple(each))
            for each in self.cases(hidden, chance)
        )
        return sorted(dict.fromkeys(made), key=self.weigh)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is expected where a function has to raise: the exception's name, and why."""

    error: str
    why: str = ""


Reference = Callable[..., Plain]
"""The right answer to a case's arguments, or a Refusal."""


def weigh_arguments(case: Case) -> tuple[Any, ...]:
    """How much there is to read in a case: few elements first, but some before none."""
    sizes = [
        each.size if isinstance(each, TensorData) else each
        for each in case.arguments
        if isinstance(each, tuple | TensorData)
    ]
    first = sizes[0] if sizes and all(isinstance(n, int) for n in sizes[0]) else ()
    count = 1
    for n in first:
        count *= abs(n)
    numbers = [*_numbers(case.arguments)]
    return (
        count == 0,
        count,
        len(numbers),
        sum(map(abs, numbers)),
        sum(n < 0 for n in numbers),
        repr(numbers),
    )


def _numbers(value: Argument) -> Iterable[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, TensorData):
        yield from (*value.size, *value.stride, value.storage_offset)
    elif isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)


def plain_exercise(
    name: str,
    parameters: tuple[str, ...],
    *,
    cases: Cases,
    reference: Reference,
    returns: Returns,
    rule: Callable[..., str],
    picture: Callable[[Case, Plain, Plain], Diagram | None],
    agrees: Callable[[Arguments, Plain, Plain], bool] | None = None,
    rules: Rules = PLAIN,
    mistakes: tuple[Mistake, ...] = (),
    weigh: Callable[[Case], tuple[Any, ...]] = weigh_arguments,
) -> Exercise:
    """An exercise that gives plain values.

    `reference` gives what is expected: a value, or a Refusal. `agrees(arguments, expected,
    value)` is asked where both are values of the right type; without it they must be equal.
    `picture(case, expected, returned)` draws; what is not a value is
    None. `rule(*arguments)` is a sentence.
    """

    def complaint(case: Case, outcome: Outcome) -> str | None:
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return _against_refusal(outcome, expected)
        if outcome.kind == "raised":
            return f"{raised(outcome)}; expected {shown(expected)}."
        problem = returns.complaint(outcome.value)
        if problem:
            stop = "" if problem.endswith("?") else "."
            return f"returned {problem}{stop} Expected here: {shown(expected)}."
        if agrees is None:
            right = same(outcome.value, expected)
        else:
            right = agrees(case.arguments, expected, outcome.value)
        if right:
            return None
        parts: tuple[str, ...] = ()
        if isinstance(returns, Record):
            parts = returns.differing(outcome.value, expected)
        where = f": wrong in {' and in '.join(parts)}" if 0 < len(parts) < 3 else ""
        return f"returned {shown(outcome.value)}; expected {shown(expected)}{where}."

    def drawn(case: Case, outcome: Outcome) -> Diagram | None:
        expected = reference(*case.arguments)
        returned = outcome.value if outcome.kind == "value" else None
        return picture(case, None if isinstance(expected, Refusal) else expected, returned)

    return Exercise(
        name=name,
        parameters=parameters,
        cases=cases,
        complaint=complaint,
        rule=rule,
        rules=rules,
        picture=drawn,
        weigh=weigh,
        mistakes=mistakes,
    )


def raised(outcome: Outcome) -> str:
    """An exception, as the rest of a sentence."""
    said = f": {outcome.raised}" if outcome.raised else ""
    return f"raised {outcome.bases[0]}{said.removesuffix('.')}"


def _against_refusal(outcome: Outcome, expected: Refusal) -> str | None:
    why = f", because {expected.why}" if expected.why else ""
    article = "an" if expected.error[0] in "AEIOU" else "a"
    wanted = f"expected {article} {expected.error}{why}."
    if outcome.kind != "raised":
        return f"returned {shown(outcome.value)}; {wanted}"
    if expected.error not in outcome.bases:
        return f"{raised(outcome)}; {wanted}"
    return None
