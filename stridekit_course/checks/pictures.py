"""Diagrams of cases: what was given, what is expected, and what came back."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit.tensors.dtypes import as_dtype
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor
from stridekit_course.checks.callee import Case, Plain, TensorData

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
    if not layouts:
        return None
    ends = [layout.reach[1] + 1 for layout in layouts.values() if layout.reach is not None]
    storage = arange(max([length, *ends, *(each.storage_offset for each in layouts.values())]))
    memory = storage.untyped_storage()
    tensors = {name: Tensor(layout, memory, storage.dtype) for name, layout in layouts.items()}
    if len(tensors) == 1:
        ((title, only),) = tensors.items()
        return draw(only, title=title, select=select)
    return draw(tensors, select=select)


def as_layout(header: Plain) -> Layout | None:
    """The layout that a header describes, if it is one that can be drawn."""
    if not (isinstance(header, tuple) and len(header) == 3):
        return None
    size, stride, offset = header
    if not (_are_ints(size) and _are_ints(stride) and _are_ints((offset,))):
        return None
    if len(size) != len(stride) or min((*size, *stride, offset)) < 0:
        return None
    layout = Layout(size, stride, offset)
    high = max(offset, layout.reach[1] if layout.reach else 0, *size, *stride)
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


def draw_tensors(
    names: Sequence[str], arguments: Iterable[object], *, color_by: str | None = None
) -> Diagram | None:
    """The tensors and arrays among the arguments; `color_by` is `draw`'s."""
    memories: dict[int, Storage] = {}
    tensors: dict[str, Any] = {}
    for name, data in zip(names, arguments, strict=False):
        if isinstance(data, TensorData):
            memory = memories.setdefault(data.memory, Storage.wrap(data.storage))
            tensors[name] = Tensor(data.layout, memory, as_dtype(data.dtype))
    if not tensors:
        return None
    if len(tensors) == 1:
        ((title, only),) = tensors.items()
        return draw(only, title=title)
    return draw(tensors, color_by=color_by)


def draw_case(
    parameters: Sequence[str], case: Case, expected: Plain, yours: Plain
) -> Diagram | None:
    """The header that a case begins with, and what became of it; or its tensors."""
    if case.tensors:
        return draw_tensors(parameters, case.arguments)
    given = dict(zip(parameters, case.arguments, strict=False))
    if not {"size", "stride"} <= given.keys():
        return None
    header = given["size"], given["stride"], given.get("storage_offset", 0)
    return draw_change(header, expected, yours)
