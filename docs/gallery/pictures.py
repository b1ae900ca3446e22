"""Every picture that stridekit draws, each with the code that makes it.

    make gallery

writes the pictures, and README.md, which shows them. A test compares both with what this file
makes today.
"""

import ast
import inspect
import re
import textwrap
import warnings
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import numpy as np
import torch

from stridekit import (
    Diagram,
    Layout,
    arange,
    draw,
    draw_as_strided,
    draw_change,
    draw_pixels,
    draw_resize,
    draw_steps,
    draw_view,
    draw_warp,
    face,
)

HERE = Path(__file__).resolve().parent
PICTURES: dict[str, Callable[[], Diagram]] = {}
# Those that are laid out for a page of so many pixels: scaled to it, they could not be read.
WIDTHS = {"attention-heads": 720, "many-tensors": 720}
# Those that are also kept as they are on dark pages: every state of a cell is in one of them.
DARK = ("expand", "impossible-view", "resize-grows", "out-of-bounds", "traversal-by-columns")


def picture(make: Callable[[], Diagram]) -> Callable[[], Diagram]:
    """Hang a picture in the gallery."""

    @wraps(make)
    def made() -> Diagram:
        with warnings.catch_warnings():
            # torch says of some kinds of tensors that they are new, of others that they will go.
            warnings.simplefilter("ignore")
            return make()

    PICTURES[make.__name__.replace("_", "-")] = made
    return made


@picture
def row_and_column_major() -> Diagram:
    """The four classic pictures: two grids, two storages.

    Both tensors hold the same numbers at the same indices. Row-major storage holds them row by
    row, column-major storage column by column. An element has the same fill in both.
    """
    rows = torch.arange(12).view(3, 4)
    columns = rows.t().contiguous().t()
    return draw({"row-major": rows, "column-major": columns})


@picture
def transpose() -> Diagram:
    """A transpose moves nothing.

    The fills in the strip stay where they are; the grid shows them in other places.
    """
    x = torch.arange(12).view(3, 4)
    return draw({"x": x, "x.t()": x.t()})


@picture
def permute() -> Diagram:
    """Three dims: slabs of dim 0 from left to right."""
    x = torch.arange(24).view(2, 3, 4)
    return draw({"x": x, "x.permute(1, 0, 2)": x.permute(1, 0, 2)})


@picture
def slices() -> Diagram:
    """A slice has an offset, a stepped one larger strides.

    The lines under the strip show which slots each tensor reaches.
    """
    x = torch.arange(20).view(4, 5)
    return draw({"x": x, "x[1:3, 1:4]": x[1:3, 1:4], "x[::2, ::2]": x[::2, ::2]})


@picture
def unreached_storage() -> Diagram:
    """Drawn alone, a slice still stands on the whole storage; what it skips is hatched."""
    x = torch.arange(20).view(4, 5)
    return draw(x[1:3, 1:4], title="x[1:3, 1:4]")


@picture
def aliases_and_a_write() -> Diagram:
    """Four tensors, one storage: a write through one of them is seen by all that reach it.

    A bar under its value marks what has changed.
    """
    x = torch.arange(12).view(3, 4)
    views = {"x": x, "x[1]": x[1], "x.t()": x.t(), "x[::2]": x[::2]}
    x[1, 2] = 100
    return draw(views, written=(1, 2), title="x[1, 2] = 100")


@picture
def expand() -> Diagram:
    """Stride 0: one row of memory, shown three times.

    Dashed cells are the same memory once more. In the strip, each slot says how many
    indices share it.
    """
    row = torch.tensor([10, 20, 30, 40])
    return draw({"row": row, "row.expand(3, 4)": row.expand(3, 4)})


@picture
def windows() -> Diagram:
    """Overlapping windows: one element, several indices."""
    x = torch.arange(8)
    return draw(x.unfold(0, 4, 2), title="x.unfold(0, 4, 2)")


@picture
def out_of_bounds() -> Diagram:
    """A header that leaves its storage. What lies outside is computed, and never read."""
    x = torch.arange(12)
    return draw_as_strided(x, size=(3, 4), stride=(5, 1), title="as_strided")


@picture
def resize_grows() -> Diagram:
    """`resize_` keeps storage order, not the elements that you saw; new memory holds anything."""
    x = torch.arange(12).view(3, 4)
    return draw_resize(x, 3, 5)


@picture
def resize_keeps() -> Diagram:
    """A smaller size takes nothing away from the storage."""
    x = torch.arange(12).view(3, 4)
    return draw_resize(x, 2, 3)


@picture
def contiguous() -> Diagram:
    """`contiguous()` writes the elements out in reading order. Follow one arrow."""
    x = torch.arange(12).view(3, 4)
    return draw_change({"x.t()": x.t()}, lambda t: t.contiguous(), title="x.t().contiguous()")


@picture
def channels_last() -> Diagram:
    """Channel by channel before, pixel by pixel after: all channels of a pixel lie together."""
    image = torch.arange(12).view(1, 3, 2, 2)
    return draw_change(
        {"image": image},
        lambda t: t.contiguous(memory_format=torch.channels_last),
        title="image.contiguous(memory_format=torch.channels_last)",
    )


@picture
def channels_last_beside_contiguous() -> Diagram:
    """One index, two places: where `[0, 1, 0, 1]` lies in either format."""
    image = torch.arange(12).view(1, 3, 2, 2)
    other = image.contiguous(memory_format=torch.channels_last)
    return draw({"contiguous": image, "channels_last": other}, select=(0, 1, 0, 1))


@picture
def attention_heads() -> Diagram:
    """Heads and positions swapped, as attention does it: a head keeps its fill.

    The batch has two items, so its fills would say little; the fills go by the first dim inwards
    that changed places.
    """
    q = torch.arange(96).view(2, 3, 4, 4)
    views = {"q": q, "q.transpose(1, 2)": q.transpose(1, 2)}
    return draw(views, dims="batch heads position depth")


@picture
def channels_last_pixels() -> Diagram:
    """In channels_last a pixel's three channels lie side by side: each pixel has a fill."""
    image = torch.arange(12).view(1, 3, 2, 2).contiguous(memory_format=torch.channels_last)
    return draw(image, dims="NCHW", title="a channels_last image")


@picture
def colours_by_a_named_dim() -> Diagram:
    """Two storages, A and B, of the same elements, coloured by channel in each."""
    image = torch.arange(48).view(1, 3, 4, 4)
    other = image.contiguous(memory_format=torch.channels_last)
    return draw({"contiguous": image, "channels_last": other}, dims="NCHW", color_by="C")


@picture
def colours_by_element() -> Diagram:
    """A fill for each element: follow any one from the grid to the strip."""
    x = torch.arange(12).view(3, 4)
    return draw({"x": x, "x.t()": x.t()}, color_by="element")


@picture
def colours_handed_on() -> Diagram:
    """A later picture keeps the colours of an earlier one: the copy's elements have their own."""
    x = torch.arange(12).view(3, 4)
    earlier = draw({"x": x, "x.t()": x.t()})
    return draw({"y": x.t().contiguous()}, palette=earlier, title="y = x.t().contiguous()")


@picture
def a_slice_in_its_parent() -> Diagram:
    """What a slice reaches is outlined in the tensor that it is a part of."""
    x = torch.arange(30).view(5, 6)
    return draw({"x": x, "x[1:4, 2:5]": x[1:4, 2:5]}, dims="HW")


@picture
def write_in_place() -> Diagram:
    """Before and after a write through a view."""
    x = torch.arange(12).view(3, 4)
    tensors = {"x": x, "column": x[:, 1]}
    return draw_change(tensors, lambda _, column: column.fill_(0), title="column.fill_(0)")


@picture
def possible_view() -> Diagram:
    """A view is another grid over the same strip, read in the same order."""
    x = torch.arange(12).view(3, 4)
    return draw_view(x, 2, 6, title="x")


@picture
def impossible_view() -> Diagram:
    """Why `view` refuses, as a picture.

    To become one dim, the rows of `t` would have to follow each other: after the three elements
    of a row the next would have to lie 12 slots on. It lies one slot on.
    """
    t = torch.arange(12).view(3, 4).t()
    return draw_view(t, 12, title="t")


@picture
def impossible_view_of_a_slice() -> Diagram:
    """Here the rows are too far apart: the next one is needed 2 slots on, and lies 4 on."""
    x = torch.arange(12).view(3, 4)
    return draw_view(x[:, :2], 6, title="x[:, :2]")


@picture
def way_to_an_element() -> Diagram:
    """One hop per dim: index times stride."""
    x = torch.arange(100, 112).view(3, 4)
    return draw(x, select=(1, 2), title="x")


@picture
def way_across_a_long_storage() -> Diagram:
    """Most of 10,000 slots are left out, and the way is still there."""
    x = torch.arange(10_000).view(100, 100)
    return draw(x[50:52, 3:6], select=(1, 1), title="x[50:52, 3:6]")


@picture
def traversal_by_rows() -> Diagram:
    """Visiting row by row: each cache line is loaded once."""
    x = torch.arange(100, 132, dtype=torch.int32).view(4, 8)
    return draw(x, traverse=True, line=32, title="x")


@picture
def traversal_by_columns() -> Diagram:
    """Visiting column by column: every visit goes to another cache line."""
    x = torch.arange(100, 132, dtype=torch.int32).view(4, 8)
    return draw(x, traverse=(1, 0), line=32, title="x")


@picture
def numpy_and_torch() -> Diagram:
    """Two headers over the same bytes: NumPy counts its strides in bytes, torch in elements."""
    array = np.arange(6).reshape(2, 3)
    tensor = torch.from_numpy(array)
    return draw({"array": array, "tensor": tensor})


@picture
def negative_strides() -> Diagram:
    """NumPy can read backwards: from the offset on, the last hop leads back."""
    array = np.arange(6).reshape(2, 3)
    return draw({"array[:, ::-1]": array[:, ::-1]}, select=(1, 2))


@picture
def dtype_view() -> Diagram:
    """The same twelve bytes as three numbers, as six, and as they are."""
    x = torch.tensor([1, -2, 300], dtype=torch.int32)
    return draw({"x": x, "x.view(torch.int16)": x.view(torch.int16)})


@picture
def four_dims() -> Diagram:
    """Dim 0 runs down and dim 1 across, in panels of dims 2 and 3."""
    return draw(torch.arange(24).view(2, 2, 2, 3))


@picture
def five_dims() -> Diagram:
    """Dims before the last four lead from block to block."""
    return draw(torch.arange(32).view(2, 2, 2, 2, 2))


@picture
def six_dims() -> Diagram:
    """Two dims that lead: their blocks stand as the indices of a grid do."""
    return draw(torch.arange(64).view(2, 2, 2, 2, 2, 2))


@picture
def many_tensors() -> Diagram:
    """Twelve tensors on one storage, all of them asked for."""
    x = torch.arange(12).view(3, 4)
    rows = {f"x[{i}]": x[i] for i in range(3)}
    columns = {f"x[:, {j}]": x[:, j] for j in range(4)}
    corners = {f"x[{i}:, {j}:]": x[i:, j:] for i in (0, 1) for j in (1, 2)}
    return draw({"x": x, **rows, **columns, **corners}, all=True)


@picture
def sixteen_by_sixteen() -> Diagram:
    """Up to 256 elements are shown whole, in small cells. After twelve fills they begin again."""
    return draw(torch.arange(256, dtype=torch.uint8).view(16, 16))


@picture
def a_thousand_by_a_thousand() -> Diagram:
    """More is shown by its ends."""
    return draw(torch.arange(1_000_000).view(1000, 1000))


@picture
def statistics_and_a_map() -> Diagram:
    """What all elements are together, on request; and of a large tensor the means of its blocks."""
    rows, columns = torch.linspace(-1, 2, 300)[:, None], torch.linspace(0, 3, 200)
    return draw(torch.round(rows * columns, decimals=2), stats=True, title="slopes")


@picture
def ten_trillion() -> Diagram:
    """60,000,000,000,000 elements, 6 of them in memory. It takes no longer than a 3 × 4 grid."""
    x = torch.arange(6).view(1, 3, 2)
    return draw(x.expand(10_000_000_000_000, 3, 2))


@picture
def conjugate() -> Diagram:
    """`conj()` sets a bit, and copies nothing.

    The grid shows what the tensor says, the strip what memory holds: the same for both.
    """
    z = torch.tensor([[1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j]])
    return draw({"z": z, "z.conj()": z.conj()})


@picture
def meta() -> Diagram:
    """A header without memory: cells show positions, for there are no values."""
    x = torch.empty(3, 4, device="meta")
    return draw({"x": x, "x.t()": x.t()})


@picture
def sparse_csr() -> Diagram:
    """A sparse tensor is three tensors, each on a storage of its own.

    Row 1 has the values from number 1 to before number 3: crow_indices says so.
    """
    x = torch.tensor([[0, 5, 0, 0], [7, 0, 9, 0], [0, 0, 0, 0], [1, 0, 0, 2]])
    return draw(x.to_sparse_csr(), title="x")


@picture
def jagged() -> Diagram:
    """Rows of different lengths, one after another; offsets say where each begins."""
    rows = [torch.arange(1, 4), torch.arange(10, 12), torch.arange(20, 24)]
    x = torch.nested.nested_tensor(rows, layout=torch.jagged)
    return draw(x, title="x")


@picture
def quantised() -> Diagram:
    """Memory holds codes of a byte each; the grid shows what they stand for."""
    x = torch.tensor([[-1.0, 0.0, 0.5], [1.0, 1.5, 2.0]])
    return draw(torch.quantize_per_tensor(x, 0.5, 10, torch.quint8), title="x")


@picture
def records() -> Diagram:
    """A structured array: the fields of a record side by side, byte by byte.

    Elements of x lie 15 bytes apart, which is not a multiple of their 8: so the strip is drawn in
    bytes.
    """
    kind = [("id", np.int32), ("x", np.float64), ("tag", "S3")]
    people = np.array([(1, 2.5, b"ab"), (2, -1.0, b"cde")], dtype=kind)
    return draw(people, title="people")


@picture
def no_elements() -> Diagram:
    """A slice that holds nothing. The storage is still there."""
    x = torch.arange(6).view(2, 3)
    return draw(x[:, 3:], title="x[:, 3:]")


@picture
def rank_0() -> Diagram:
    """One element, no dims."""
    return draw(torch.tensor(3.5))


@picture
def pixels_of_a_face() -> Diagram:
    """An image is three strides: rows, pixels, channels.

    The picture comes with stridekit, to try headers on.
    """
    return draw_pixels(face(), title="face()")


@picture
def pixels_one_too_far() -> Diagram:
    """A stride that is a pixel too long: each row is drawn a pixel further to the left.

    At the end the header leaves the storage. What lies there is hatched, and never read.
    """
    grey = face("HW")
    return draw_pixels({"stride 96": grey, "stride 97": Layout((64, 96), (97, 1))})


@picture
def pixels_transposed() -> Diagram:
    """A transpose exchanges rows and columns; NumPy can read them backwards, too."""
    grey = face("HW").numpy()
    return draw_pixels({"x": grey, "x.T": grey.T, "x[:, ::-1]": grey[:, ::-1]})


@picture
def pixels_of_channels() -> Diagram:
    """An image that lies pixel by pixel, taken for one that lies channel by channel.

    `view` gives the size that is wanted, and a picture that nobody wants. `permute` gives both.
    """
    x = torch.from_numpy(face().numpy())
    return draw_pixels(
        {"x": x, "x.view(3, 64, 96)": x.view(3, 64, 96), "x.permute(2, 0, 1)": x.permute(2, 0, 1)}
    )


@picture
def pixels_of_channels_last() -> Diagram:
    """Two memory formats show one picture: only the strides are others."""
    x = torch.from_numpy(face("CHW").numpy())[None]
    other = x.contiguous(memory_format=torch.channels_last)
    return draw_pixels({"contiguous": x, "channels_last": other})


@picture
def pixels_stepped_and_repeated() -> Diagram:
    """Steps leave pixels out. With stride 0 one row, or one column, is shown again and again."""
    x = torch.from_numpy(face().numpy())
    row, column = x[30:31].expand(64, -1, -1), x[:, 40:41].expand(-1, 96, -1)
    return draw_pixels({"x": x, "x[::2, ::2]": x[::2, ::2], "one row": row, "one column": column})


@picture
def pixels_of_bgr() -> Diagram:
    """Channels that are read backwards: red and blue are exchanged. One pixel is outlined."""
    backwards = Layout((64, 96, 3), (288, 3, -1), 2)
    return draw_pixels({"RGB": face(), "BGR": backwards}, select=(8, 55))


@picture
def steps_of_attention() -> Diagram:
    """Attention's heads are merged: a chain of operations, row by row, and where it copies.

    Each element keeps its colour, so one sees where it goes; the outlined one is in every row.
    """
    batch, heads, time, depth = 1, 2, 4, 3
    x = torch.arange(24).view(batch, heads, time, depth)
    return draw_steps(
        {"x": x},
        "transpose(1, 2)",
        "reshape(batch, time, heads * depth)",
        dims="batch heads time depth",
        select=(0, 1, 2, 0),
    )


@picture
def steps_that_end() -> Diagram:
    """A step that fails says why, and ends the chain."""
    x = torch.arange(12).view(3, 4)
    return draw_steps(x, lambda x: x.t().contiguous().t().view(12))


@picture
def warp_along_rows() -> Diagram:
    """32 threads of a GPU read a row: four sectors come, and all of them is wanted.

    A sector is what memory gives at once there, 32 bytes. Each number is a thread.
    """
    return draw_warp({"x": torch.zeros(64, 64)}, along=1)


@picture
def warp_along_columns() -> Diagram:
    """The same threads read a column: each needs a sector of its own, and an eighth of it."""
    return draw_warp({"x": torch.zeros(64, 64)}, along=0)


@picture
def contiguous_in_motion() -> Diagram:
    """Elements travel from the old strip to the new one, in reading order. It plays once."""
    x = torch.arange(12).view(3, 4)
    return draw_change({"x.t()": x.t()}, lambda t: t.contiguous(), motion=True)


@picture
def permute_in_motion() -> Diagram:
    """Memory stands still. The new grid's cells are read from it, one after another."""
    x = torch.arange(24).view(2, 3, 4)
    return draw_change({"x": x}, lambda t: t.permute(1, 0, 2), motion=True)


@picture
def resize_in_motion() -> Diagram:
    """Memory stays, and is read anew: rows break at other places."""
    x = arange(12).view(3, 4)
    return draw_change({"x": x}, lambda t: t.resize_(3, 5), motion=True)


@picture
def write_in_motion() -> Diagram:
    """What is written through one tensor spreads from memory to all that show it."""
    x = torch.arange(12).view(3, 4)
    tensors = {"x": x, "column": x[:, 1], "x.t()": x.t()}
    return draw_change(tensors, lambda _x, column, _t: column.fill_(0), motion=True)


def code_of(make: Callable[[], Diagram]) -> str:
    """The lines that make a picture, as somebody would write them in a notebook."""
    source = textwrap.dedent(inspect.getsource(make))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    body = source.splitlines()[function.body[1].lineno - 1 :]
    return re.sub(r"^return ", "", textwrap.dedent("\n".join(body)), flags=re.MULTILINE)


def page() -> str:
    """The gallery as a page: heading, words, picture and code of each."""
    parts = [
        "# Gallery",
        "Every picture that stridekit draws, with the code that makes it. In a notebook, begin "
        "with\n\n```python\nimport numpy as np\nimport torch\n\nfrom stridekit import Layout, "
        "arange, draw, draw_as_strided\nfrom stridekit import draw_change, draw_pixels, "
        "draw_resize, draw_steps, draw_view, draw_warp, face\n```",
        "Fills tell which stretch of the storage an address belongs to, and never change: so a "
        "transpose is seen. Numbers under a strip are positions. Made by `make gallery`.",
    ]
    for name, make in PICTURES.items():
        heading = name.replace("-", " ").capitalize()
        alt = make().alt.replace("[", r"\[").replace("]", r"\]")
        words = re.sub(r"\n\n", "\n\n", inspect.getdoc(make) or "")
        parts += [
            f"## {heading}",
            words,
            f"![{alt}]({name}.svg)",
            f"```python\n{code_of(make)}\n```",
        ]
    parts += [
        "## In the dark",
        "On a dark page the same pictures are dark; fills keep their colours. "
        "[How pictures behave where](../pictures.md) says which pages tell.",
        *(f"![{name.replace('-', ' ')}, dark](dark/{name}.svg)" for name in DARK),
    ]
    return "\n\n".join(parts) + "\n"


def svg_of(name: str, diagram: Diagram) -> str:
    """A picture as it hangs in the gallery."""
    return diagram.svg(width=WIDTHS.get(name, 900))


def _write(path: Path, svg: str) -> None:
    path.write_text(f"{svg}\n", encoding="utf-8")


def main() -> None:
    """Write all pictures, and the page."""
    for old in HERE.glob("**/*.svg"):
        old.unlink()
    for name, make in PICTURES.items():
        _write(HERE / f"{name}.svg", svg_of(name, make()))
    (HERE / "dark").mkdir(exist_ok=True)
    for name in DARK:
        _write(HERE / "dark" / f"{name}.svg", PICTURES[name]().svg("dark"))
    (HERE / "README.md").write_text(page(), encoding="utf-8")
    print(f"{len(PICTURES)} pictures, and docs/gallery/README.md")


if __name__ == "__main__":
    main()
