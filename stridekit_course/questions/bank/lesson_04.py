"""Slices: offset and step."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question

_GRID = "`t = torch.arange(15).view(3, 5)`"


def where_the_write_arrives(_chance: Random) -> Question:
    """The lesson's own slice."""
    return Question(
        f"{_GRID} and `s = t[1:, ::2]`. Then `s[0, 1] = 100`. Which index of `t` has 100 now?",
        (1, 2),
        "the slice begins in row 1, and its column 1 is column 2 of `t`.",
        "Which row of `t` is row 0 of `s`? And which columns of `t` does `s` keep?",
        "t = torch.arange(15).view(3, 5)\nt[1:, ::2][0, 1] = 100\n"
        "tuple((t == 100).nonzero()[0].tolist())",
        mistakes={
            (0, 1): "That is its index in `s`.",
            (1, 1): "The row is right. Of the columns, `s` keeps every second one.",
            (0, 2): "The column is right. In which row of `t` does `s` begin?",
        },
    )


def stride_of_the_slice(_chance: Random) -> Question:
    """And its stride."""
    return Question(
        f"{_GRID} and `s = t[1:, ::2]`. What is the stride of `s`?",
        (5, 2),
        "a row down is still 5 slots, and the next column that is kept is 2 slots on.",
        "How many slots is it from one row of `s` to the next, and from one column to the next?",
        "torch.arange(15).view(3, 5)[1:, ::2].stride()",
        mistakes={
            (5, 1): "That is the stride of `t`. But `s` keeps every second column.",
            (1, 2): "Those are the steps. One row down is many slots.",
            (3, 1): "That would be the stride of a copy.",
            (10, 2): "Only the columns have a step of 2.",
        },
    )


def does_the_list_arrive(_chance: Random) -> Question:
    """A list of rows."""
    return Question(
        f"{_GRID} and `r = t[[0, 2]]`. Then `r[0, 0] = -1`. Is `t[0, 0]` now -1?",
        False,
        "a list of rows makes a copy, and the write goes there.",
        "Between the brackets stands a list. Is its result a view of `t`?",
        "t = torch.arange(15).view(3, 5)\nr = t[[0, 2]]\nr[0, 0] = -1\nt[0, 0].item() == -1",
    )


def offset_of_a_slice(chance: Random) -> Question:
    """Start times stride."""
    rows, columns = sizes(chance, 2, least=4)
    i, j = chance.randrange(1, rows), chance.randrange(1, columns)
    answer = i * columns + j
    return Question(
        f"`x = torch.arange({rows * columns}).view({rows}, {columns})`. What is the storage "
        f"offset of `x[{i}:, {j}]`?",
        answer,
        f"{i} × {columns} + {j}: start times stride, added up over the dims.",
        "Where does the first element of the slice lie in the storage?",
        f"torch.arange({rows * columns}).view({rows}, {columns})[{i}:, {j}].storage_offset()",
        mistakes=others(answer, {i + j: "One row further is more than one slot."}),
    )


def stride_of_a_step(chance: Random) -> Question:
    """Each stride is multiplied by its step."""
    rows, columns = sizes(chance, 2, least=4)
    down, right = chance.sample((1, 2, 3), 2)
    answer = columns * down, right
    slices = ", ".join("::" + str(step) if step > 1 else ":" for step in (down, right))
    return Question(
        f"`x` has size ({rows}, {columns}) and stride ({columns}, 1). What is the stride of "
        f"`x[{slices}]`?",
        answer,
        "each stride is multiplied by its step.",
        "How many slots is it now from one row of the slice to the next, and from one column to "
        "the next?",
        f"torch.zeros({rows}, {columns})[{slices}].stride()",
        mistakes=others(
            answer,
            {
                (down, right): "Those are the steps. A step of rows is many slots.",
                (columns, 1): "That is the stride of `x`.",
            },
        ),
    )


def size_of_a_step(chance: Random) -> Question:
    """Rounded up."""
    n = chance.randrange(5, 14)
    start, step = chance.randrange(0, 3), chance.randrange(2, 4)
    answer = len(range(start, n, step))
    return Question(
        f"How many elements does `torch.arange({n})[{start}::{step}]` have?",
        answer,
        f"they are {', '.join(map(str, range(start, n, step)))}.",
        "Write them down: begin with the start, and add the step.",
        f"torch.arange({n})[{start}::{step}].numel()",
        mistakes=others(answer, {(n - start) // step: "The last one counts too: round up."}),
    )


def does_a_write_arrive(chance: Random) -> Question:
    """The kind of index decides."""
    rows, columns = sizes(chance, 2, least=3)
    index, arrives = chance.choice(
        (
            ("[0:2]", True),
            ("[[0, 1]]", False),
            ("[0]", True),
            ("[:, ::2]", True),
            ("[torch.tensor([0, 1])]", False),
            ("[x > -1]", False),
            ("[None]", True),
        )
    )
    return Question(
        f"`x = torch.arange({rows * columns}).view({rows}, {columns})` and `y = x{index}`. Then "
        "`y.fill_(100)`. Is `x[0, 0]` 100 now?",
        arrives,
        "numbers, slices and None give a view."
        if arrives
        else "a list, a tensor or a mask as an index gives a copy.",
        "Is this index made of numbers, slices and None, or is there a list, a tensor or a mask?",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})\ny = x{index}\n"
        "y.fill_(100)\nx[0, 0].item() == 100",
    )


def a_number_takes_a_dim(chance: Random) -> Question:
    """And a slice keeps it."""
    size = sizes(chance, 3, most=6)
    index, answer = chance.choice(
        (
            ("[1]", size[1:]),
            ("[:, 0]", (size[0], size[2])),
            ("[..., 1]", size[:2]),
            ("[0:1]", (1, *size[1:])),
            ("[:, 1:2]", (size[0], 1, size[2])),
        )
    )
    return Question(
        f"`x` has size {size}. What is the size of `x{index}`?",
        answer,
        "a number takes its dim away, a slice keeps it, even with one element.",
        "Which dim does the index speak of? And is it a number, or a slice?",
        f"torch.zeros{size}{index}.size()",
    )


def slice_of_a_slice(chance: Random) -> Question:
    """Headers add up."""
    n = chance.randrange(14, 20)
    first, step, second = chance.randrange(1, 4), chance.randrange(2, 4), chance.randrange(1, 3)
    answer = first + step * second
    return Question(
        f"`x = torch.arange({n})`. What is the storage offset of `x[{first}::{step}][{second}:]`?",
        answer,
        f"the first slice begins at {first}; the second goes {second} × {step} further.",
        "The second slice counts elements of the first one. How far apart do they lie?",
        f"torch.arange({n})[{first}::{step}][{second}:].storage_offset()",
        mistakes=others(
            answer, {first + second: "In the first slice, neighbours are not neighbours in memory."}
        ),
    )


def one_column(chance: Random) -> Question:
    """Its stride."""
    rows, columns = sizes(chance, 2, least=3)
    at = chance.randrange(columns)
    answer = Layout.of((rows, columns)).stride[:1]
    return Question(
        f"`x` has size ({rows}, {columns}) and stride ({columns}, 1). What is the stride of one "
        f"column, `x[:, {at}]`? It has one number.",
        answer,
        f"one step down leads over a row, {columns} slots.",
        "From one element of the column to the next: how many slots?",
        f"torch.zeros({rows}, {columns})[:, {at}].stride()",
        mistakes=others(answer, {(1,): "That is one step to the right."}),
    )


def backwards(chance: Random) -> Question:
    """Where NumPy and torch differ."""
    n = chance.randrange(4, 9)
    library = chance.choice(("torch", "NumPy"))
    code = (
        f"np.arange({n})[::-1].base is not None"
        if library == "NumPy"
        else tried(f"torch.arange({n})[::-1]", error="ValueError")
    )
    return Question(
        f"Does {library} take `x[::-1]`, a step backwards?",
        library == "NumPy",
        "NumPy has negative strides."
        if library == "NumPy"
        else "torch has no negative strides; `flip` copies.",
        "It needs a negative stride. Which of the two has those?",
        code,
    )
