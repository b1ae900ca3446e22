"""What ps6 draws: headers of several itemsizes and libraries over the same bytes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from stridekit.checks.cases import counting
from stridekit.checks.pictures import LONGEST, as_layout
from stridekit.checks.seam import Plain
from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit.tensors.interop import Subject
from stridekit.tensors.storage import Storage

DTYPES = {1: "uint8", 2: "int16", 4: "int32", 8: "int64", 16: "complex128"}


class Shown(NamedTuple):
    """A header, counted in elements of so many bytes.

    As `(size, stride, storage_offset)` it may be anything: somebody returned it. A Layout is
    one of ours, and may have negative strides.
    """

    header: Plain
    itemsize: int
    library: str = "torch"


def draw_over_bytes(shown: Mapping[str, Shown], **options: Any) -> Diagram | None:
    """Headers by name over one storage that counts in elements of the first one.

    What is no header, does not fit on a page, or has elements that no dtype has, is left out.
    None if nothing is left.
    """
    kept = {
        name: (each, layout)
        for name, each in shown.items()
        if each.itemsize in DTYPES
        and (layout := each.header if isinstance(each.header, Layout) else as_layout(each.header))
        and _end(layout) * each.itemsize <= LONGEST
    }
    if not kept:
        return None
    unit = max(each.itemsize for each, _ in kept.values())
    nbytes = max(_end(layout) * each.itemsize for each, layout in kept.values())
    nbytes += -nbytes % unit
    first = next(iter(kept.values()))[0].itemsize
    # Complex numbers are too wide for a page.
    counted = min(first, 8)
    storage = counting(DTYPES[counted], nbytes // counted)
    subjects = {
        name: subject(layout, DTYPES[each.itemsize], storage, each.library)
        for name, (each, layout) in kept.items()
    }
    if len(subjects) == 1:
        ((title, only),) = subjects.items()
        return draw(only, title=title, **options)
    return draw(subjects, **options)


def subject(
    layout: Layout, dtype: str, storage: bytes, library: str = "torch", address: int = 0
) -> Subject:
    """What can be drawn: a header over bytes. Strides may be negative."""
    kind, memory = as_dtype(dtype), Storage.wrap(storage)
    return Subject(
        library=library,
        layout=layout,
        dtype=dtype,
        itemsize=kind.itemsize,
        storage_length=len(storage) // kind.itemsize,
        storage_address=address,
        base=layout,
        read=lambda positions: kind.unpack(memory.gather_at(positions, kind.itemsize)),
        read_bytes=lambda places: bytes(memory.gather_at(places, 1)),
    )


def draw_array(shape: Ints, byte_strides: Ints, itemsize: int) -> Diagram | None:
    """A NumPy array; its bytes, where no dtype has that itemsize, or a byte stride is no multiple.

    Then a last dim is added, which goes through the bytes of one element.
    """
    if 0 in shape:
        return None
    if itemsize not in DTYPES or any(step % itemsize for step in byte_strides):
        given = Shown(from_zero((*shape, itemsize), (*byte_strides, 1)), 1)
        return draw_over_bytes({"the bytes, the last dim within one element": given})
    return draw_over_bytes({"array": array(shape, byte_strides, itemsize)})


def array(shape: Ints, byte_strides: Ints, itemsize: int) -> Shown:
    """A NumPy array whose byte strides are multiples of the itemsize."""
    stride = tuple(step // itemsize for step in byte_strides)
    return Shown(from_zero(shape, stride), itemsize, "numpy")


def from_zero(size: Ints, stride: Ints) -> Layout:
    """The layout whose lowest position is 0, also with negative strides."""
    reach = Layout(size, stride).reach
    return Layout(size, stride, 0 if reach is None else -reach[0])


def _end(layout: Layout) -> int:
    return layout.storage_offset + 1 if layout.reach is None else layout.reach[1] + 1
