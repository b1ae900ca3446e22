"""ps6, `load_image`: an image from NumPy to torch, copied once."""

import random
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.exercise import Exercise, Given, variants
from stridekit_course.checks.rules import Rules
from stridekit_course.checks.strategies import FILLED, any_size, crossed, packed, tensor_data
from stridekit_course.checks.tensor_results import copied, wrong_tensor
from stridekit_course.exercises.ps3 import draw_copy
from stridekit_course.exercises.ps6 import from_zero

SLACK = 8 * 1024
"""Bytes that a call may hold beside the copy: Python's and torch's own objects."""
# Large beside the slack, and small enough for three loops.
LARGE = (72, 56, 3)
# Of each axis all elements, every other one, or every third; 0 is one for all, as in a grey image.
STEPS = (1, 1, 1), (2, 1, 1), (1, 1, 0), (1, 3, 1), (3, 1, 0), (2, 2, 2)
ORDERS, FLIPS = [*permutations((2, 1, 0))], [*product((1, -1), repeat=3)]


def _image(
    size: Ints, order: Ints, flips: Ints, steps: Ints, *, read_only: bool = False
) -> TensorData:
    """Axes run in that order, flipped where it says -1; more steps slice one, 0 repeats it."""
    whole = packed(tuple(n * max(step, 1) for n, step in zip(size, steps, strict=True)), order)
    layout = from_zero(size, tuple(map(prod, zip(whole, flips, steps, strict=True))))
    return tensor_data(layout, "numpy", "uint8", read_only=read_only)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 15,000 elements."""
    more = [*product((1, 2, 3), repeat=3)][::2] if hidden else []
    sizes = (2, 3, 2), (2, 1, 3), (1, 2, 1), (1, 1, 1), *more
    for each in product(sizes, ORDERS, FLIPS[::4], STEPS[: 5 if hidden else 3]):
        yield (_image(*each),)
    for _ in range(3 if hidden else 1):
        for row in crossed(
            chance, sizes=FILLED, order=ORDERS, flips=FLIPS, steps=STEPS, read_only=(True, False)
        ):
            yield (_image(any_size(chance, 3, row.pop("sizes"), 2000), **row),)
    # Few: where each step is looked at, loops over all elements take long.
    rows, columns = (2, 1, 0), (2, 0, 1)
    large = (columns, FLIPS[0], STEPS[0]), (rows, FLIPS[-1], STEPS[0]), (rows, FLIPS[0], STEPS[1])
    for how in large[: 3 if hidden else 2]:
        yield Case((_image(LARGE, *how),), measured=True)


def _planes(image: TensorData) -> TensorData:
    """The elements that are expected, as they lie in the image."""
    size, stride = ((channels, *plane) for *plane, channels in (image.size, image.stride))
    return image._replace(library="torch", size=size, stride=stride)


def _complaint(expected: TensorData, outcome: Outcome, image: TensorData) -> str | None:
    view, axes = "a tensor on the image's own memory", ": channels, height, width"
    problem = wrong_tensor(outcome, expected, "contiguous", view=view, why=axes)
    one = image.layout.numel
    if problem or outcome.peak is None or outcome.peak <= one + SLACK:
        return problem
    return (
        f"held {outcome.peak:,} bytes of new memory at its peak, {outcome.peak / one:.1f} times "
        f"the image; expected at most one copy of it, {one:,} bytes, and {SLACK:,} for the rest."
    )


def _rule(image: TensorData) -> str:
    planes = _planes(image)
    if image.size == LARGE:
        return (
            "turning axes moves nothing, and copying takes memory: turn first, then copy once, "
            f"to the place where the result stays. It takes {image.layout.numel:,} bytes."
        )
    then = "the result holds the same elements in row-major order, on new memory"
    if min(planes.stride) < 0:
        then = "torch has no negative strides, so NumPy has to do the copying"
    elif planes.layout.is_contiguous:
        then = "they are contiguous already, and whatever copies only if it has to does not copy"
    return f"the planes of this image have shape {planes.size}, strides {planes.stride}: {then}."


def _is_late(image: TensorData) -> tuple[object, ...]:
    """Flips are a matter of their own; and with as many rows as columns, much looks alike."""
    flips, is_sliced = sum(step < 0 for step in image.stride), len(image.storage) > prod(image.size)
    return image.size == LARGE, flips, 0 in image.stride, image.size[0] == image.size[1], is_sliced


def _load(image: Any) -> Any:
    import numpy as np
    import torch

    planes = image.transpose(2, 0, 1)
    return torch.from_numpy(np.array(planes, order="C"))


_but = variants(_load)
_TURNED, _COPY = "image.transpose(2, 0, 1)", 'np.array(planes, order="C")'
EXERCISE = Exercise(
    "load_image",
    ("image",),
    place=7,
    rules=Rules("nothing", "load_image may call what it likes."),
    cases=_cases,
    late=_is_late,
    reference=lambda image: copied(_planes(image)),
    complaint=_complaint,
    rule=_rule,
    picture=draw_copy,
    known={
        "from np.ascontiguousarray or contiguous(): they copy only if they have to.": _but(
            _COPY, "np.ascontiguousarray(planes)"
        ),
        "from np.ascontiguousarray before torch copies: a flipped axis of size 1 is in order for "
        "it and keeps its negative stride, which torch refuses.": _but(
            f"{_COPY})", "np.ascontiguousarray(planes)).clone()"
        ),
        "if torch is given an array as it is flipped: it refuses negative strides. NumPy does "
        "not.": _but(f"{_COPY})", "planes).clone(memory_format=torch.contiguous_format)"),
        "from np.copy or np.stack: they may keep the order that the elements have in memory. "
        'image.copy() and np.array(..., order="C") write row-major.': (
            _but(_COPY, "np.copy(planes)"),
            _but(_COPY, "np.stack([*planes])"),
        ),
        "if the sizes are changed and no axis is moved.": _but(
            _TURNED, "image.reshape(image.shape[2], *image.shape[:2])"
        ),
        "from image.T: it swaps height and width too.": _but(_TURNED, "image.T"),
        "if the channels stay where they are.": _but(_TURNED, "image"),
        # What is right of this, and wrong is the memory alone.
        "every value is right, and beside the one copy something else is made that takes too much "
        "memory: another copy, by contiguous() or torch.tensor() after copy(), say, or what "
        "tolist() or a comparison with == gives.": _but(
            f"{_COPY})", "image.copy()).permute(2, 0, 1).contiguous()"
        ),
    },
)
