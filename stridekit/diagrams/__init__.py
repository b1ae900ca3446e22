"""Memory diagrams: a tensor's grid above, its storage strip below.

Five functions, each of which gives a `Diagram`:

- `draw(x)`: one tensor or several, grouped by the storage they share.
- `draw_change(x, change)`: before and after an operation.
- `draw_resize(x, *size)`: what `resize_` would do.
- `draw_view(x, *size)`: a view, or what makes it impossible.
- `draw_as_strided(x, size, stride, storage_offset)`: any header over a storage, even one that
  leaves it.

They take stridekit tensors, torch tensors and NumPy arrays alike, and the same words mean the
same in each: `title`, `values`, `bytes`, `select`, `ax`.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.live import set_live
from stridekit.diagrams.scenes import arguments, changes, previews
from stridekit.diagrams.scenes.compose import Options, compose
from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Layout, as_int
from stridekit.tensors.interop import Subject
from stridekit.tensors.views import sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Diagram",
    "draw",
    "draw_as_strided",
    "draw_change",
    "draw_resize",
    "draw_view",
    "set_live",
]


def draw(
    *tensors: object,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    select: object = None,
    written: object = None,
    traverse: object = False,
    line: SupportsIndex = 64,
    ax: "Axes | None" = None,
) -> Diagram:
    """A diagram of tensors: the grid of each, and the storage that it lies on.

    Give a tensor, several, a list, or a dict of names to tensors. Those that share memory stand
    over one strip. The fill of a cell depends on its address alone, so a transpose or a slice
    shows the same fills in other places.

    - `values=False`: the cells show their positions instead.
    - `bytes=True`: the bytes of each element stand below it.
    - `select=(1, 2)`: one element of the first tensor, and the way to it, a hop per dim.
    - `written=(1, 2)`, or a list of indices: what a write has reached, in all tensors.
    - `traverse=True`: visit numbers in reading order, and cache lines of `line` bytes. The dims
      from the outermost loop to the innermost, such as `(1, 0)`, for another order.
    - `ax`: matplotlib axes to draw on.

    Raises ArgumentError for what is no tensor, InteropError for one that has no memory to look
    at, IndexRangeError for an index that leaves the tensor.

    >>> print(sk.draw(sk.arange(6).view(2, 3).t()).text())
    size (3, 2) · stride (1, 3) · offset 0 · int64
    <BLANKLINE>
                                dim 1 · size 2 · stride 3
                              │ 0  3
    dim 0 · size 3 · stride 1 │ 1  4
                              │ 2  5
    <BLANKLINE>
    storage · 6 elements of 8 bytes
    position 0  1  2  3  4  5
    value    0  1  2  3  4  5
    """
    heading = arguments.heading("draw", title)
    named = arguments.subjects_of("draw", arguments.named_tensors("draw", tensors, heading))
    first_name, first = named[0]
    options = Options(
        title="" if len(named) == 1 and first_name == heading else heading,
        values=bool(values),
        bytes=bool(bytes),
        select=None
        if select is None
        else arguments.index_of("draw", "select", select, first.layout),
        written=()
        if written is None
        else arguments.indices_of("draw", "written", written, first.layout),
        traverse=arguments.loop_order("draw", traverse, first.layout),
        line=arguments.line_of("draw", line, first.itemsize) if traverse else 64,
    )
    return Diagram(compose(named, options), ax)


def draw_change(
    tensors: object,
    change: Callable[..., object],
    *,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    ax: "Axes | None" = None,
) -> Diagram:
    """Before and after: what `change(tensor)` does to the header, to the storage, or to both.

    The change is carried out, on the very tensor. What it returns is shown after; the tensor
    itself if it returns None. A new header over the same storage shares one strip with the old
    one; a write shows where it went; a copy shows which element went where, and each element
    keeps its fill. Give a dict of names to tensors to watch several: `change` takes them all.

    Raises ArgumentError for what is no tensor; what `change` raises passes through.

    >>> d = sk.draw_change(sk.arange(6).view(2, 3).t(), lambda t: t.contiguous())
    >>> d.scene.moves[:3]
    (Move(start=0, end=0), Move(start=3, end=1), Move(start=1, end=2))
    """
    if not callable(change):
        raise ArgumentError(
            f"draw_change: change is a function, such as lambda t: t.contiguous(), and "
            f"{change!r:.40} is none."
        )
    options = Options(
        "draw_change",
        arguments.heading("draw_change", title),
        values=bool(values),
        bytes=bool(bytes),
    )
    named = arguments.named_tensors("draw_change", (tensors,))
    return Diagram(changes.change(dict(named), change, options), ax)


def draw_resize(
    tensor: object,
    *size: Any,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    ax: "Axes | None" = None,
) -> Diagram:
    """What `resize_(*size)` would do to a header and its storage. The tensor stays as it is.

    Raises SizeError for a negative size, StorageError where the storage may not grow,
    ArgumentError for what has no `resize_`.

    >>> print(sk.draw_resize(sk.arange(2), 3).scene.notes[0])
    The storage grows from 2 to 3 elements. What is new is not initialised.
    """
    name, subject, options = _one("draw_resize", tensor, title, values=values, bytes=bytes)
    if subject.library == "numpy":
        raise ArgumentError(
            "draw_resize: resize_ is torch's, and a NumPy array has none. Give "
            "torch.from_numpy(array)."
        )
    new_size = arguments.not_negative("draw_resize", sizes_of("draw_resize", size))
    return Diagram(previews.resize(name, subject, new_size, options), ax)


def draw_view(
    tensor: object,
    *size: Any,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    ax: "Axes | None" = None,
) -> Diagram:
    """A view of another size over the same storage, or what makes it impossible.

    An impossible view shows the two dims that would have to merge, the hop that their strides
    make, and the one that is needed. One size may be -1. Raises SizeError for another number of
    elements (ATen/TensorUtils.cpp, computeStride).

    >>> print(sk.draw_view(sk.arange(8).view(2, 4).t(), 8).scene.notes[0])
    stride[0] = 1 ≠ size[1]·stride[1] = 2·4 = 8
    """
    name, subject, options = _one("draw_view", tensor, title, values=values, bytes=bytes)
    new_size = sizes_of("draw_view", size)
    return Diagram(previews.view(name, subject, new_size, options), ax)


def draw_as_strided(
    tensor: object,
    size: Iterable[SupportsIndex],
    stride: Iterable[SupportsIndex],
    storage_offset: SupportsIndex | None = None,
    *,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    select: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """Any header over a tensor's storage, whether it stays inside or not.

    `torch.as_strided` refuses a header that leaves the storage; here what lies outside is
    computed, shown, and never read. Strides may be negative. Offset and strides are in elements;
    the offset is the tensor's own unless it is given. Raises LayoutError for what is no header.

    >>> d = sk.draw_as_strided(sk.arange(12), (3, 4), (5, 1))
    >>> print(d.scene.notes[0])
    Out of bounds: index (2, 3) lies at position 13, and the storage ends at 11. torch refuses \
such a header.
    """
    call = "draw_as_strided"
    name, subject, options = _one(call, tensor, title, values=values, bytes=bytes)
    offset = subject.layout.storage_offset
    if storage_offset is not None:
        offset = as_int(call, "storage_offset", storage_offset)
    layout = Layout(
        arguments.sizes(call, "size", size), arguments.sizes(call, "stride", stride), offset
    )
    if select is not None:
        options = options._replace(select=arguments.index_of(call, "select", select, layout))
    return Diagram(previews.as_strided(name, subject, layout, options), ax)


def _one(
    call: str,
    tensor: object,
    title: str | None,
    *,
    values: bool,
    bytes: bool,  # noqa: A002
) -> tuple[str, Subject, Options]:
    """One tensor, by its title if it has no other name, and what is asked of its picture."""
    name = arguments.heading(call, title)
    named = arguments.named_tensors(call, (tensor,), name)
    if len(named) != 1:
        raise ArgumentError(f"{call}: give one tensor, and not {len(named)}. draw takes several.")
    ((known, subject),) = arguments.subjects_of(call, named)
    options = Options(call, "" if known == name else name, values=bool(values), bytes=bool(bytes))
    return known, subject, options
