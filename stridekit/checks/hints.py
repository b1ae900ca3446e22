"""Which known mistake a function makes: the one that answers as it does."""

from collections.abc import Callable, Sequence

from stridekit.checks.calling import Local
from stridekit.checks.exercise import Batch, Exercise, Mistake
from stridekit.checks.seam import Outcome

# So many cases that come before the one that is shown are looked at; and so many others, of those
# before it, of those that fail, and of those that do not.
BEFORE, SAMPLE, FAIR = 60, 40, 0.8


def hint_for(
    exercise: Exercise,
    batch: Batch,
    outcomes: Sequence[Outcome],
    number: int,
    wrong: Sequence[int],
    telling: Callable[[int], tuple[object, ...]],
) -> str | None:
    """The hint of a mistake that answers alike on a case, and is right where the function is.

    That is: on the simplest cases, and on nearly all that are simpler than this one.

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
    simpler = sorted((each for each in fine if telling(each) < shown), key=telling)
    before, others = simpler[:BEFORE], _spread(simpler[BEFORE:])
    failing = _spread([each for each in wrong if outcomes[each].kind != "stopped"])
    alike = [
        mistake
        for mistake in alike
        if _right_on(mistake, exercise, batch, before) == len(before)
        # Who makes half of a mistake may hear of it, but not of one that he does not make.
        and _right_on(mistake, exercise, batch, others) >= FAIR * len(others)
    ]
    if len(alike) < 2:
        return alike[0].hint if alike else None
    sample = [*failing, *_spread(fine)]
    counts = [_agrees(mistake, batch, outcomes, sample) for mistake in alike]
    return alike[counts.index(max(counts))].hint


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


def _right_on(mistake: Mistake, exercise: Exercise, batch: Batch, numbers: Sequence[int]) -> int:
    """On how many cases a mistake is right."""
    return sum(
        exercise.is_right(batch.cases[each], batch.expected[each], own)
        for each, own in zip(numbers, _outcomes(mistake, batch, numbers), strict=False)
    )


def _outcomes(mistake: Mistake, batch: Batch, numbers: Sequence[int]) -> Sequence[Outcome]:
    if not numbers:
        return ()
    return Local(mistake.function).run([batch.cases[each] for each in numbers], "nothing").outcomes
