"""Of channels_last, cache lines and speed."""

from random import Random

from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def _switches(code: str) -> str:
    return f"len(torch.unique_consecutive({code} * 8 // 64))"


def elements_in_a_line(_chance: Random) -> Question:
    """Of the lesson's own grid."""
    return Question(
        "A line has 32 bytes here. How many elements of `grid = torch.arange(32, "
        "dtype=torch.int32).view(4, 8)` are in a line, at 4 bytes each?",
        8,
        "32 bytes, 4 for each element: a line is exactly one row.",
        "How many times do 4 bytes fit into 32?",
        "torch.arange(32, dtype=torch.int32)\n32 // torch.int32.itemsize",
        mistakes={32: "Those are bytes.", 4: "Those are the bytes of an element."},
    )


def switches_of_the_grid_by_rows(_chance: Random) -> Question:
    """Its rows are its lines."""
    return Question(
        "A loop visits a grid of size (4, 8), 4 bytes an element, row by row. Lines have 32 bytes, "
        "and the grid begins at one. How many line switches does the loop make?",
        4,
        "each row is one line, and the loop enters each once.",
        "How often does the loop leave a line for another one? The first visit counts too.",
        "grid = torch.arange(32).view(4, 8)  # each its own position\n"
        "len(torch.unique_consecutive(grid.flatten() * 4 // 32))",
        mistakes={3: "The first visit counts too.", 32: "That is the number of visits."},
    )


def switches_of_the_grid_by_columns(_chance: Random) -> Question:
    """And each step down leaves one."""
    return Question(
        "A loop visits a grid of size (4, 8), 4 bytes an element, lines of 32 bytes, column "
        "by column. How many line switches does it make?",
        32,
        "the next visit is always in another row, and so in another line.",
        "Where is the element that comes after the first one of a column?",
        "grid = torch.arange(32).view(4, 8)  # each its own position\n"
        "len(torch.unique_consecutive(grid.t().flatten() * 4 // 32))",
        mistakes={
            4: "There are 4 lines, but the loop comes back to each of them.",
            8: "That is the number of columns. Within a column, too, lines change.",
            31: "The first visit counts too.",
        },
    )


def switches_by_rows(chance: Random) -> Question:
    """One pass over the storage."""
    rows, columns = chance.randrange(3, 12), 8 * chance.randrange(1, 4)
    answer = rows * columns // 8
    return Question(
        f"float64 has 8 bytes, and a cache line 64. A contiguous grid of size ({rows}, {columns}) "
        "begins at a line. Read it row by row: how often does one come to another line, the first "
        "included?",
        answer,
        f"{rows} × {columns} × 8 bytes, in lines of 64, each entered once.",
        "How many bytes are it in all? Each line is entered once.",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})  # each its own position\n"
        + _switches("x.flatten()"),
        mistakes=others(answer, {rows: "A row takes more than one line."}),
    )


def switches_by_columns(chance: Random) -> Question:
    """Each visit another line."""
    rows, columns = chance.randrange(3, 12), 8 * chance.randrange(1, 4)
    answer = rows * columns
    return Question(
        f"The same, column by column: float64, lines of 64 bytes, a contiguous grid of size "
        f"({rows}, {columns}). How often does one come to another line?",
        answer,
        "a row takes whole lines, so the next visit, in another row, is always in another line.",
        "The next visit is always in another row. Can two rows share a line here?",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})  # each its own position\n"
        + _switches("x.t().flatten()"),
        mistakes=others(answer, {rows * columns // 8: "That is row by row."}),
    )


def stride_of_channels_last(chance: Random) -> Question:
    """Pixels side by side."""
    n, c, h, w = sizes(chance, 4, most=6)
    answer = (h * w * c, 1, w * c, c)
    return Question(
        f"What is the stride of a channels_last tensor of size ({n}, {c}, {h}, {w})?",
        answer,
        "the channels of a pixel are neighbours; then comes the next column, row and image.",
        "The channels lie side by side. How far is it to the next column, then to the next row?",
        f"torch.zeros({n}, {c}, {h}, {w}).to(memory_format=torch.channels_last).stride()",
        mistakes=others(
            answer,
            {
                (c * h * w, h * w, w, 1): "That is the contiguous one.",
                (h * w * c, w * c, c, 1): "The stride keeps the order of the size: N, C, H, W.",
            },
        ),
    )


def does_the_size_change(chance: Random) -> Question:
    """A memory format changes no size."""
    n, c, h, w = sizes(chance, 4, most=6)
    return Question(
        f"`x` has size ({n}, {c}, {h}, {w}). What is the size of "
        "`x.to(memory_format=torch.channels_last)`?",
        (n, c, h, w),
        "a memory format says where elements lie, and every index stays as it was.",
        "Is channels_last a permute?",
        f"torch.zeros({n}, {c}, {h}, {w}).to(memory_format=torch.channels_last).size()",
        mistakes={(n, h, w, c): "That would be a permute. A memory format changes no index."},
    )


def lines_of_a_column(chance: Random) -> Question:
    """One column of a wide grid."""
    rows, columns = chance.randrange(4, 20), chance.choice((8, 16, 32))
    answer = rows
    return Question(
        f"A contiguous grid of float64, 8 bytes each, has size ({rows}, {columns}). How many cache "
        "lines of 64 bytes does one read for a single column?",
        answer,
        "rows take whole lines, so each element of a column has a line of its own.",
        "How many bytes is one row? So can two elements of a column share a line?",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})  # each its own position\n"
        "len(set((x[:, 0] * 8 // 64).tolist()))",
        mistakes=others(answer, {-(-rows // 8): "So many, if a column lay in one piece."}),
    )


def is_it_channels_last(chance: Random) -> Question:
    """An image from a file, permuted."""
    h, w = sizes(chance, 2, least=3)
    call, answer, why = chance.choice(
        (
            ("photo.permute(2, 0, 1)[None]", True, "the channels of a pixel are neighbours still."),
            ("photo.permute(2, 0, 1)[None].contiguous()", False, "contiguous put them in planes."),
            ("photo.permute(2, 0, 1)[None] + 1", True, "the sum is laid out like its source."),
        )
    )
    return Question(
        f"`photo = torch.zeros({h}, {w}, 3)`, as files have it: H, W, C. Is `{call}` in "
        "channels_last?",
        answer,
        why,
        "Do the three channels of a pixel lie side by side in it?",
        f"photo = torch.zeros({h}, {w}, 3)\n"
        f"({call}).is_contiguous(memory_format=torch.channels_last)",
    )


def bytes_read_for_one_column(chance: Random) -> Question:
    """What a cache line costs."""
    rows = chance.randrange(4, 20)
    answer = rows * 64
    return Question(
        f"One column of a contiguous grid of size ({rows}, 16) in float64 has {rows * 8} bytes. "
        "Memory comes in lines of 64 bytes. How many bytes are fetched?",
        answer,
        f"{rows} lines of 64 bytes, and an eighth of them is used.",
        "How many lines does the column touch?",
        f"x = torch.arange({rows * 16}).view({rows}, 16)  # each its own position\n"
        "64 * len(set((x[:, 0] * 8 // 64).tolist()))",
        mistakes={rows * 8: "Those are the bytes of the column alone."},
    )


def which_line_loses_it(_chance: Random) -> Question:
    """Of layers that keep channels_last, and one that does not."""
    lines = {
        "nn.MaxPool2d(2)": "torch.nn.functional.max_pool2d(x, 2)",
        "nn.ReLU()": "x.relu()",
        "torch.cat([x, down, right], dim=1)": "torch.cat([x, down, right], dim=1)",
        "nn.Conv2d(10, 8, 3, padding=1)": (
            "torch.nn.functional.conv2d(x, torch.zeros(8, 2, 3, 3).to(memory_format=last))"
        ),
    }
    made = ", ".join(f'"{line}": {call}' for line, call in lines.items())
    return Question(
        "The batch and all weights are in channels_last. Which line gives a tensor that is not?",
        "torch.cat([x, down, right], dim=1)",
        "its parts have different layouts, and then the result is contiguous.",
        "Layers with one input keep its order. Which line gets several tensors, made differently?",
        "last = torch.channels_last\n"
        "x = torch.zeros(4, 2, 8, 6).to(memory_format=last)\n"
        "down = torch.zeros(8, 1).expand(4, 1, 8, 6)\n"
        "right = torch.zeros(6).expand(4, 1, 8, 6)\n"
        f"made = {{{made}}}\n"
        "(lost,) = (n for n, y in made.items() if not y.is_contiguous(memory_format=last))\n"
        "lost",
        options=tuple(lines),
        shown="x = torch.zeros(4, 2, 8, 6).to(memory_format=torch.channels_last)\n"
        "down = torch.zeros(8, 1).expand(4, 1, 8, 6)\n"
        "x.stride(), torch.cat([x, down], dim=1).stride()",
    )
