"""What one exercise asks: its cases, its verdict on an outcome, and what it says then."""

import builtins
import hashlib
import hmac
import inspect
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from math import prod
from typing import Any, NamedTuple, cast

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Layout, count
from stridekit.layouts.whole_numbers import article
from stridekit_course.checks.callee import (
    Argument,
    Case,
    Foreign,
    Function,
    Outcome,
    TensorData,
    same,
)
from stridekit_course.checks.pictures import draw_case
from stridekit_course.checks.returns import Returns, raised, shown, where_wrong
from stridekit_course.checks.rules import PLAIN, Rules
from stridekit_course.checks.strategies import tensor_data

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
# So many of the cases come again at the end, about, and as many stand there for the first time.
AGAIN = 90
# So often it is tried to reorder numbers so that something else is expected.
TRIES = 3
# Of so many seeds the cases are kept, those made first go first.
BATCHES_MOST = 128
Arguments = tuple[Argument, ...]
Given = Iterable[Layout | Arguments | Case]
"""What functions are called with. A layout stands for its size, its stride and its storage_offset,
those that are parameters; or, where none is, for a tensor that counts its storage."""
Cases = Callable[[bool, random.Random], Given]
"""Called with `hidden` and a source of chance; a case may come twice."""
_OF_LAYOUTS = ("size", "stride", "storage_offset")
Known = Function | tuple[Function, ...]
"""A wrong way, or several of which the same is said."""


class Refusal(NamedTuple):
    """What is expected where a function has to raise: the exception's name, and why."""

    error: str
    why: str = ""


class Mistake(NamedTuple):
    """A known wrong way, and what to say to somebody who went it."""

    said: str
    function: Function

    @property
    def hint(self) -> str:
        """The whole sentence: one that begins with `if` says what gives these answers."""
        begins = self.said.startswith(("if ", "from ", "with "))
        return f"this is what you get {self.said}" if begins else self.said


def variants(right: Function, **names: Any) -> Callable[..., Function]:
    """What makes mistakes of a right function: the same with other text in some places.

    Each change is what stands there once, and what takes its place. Nothing is read or compiled
    before it is called. `names` are those that the mistakes use, and the right function does not.

    >>> from stridekit_course.exercises.ps1.unravel import EXERCISE
    >>> but = variants(EXERCISE.reference)
    >>> but()(5, (2, 3)), but("flat, i =", "i, flat =")(5, (2, 3))
    ((1, 2), (1, 1))
    """

    def but(*changes: str) -> Function:
        @cache
        def compiled() -> Function:
            text = inspect.getsource(right)
            for was, now in zip(changes[::2], changes[1::2], strict=True):
                assert text.count(was) == 1, was
                text = text.replace(was, now)
            made: dict[str, Any] = {}
            exec(text, {**right.__globals__, **names}, made)
            (function,) = made.values()
            return cast("Function", function)

        return lambda *arguments: compiled()(*arguments)

    return but


class Batch(NamedTuple):
    """All cases of a check, and what is expected of each, worked out once.

    The first `distinct` cases are different ones. Some of them come again at the end, from
    everywhere and in another order, for an answer must not depend on what was called before; those
    on a tensor also with other values, others also one after another that differ in one argument,
    or in the order of numbers.
    `mistaken` holds what known mistakes have given: for each, by its place among them, the outcomes
    by the numbers of the cases; `orders` holds how late these are shown.
    """

    cases: tuple[Case, ...]
    expected: tuple[Any, ...]
    distinct: int
    mistaken: dict[int, dict[int, Outcome]]
    orders: dict[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """What one exercise asks, as data.

    - `parameters` are the names of the arguments, `cases` gives those of each call.
    - `reference` is what is expected of them: a value of the type `returns`, or a Refusal. What a
      function gives is right if it is equal. `free` says of the arguments which items of a tuple
      may be any int, a bool for each. An exercise that gives tensors has a `complaint` in place of
      `returns`: of what is expected, the outcome, and the arguments, it says what is wrong, as the
      rest of a sentence that begins with the call, or None.
    - `rule` is the rule that a case turns on, a sentence of its arguments.
    - `known` are wrong ways by what is said of them (see Mistake), and `refusing` those that are
      wrong in what they refuse: all others refuse what is to be refused. Such a way may give a
      Refusal in place of raising it.
    - `rules` says which calls are forbidden.
    - `picture` draws a case, of what is expected (None for a Refusal), the outcome, and the
      arguments, or gives None; without it the header or the tensors are drawn.
    - `reordered` names those parameters that are tuples, and whose numbers may stand in any order:
      of what comes again, two change places. So it is seen where an answer is kept under a part of
      the numbers, or under all of them sorted.
    - Of the cases that fail a small one is shown. `late` says of its arguments what makes it come
      later: a bool, or several.
    - `place` is the exercise's number in its assignment.

    >>> from stridekit_course.checks.returns import WHOLE
    >>> double = Exercise(
    ...     "double",
    ...     ("n",),
    ...     returns=WHOLE,
    ...     cases=lambda hidden, chance: [(n,) for n in range(9 if hidden else 3)],
    ...     reference=lambda n: 2 * n,
    ...     rule=lambda n: f"twice {n} is {n} + {n}.",
    ...     known={"this is the square.": lambda n: n * n},
    ... )
    >>> double.wrong_with(Case((3,)), 6, Outcome("value", value=9))
    'returned 9; expected 6.'
    """

    name: str
    parameters: tuple[str, ...]
    cases: Cases
    reference: Callable[..., Any]
    rule: Callable[..., str]
    known: Mapping[str, Known] = field(default_factory=dict)
    refusing: Mapping[str, Known] = field(default_factory=dict)
    returns: Returns | None = None
    complaint: Callable[..., str | None] | None = None
    free: Callable[..., tuple[bool, ...]] | None = None
    reordered: tuple[str, ...] = ()
    rules: Rules = PLAIN
    picture: Callable[..., Diagram | None] | None = None
    late: Callable[..., Any] = lambda *_: False
    place: int = 0

    @property
    def mistakes(self) -> list[Mistake]:
        """The known wrong ways. Where something is to be refused, those by `refusing` err alone."""
        return [
            Mistake(said, self._raising(function, alike=ways is self.known))
            for ways in (self.known, self.refusing)
            for said, those in ways.items()
            for function in (those if isinstance(those, tuple) else (those,))
        ]

    def _raising(self, wrong: Function, *, alike: bool) -> Function:
        """Raises the Refusal that it gives; or `alike`, the one that is expected."""

        def function(*arguments: Argument) -> Any:
            told = self.reference(*arguments) if alike else None
            if not isinstance(told, Refusal):
                told = wrong(*arguments)
            if isinstance(told, Refusal):
                raise getattr(builtins, told.error)
            return told

        return function if self.refusing else wrong

    def all_cases(self, *, hidden: bool, seed: int) -> tuple[Case, ...]:
        """The cases, each once, in the order in which they are run."""
        chance = random.Random(f"{self.name} {hidden} {seed}")
        return tuple(dict.fromkeys(map(self._case, self.cases(hidden, chance))))

    def _case(self, given: Layout | Arguments | Case) -> Case:
        if isinstance(given, Case):
            return given
        arguments: list[Argument] = []
        for each in (given,) if isinstance(given, Layout) else given:
            if isinstance(each, Layout):
                parts = [name for name in _OF_LAYOUTS if name in self.parameters]
                arguments += [getattr(each, name) for name in parts] or [tensor_data(each)]
            else:
                arguments.append(each)
        return Case(tuple(arguments))

    def batch(self, *, hidden: bool, seed: int) -> Batch:
        """The cases with what they expect, made once for the last few seeds that were asked for."""
        key = self, hidden, hidden_seed(self.name, seed) if hidden else seed
        if key not in _batches:
            _batches[key] = _made(*key)
            if len(_batches) > BATCHES_MOST:
                del _batches[next(iter(_batches))]
        return _batches[key]

    def order(self, batch: Batch, number: int) -> tuple[Any, ...]:
        """How late a case is shown: what makes it come late, and how much there is to read."""
        if number not in batch.orders:
            case, refused = batch.cases[number], isinstance(batch.expected[number], Refusal)
            late = (_triviality(self.parameters, case), refused, self.late(*case.arguments))
            batch.orders[number] = late, _weigh(case)
        return batch.orders[number]

    def wrong_with(self, case: Case, expected: Any, outcome: Outcome) -> str | None:
        """What is wrong with an outcome; None for what is right.

        The rest of a sentence that begins with the call.
        """
        if self.complaint is not None:
            kept = "returned a tensor on the memory of one that it returned for another call."
            problem = self.complaint(expected, outcome, *case.arguments)
            return problem or (kept if outcome.is_kept else None)
        assert self.returns is not None
        if isinstance(expected, Refusal):
            return _against_refusal(outcome, expected)
        if outcome.kind == "raised":
            return f"{raised(outcome)}; expected {self._wanted(case, expected)}."
        value = outcome.value
        if same(value, expected):
            return None
        problem = self.returns.complaint(value)
        if problem:
            if isinstance(value, Foreign) and value.type.rpartition(".")[2] == self.name:
                call = f"{self.name}({', '.join(self.parameters)})"
                problem = f"{value.shown}, for {self.name} is a class. Write `def {call}:`"
            if isinstance(value, Foreign) and value.shown == f"<generator object {self.name}>":
                problem = f"{value.shown}, for it has a `yield`. Collect all in {self.returns.name}"
            stop = "" if problem.endswith("?") else "."
            return f"returned {problem}{stop} Expected here: {self._wanted(case, expected)}."
        free = self._free(case, expected)
        if free and value is not None and len(value) == len(free):
            items = zip(free, value, expected, strict=True)
            if all(any_int or own == wanted for any_int, own, wanted in items):
                return None
        where = where_wrong(self.returns, value, expected)
        return f"returned {shown(value)}; expected {self._wanted(case, expected)}{where}."

    def _free(self, case: Case, expected: Any) -> tuple[bool, ...]:
        if self.free is None or not isinstance(expected, tuple):
            return ()
        return self.free(*case.arguments)

    def _wanted(self, case: Case, expected: Any) -> str:
        free = self._free(case, expected)
        if free and all(free):
            return f"any tuple of {count(len(free), 'int')}"
        return shown(expected)

    def drawn(self, case: Case, expected: Any, outcome: Outcome) -> Diagram | None:
        """The picture of a case with its outcome, if it has one."""
        expected = None if isinstance(expected, Refusal) else expected
        if self.picture is None:
            return draw_case(self.parameters, case, expected, outcome.value)
        return self.picture(expected, outcome, *case.arguments)


_batches: dict[tuple[Exercise, bool, int], Batch] = {}


def _made(exercise: Exercise, hidden: bool, seed: int) -> Batch:
    cases = exercise.all_cases(hidden=hidden, seed=seed)
    assert cases, f"{exercise.name} has no cases"
    right = {case: exercise.reference(*case.arguments) for case in cases}
    chance = random.Random(seed)
    pairs: list[tuple[Case, Case]] = []
    if not cases[0].tensors:
        # What a call gives may be kept for the next one alone.
        pairs += _one_apart(exercise, right, chance)
        pairs += islice(_reordered(exercise, right, chance), AGAIN // 3)
    count = AGAIN // 4 if cases[0].tensors else AGAIN - 2 * len(pairs)
    again = [*range(0, len(cases), len(cases) // count + 1)]
    chance.shuffle(again)
    # What is measured is large, and takes as long as many others.
    more = [cases[number] for number in again if not cases[number].measured]
    if cases[0].tensors:
        # Each twice, and between them near ones: of what is left out of account there is another.
        more = [
            each
            for turn, case in enumerate(more)
            for each in (case, _near(case, 2 * turn), case, _near(case, 2 * turn + 1))
        ]
    more += chain.from_iterable(pairs)
    asked = (*cases, *more)
    expected = tuple(
        right[case] if case in right else exercise.reference(*case.arguments) for case in asked
    )
    return Batch(asked, expected, len(cases), {}, {})


def _near(case: Case, turn: int) -> Case:
    """The same call but for what is easily left out of account, another thing each turn.

    Of one tensor all elements have moved on by one, or all but the first: a header tells nothing of
    these. Of two, the second begins where it began, with another size, stride or dtype.
    """
    *others, data = case.tensors
    width, begin = data.itemsize, data.storage_offset * data.itemsize
    if others:
        near = (
            data._replace(size=tuple(min(n, 1) for n in data.size)),
            data._replace(stride=(0,) * len(data.stride)),
            data._replace(dtype="int8", storage_offset=begin),
        )[turn % 3]
    else:
        storage = bytearray(data.storage[width:] + data.storage[:width])
        if turn % 2:
            storage[begin : begin + width] = data.storage[begin : begin + width]
        near = data._replace(storage=bytes(storage))
    return Case(tuple(near if each is data else each for each in case.arguments))


def _one_apart(
    exercise: Exercise, right: Mapping[Case, Any], chance: random.Random
) -> Iterator[tuple[Case, Case]]:
    """Of each argument a pair of cases in which it alone differs, and with it the answer."""
    answers = {case: told for case, told in right.items() if not isinstance(told, Refusal)}
    for place in range(len(exercise.parameters)):
        first: dict[Arguments, Case] = {}
        pairs = (
            (first.setdefault((*case.arguments[:place], *case.arguments[place + 1 :]), case), case)
            for case in chance.sample([*answers], len(answers))
        )
        yield from islice((pair for pair in pairs if answers[pair[0]] != answers[pair[1]]), 1)


def _reordered(
    exercise: Exercise, right: Mapping[Case, Any], chance: random.Random
) -> Iterator[tuple[Case, Case]]:
    """Pairs of cases in which two numbers have changed places, and with them the answer.

    They do so in one of the tuples that may be reordered, or in all at once.
    """
    places = [exercise.parameters.index(name) for name in exercise.reordered]
    for case in chance.sample([*right], len(right)) if places else ():
        for _ in range(TRIES):
            arguments = [*case.arguments]
            chosen = chance.choice([places, *([place] for place in places)])
            rank = min(len(arguments[place]) for place in chosen)
            if rank < 2:
                break
            a, b = chance.sample(range(rank), 2)
            for place in chosen:
                numbers = [*arguments[place]]
                numbers[a], numbers[b] = numbers[b], numbers[a]
                arguments[place] = tuple(numbers)
            if exercise.reference(*arguments) != right[case]:
                yield case, Case(tuple(arguments))
                break


def _against_refusal(outcome: Outcome, expected: Refusal) -> str | None:
    why = f", because {expected.why}" if expected.why else ""
    wanted = f"expected {article(expected.error)}{why}."
    value = outcome.value
    if isinstance(value, Foreign) and value.shown.startswith(
        (expected.error, f"<class '{expected.error}'>")
    ):
        return f"returned {value.shown}; {wanted} Write `raise` in place of `return`."
    if outcome.kind != "raised":
        return f"returned {shown(value)}; {wanted}"
    if expected.error not in outcome.bases:
        return f"{raised(outcome)}; {wanted}"
    return None


# The order of cases: of those that fail one of the first is told, so small ones lead.


_SIZES, DIMS = ("size", "shape", "new_size"), 5


def _triviality(parameters: tuple[str, ...], case: Case) -> int:
    """How little a case can show: 0 for most, 1 for a dim of size 1, 2 for no other, 3 for a 0.

    What goes wrong there as well shows better elsewhere, but for many dims: these come to 4 more.
    """
    sizes = [*case.arguments]
    if len(parameters) == len(case.arguments):
        pairs = zip(parameters, case.arguments, strict=True)
        sizes = [each for name, each in pairs if name in _SIZES]
        sizes += [each.size for each in case.tensors]
    held = {n for size in sizes for n in size}
    many = 4 * (max(map(len, sizes), default=0) > DIMS)
    if 0 in held:
        return many + 3
    return many + (0 if not sizes or (1 not in held and held) else 1 if held - {1} else 2)


def _weigh(case: Case) -> tuple[Any, ...]:
    """How much there is to read in a case.

    Few elements and small numbers come first, and numbers that differ from each other, for much is
    right by chance where two are equal, or one is 0 or 1.
    """
    numbers: list[int] = []
    _add_numbers(case.arguments, numbers)
    tuples = [each for each in case.arguments if type(each) is tuple]
    tuples += [pair for each in case.tensors for pair in (each.size, each.stride)]
    first = tuples[0] if tuples and {*map(type, tuples[0])} <= _INTEGERS else ()
    plain = sum(len(each) - len({*each}) for each in tuples)
    plain += sum(each.count(0) + (each.count(1) if each is first else 0) for each in tuples)
    odd = sum(data.dtype != "int64" or data.library == "stridekit" for data in case.tensors)
    below = sum(n < 0 for n in numbers)
    many = sum(map(abs, numbers))
    size = min(abs(prod(first)), LARGE) + AS_MUCH * (many > LARGE)
    return size, odd, len(numbers) + 2 * plain, below, many, repr(numbers)


# Numbers that come to more than this are as much to read as so many elements.
LARGE, AS_MUCH = 10_000, 40
_INTEGERS = {int, bool}


def _add_numbers(values: tuple[Argument, ...], numbers: list[int]) -> None:
    """All numbers of arguments, in order: of thousands of cases, so without a generator."""
    if {*map(type, values)} <= _INTEGERS:
        numbers += values
        return
    for each in values:
        kind = type(each)
        if kind in _INTEGERS:
            numbers.append(each)
        elif kind is TensorData:
            numbers += (*each.size, *each.stride, each.storage_offset)
        elif isinstance(each, tuple):
            _add_numbers(each, numbers)
