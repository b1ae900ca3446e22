"""ps6, `element_strides`: NumPy's byte strides in elements."""

import random
from itertools import combinations, product

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import LARGE_STEPS, crossed_layouts, put
from stridekit_course.exercises.ps6 import DTYPES, ByteHeader, array, draw_array, draw_over_bytes

# No powers of two among them.
_ITEMSIZES = (4, 2, 3, 8, 12, 1, 16, 6, 24)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims, and byte strides up to 2**62."""
    itemsizes = _ITEMSIZES if hidden else _ITEMSIZES[:6]
    yield from (((), s) for s in itemsizes)
    for s in itemsizes:
        # What divides by a part of the itemsize alone, and both faults at once.
        steps = (s, -s, 10 * s, s + s // 2, 0, 3 * s, s + 1, -s - 1, 2 * s, 2 * s - 1, 1, -1)
        yield from (((step,), s) for step in steps)
        yield from ((pair, s) for pair in product(steps[: 8 if hidden else 4], repeat=2))
    for power, s in product((31, 53, 54, 58), (8, 3, 1) if hidden else (8,)):
        far = (2**power + 1) * s
        yield from (((far, s), s), ((s, far + 1), s), ((far - s, far), s), ((-far,), s))
    # One fault, at one place of so many; and two that make up for each other in a sum.
    for rank in range(2, 8):
        for dim, fault in product(range(rank), (-8, 12, 9, 4, -9) if hidden else (-8, 12, -9)):
            yield put((16,) * rank, dim, fault), 8
        for one, other in combinations(range(rank if hidden else 0), 2):
            more, less = chance.choice(((1, -1), (-3, 3), (4, 4)))
            yield put(put((16,) * rank, one, 16 + more), other, 16 + less), 8
    for layout, row in crossed_layouts(
        chance,
        range(1, 8),
        offsets=(0,),
        steps=LARGE_STEPS,
        times=4 if hidden else 1,
        itemsize=_ITEMSIZES,
        fault=("no", "no", "negative", "part", "one more", "zero"),
        place=range(7),
    ):
        s, dim = row.itemsize, row.place % layout.ndim
        there = layout.stride[dim] * s
        faults = {"negative": -there, "part": there + s // 2, "one more": there + 1, "zero": 0}
        yield put(tuple(step * s for step in layout.stride), dim, faults.get(row.fault, there)), s


def _reference(byte_strides: Ints, itemsize: int) -> Plain:
    for dim, step in enumerate(byte_strides):
        if step < 0:
            return Refusal("ValueError", f"byte stride {step} of dim {dim} is negative")
        if step % itemsize:
            return Refusal(
                "ValueError", f"byte stride {step} of dim {dim} is not a multiple of {itemsize}"
            )
    return tuple(step // itemsize for step in byte_strides)


def _rule(byte_strides: Ints, itemsize: int) -> str:
    if isinstance(_reference(byte_strides, itemsize), Refusal):
        return "torch's strides are 0 or more, in whole elements: from_numpy refuses all others."
    if not byte_strides:
        return "rank 0 has no dims, so there is nothing to divide, and nothing to refuse: ()."
    steps = ", ".join(f"{step} / {itemsize} = {step // itemsize}" for step in byte_strides)
    return f"a step of so many bytes, counted in elements of {itemsize}: {steps}."


def _is_late(byte_strides: Ints, itemsize: int) -> tuple[object, ...]:
    """Negative strides are a matter of their own; with one byte, bytes are elements."""
    plain = itemsize > 1 and itemsize in DTYPES
    return min(byte_strides, default=0) < 0, not plain, len(byte_strides) != 2


def _picture(
    expected: Plain, outcome: Outcome, byte_strides: Ints, itemsize: int
) -> Diagram | None:
    # A size that shows every stride at work.
    size = ((2,) * len(byte_strides))[1:] + (3,) * bool(byte_strides)
    if expected is None:
        return draw_array(size, byte_strides, itemsize)
    shown = {"expected": expected, "yours": outcome.value}
    headers = {name: ByteHeader((size, each, 0), itemsize) for name, each in shown.items()}
    return draw_over_bytes({"array": array(size, byte_strides, itemsize), **headers})


_but = variants(_reference)
EXERCISE = Exercise(
    "element_strides",
    ("byte_strides", "itemsize"),
    place=1,
    returns=INTS,
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    refusing={
        "if negative strides are let through. NumPy has them, torch does not.": _but(
            "step < 0", "False"
        ),
        "from floor division: it rounds down what does not divide, and says nothing. Look at each "
        "remainder.": _but("step < 0", "False", "step % itemsize", "False"),
        "if 0 is refused too. Only a negative stride is: expand() makes strides of 0.": _but(
            "step < 0", "step <= 0"
        ),
    },
)
