"""Every picture that stridekit draws, each with the code that makes it.

    make gallery

writes the pictures, and README.md, which shows them. A test compares both with what this file
makes today.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from stridekit import Diagram, draw, draw_as_strided, draw_change, draw_resize, draw_view

HERE = Path(__file__).resolve().parent
PICTURES: dict[str, Callable[[], Diagram]] = {}
# Those that are also kept as they are on dark pages: every state of a cell is in one of them.
DARK = ("expand", "impossible-view", "resize-grows", "out-of-bounds", "traversal-by-columns")


def picture(make: Callable[[], Diagram]) -> Callable[[], Diagram]:
    """Hang a picture in the gallery."""
    PICTURES[make.__name__.replace("_", "-")] = make
    return make


@picture
def row_and_column_major() -> Diagram:
    """The four classic pictures: two grids, two storages.

    Both tensors hold the same numbers at the same indices. Row-major storage holds them row by
    row, column-major storage column by column. Equal fills lie together in memory.
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

    A dark corner marks what has changed.
    """
    x = torch.arange(12).view(3, 4)
    views = {"x": x, "x[1]": x[1], "x.t()": x.t(), "x[::2]": x[::2]}
    x[1, 2] = 100
    return draw(views, written=(1, 2), title="x[1, 2] = 100")


@picture
def expand() -> Diagram:
    """Stride 0: one row of memory, shown three times.

    Pale, dashed cells are the same memory once more. In the strip, each slot says how many
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
def sixteen_by_sixteen() -> Diagram:
    """Up to 256 elements are shown whole, in small cells. From the sixth on, fills have a hatch."""
    return draw(torch.arange(256, dtype=torch.uint8).view(16, 16))


@picture
def a_thousand_by_a_thousand() -> Diagram:
    """More is shown by its ends."""
    return draw(torch.arange(1_000_000).view(1000, 1000))


@picture
def ten_trillion() -> Diagram:
    """60,000,000,000,000 elements, 6 of them in memory. It takes no longer than a 3 x 4 grid."""
    x = torch.arange(6).view(1, 3, 2)
    return draw(x.expand(10_000_000_000_000, 3, 2))


@picture
def no_elements() -> Diagram:
    """A slice that holds nothing. The storage is still there."""
    x = torch.arange(6).view(2, 3)
    return draw(x[:, 3:], title="x[:, 3:]")


@picture
def rank_0() -> Diagram:
    """One element, no dims."""
    return draw(torch.tensor(3.5))


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
        "with\n\n```python\nimport numpy as np\nimport torch\n\nfrom stridekit import draw, "
        "draw_as_strided, draw_change, draw_resize, draw_view\n```",
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


def main() -> None:
    """Write all pictures, and the page."""
    for old in HERE.glob("**/*.svg"):
        old.unlink()
    for name, make in PICTURES.items():
        make().save(HERE / f"{name}.svg")
    (HERE / "dark").mkdir(exist_ok=True)
    for name in DARK:
        PICTURES[name]().save(HERE / "dark" / f"{name}.svg", theme="dark")
    (HERE / "README.md").write_text(page(), encoding="utf-8")
    print(f"{len(PICTURES)} pictures, and docs/gallery/README.md")


if __name__ == "__main__":
    main()
