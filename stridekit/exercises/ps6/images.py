"""The images that ps6 loads: as they may be stored, and flipped."""

from collections.abc import Iterable
from itertools import product

from stridekit.checks.cases import tensor_data
from stridekit.checks.seam import TensorData
from stridekit.exercises.ps6.byte_pictures import from_zero
from stridekit.layouts.layout import Ints

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
