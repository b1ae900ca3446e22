"""Pictures of pixels: an image read through a header, as plain data.

A picture is what a header makes of a storage. What lies outside the storage is computed and never
read; what is not initialised is not shown either. The words for both are the same: not readable.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from operator import and_
from typing import NamedTuple

from stridekit.diagrams.scenes.arguments import index_of
from stridekit.diagrams.scenes.captions import joined, number_text
from stridekit.diagrams.scenes.pixel_values import (
    Elements,
    Scale,
    beyond_note,
    pixel_dtype,
    read_elements,
    scale_of,
    shades_of,
)
from stridekit.diagrams.scenes.pixel_words import (
    CALL,
    PixelDims,
    comparison,
    every_text,
    header_lines,
    images_of,
    picture_text,
    pixel_dims,
    thirds_text,
)
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.tensors.dtypes import DType
from stridekit.tensors.interop import Subject

# The most rows and columns that a picture shows: of more, every nth. The most pictures that are
# drawn, and the most outlines in one.
SIDE_MOST, PICTURES_MOST, MARKED_MOST = 256, 12, 200
# An image this much longer than wide is a strip: its short side is shown whole.
LONG = 8
GAP = re.compile(b"\0+")

Place = tuple[int, int]  # row, column
Area = tuple[int, int, int, int]  # row, column, rows, columns


class Picture(NamedTuple):
    """One image: its header in lines, and its pixels row by row, a byte for each channel.

    `emphatic` are the lines of the header that the first picture has otherwise. `hidden` are
    areas that cannot be read, `marked` the pixels that show the memory that was asked for.
    """

    name: str
    header: tuple[str, ...]
    emphatic: frozenset[int]
    rows: int
    columns: int
    channels: int
    pixels: bytes
    hidden: tuple[Area, ...]
    marked: tuple[Place, ...]


class PixelScene(NamedTuple):
    """Pictures side by side. Notes stand below; `alt` says in words what is shown."""

    title: str
    pictures: tuple[Picture, ...]
    notes: tuple[str, ...]
    alt: str


class _Shown(NamedTuple):
    """An image on its way to a picture: its name, its tensor, its dims, its header as H, W, C.

    And what its values are: of which dtype, and which of them is black and which is white.
    """

    name: str
    subject: Subject
    dims: PixelDims
    image: Layout
    dtype: DType
    scale: Scale

    @property
    def memory(self) -> tuple[int, int]:
        """Images of one memory, in elements of one size, can be compared position by position."""
        return self.subject.storage_address, self.subject.itemsize


def compose_pixels(
    named: Sequence[tuple[str, Subject]],
    title: str,
    dims: object,
    levels: tuple[object, object],
    select: object,
    *,
    compare: bool,
) -> PixelScene:
    """The scene of some images: those of the first tensor first, and at most PICTURES_MOST.

    `dims` are for all pictures, or a dict of names to those of some; the levels are what is black
    and what is white. With `compare`, notes say what the other headers do to the first picture.
    Raises ArgumentError, DTypeError, IndexRangeError.
    """
    shown: list[_Shown] = []
    left_out = 0
    for name, subject in named:
        said = dims.get(name) if isinstance(dims, Mapping) else dims
        found = pixel_dims(subject.layout.size, said, name if len(named) > 1 else "")
        dtype = pixel_dtype(subject)
        scale = scale_of(dtype, *levels)
        images, headers = images_of(subject.layout, found.letters)
        room = PICTURES_MOST - len(shown)
        left_out += max(images - room, 0)
        for number, image in enumerate(islice(headers, room)):
            label = f"{name or 'x'}[{number}]" if images > 1 else name
            shown.append(_Shown(label, subject, found, image, dtype, scale))
    notes: list[str] = []
    alts: list[str] = []
    pictures: list[Picture] = []
    selected = None
    if select is not None and shown:
        image = shown[0].image
        plane = Layout(image.size[:2], image.stride[:2], image.storage_offset)
        place = plane.position(index_of(CALL, "select", select, plane, "HW"))
        selected = frozenset(place + channel * image.stride[2] for channel in range(image.size[2]))
        where = joined(f"{position:,}" for position in sorted(selected))
        noun = "position" if len(selected) == 1 else "positions"
        notes.append(f"Outlined: the memory at {noun} {where}, in every picture that shows it.")
    for each in shown:
        picture, remarks, words = _picture(each, shown[0], selected, compare=compare)
        usual = pictures[0].header if pictures else picture.header
        pairs = enumerate(zip(picture.header, usual, strict=True))
        other = frozenset(number for number, (mine, first) in pairs if mine != first)
        pictures.append(picture._replace(emphatic=other))
        notes += remarks
        alts.append(words)
    if not shown:
        notes.append("There are no images in it.")
    if left_out:
        notes.append(f"{count(left_out, 'image')} more, which are not drawn.")
    return PixelScene(title, tuple(pictures), tuple(notes), " ".join([*alts, *notes]))


def _picture(
    shown: _Shown, first: _Shown, selected: frozenset[int] | None, *, compare: bool
) -> tuple[Picture, list[str], str]:
    """A picture, what there is to say of it, and the picture in words."""
    name, subject, dims, image, dtype, scale = shown
    steps = (*steps_of(*image.size[:2]), 1)
    rows, columns, channels = (-(-n // step) for n, step in zip(image.size, steps, strict=True))
    size = rows, columns, channels
    stride = tuple(hop * step for hop, step in zip(image.stride, steps, strict=True))
    elements = read_elements(subject, Layout(size, stride, image.storage_offset))
    shades = shades_of(dtype, elements.memory, elements.readable, scale)
    header = header_lines(subject, dims, image.storage_offset)
    hidden = _hidden(elements, size)
    what, marked, notes = name or "The picture", tuple[Place, ...](), []
    beside = shown is not first and shown.memory == first.memory
    if beside and compare:
        notes += [f"{what}: {words}" for words in comparison(first.image, image)]
    if unread := sum(area[2] * area[3] for area in hidden):
        notes.append(
            f"{what}: {unread:,} of {count(rows * columns, 'pixel')} not readable. Their "
            "positions lie outside the storage, or hold nothing yet."
        )
    if max(steps) > 1:
        notes.append(
            f"{what}: {every_text(steps[0], 'row')} and {every_text(steps[1], 'column')} shown, "
            f"of {number_text(image.size[0])} rows and {number_text(image.size[1])} columns."
        )
    notes += beyond_note(what, shades, scale, dtype)
    if selected is not None and (beside or shown is first):
        marked = (*islice(_marked(image, selected, steps), MARKED_MOST + 1),)
        if len(marked) > MARKED_MOST:
            notes.append(f"{what}: the first {MARKED_MOST} pixels with that memory are outlined.")
            marked = marked[:MARKED_MOST]
    picture = Picture(
        name, header, frozenset(), rows, columns, channels, shades.memory, hidden, marked
    )
    words = picture_text(name, subject, image.size, header)
    return picture, notes, f"{words} {thirds_text(shades.memory, size)}".strip()


def steps_of(rows: int, columns: int) -> tuple[int, int]:
    """Which rows and which columns are shown: every nth, the same n, lest the picture be stretched.

    Of a long strip the short side has an n of its own, so that there is something left of it.
    """
    step = max(-(-max(rows, columns) // SIDE_MOST), 1)
    if min(rows, columns) * LONG >= max(rows, columns):
        return step, step
    return max(-(-rows // SIDE_MOST), 1), max(-(-columns // SIDE_MOST), 1)


def _hidden(elements: Elements, size: Ints) -> tuple[Area, ...]:
    """The pixels that cannot be read, as areas: rows that hide the same columns are one."""
    if elements.readable is None:
        return ()
    rows, columns, channels = size
    # A pixel can be read if each of its channels can.
    seen = elements.readable[::channels]
    for channel in range(1, channels):
        seen = bytes(map(and_, seen, elements.readable[channel::channels]))
    areas: list[Area] = []
    before: dict[Place, int] = {}
    for row in range(rows + 1):
        line = seen[row * columns : (row + 1) * columns]
        gaps = [gap.span() for gap in GAP.finditer(line)]
        areas += [
            (start, first, row - start, end - first)
            for (first, end), start in before.items()
            if (first, end) not in gaps
        ]
        before = {gap: before.get(gap, row) for gap in gaps}
    return tuple(areas)


def _marked(image: Layout, positions: frozenset[int], steps: Ints) -> Iterator[Place]:
    """The shown pixels that one of these positions is a channel of."""
    (row_step, column_step, _), (rows, columns, channels) = steps, image.size
    down, right, deep = image.stride
    for row in range(0, rows, row_step):
        found: set[int] = set()
        for channel, position in product(range(channels), positions):
            hop = position - (image.storage_offset + row * down + channel * deep)
            if right == 0:
                found.update(range(0, columns, column_step) if hop == 0 else ())
                continue
            column, rest = divmod(hop, right)
            if rest == 0 and 0 <= column < columns:
                found.add(column)
        places = dict.fromkeys(column // column_step for column in sorted(found))
        yield from ((row // row_step, column) for column in places)
