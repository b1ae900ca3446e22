"""Row-major and column-major."""

from math import prod
from random import Random

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def _by_columns(size: Ints) -> Ints:
    return Layout.of(size[::-1]).stride[::-1]


def first_five(_chance: Random) -> Question:
    """The storage of the lesson's own grid."""
    return Question(
        "`columns` looks like `rows`, the grid of size (3, 4) with the numbers 0 to 11. In its "
        "storage the elements lie column after column. Which are the first five numbers there?",
        (0, 4, 8, 1, 5),
        "first comes the whole first column, 0, 4 and 8, and then the second one begins.",
        "Read the grid from top to bottom, and only then go one to the right.",
        "torch.arange(12).view(3, 4).t().flatten()[:5].tolist()",
        mistakes={
            (0, 1, 2, 3, 4): "These are the rows, one after another.",
            (0, 3, 6, 9, 1): "These are the positions that you pass when you read along a row.",
        },
    )


def columns_stride(_chance: Random) -> Question:
    """And its stride."""
    return Question(
        "What is the stride of `columns`?",
        (1, 3),
        "one step down is 1 slot; one step to the right leads over a whole column, and that has "
        "3 elements.",
        "How many slots is one step down, and how many is one step to the right?",
        "torch.arange(12).view(3, 4).t().contiguous().t().stride()",
        mistakes={
            (3, 1): "The first number is for dim 0, down; the second for dim 1, to the right.",
            (4, 1): "That is row-major: one step down leads over a row.",
            (1, 4): "A column has as many elements as there are rows.",
        },
    )


def row_major_stride(chance: Random) -> Question:
    """From the size."""
    size = sizes(chance, 3)
    stride = Layout.of(size).stride
    return Question(
        f"What is the row-major stride of size {size}?",
        stride,
        "each is the product of the sizes to its right, and the last one is 1.",
        "Begin with the last dim, whose stride is 1, and multiply by one size after another.",
        f"torch.empty{size}.stride()",
        mistakes={
            _by_columns(size): "That is the column-major one.",
            stride[::-1]: "The first number is for dim 0.",
        },
    )


def column_major_stride(chance: Random) -> Question:
    """From the size, the other way."""
    size = sizes(chance, 3)
    return Question(
        f"What is the column-major stride of size {size}, in elements?",
        _by_columns(size),
        "each is the product of the sizes to its left, and the first one is 1.",
        "Begin with dim 0, whose stride is 1, and multiply by one size after another.",
        f'x = np.empty({size}, order="F")\ntuple(s // x.itemsize for s in x.strides)',
        mistakes={
            Layout.of(size).stride: "That is the row-major one.",
            Layout.of(size[::-1]).stride: "That is the row-major stride of the sizes reversed; "
            "and the first number is for dim 0.",
        },
    )


def index_of_a_count(chance: Random) -> Question:
    """A count in reading order."""
    rows, columns = sizes(chance, 2)
    index = chance.randrange(1, rows), chance.randrange(1, columns)
    flat = index[0] * columns + index[1]
    return Question(
        f"In reading order, counted from 0: which index has number {flat} in size "
        f"({rows}, {columns})?",
        index,
        f"{flat} is {index[0]} times {columns}, and {index[1]} more.",
        "Divide by what a row holds: whole rows, and the remainder.",
        f"tuple(int(i) for i in np.unravel_index({flat}, ({rows}, {columns})))",
        mistakes=others(
            index,
            {divmod(flat, rows): "Divide by how many elements a row holds: that is the last size."},
        ),
    )


def slots_needed(chance: Random) -> Question:
    """A padded grid."""
    rows, columns = sizes(chance, 2)
    step = columns + chance.randrange(1, 4)
    last = (rows - 1) * step + columns - 1
    return Question(
        f"A tensor of size ({rows}, {columns}) and stride ({step}, 1) begins at position 0. How "
        "many slots must its storage have at least?",
        last + 1,
        f"the last element lies at position {last}, and positions begin at 0.",
        "Where does the last element lie? Positions begin at 0.",
        f"torch.empty_strided(({rows}, {columns}), ({step}, 1)).untyped_storage().nbytes() // 4",
        mistakes={
            last: "That is the last position. Positions begin at 0.",
            rows * columns: "That is the number of elements. The slots left out count too.",
            rows * step: "Behind the last element no slot is needed.",
        },
    )


def which_order(chance: Random) -> Question:
    """The stride tells the order."""
    size = sizes(chance, 2)
    is_rows = chance.random() < 0.5
    stride = Layout.of(size).stride if is_rows else _by_columns(size)
    return Question(
        f"A tensor has size {size} and stride {stride}. How does it lie in memory?",
        "row after row" if is_rows else "column after column",
        "the dim with stride 1 is the one whose elements are neighbours.",
        "Which step leads to the next slot: the one down, or the one to the right?",
        f'"row after row" if {stride}[1] == 1 else "column after column"',
        options=("row after row", "column after column"),
    )


def does_printing_tell(chance: Random) -> Question:
    """What cannot be seen from outside."""
    rows, columns = sizes(chance, 2)
    return Question(
        f"`a` and `b` have size ({rows}, {columns}) and the same number at each index. `a` is "
        "row-major, `b` column-major. Can `a.tolist()` and `b.tolist()` differ?",
        False,
        "whatever goes by the index gives the same for both.",
        "`tolist()` goes by the index, row after row of the grid.",
        f"a = torch.arange({prod((rows, columns))}).view({rows}, {columns})\n"
        "b = a.t().contiguous().t()\na.tolist() != b.tolist()",
    )


def both_at_once(chance: Random) -> Question:
    """C and F."""
    n = chance.randrange(3, 9)
    size = chance.choice(((n, 1), (1, n), (n,), (n, n + 1)))
    both = len(size) == 1 or 1 in size
    return Question(
        f"An array of shape {size} comes new from `np.zeros`. Is it F-contiguous, too?",
        both,
        "with one row or one column you pass its elements in the same order either way."
        if both
        else "row after row is another order here than column after column.",
        "Pass its elements row after row, and then column after column. Is it the same order?",
        f"np.zeros({size}).flags.f_contiguous",
    )


def stride_of_padded_rows(chance: Random) -> Question:
    """As a BMP file has them."""
    width = 4 * chance.randrange(3, 26) - chance.randrange(1, 4)
    padded = (width + 3) // 4 * 4
    return Question(
        f"A file of grey images has rows of {width} pixels, a byte each, and pads each row to a "
        "multiple of 4 bytes. With which stride do you read one image?",
        (padded, 1),
        f"each row begins {padded} bytes after the one before, and {padded - width} of them mean "
        "nothing.",
        "How far is it from the beginning of one row to the beginning of the next?",
        f"rows = np.zeros((8, {width}), np.uint8)\n"
        f"np.pad(rows, ((0, 0), (0, -{width} % 4)))[:, :{width}].strides",
        mistakes={
            (width, 1): "So each row would begin where the pixels of the row before end, in what "
            "was padded. The picture shears.",
            (1, padded): "The first number is for dim 0, down.",
        },
    )
