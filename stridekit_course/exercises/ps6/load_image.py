"""ps6, `load_image`: an image from NumPy to torch, copied once."""

import random
from collections.abc import Callable, Iterable
from itertools import cycle, product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.pictures import as_layout, draw_tensors
from stridekit_course.checks.rules import Rules
from stridekit_course.checks.strategies import crossed, header, tensor_data
from stridekit_course.checks.tensor_results import copied, wrong_tensor
from stridekit_course.exercises.ps6 import from_zero

FLIPS = tuple(product((False, True), repeat=3))
SLACK = 8 * 1024
"""Bytes that a call may hold beside the copy: Python's and torch's own objects."""
# Large beside the slack, and small enough for three loops.
LARGE = (72, 56, 3)
SIZES = tuple(product((2, 3, 1), repeat=3))
# How an image may be stored: its strides, given its height, width and channels.
STORED: dict[str, Callable[[int, int, int], Ints]] = {
    "row-major": lambda _, w, c: (w * c, c, 1),
    "planes": lambda h, w, _: (w, 1, h * w),
    "columns": lambda h, _, c: (c, h * c, 1),
    "cropped": lambda _, w, c: ((w + 1) * c, c, 1),
    "every other": lambda _, w, c: (4 * w * c, 2 * c, 1),
    "lines": lambda _, w, c: (w * c, 1, w),
    "grey": lambda _, w, __: (w, 1, 0),
    "grey columns": lambda h, _, __: (1, h, 0),
}


def image_data(
    size: Ints,
    stored: str,
    flips: Iterable[bool] = (False, False, False),
    *,
    read_only: bool = False,
) -> TensorData:
    """An image in that state."""
    stride = STORED[stored](*size)
    steps = tuple(-step if flip else step for step, flip in zip(stride, flips, strict=True))
    return tensor_data(from_zero(size, steps), "numpy", "uint8", read_only=read_only)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 15,000 elements."""
    sizes_in_turn, plain = cycle(SIZES), ("row-major", "planes")
    for size, stored in product(SIZES, STORED if hidden else plain):
        yield (image_data(size, stored),)
    for stored, flips in product(STORED, FLIPS):
        size = next(sizes_in_turn)
        yield (image_data(size, stored, flips, read_only=chance.random() < 0.2),)
    rows = crossed(
        chance,
        height=(1, 2, 3, 5, 8, 12, 14),
        width=(1, 2, 3, 5, 9, 11, 14),
        channels=(1, 2, 3, 3, 4, 12),
        stored=STORED,
        flips=FLIPS,
        read_only=(True, False),
    )
    for row in [*rows][: None if hidden else 64]:
        size = row.pop("height"), row.pop("width"), row.pop("channels")
        yield (image_data(size, **row),)
    # Few: where each step is looked at, loops over all elements take long.
    large = ("columns", FLIPS[0]), ("row-major", FLIPS[-1]), ("cropped", FLIPS[-1])
    for stored, flips in large[: 3 if hidden else 2]:
        image = image_data(LARGE, stored, flips, read_only=stored == "cropped")
        yield Case((image,), measured=True)


def _planes(image: TensorData) -> TensorData:
    """The elements that are expected, as they lie in the image."""
    (height, width, channels), (down, right, deep) = image.size, image.stride
    size, stride = (channels, height, width), (deep, down, right)
    return TensorData("torch", "uint8", size, stride, image.storage_offset, image.storage)


def _reference(image: TensorData) -> TensorData:
    planes = _planes(image)
    return copied(planes, Layout.of(planes.size).stride)


def _complaint(expected: TensorData, outcome: Outcome, image: TensorData) -> str | None:
    def lies(result: TensorData) -> str | None:
        if outcome.aliases is not None:
            return "returned a tensor on the image's own memory; expected a copy on new memory."
        if result.layout.is_contiguous:
            return None
        return f"returned stride {result.stride}, which is not contiguous for size {result.size}."

    wanted = f"a tensor of size {expected.size}"
    axes = ": channels, height, width"
    problem = wrong_tensor(outcome, expected, lies, wanted=wanted, why=axes)
    return problem or _held(image, outcome)


def _held(image: TensorData, outcome: Outcome) -> str | None:
    one = image.layout.numel
    if outcome.peak is None or outcome.peak <= one + SLACK:
        return None
    return (
        f"held {outcome.peak:,} bytes of new memory at its peak, {outcome.peak / one:.1f} times "
        f"the image; expected at most one copy of it, {one:,} bytes, and {SLACK:,} for the rest."
    )


def _rule(image: TensorData) -> str:
    size, stride = _planes(image).size, _planes(image).stride
    if image.layout.numel > SLACK:
        return (
            "turning axes moves nothing, and copying takes memory: turn first, then copy once, "
            f"to the place where the result stays. It takes {image.layout.numel:,} bytes."
        )
    turned = f"the planes of this image have shape {size} and byte strides {stride}"
    if min(stride) < 0:
        return f"{turned}; torch has no negative strides, so NumPy has to do the copying."
    if _planes(image).layout.is_contiguous:
        return (
            f"{turned}: they are contiguous already, so whatever copies only if it has to does "
            "not copy, and the result would lie on the image."
        )
    return f"{turned}; the result holds the same elements in row-major order, on new memory."


def _picture(expected: TensorData, outcome: Outcome, image: TensorData) -> Diagram | None:
    if image.size == LARGE:
        return None
    shown = {"image": image, "expected": expected._replace(memory=1)}
    yours = outcome.value
    if isinstance(yours, TensorData) and yours.dtype == "uint8" and as_layout(header(yours.layout)):
        is_on_image = outcome.aliases is not None and yours.storage == image.storage
        shown["yours"] = yours._replace(memory=0 if is_on_image else 2)
    return draw_tensors(shown)


def _is_late(image: TensorData) -> tuple[object, ...]:
    """Flips are a matter of their own; and with as many rows as columns, much looks alike."""
    height, width, _ = image.size
    flips = sum(step < 0 for step in image.stride)
    return image.size == LARGE, flips, 0 in image.stride, height == width


def _as_array(change: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Torch's tensor on the array that is made with NumPy of the image."""

    def load(image: Any) -> Any:
        import numpy as np
        import torch

        return torch.from_numpy(change(np, image))

    return load


_contiguous = _as_array(lambda np, image: np.ascontiguousarray(image.transpose(2, 0, 1)))


def _no_flips(image: Any) -> Any:
    if min(image.strides) < 0:
        raise ValueError
    return _contiguous(image).clone()


EXERCISE = Exercise(
    "load_image",
    ("image",),
    place=7,
    rules=Rules("nothing", "load_image may call what it likes."),
    cases=_cases,
    late=_is_late,
    reference=_reference,
    complaint=_complaint,
    rule=_rule,
    picture=_picture,
    known={
        "from np.ascontiguousarray or contiguous(): they copy only if they have to.": _contiguous,
        "from np.ascontiguousarray before torch copies: a flipped axis of size 1 is in order for "
        "it and keeps its negative stride, which torch refuses.": lambda image: _contiguous(
            image
        ).clone(),
        "if torch is given an array as it is flipped: it refuses "
        "negative strides. NumPy does not.": _no_flips,
        "from np.copy or np.stack: they may keep the order that the elements have in memory. "
        'image.copy() and np.array(..., order="C") write row-major.': (
            _as_array(lambda np, image: np.copy(image.transpose(2, 0, 1))),
            _as_array(lambda np, image: np.stack([*image.transpose(2, 0, 1)])),
        ),
        "if the sizes are changed and no axis is moved.": _as_array(
            lambda _, image: image.copy().reshape(image.shape[2], *image.shape[:2]).copy()
        ),
        "from image.T: it swaps height and width too.": _as_array(lambda _, image: image.T.copy()),
        "if the channels stay where they are.": _as_array(lambda _, image: image.copy()),
        # What is right of this, and wrong is the memory alone.
        "every value is right, and beside the one copy something else is made that takes as much "
        "memory: another copy, by contiguous() or torch.tensor() after copy(), say, or what "
        "tolist() or a comparison with == gives.": lambda image: (
            _as_array(lambda _, image: image.copy())(image).permute(2, 0, 1).contiguous()
        ),
    },
)
