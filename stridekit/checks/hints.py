"""Which known mistake a function makes: the one that answers as it does."""

from collections.abc import Callable, Sequence

from stridekit.checks.calling import Local
from stridekit.checks.exercise import Batch, Exercise, Mistake
from stridekit.checks.seam import Outcome

# So many cases that come before the one that is shown are looked at; and so many others of those
# that fail, and of those that do not.
BEFORE, SAMPLE = 60, 40


def hint_for(
    exercise: Exercise,
    batch: Batch,
    outcomes: Sequence[Outcome],
    number: int,
    wrong: Sequence[int],
    telling: Callable[[int], tuple[object, ...]],
) -> str | None:
    """The hint of a mistake that answers alike on a case, and is right on simpler ones.

    `number` is that of the case that is shown, `wrong` those of all that fail, `telling` their
    order. Where several mistakes answer alike, the one that does so most often is meant.
    """
    alike = [
        mistake for mistake in exercise.mistakes if _agrees(mistake, batch, outcomes, [number])
    ]
    if not alike:
        return None
    shown = telling(number)
    fine = [*({*range(len(outcomes))} - {*wrong})]
    first = sorted(fine[: 12 * BEFORE], key=telling)
    before = [each for each in first if telling(each) < shown][:BEFORE]
    alike = [mistake for mistake in alike if _is_right(mistake, exercise, batch, before)]
    failing = [each for each in wrong if outcomes[each].kind != "stopped"]
    sample = [*_spread(failing), *_spread(fine)]
    counts = [_agrees(mistake, batch, outcomes, sample) for mistake in alike]
    return alike[counts.index(max(counts))].hint if alike else None


def _spread(numbers: Sequence[int]) -> Sequence[int]:
    """Some of the numbers, from everywhere among them."""
    return numbers[:: len(numbers) // SAMPLE + 1]


def _agrees(
    mistake: Mistake, batch: Batch, outcomes: Sequence[Outcome], numbers: Sequence[int]
) -> int:
    """On how many cases a mistake answers as the function does."""
    theirs = _outcomes(mistake, batch, numbers)
    return sum(
        own.answer == outcomes[each].answer and own.changed == outcomes[each].changed
        for each, own in zip(numbers, theirs, strict=False)
    )


def _is_right(mistake: Mistake, exercise: Exercise, batch: Batch, numbers: Sequence[int]) -> bool:
    return all(
        exercise.is_right(batch.cases[each], batch.expected[each], own)
        for each, own in zip(numbers, _outcomes(mistake, batch, numbers), strict=False)
    )


def _outcomes(mistake: Mistake, batch: Batch, numbers: Sequence[int]) -> Sequence[Outcome]:
    return Local(mistake.function).run([batch.cases[each] for each in numbers], "nothing").outcomes
