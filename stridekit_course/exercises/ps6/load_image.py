"""ps6, `load_image`: an image from NumPy to torch, copied once."""

import random
from collections.abc import Iterable
from itertools import cycle, product
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.cases import tensor_data, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import as_layout
from stridekit_course.checks.rules import Rules
from stridekit_course.checks.tensor_results import no_tensor, other_kind, other_values
from stridekit_course.exercises.ps6 import from_zero, subject

FLIPS = tuple(product((False, True), repeat=3))


def _row_major(size: Ints) -> Ints:
    _, width, channels = size
    return width * channels, channels, 1


def _planes(size: Ints) -> Ints:
    height, width, _ = size
    return width, 1, height * width


def _columns(size: Ints) -> Ints:
    height, _, channels = size
    return channels, height * channels, 1


def _cropped(size: Ints) -> Ints:
    _, width, channels = size
    return (width + 1) * channels, channels, 1


def _every_other(size: Ints) -> Ints:
    _, width, channels = size
    return 4 * width * channels, 2 * channels, 1


def _lines(size: Ints) -> Ints:
    _, width, channels = size
    return width * channels, 1, width


def _grey(size: Ints) -> Ints:
    return size[1], 1, 0


STORED = (_row_major, _planes, _columns, _cropped, _every_other, _lines, _grey)


def image_data(
    size: Ints,
    stride: Ints,
    flips: Iterable[bool] = (False, False, False),
    *,
    read_only: bool = False,
    inverted: bool = False,
) -> TensorData:
    """An image in that state; inverted, it has other values but for its first element."""
    steps = tuple(-step if flip else step for step, flip in zip(stride, flips, strict=True))
    image = tensor_data(from_zero(size, steps), "numpy", "uint8", read_only=read_only)
    if not inverted:
        return image
    first, values = image.storage_offset, bytearray(255 - byte for byte in image.storage)
    values[first] = image.storage[first]
    return image._replace(storage=bytes(values))


SLACK = 8 * 1024
"""Bytes that a call may hold beside the copy: Python's and torch's own objects."""
ELSEWHERE = 1 << 40
# Large beside the slack, and small enough for three loops.
LARGE = (72, 56, 3)
SIZES = tuple(product((2, 3, 1), repeat=3))
draft = Draft(
    "load_image",
    ("image",),
    place=7,
    rules=Rules("nothing", "load_image may call what it likes."),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments | Case]:
    """At most 15,000 elements."""
    flips_in_turn, sizes_in_turn = cycle(FLIPS), cycle(SIZES)
    for size, stride_of in product(SIZES, STORED if hidden else STORED[:2]):
        yield (image_data(size, stride_of(size)),)
        for _ in range(3 if hidden else 0):
            flips = next(flips_in_turn)
            yield (image_data(size, stride_of(size), flips, read_only=chance.random() < 0.2),)
    for stride_of, flips in product(STORED, FLIPS):
        size = next(sizes_in_turn)
        yield (image_data(size, stride_of(size), flips, read_only=chance.random() < 0.2),)
    for stride_of in STORED:
        # The same header twice, over other bytes.
        for size in ((2, 3, 3), (11, 12, 3)):
            for inverted in (True, False):
                yield (image_data(size, stride_of(size), FLIPS[2], inverted=inverted),)
    for _ in range(120 if hidden else 30):
        size = chance.randint(1, 14), chance.randint(1, 14), chance.choice((1, 3, 3, 4, 12))
        stride_of, flips = chance.choice(STORED), chance.choice(FLIPS)
        yield (image_data(size, stride_of(size), flips, read_only=chance.random() < 0.3),)
    measured = [*product(STORED[:5], FLIPS[::7])]
    for size, states in (
        ((2, 3, 3), measured),
        (LARGE, measured[1::4] if hidden else measured[:3:2]),
    ):
        # What torch and NumPy set up when it is first measured counts: so small ones come first.
        for number, (stride_of, flips) in enumerate(states):
            image = image_data(size, stride_of(size), flips, read_only=number % 3 == 2)
            yield Case((image,), measured=True)


def _as_planes(image: TensorData) -> TensorData:
    """The elements that are expected, as they lie in the image."""
    (height, width, channels), (down, right, deep) = image.size, image.stride
    storage, offset = image.storage, image.storage_offset
    size, stride = (channels, height, width), (deep, down, right)
    return TensorData("torch", "uint8", size, stride, offset, storage)


@draft.complaint
def _complaint(case: Case, outcome: Outcome) -> str | None:
    image: TensorData = case.arguments[0]
    expected = _as_planes(image)
    problem = no_tensor(outcome, f"a tensor of size {expected.size}")
    if problem:
        return problem
    result = outcome.value
    problem = other_kind(result, "uint8", expected.size, ": channels, height, width")
    if problem:
        return problem
    if outcome.aliases is not None:
        return "returned a tensor on the image's own memory; expected a copy on new memory."
    if not result.layout.is_contiguous:
        return f"returned stride {result.stride}, which is not contiguous for size {result.size}."
    return other_values(result, expected.values()) or _held(case, outcome)


@draft.expect
def _expect(case: Case) -> bytes:
    return _as_planes(case.arguments[0]).values()


@draft.is_right
def _is_right(case: Case, values: bytes, outcome: Outcome) -> bool:
    result = outcome.value
    height, width, channels = case.arguments[0].size
    return (
        isinstance(result, TensorData)
        and other_kind(result, "uint8", (channels, height, width)) is None
        and outcome.aliases is None
        and result.layout.is_contiguous
        and result.values() == values
        and _held(case, outcome) is None
    )


def _held(case: Case, outcome: Outcome) -> str | None:
    image: TensorData = case.arguments[0]
    one = image.layout.numel
    if one < SLACK or outcome.peak is None or outcome.peak <= one + SLACK:
        return None
    return (
        f"held {outcome.peak:,} bytes of new memory at its peak, {outcome.peak / one:.1f} times "
        f"the image; expected at most one copy of it, {one:,} bytes, and {SLACK:,} for the rest."
    )


@draft.rule
def _rule(image: TensorData) -> str:
    size, stride = _as_planes(image).size, _as_planes(image).stride
    if image.layout.numel > SLACK:
        return (
            "turning axes moves nothing, and copying takes memory: turn first, then copy once, "
            f"to the place where the result stays. It takes {image.layout.numel:,} bytes."
        )
    turned = f"the planes of this image have shape {size} and byte strides {stride}"
    if min(stride) < 0:
        return f"{turned}; torch has no negative strides, so NumPy has to do the copying."
    if _as_planes(image).layout.is_contiguous:
        return (
            f"{turned}: they are contiguous already, so whatever copies only if it has to does "
            "not copy, and the result would lie on the image."
        )
    return f"{turned}; the result holds the same elements in row-major order, on new memory."


@draft.picture
def _picture(case: Case, outcome: Outcome) -> Diagram | None:
    image: TensorData = case.arguments[0]
    if image.size == LARGE:
        return None
    expected = _as_planes(image)
    # Addresses far apart, so that each storage is one of its own.
    subjects = {
        "image": subject(image.layout, "uint8", image.storage, "numpy"),
        "expected": subject(
            Layout.of(expected.size), "uint8", expected.values(), address=ELSEWHERE
        ),
    }
    yours = outcome.value
    if isinstance(yours, TensorData) and yours.dtype == "uint8":
        layout = as_layout((yours.size, yours.stride, yours.storage_offset))
        if layout is not None:
            is_on_image = outcome.aliases is not None and yours.storage == image.storage
            address = 0 if is_on_image else 2 * ELSEWHERE
            subjects["yours"] = subject(layout, "uint8", yours.storage, address=address)
    return draw(subjects)


def _copied(planes: Any) -> Any:
    import torch

    return torch.empty(tuple(planes.shape), dtype=torch.uint8).copy_(planes)


def _copied_and_turned(image: Any) -> Any:
    import torch

    return torch.from_numpy(image.copy()).permute(2, 0, 1).contiguous()


def _turned_and_copied(image: Any) -> Any:
    import torch

    return torch.from_numpy(image.transpose(2, 0, 1).copy())


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    image: TensorData = case.arguments[0]
    # Flips are a matter of their own; and with one row, or as many as columns, much looks alike.
    flips, (height, width, _) = sum(step < 0 for step in image.stride), image.size
    alike = 1 in image.size or height == width
    return image.size == LARGE, flips, 0 in image.stride, alike, weigh_arguments(case)


@draft.mistake(
    "this is what you get from np.ascontiguousarray or contiguous(): they copy only if "
    "they have to."
)
def _as_contiguous(image: Any) -> Any:
    import numpy as np
    import torch

    return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))


@draft.mistake(
    "this is what you get from np.ascontiguousarray before torch copies: a flipped axis of size 1 "
    "is in order for it and keeps its negative stride, which torch refuses."
)
def _contiguous_and_copied(image: Any) -> Any:
    return _as_contiguous(image).clone()


@draft.mistake(
    "this is what you get if torch is given an array as it is flipped: it refuses "
    "negative strides. NumPy does not."
)
def _no_flips(image: Any) -> Any:
    import torch

    if min(image.strides) < 0:
        raise ValueError
    return _copied(torch.from_numpy(image).permute(2, 0, 1))


@draft.mistake(
    "this is what you get from np.copy: it keeps the order that the elements have in "
    'memory. image.copy() and np.array(..., order="C") write row-major.'
)
def _keeps_order(image: Any) -> Any:
    import numpy as np
    import torch

    return torch.from_numpy(np.copy(image.transpose(2, 0, 1)))


@draft.mistake(
    "this is what you get from np.stack: it may keep the order that the elements have in memory."
)
def _stacked(image: Any) -> Any:
    import numpy as np
    import torch

    return torch.from_numpy(np.stack([*image.transpose(2, 0, 1)]))


@draft.mistake("this is what you get if the sizes are changed and no axis is moved.")
def _reshaped(image: Any) -> Any:
    import torch

    height, width, channels = image.shape
    return torch.from_numpy(image.copy().reshape(channels, height, width))


@draft.mistake("this is what you get from image.T: it swaps height and width too.")
def _transposed(image: Any) -> Any:
    import torch

    return torch.from_numpy(image.T.copy())


@draft.mistake("this is what you get if the channels stay where they are.")
def _still_last(image: Any) -> Any:
    import torch

    return torch.from_numpy(image.copy())


# These two give what is right. What is wrong then is the memory alone.
_TWICE = (
    "every value is right, and it is copied more than once on the way: by copy() and "
    "then by contiguous() or torch.tensor(), say."
)
draft.mistake(
    _TWICE,
    _copied_and_turned,
)
draft.mistake(
    _TWICE,
    _turned_and_copied,
)
EXERCISE = draft.exercise()
