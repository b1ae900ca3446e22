"""Calls that a check has just found right, which the next check of it need not make again.

A visible check and a hidden one ask partly the same: whatever is small enough to be asked whole.
Where nothing else of a learner's runs between the two, the second asks for the rest alone. Only
what was right is spared, so nobody gains by it, and a check that fails says the same as ever.
"""

from collections.abc import Sequence
from typing import NamedTuple

from stridekit_course.checks.callee import BatchOutcomes, Case, Outcome, Watch

Cases = Sequence[Case]


class Rest(NamedTuple):
    """What one batch asks and another did not.

    `places` says of each case of the batch where its outcome is: a number among the outcomes of
    the other, or, from -1 downwards, among those of `cases`.
    """

    cases: tuple[Case, ...]
    places: tuple[int, ...]

    def joined(self, before: BatchOutcomes, rest: BatchOutcomes) -> BatchOutcomes:
        """The run of the batch, as far as the rest came."""
        outcomes: list[Outcome] = []
        for place in self.places:
            if place >= 0:
                outcomes.append(before.outcomes[place])
                continue
            if ~place == len(rest.outcomes):
                break
            outcomes.append(rest.outcomes[~place])
            if outcomes[-1].kind == "stopped":
                break
        return BatchOutcomes(tuple(outcomes), before.talks or rest.talks)


def rest_of(before: Cases, batch: Cases) -> Rest:
    """What `batch` asks that `before` did not; what it asks again, it asks on purpose.

    >>> one, two, three = (Case((n,)) for n in (1, 2, 3))
    >>> rest = rest_of([one, two], [three, two, two])
    >>> [case.arguments for case in rest.cases], rest.places
    ([(3,), (2,)], (-1, 1, -2))
    """
    known: dict[Case, int] = {}
    for number, case in enumerate(before):
        known.setdefault(case, number)
    cases: list[Case] = []
    places = []
    for case in batch:
        place = known.pop(case, None)
        if place is None:
            cases.append(case)
            place = -len(cases)
        places.append(place)
    return Rest(tuple(cases), tuple(places))


_rests: dict[tuple[int, int], tuple[Cases, Cases, Rest]] = {}


def known_rest(before: Cases, batch: Cases) -> Rest | None:
    """What `keep_rest` was told of these very batches."""
    known = _rests.get((id(before), id(batch)))
    return known[2] if known is not None and known[0] is before and known[1] is batch else None


def keep_rest(before: Cases, batch: Cases, rest: Rest) -> None:
    """Remember it. The two must belong to one exercise, whose rules hold for both."""
    _rests[id(before), id(batch)] = before, batch, rest


class Answered:
    """What was found right since anything else of a learner's last ran."""

    def __init__(self) -> None:
        self._right: dict[tuple[int, Watch], tuple[Cases, BatchOutcomes]] = {}

    def forget(self) -> None:
        """A cell may have changed what a function does."""
        self._right.clear()

    def keep(self, number: int, watch: Watch, cases: Cases, run: BatchOutcomes) -> None:
        """The function of that number was right in all these cases."""
        self._right[number, watch] = cases, run

    def before(self, number: int, watch: Watch, cases: Cases) -> tuple[BatchOutcomes, Rest] | None:
        """What is known of a batch, and what is left to ask. None: all of it is."""
        known = self._right.get((number, watch))
        if known is None:
            return None
        rest = known_rest(known[0], cases)
        return None if rest is None else (known[1], rest)
