"""What one exercise asks: its cases, its verdict on an outcome, and what it says then."""

import hashlib
import hmac
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, overload

from stridekit.diagrams import Diagram
from stridekit_course.checks.callee import (
    Argument,
    Case,
    Function,
    Outcome,
    Plain,
    SourceLine,
    same,
)
from stridekit_course.checks.cases import triviality, weigh_arguments
from stridekit_course.checks.returns import NamedParts, Returns, shown
from stridekit_course.checks.rules import PLAIN, Rules

_secret = b""


def keep_secret(secret: bytes) -> None:
    """From now on, in this process and its forks, seeds of hidden checks come from this secret."""
    global _secret
    _secret = secret


def is_graded() -> bool:
    """Whether this process judges for a course, and says little of hidden cases."""
    return bool(_secret)


def hidden_seed(name: str, seed: int) -> int:
    """The seed that a hidden check takes where its test says `seed`.

    >>> hidden_seed("isContiguous", 3)
    3
    """
    if not _secret:
        return seed
    text = f"{name} {seed}".encode()
    return int.from_bytes(hmac.digest(_secret, text, hashlib.sha256)[:7], "big")


# The exercise.


SEED = 20261120
# So many of the cases come again at the end, about.
AGAIN = 24
# Of so many seeds the cases are kept, those made first go first.
BATCHES_MOST = 128
Part = TypeVar("Part", bound=Callable[..., Any])
Arguments = tuple[Argument, ...]
Cases = Callable[[bool, random.Random], Iterable[Arguments | Case]]
"""Called with `hidden` and a source of chance; a case may come twice."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong way: what it does, and the hint for somebody who did the same."""

    function: Function
    hint: str


class Batch(NamedTuple):
    """All cases of a check, and what is expected of each, worked out once.

    The first `distinct` cases are different ones. Some of them come again at the end, for an
    answer must not depend on what was called before. `orders` holds what `order` has worked out.
    """

    cases: tuple[Case, ...]
    expected: tuple[Any, ...]
    distinct: int
    orders: dict[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """What one exercise asks, as data.

    `parameters` are the names of the arguments, `place` is its number in its assignment, from 1.
    `expect` works out what a case expects, and `is_right(case, expected, outcome)` is asked of
    each outcome. `complaint` says what is wrong with one that is not, as the rest of a sentence
    that begins with the call; law: it is None for what is right. `rule` is the rule that a case
    turns on, a sentence. `picture` draws a case with its outcome, or gives None where there is
    nothing to draw. `weigh` orders the cases: of those that fail, the first is shown.
    """

    name: str
    parameters: tuple[str, ...]
    place: int
    cases: Cases
    expect: Callable[[Case], Any]
    is_right: Callable[[Case, Any, Outcome], bool]
    complaint: Callable[[Case, Outcome], str | None]
    rule: Callable[..., str]
    rules: Rules
    picture: Callable[[Case, Outcome], Diagram | None]
    weigh: Callable[[Case], tuple[Any, ...]]
    mistakes: tuple[Mistake, ...] = ()

    def all_cases(self, *, hidden: bool, seed: int) -> tuple[Case, ...]:
        """The cases, each once, in the order in which they are run."""
        chance = random.Random(f"{self.name} {hidden} {seed}")
        made = (
            each if isinstance(each, Case) else Case(tuple(each))
            for each in self.cases(hidden, chance)
        )
        return tuple(dict.fromkeys(made))

    def batch(self, *, hidden: bool, seed: int) -> Batch:
        """The cases with what they expect, made once for the last few seeds that were asked for."""
        key = self._key(hidden, seed)
        if key not in _batches:
            self.keep(_made(*key), hidden=hidden, seed=seed)
        return _batches[key]

    def keep(self, batch: Batch, *, hidden: bool, seed: int) -> None:
        """Remember a batch, which another process may have made that knows the same secret."""
        _batches[self._key(hidden, seed)] = batch
        if len(_batches) > BATCHES_MOST:
            del _batches[next(iter(_batches))]

    def order(self, batch: Batch, number: int) -> tuple[Any, ...]:
        """How late a case is shown: small and telling ones come first."""
        known = batch.orders.get(number)
        if known is None:
            case = batch.cases[number]
            known = triviality(self.parameters, case), self.weigh(case)
            batch.orders[number] = known
        return known

    def _key(self, hidden: bool, seed: int) -> tuple["Exercise", bool, int]:
        return self, hidden, hidden_seed(self.name, seed) if hidden else seed


_batches: dict[tuple[Exercise, bool, int], Batch] = {}


def _made(exercise: Exercise, hidden: bool, seed: int) -> Batch:
    cases = exercise.all_cases(hidden=hidden, seed=seed)
    assert cases, f"{exercise.name} has no cases"
    expected = tuple(map(exercise.expect, cases))
    again = slice(0, None, len(cases) // AGAIN + 1)
    return Batch((*cases, *cases[again]), (*expected, *expected[again]), len(cases), {})


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is expected where a function has to raise: the exception's name, and why."""

    error: str
    why: str = ""


Reference = Callable[..., Plain]
"""The right answer to a case's arguments, or a Refusal."""


class Draft:
    """An exercise in the making: its module adds part after part, and `exercise()` gives it whole.

    Each part is a function, given by a decorator of the part's name. With a `reference` the
    exercise gives plain values of the type `returns`; with a `complaint` anything else.

    >>> from stridekit_course.checks.returns import WHOLE
    >>> draft = Draft("double", ("n",), place=1, returns=WHOLE)
    >>> @draft.cases
    ... def _cases(hidden, chance):
    ...     return [(n,) for n in range(9 if hidden else 3)]
    >>> @draft.reference
    ... def _reference(n):
    ...     return 2 * n
    >>> @draft.rule
    ... def _rule(n):
    ...     return f"twice {n} is {n} + {n}."
    >>> @draft.mistake("this is the square.")
    ... def _square(n):
    ...     return n * n
    >>> draft.exercise().complaint(Case((3,)), Outcome("value", value=9))
    'returned 9; expected 6.'
    """

    def __init__(
        self,
        name: str,
        parameters: tuple[str, ...],
        *,
        place: int,
        returns: Returns | None = None,
        rules: Rules = PLAIN,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self._place = place
        self._returns = returns
        self._rules = rules
        self._mistakes: list[Mistake] = []
        self._parts: dict[str, Callable[..., Any]] = {
            "picture": lambda *_: None,
            "weigh": weigh_arguments,
        }

    def cases(self, function: Part) -> Part:
        """The cases: called with `hidden` and a source of chance; a case may come twice."""
        return self._part("cases", function)

    def reference(self, function: Part) -> Part:
        """What is expected of a case's arguments: a value, or a Refusal."""
        return self._part("reference", function)

    def agrees(self, function: Part) -> Part:
        """Whether a value of the right type is right: called with arguments, expected, value.

        Without it the two must be equal.
        """
        return self._part("agrees", function)

    def complaint(self, function: Part) -> Part:
        """What is wrong with an outcome, as the rest of a sentence that begins with the call."""
        return self._part("complaint", function)

    def expect(self, function: Part) -> Part:
        """Beside a `complaint`: what `is_right` needs to know of a case, worked out once."""
        return self._part("expect", function)

    def is_right(self, function: Part) -> Part:
        """Beside a `complaint`: the same verdict, quickly, of case, what is expected, outcome."""
        return self._part("is_right", function)

    def rule(self, function: Part) -> Part:
        """The rule that a case turns on, a sentence: called with its arguments."""
        return self._part("rule", function)

    def picture(self, function: Part) -> Part:
        """The picture of a case, or None where there is nothing to draw.

        Called with the case, what is expected and what was returned, where what is no value is
        None; beside a `complaint` with the case and the outcome.
        """
        return self._part("picture", function)

    def weigh(self, function: Part) -> Part:
        """The order of the cases. Without it, those with few numbers come first."""
        return self._part("weigh", function)

    @overload
    def mistake(self, hint: str) -> Callable[[Part], Part]: ...
    @overload
    def mistake(self, hint: str, function: Function) -> None: ...
    def mistake(self, hint: str, function: Function | None = None) -> Callable[[Part], Part] | None:
        """A known wrong way, and the hint for somebody who went it. The first that fits is said."""
        if function is not None:
            self._mistakes.append(Mistake(function, hint))
            return None

        def add(wrong: Part) -> Part:
            self._mistakes.append(Mistake(wrong, hint))
            return wrong

        return add

    def exercise(self) -> Exercise:
        """The exercise, whole."""
        parts = dict(self._parts)
        if "reference" in parts:
            assert self._returns is not None
            agrees = parts.pop("agrees", None)
            reference, picture = parts.pop("reference"), parts.pop("picture")
            complaint = parts["complaint"] = _complaint_of(reference, self._returns, agrees)
            parts["picture"] = _picture_of(reference, picture)
            parts["expect"] = _expect_of(reference)
            parts["is_right"] = _is_right_of(complaint, is_exact=agrees is None)
        else:
            complaint = parts["complaint"]
            parts.setdefault("expect", lambda _: None)
            parts.setdefault("is_right", lambda case, _, outcome: complaint(case, outcome) is None)
        return Exercise(
            name=self.name,
            parameters=self.parameters,
            place=self._place,
            rules=self._rules,
            mistakes=tuple(self._mistakes),
            **parts,
        )

    def _part(self, name: str, function: Part) -> Part:
        self._parts[name] = function
        return function


class _Expected(NamedTuple):
    """What is expected of a plain value: the value as Python spells it, or an exception."""

    spelt: str
    error: str = ""


def _expect_of(reference: Reference) -> Callable[[Case], _Expected]:
    def expect(case: Case) -> _Expected:
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return _Expected("", expected.error)
        return _Expected(repr(expected))

    return expect


def _is_right_of(
    complaint: Callable[[Case, Outcome], str | None], *, is_exact: bool
) -> Callable[[Case, _Expected, Outcome], bool]:
    """The same verdict as the complaint's. `is_exact`: a value must equal what is expected."""

    def is_right(case: Case, expected: _Expected, outcome: Outcome) -> bool:
        if outcome.kind == "raised":
            return expected.error != "" and expected.error in outcome.bases
        # Values are plain data, and what is spelt alike is equal in types too.
        spelt = repr(outcome.value)
        if outcome.kind == "value" and spelt == expected.spelt:
            return True
        # Of equal values only floats may be spelt in two ways: 0.0 and -0.0.
        if is_exact and "0.0" not in spelt:
            return False
        return complaint(case, outcome) is None

    return is_right


def _complaint_of(
    reference: Reference,
    returns: Returns,
    agrees: Callable[[Arguments, Plain, Plain], bool] | None,
) -> Callable[[Case, Outcome], str | None]:
    """What is wrong with the outcome of an exercise that gives plain values."""

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
        if isinstance(returns, NamedParts):
            parts = returns.differing(outcome.value, expected)
        where = f": wrong in {' and in '.join(parts)}" if 0 < len(parts) < 3 else ""
        return f"returned {shown(outcome.value)}; expected {shown(expected)}{where}."

    return complaint


def _picture_of(
    reference: Reference, picture: Callable[[Case, Plain, Plain], Diagram | None]
) -> Callable[[Case, Outcome], Diagram | None]:
    """The picture of a case with its outcome, where plain values are given."""

    def drawn(case: Case, outcome: Outcome) -> Diagram | None:
        expected = reference(*case.arguments)
        returned = outcome.value if outcome.kind == "value" else None
        return picture(case, None if isinstance(expected, Refusal) else expected, returned)

    return drawn


def raised(outcome: Outcome) -> str:
    """An exception, as the rest of a sentence."""
    said = f": {outcome.raised}" if outcome.raised else ""
    name = outcome.bases[0].rpartition(".")[2]
    return f"raised {name}{said.removesuffix('.')}{_line_of(outcome.place)}"


def _line_of(place: SourceLine | None) -> str:
    if place is None:
        return ""
    helper = f" of its helper {place.helper}" if place.helper else ""
    text = f" (`{place.text}`)" if place.text else ""
    return f", in line {place.line}{helper}{text}"


def _against_refusal(outcome: Outcome, expected: Refusal) -> str | None:
    why = f", because {expected.why}" if expected.why else ""
    article = "an" if expected.error[0] in "AEIOU" else "a"
    wanted = f"expected {article} {expected.error}{why}."
    if outcome.kind != "raised":
        return f"returned {shown(outcome.value)}; {wanted}"
    if expected.error not in outcome.bases:
        return f"{raised(outcome)}; {wanted}"
    return None
