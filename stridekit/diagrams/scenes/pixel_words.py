"""Which dim is which in a picture of pixels (H, W, C, N), and what the picture says in words.

The words are those of memory formats: an image in torch is CHW, in files and in NumPy HWC.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import header_parts, number_text, tuple_text
from stridekit.errors import ArgumentError, quoted
from stridekit.example_image import LUMA, grey_of
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.tensors.interop import Subject

CALL = "draw_pixels"
# Grey; red, green and blue; the same with how opaque a pixel is.
CHANNELS = (1, 3, 4)
# What a size without names may be: by rank, what it is if the channels fit.
_USUAL = {2: ("HW",), 3: ("HWC", "CHW"), 4: ("NHWC", "NCHW")}


class PixelDims(NamedTuple):
    """A letter for each dim; `guessed` where nobody said so, and the size allows no other."""

    letters: str
    guessed: bool

    def text(self) -> str:
        """As one says it.

        >>> PixelDims("HWC", True).text()
        'read as H, W, C'
        """
        return ("read as " if self.guessed else "") + ", ".join(self.letters)


def pixel_dims(size: Ints, dims: object, name: str = "") -> PixelDims:
    """Which dim is which: as said, or as the size allows. `name` is its own among several.

    Two dims are H, W. Of three or four, the last one or the one before H and W are the channels,
    whichever has size 1, 3 or 4; if both have, somebody has to say. Raises ArgumentError.

    >>> pixel_dims((64, 96, 3), None).letters
    'HWC'
    """
    told = dims.upper() if isinstance(dims, str) else ""
    fitting = [
        letters
        for letters in (_USUAL.get(len(size), ()) if dims is None else (told,))
        if {"H", "W"} <= set(letters) <= set("NCHW")
        and len(set(letters)) == len(letters) == len(size)
        and _channels(size, letters) in CHANNELS
    ]
    if len(fitting) == 1:
        return PixelDims(fitting[0], guessed=dims is None)
    what = f"{CALL}: size {tuple_text(size)}"
    if fitting:
        start, end = (f"{{{name!r}: ", "}") if name else ("", "")
        ways = " or ".join(f'dims={start}"{letters}"{end}' for letters in fitting)
        raise ArgumentError(f"{what} may be {' or '.join(fitting)}. Say which: {ways}.")
    said = "" if dims is None else f", with dims={quoted(dims)},"
    raise ArgumentError(
        f"{what}{said} is not that of a picture. It has a dim H of rows and W of columns, and may "
        "have C of 1, 3 or 4 channels, and N of images. Draw one image or one channel of it, such "
        'as x[0], give it a size, such as size=(8, 12), or name its dims, each once: dims="HWC".'
    )


def _channels(size: Ints, letters: str) -> int:
    return size[letters.index("C")] if "C" in letters else 1


def images_of(layout: Layout, letters: str) -> tuple[int, Iterator[Layout]]:
    """How many images a tensor has, and the header of each, in the order H, W, C.

    >>> number, headers = images_of(Layout.of((3, 64, 96)), "CHW")
    >>> number, next(headers)
    (1, Layout(size=(64, 96, 3), stride=(96, 1, 6144), storage_offset=0))
    """
    dims = dict(zip(letters, layout.dims, strict=True))
    size, stride = zip(*(dims.get(letter, (1, 0)) for letter in "HWC"), strict=True)
    images, apart = dims.get("N", (1, 0))
    starts = (layout.storage_offset + number * apart for number in range(images))
    return images, (Layout(size, stride, start) for start in starts)


# What a picture says.


_KINDS = {1: "in grey", 3: "in colour", 4: "in colour, with an opacity"}


def header_lines(subject: Subject, dims: PixelDims, offset: int) -> tuple[str, ...]:
    """The header of one image in lines, NumPy's in its own words."""
    keep = [dim for dim, letter in enumerate(dims.letters) if letter != "N"]
    size = tuple(subject.layout.size[dim] for dim in keep)
    stride = tuple(subject.layout.stride[dim] for dim in keep)
    names = dims._replace(letters=dims.letters.replace("N", "")).text()
    *told, start = header_parts(subject, Layout(size, stride, offset))
    return (*told, f"{start} · {subject.dtype}", f"dims {names}")


def picture_text(name: str, subject: Subject, size: Ints, header: tuple[str, ...]) -> str:
    """What a picture of rows, columns and channels is, in a sentence."""
    rows, columns, channels = size
    return (
        f"Picture{f' {name}' if name else ''}, {count(rows, 'row')} of "
        f"{count(columns, 'pixel')} {_KINDS[channels]}: {', '.join(header)}, over a "
        f"storage of {count(subject.storage_length, 'element')}."
    )


def brightness(pixels: bytes, channels: int) -> bytes:
    """How bright each pixel is. One that is not opaque stands on white.

    >>> [*brightness(bytes((255, 0, 0, 255, 0, 0, 0, 0)), 4)]
    [76, 255]
    """
    if channels == 1:
        return pixels
    shades = grey_of(pixels, channels)
    if channels == 3:
        return shades
    return bytes(
        (shade * alpha + 255 * (255 - alpha) + 127) // 255
        for shade, alpha in zip(shades, pixels[3::4], strict=True)
    )


def thirds_text(pixels: bytes, size: Ints) -> str:
    """Where a picture of rows, columns and channels is bright and where dark: in thirds.

    >>> thirds_text(bytes((0, 0, 255)) * 3, (3, 3, 1))
    'Brightness in thirds, from 0 for black to 9 for white: 0 0 9 above, 0 0 9 in the middle, \
0 0 9 below.'
    """
    rows, columns, channels = size
    if rows < 3 or columns < 3:
        return ""
    if channels == 4:
        pixels, channels = brightness(pixels, channels), 1
    weights = LUMA if channels == 3 else (1000,)
    length = columns * channels
    words = []
    for place, upper, lower in _thirds(("above", "in the middle", "below"), rows):
        numbers = []
        for _, left, right in _thirds(("", "", ""), columns):
            parts = b"".join(
                pixels[row * length + left * channels : row * length + right * channels]
                for row in range(upper, lower)
            )
            total = sum(
                weight * sum(parts[channel::channels]) for channel, weight in enumerate(weights)
            )
            numbers.append(str(round(9 * total / (255_000 * (lower - upper) * (right - left)))))
        words.append(f"{' '.join(numbers)} {place}")
    return f"Brightness in thirds, from 0 for black to 9 for white: {', '.join(words)}."


def _thirds(names: tuple[str, str, str], n: int) -> Iterator[tuple[str, int, int]]:
    for number, name in enumerate(names):
        yield name, number * n // 3, (number + 1) * n // 3


def comparison(first: Layout, other: Layout) -> Iterator[str]:
    """What another header over the same memory does to a picture, in sentences.

    Both have the order H, W, C. Only what the numbers alone say for certain; a wholly other header
    is left to the eye.

    >>> first = Layout.of((64, 96, 1))
    >>> next(comparison(first, Layout(first.size, (97, 1, 1))))
    'each row is drawn 1 pixel further to the left than the one above it.'
    """
    if first == other:
        yield "each pixel lies where it does in the first picture, so it is the same picture."
        return
    (down, right, deep), (row_stride, column_stride, channel_stride) = first.stride, other.stride
    if (row_stride, column_stride) == (right, down) and abs(down) != abs(right):
        yield "rows and columns are exchanged."
        return
    # Rows, or columns, that begin within each other: then steps along them are none.
    (small, n), (large, _) = sorted([(abs(down), first.size[0]), (abs(right), first.size[1])])
    apart = not 0 < large <= (n - 1) * small
    # A row is still made of the first picture's columns if its rows begin where some of those do.
    if down and row_stride % down == 0 and apart:
        yield from _along("column", column_stride, right, "mirrored left to right")
    if right and column_stride % right == 0 and apart:
        yield from _along("row", row_stride, down, "upside down")
    lean = row_stride - down
    if right and column_stride == right and lean % right == 0 and down and row_stride:
        pixels = lean // right
        columns, read_as = first.size[1], other.size[1]
        if read_as != columns:
            # In both, each row begins where the one before it ends.
            if (down, row_stride) == (columns * right, read_as * column_stride):
                yield f"rows of {columns} pixels are read as rows of {read_as}."
        elif pixels and abs(lean) * 2 < abs(down):
            side = "left" if pixels > 0 else "right"
            yield (
                f"each row is drawn {count(abs(pixels), 'pixel')} further to the {side} than the "
                "one above it."
            )
    if other.size[2] == first.size[2] == 3 and channel_stride == -deep:
        yield "red and blue are exchanged: the channels are read backwards."


def _along(lines: str, step: int, known: int, way: str) -> Iterator[str]:
    """What another stride does to the rows, or to the columns."""
    if not known:
        return
    if step == 0:
        yield f"stride 0 shows one {lines} again and again."
    elif step == -known:
        yield f"the {lines}s run backwards, so the picture is {way}."
    elif step % known == 0 and step // known > 1:
        yield f"{every_text(step // known, lines)} is shown."
    elif step % known == 0 and step // known < -1:
        yield f"the {lines}s run backwards, and {every_text(-(step // known), lines)} is shown."


def every_text(step: int, noun: str) -> str:
    """Which rows or columns are shown.

    >>> every_text(1, "row"), every_text(2, "row"), every_text(21, "column")
    ('every row', 'every 2nd row', 'every 21st column')
    """
    if step == 1:
        return f"every {noun}"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(step % 10, "th")
    return f"every {number_text(step)}{'th' if step % 100 in (11, 12, 13) else ending} {noun}"
