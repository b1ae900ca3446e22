"""Memory diagrams: a tensor's grid above, its storage strip below.

Eight functions, each of which gives a `Diagram`:

- `draw(x)`: one tensor or several, grouped by the storage they share.
- `draw_change(x, change)`: before and after an operation.
- `draw_steps(x, *steps)`: a chain of operations, with what is copied on the way.
- `draw_resize(x, *size)`: what `resize_` would do.
- `draw_view(x, *size)`: a view, or what makes it impossible.
- `draw_as_strided(x, size, stride, storage_offset)`: any header over a storage, even one that
  leaves it.
- `draw_pixels(x)`: an image as it looks, read through its header.
- `draw_warp(x)`: what the threads of a GPU touch at once, wanted or not.

They take stridekit tensors, torch tensors on any device, NumPy arrays, and whatever else offers
its memory or holds tensors (docs/tensors.md tells how each is drawn). What several of them take
means the same in each: `title`, `values`, `bytes`, `dims`, `color_by`, `palette`, `select`, `ax`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from inspect import currentframe
from typing import TYPE_CHECKING, Any, SupportsIndex

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.live import set_live
from stridekit.diagrams.motion import MovingDiagram
from stridekit.diagrams.pixel_diagram import PixelDiagram, draw_pixels
from stridekit.diagrams.scenes import arguments, changes
from stridekit.diagrams.scenes.arguments import truth
from stridekit.diagrams.scenes.cells import Options
from stridekit.diagrams.scenes.colouring import colour_by_of, handed_on
from stridekit.diagrams.scenes.compose import compose
from stridekit.diagrams.scenes.notation import in_one_notation
from stridekit.diagrams.scenes.statistics import with_statistics
from stridekit.diagrams.steps import Chain
from stridekit.diagrams.warp_diagram import WarpDiagram, draw_warp
from stridekit.errors import ArgumentError, InteropError, StorageError, quoted
from stridekit.layouts.whole_numbers import counting, sizes_of
from stridekit.tensors.interop import Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Diagram",
    "PixelDiagram",
    "WarpDiagram",
    "draw",
    "draw_as_strided",
    "draw_change",
    "draw_pixels",
    "draw_resize",
    "draw_steps",
    "draw_view",
    "draw_warp",
    "set_live",
]


def draw(
    *tensors: object,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    palette: object = None,
    select: object = None,
    written: object = None,
    traverse: object = False,
    line: SupportsIndex = 64,
    stats: bool = False,
    all: bool = False,  # noqa: A002 - all of them
    ax: "Axes | None" = None,
) -> Diagram:
    """A diagram of tensors: the grid of each, and the storage that it lies on.

    Give a tensor, several, a list, or a dict of names to tensors. Those that share memory stand
    over one strip; several storages are called A, B, and so on. The fill of a cell depends on its
    address alone, so a transpose or a slice shows the same fills in other places. Each fill is one
    index of a dim: of the outermost dim, or of one further in where that shows what changed places,
    such as the heads of an attention tensor. A tensor that is a part of another one is outlined in
    it.

    - `values=False`: the cells show their positions instead.
    - `bytes=True`: the bytes of each element stand below it.
    - `dims="NCHW"`, or `"batch heads"`, or a sequence: names of the first tensor's dims, which its
      views and tensors of its size take over; a dict gives each tensor its own.
    - `color_by=1`, or a dim's name: a fill for each index of that dim of the first tensor.
      `color_by="element"`: a fill for each element, which a copy's elements bring along.
    - `palette=picture`: the fills of an earlier picture. An address keeps its fill, and so does
      an element that was copied: the one at the same index of a tensor of the same size.
    - `select=(1, 2)`: one element of the first tensor, and the way to it, a hop per dim.
    - `written=(1, 2)`, or a list of indices: what a write has reached, in all tensors.
    - `traverse=True`: visit numbers in reading order, and cache lines of `line` bytes. The dims
      from the outermost loop to the innermost, such as `(1, 0)`, for another order.
    - `stats=True`: mean, standard deviation (of these elements: divided by their number), smallest
      and largest, of the finite elements of each tensor; and of one that is not shown whole a map
      of its last two dims, in at most 16 × 16 blocks. For this, everything is read.
    - `all=True`: a grid for every tensor on a storage, and a line under its strip. Otherwise eight
      have grids and four have lines, and the others are counted.
    - `ax`: matplotlib axes to draw on.

    A tensor on another device is drawn like one here: only what is shown is fetched. One without
    memory (meta, fake) shows positions in place of values. Where memory holds something else than
    the tensor says (conjugates, quantised codes), the grid shows what it says, and the strip what
    memory holds. What is stored in several tensors (sparse, nested, masked, wrapped) shows each of
    them, with a fill for each row of a sparse or nested whole; records show each of their fields;
    what holds tensors (a list in a list, a module) shows each by its name. `select` and the like
    then speak of the first. Elements that lie at no multiple of their size stand over a strip of
    bytes. Nothing is changed, and without `stats` nothing beyond what is shown is read.

    Raises ArgumentError for what is not a tensor, InteropError for one that has no memory to look
    at, StorageError for one whose header leaves its memory, IndexRangeError for an index that
    leaves the tensor, DimError for a dim that is not there.

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
    given = arguments.named_tensors("draw", tensors, heading)
    named = arguments.subjects_of("draw", given, dims)
    first_name, first = named[0]
    name = first_name if len(named) == 1 else ""
    asked = values, bytes, color_by, palette, select
    options = _options("draw", name, first, heading, *asked)._replace(
        written=()
        if written is None
        else arguments.indices_of("draw", "written", written, first.layout),
        traverse=arguments.loop_order("draw", traverse, first.layout),
        line=arguments.line_of("draw", line, first.element_size) if traverse else 64,
        all=truth("draw", "all", all),
    )
    told = truth("draw", "stats", stats)
    scene = in_one_notation(compose(named, options))
    return Diagram(with_statistics(scene, named) if told else scene, ax)


def draw_change(
    tensors: object,
    change: Callable[..., object],
    *,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    palette: object = None,
    motion: bool = False,
    ax: "Axes | None" = None,
) -> Diagram:
    """Before and after: what `change(tensor)` does to the header, to the storage, or to both.

    The change is carried out, on the very tensor. What it returns is shown after; the tensor
    itself if it returns None. A new header over the same storage shares one strip with the old
    one; a write shows where it went; a copy shows which element went where, and each element
    keeps its fill. So does a value that is copied to another place, as when attention's heads are
    merged, if no two values are equal. Give a dict of names to tensors to watch several: `change`
    takes them all. `dims`, `color_by` and `palette` are those of `draw`, of the tensors before.

    With `motion=True` the SVG, which is what a notebook shows, plays the change once: copied
    elements travel from the old strip to the new one, written values spread from the strip, and
    where only the header is new, memory stands still while the new grid is read from it, cell
    after cell; at most 200 of them. The picture is whole without motion: on paper, and for whoever
    asks for less of it, nothing moves. Figures, PNGs and texts show the end.

    Raises ArgumentError for what is not a tensor, and for motion on axes; what `change` raises
    passes through.

    >>> d = sk.draw_change(sk.arange(6).view(2, 3).t(), lambda t: t.contiguous())
    >>> d.scene.moves[:3]
    (Move(start=0, end=0), Move(start=3, end=1), Move(start=1, end=2))
    """
    if not callable(change):
        raise ArgumentError(
            f"draw_change: change is a function, such as lambda t: t.contiguous(), and "
            f"{quoted(change)} is none."
        )
    if (moves := truth("draw_change", "motion", motion)) and ax is not None:
        raise ArgumentError(
            "draw_change: axes stand still. Leave out motion, or leave out ax and show the SVG."
        )
    named = dict(arguments.named_tensors("draw_change", (tensors,)))
    before = arguments.subjects_of("draw_change", [*named.items()], dims)
    heading = arguments.heading("draw_change", title)
    asked = values, bytes, color_by, palette
    options = _options("draw_change", "", before[0][1], heading, *asked)
    scene_of = changes.look_before(named, before, options)
    scene = in_one_notation(scene_of(change(*named.values())))
    return MovingDiagram(scene) if moves else Diagram(scene, ax)


def draw_steps(
    tensor: object,
    *steps: object,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    select: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """A chain of operations in one picture: a row for each, and whether memory stays or is copied.

    A step is a text, as it stands behind a dot, such as "transpose(1, 2)", with names that are
    known where `draw_steps` is called; or a function, of which each method that it calls is a row.
    The steps are carried out, on the very tensor. A copy says how many bytes and why, and its
    elements bring their fills along. A step that fails is drawn with its reason, and ends the
    chain. `select` outlines one element of the tensor in each row. The other words are those of
    `draw`. Raises ArgumentError for what is not a tensor, no step, or more than twelve of them.

    >>> x = sk.arange(6).view(2, 3)
    >>> for row in sk.draw_steps(x, "t()", "reshape(6)").scene.sections[1:]:
    ...     print(f"{row.label}: {row.told}")
    1 · t(): The same memory: nothing is copied.
    2 · reshape(6): Copied, 48 bytes: dims 0 and 1 cannot merge, because stride[0] is 1 and \
merging needs size[1] × stride[1] = 2 × 3 = 6.
    """
    frame: Any = currentframe()
    names = {**frame.f_back.f_globals, **frame.f_back.f_locals}
    name, given, subject = arguments.one_tensor("draw_steps", tensor, dims=dims)
    heading = arguments.heading("draw_steps", title)
    asked = values, bytes, color_by, None, select
    options = _options("draw_steps", "", subject, heading, *asked)
    if not steps:
        raise ArgumentError(
            'draw_steps: no step is given. Write one as text, such as draw_steps(x, "t()"), or '
            "give a function."
        )
    chain = Chain(name or "before", given, subject, options)
    for step in steps:
        if chain.failed is None:
            chain.take(step, names)
    return Diagram(in_one_notation(chain.scene()), ax)


def draw_resize(
    tensor: object,
    *size: Any,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    palette: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """What `resize_(*size)` would do to a header and its storage. The tensor stays as it is.

    `dims`, `color_by` and `palette` are those of `draw`.

    Raises SizeError for a negative size, StorageError where the storage may not grow or
    autograd watches it, ArgumentError for what has no `resize_`.

    >>> print(sk.draw_resize(sk.arange(2), 3).scene.notes[0])
    The storage grows from 2 to 3 elements. What is new is not initialised.
    """
    heading = arguments.heading("draw_resize", title)
    name, given, subject = arguments.one_tensor("draw_resize", tensor, heading, dims)
    asked = values, bytes, color_by, palette
    options = _options("draw_resize", name, subject, heading, *asked)
    if subject.library == "numpy":
        raise ArgumentError(
            "draw_resize: resize_ is torch's, and a NumPy array has none. Give "
            "torch.from_numpy(array)."
        )
    if getattr(given, "requires_grad", False) is True:
        raise StorageError("draw_resize: resize_ refuses what requires grad. Give x.detach().")
    new_size = counting("draw_resize", sizes_of("draw_resize", size))
    return Diagram(in_one_notation(changes.resize(name, subject, new_size, options)), ax)


def draw_view(
    tensor: object,
    *size: Any,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    palette: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """A view of another size over the same storage, or what makes it impossible.

    An impossible view shows the two dims that would have to merge, the hop that their strides
    make, and the one that is needed. One size may be -1. `dims`, `color_by` and `palette` are
    those of `draw`. Raises SizeError for another number of elements (ATen/TensorUtils.cpp,
    computeStride).

    >>> print(sk.draw_view(sk.arange(8).view(2, 4).t(), 8).scene.notes[1])
    stride[0] = 1 ≠ size[1] × stride[1] = 2 × 4 = 8
    """
    heading = arguments.heading("draw_view", title)
    name, _, subject = arguments.one_tensor("draw_view", tensor, heading, dims)
    asked = values, bytes, color_by, palette
    options = _options("draw_view", name, subject, heading, *asked)
    new_size = sizes_of("draw_view", size)
    return Diagram(in_one_notation(changes.view(name, subject, new_size, options)), ax)


def draw_as_strided(
    tensor: object,
    size: Iterable[SupportsIndex],
    stride: Iterable[SupportsIndex],
    storage_offset: SupportsIndex | None = None,
    *,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    palette: object = None,
    select: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """Any header over a tensor's storage, whether it stays inside or not.

    `torch.as_strided` refuses a header that leaves the storage; here what lies outside is
    computed, shown, and never read. Strides may be negative. Offset and strides are in elements;
    the offset is the tensor's own unless it is given. `dims` and `color_by` name dims of the new
    header, and `palette` is that of `draw`. Raises LayoutError for what is no header.

    >>> d = sk.draw_as_strided(sk.arange(12), (3, 4), (5, 1))
    >>> print(d.scene.notes[0])
    Out of bounds: index (2, 3) lies at position 13, and the storage ends at 11. torch refuses \
such a header.
    """
    call = "draw_as_strided"
    heading = arguments.heading(call, title)
    name, _, subject = arguments.one_tensor(call, tensor, heading)
    if subject.in_bytes:
        raise InteropError(
            f"{call}: the elements of this array lie at no multiple of their size, so strides in "
            "elements cannot say where. Copy it first: array.copy()."
        )
    layout = arguments.header(call, subject.layout, size, stride, storage_offset)
    strided = replace(subject, layout=layout, names=())
    ((_, strided),) = arguments.with_names(call, dims, [("", strided)])
    options = _options(call, name, strided, heading, values, bytes, color_by, palette, select)
    told = changes.bounds_text(layout, strided.storage_length)
    return Diagram(in_one_notation(compose([(name, strided)], options).noted(told)), ax)


def _options(
    call: str,
    name: str,
    first: Subject,
    heading: str,
    values: object,
    bytes_: object,
    color_by: object,
    palette: object = None,
    select: object = None,
) -> Options:
    """What is asked of any picture, checked. `select` and `color_by` are of its first tensor.

    The heading is left out where it is the `name` of a tensor without company.
    """
    return Options(
        call,
        "" if name == heading else heading,
        values=truth(call, "values", values),
        bytes=truth(call, "bytes", bytes_),
        select=None if select is None else arguments.index_of(call, "select", select, first.layout),
        colour_by=colour_by_of(call, color_by, first),
        palette=handed_on(call, palette, color_by),
    )
