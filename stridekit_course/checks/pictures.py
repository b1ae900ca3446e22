"""Diagrams of cases: what was given, what is expected, and what came back."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit.tensors.interop import Subject, near
from stridekit_course.checks.callee import Case, Plain, TensorData
from stridekit_course.checks.strategies import header

LONGEST = 4096
Header = tuple[Ints, Ints, int]


def draw_headers(
    headers: Mapping[str, Plain], *, length: int = 0, select: Ints | None = None
) -> Diagram | None:
    """The headers `(size, stride, storage_offset)` by name, over one storage that counts.

    What is no header, or reaches outside of a storage that fits on a page, is left out: what a
    learner returns may be anything. None if nothing is left. The storage holds at least
    `length` elements.
    """
    layouts = {name: layout for name, each in headers.items() if (layout := as_layout(each))}
    ends = (max(layout.needed, layout.storage_offset) for layout in layouts.values())
    holds = max([length, *ends])
    storage = bytes(as_dtype("int64").pack([*range(holds)]))
    tensors = {
        name: TensorData("torch", "int64", *header(layout), storage)
        for name, layout in layouts.items()
    }
    return draw_tensors(tensors, select=select)


def as_layout(given: Plain) -> Layout | None:
    """The layout that a header describes, if this is one that can be drawn."""
    if not (isinstance(given, tuple) and len(given) == 3):
        return None
    size, stride, offset = given
    if not (_are_ints(size) and _are_ints(stride) and _are_ints((offset,))):
        return None
    if len(size) != len(stride) or min((*size, *stride, offset)) < 0:
        return None
    layout = Layout(size, stride, offset)
    high = max(offset, layout.needed - 1, *size, *stride)
    return layout if high < LONGEST else None


def _are_ints(value: Plain) -> bool:
    return isinstance(value, tuple) and all(type(item) is int for item in value)


def draw_change(
    given: tuple[Ints, Ints, int], expected: Plain, yours: Plain, select: Ints | None = None
) -> Diagram | None:
    """A header, what it is to become, and what came back, over one storage.

    What came back may be a header, or a size and a stride, which begin where the given one does.
    `select` is an index of what was given: the way to it is shown.
    """
    headers = {"given": given}
    for name, value in (("expected", expected), ("yours", yours)):
        if isinstance(value, tuple) and len(value) in (2, 3):
            layout = as_layout((*value, given[2])[:3])
            # What a learner returns may have more elements than can be counted.
            if layout is not None and prod(layout.size) <= 10**6:
                headers[name] = layout.size, layout.stride, layout.storage_offset
    return draw_headers(headers, select=select if as_layout(given) else None)


def draw_strides(size: Ints, **strides: Plain) -> Diagram | None:
    """A size under strides, each with its name, such as `expected` and `yours`."""
    if not prod(size):
        return None
    return draw_headers({name: (size, stride, 0) for name, stride in strides.items()})


def draw_tensors(shown: Mapping[str, TensorData], **options: Any) -> Diagram | None:
    """Tensors and arrays by name, with options of `draw`. None if there are none.

    Those of one `memory` are on one storage: None too if one begins within an element of another,
    for no strip shows both. Strides may be negative.
    """
    for data in shown.values():
        starts = (each.apart for each in shown.values() if each.memory == data.memory)
        if (data.apart - min(starts)) % data.itemsize:
            return None
    subjects = {name: _subject(data) for name, data in shown.items()}
    if len(subjects) == 1:
        ((title, only),) = subjects.items()
        return draw(only, title=title, **options)
    return draw(subjects, **options) if subjects else None


def _subject(data: TensorData) -> Subject:
    return Subject(
        library=data.library,
        layout=data.layout,
        dtype=data.dtype,
        itemsize=data.itemsize,
        storage_length=(len(data.storage) - data.apart) // data.itemsize,
        # So far apart that no memory is a part of another.
        storage_address=(data.memory << 40) + data.apart,
        base=data.layout,
        bytes_at=near(lambda: memoryview(data.storage)[data.apart :]),
        decode=as_dtype(data.dtype).unpack,
    )


def draw_case(
    parameters: Sequence[str], case: Case, expected: Plain, yours: Plain
) -> Diagram | None:
    """The header that a case begins with, and what became of it; or its tensors."""
    given = dict(zip(parameters, case.arguments, strict=False))
    if case.tensors:
        return draw_tensors(
            {name: each for name, each in given.items() if isinstance(each, TensorData)}
        )
    if not {"size", "stride"} <= given.keys():
        return None
    begins = given["size"], given["stride"], given.get("storage_offset", 0)
    return draw_change(begins, expected, yours)
