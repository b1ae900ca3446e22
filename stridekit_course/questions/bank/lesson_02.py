"""From index to position."""

from random import Random

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def _inside(chance: Random, size: Ints) -> Ints:
    """An index whose numbers are not 0, so that each stride counts."""
    return tuple(chance.randrange(1, n) for n in size)


def _sum(index: Ints, stride: Ints, offset: int = 0) -> str:
    hops = " + ".join(f"{i} × {step}" for i, step in zip(index, stride, strict=True))
    return f"{offset} + {hops}" if offset else hops


def slot_of_an_element(_chance: Random) -> Question:
    """In the lesson's own grid."""
    return Question(
        "`t` is `torch.arange(100, 112).view(3, 4)`. In which slot of its storage does `t[1, 2]` "
        "lie?",
        6,
        "one row down is 4 slots, and two columns to the right are 2 more.",
        "The rows lie one after another. How many elements do you pass?",
        "torch.arange(100, 112).view(3, 4)[1, 2].storage_offset()",
        mistakes={
            3: "One step down is more than one slot: you pass the rest of a row.",
            5: "A row has 4 elements.",
            7: "Slots are counted from 0, as indices are.",
            106: "That is what lies there. In which slot does it lie?",
        },
    )


def end_of_a_row(_chance: Random) -> Question:
    """Neighbours in memory that are none in the grid."""
    return Question(
        "In `t`, of size (3, 4), `t[0, 3]` ends the first row and `t[1, 0]` begins the second. Its "
        "numbers lie in memory row after row, without gaps. How many slots further on than "
        "`t[0, 3]` does `t[1, 0]` lie?",
        1,
        "the second row begins right behind the first.",
        "What lies in the slot behind the last element of a row?",
        "t = torch.zeros(3, 4)\nt[1, 0].storage_offset() - t[0, 3].storage_offset()",
        mistakes={
            4: "That is one step straight down. This one goes back to the first column too.",
            0: "Then both would lie in one slot.",
        },
    )


def first_slot_of_a_view(_chance: Random) -> Question:
    """Where a view begins."""
    return Question(
        "`t` has size (3, 4), begins in slot 0, and lies in memory row after row. `tail = t[1:]`. "
        "In which slot does `tail[0, 0]` lie?",
        4,
        "`tail` begins where the second row of `t` begins.",
        "Which element of `t` is it?",
        "torch.zeros(3, 4)[1:][0, 0].storage_offset()",
        mistakes={
            0: "The first row of `t` is still there, and `tail` begins behind it.",
            1: "`t[1:]` leaves out a whole row, and that is more than one slot.",
            3: "A row has 4 elements: how many are the columns?",
        },
    )


def position_in_a_grid(chance: Random) -> Question:
    """Two products."""
    size = sizes(chance, 2, least=3)
    layout = Layout.of(size)
    index = _inside(chance, size)
    answer = layout.position(index)
    return Question(
        f"A tensor has size {size}, stride {layout.stride} and storage offset 0. At which position "
        f"does [{index[0]}, {index[1]}] lie?",
        answer,
        f"{_sum(index, layout.stride)}.",
        "Each number of the index, times its stride; added up.",
        f"torch.zeros{size}[{index[0]}, {index[1]}].storage_offset()",
        mistakes=others(
            answer,
            {
                sum(index): "One step is as many slots as the stride says.",
                index[1] * layout.stride[0] + index[0]: "The first number of the index goes with "
                "the first stride.",
            },
        ),
    )


def position_with_an_offset(chance: Random) -> Question:
    """The offset comes first."""
    size = sizes(chance, 2, least=3)
    stride = Layout.of(size).stride
    offset = chance.randrange(2, 9)
    index = _inside(chance, size)
    answer = Layout(size, stride, offset).position(index)
    return Question(
        f"A tensor has size {size}, stride {stride} and storage offset {offset}. At which position "
        f"does [{index[0]}, {index[1]}] lie?",
        answer,
        f"{_sum(index, stride, offset)}.",
        "Begin at the storage offset, and add each number of the index times its stride.",
        f"torch.zeros(200).as_strided({size}, {stride}, {offset})[{index[0]}, {index[1]}]"
        ".storage_offset()",
        mistakes=others(answer, {answer - offset: "The storage offset is missing."}),
    )


def position_in_three_dims(chance: Random) -> Question:
    """Three products."""
    size = sizes(chance, 3, most=5)
    layout = Layout.of(size)
    index = _inside(chance, size)
    return Question(
        f"A tensor has size {size}, stride {layout.stride} and storage offset 0. At which position "
        f"does [{', '.join(map(str, index))}] lie?",
        layout.position(index),
        f"{_sum(index, layout.stride)}.",
        "Three products, added up.",
        f"torch.zeros{size}[{', '.join(map(str, index))}].storage_offset()",
    )


def position_of_the_last(chance: Random) -> Question:
    """The largest index."""
    size = sizes(chance, 2, least=3)
    stride = (size[1] + chance.randrange(1, 4), 1)
    answer = Layout(size, stride).position((size[0] - 1, size[1] - 1))
    return Question(
        f"A tensor has size {size}, stride {stride} and storage offset 0. At which position does "
        "its last element lie?",
        answer,
        f"it is [{size[0] - 1}, {size[1] - 1}], at {_sum((size[0] - 1, size[1] - 1), stride)}.",
        "Which index does the last element have? Indices begin at 0.",
        f"torch.zeros(200).as_strided({size}, {stride})[-1, -1].storage_offset()",
        mistakes=others(
            answer,
            {
                size[0] * size[1] - 1: "That would be so without the gaps between the rows.",
                answer + 1: "Positions begin at 0.",
            },
        ),
    )


def view_of_later_rows(chance: Random) -> Question:
    """An index of a view."""
    rows, columns = sizes(chance, 2, least=4)
    first = chance.randrange(1, rows - 2)
    i, j = 1, chance.randrange(1, columns)
    answer = (first + i) * columns + j
    return Question(
        f"`t` has size ({rows}, {columns}), stride ({columns}, 1) and storage offset 0. In the "
        f"storage, at which position does `t[{first}:][{i}, {j}]` lie?",
        answer,
        f"`t[{first}:]` begins at position {first * columns}, and from there it is "
        f"{i} × {columns} + {j} more.",
        f"`t[{first}:]` has a storage offset. Which?",
        f"torch.zeros({rows}, {columns})[{first}:][{i}, {j}].storage_offset()",
        mistakes=others(answer, {i * columns + j: "That is where `t` itself has this index."}),
    )


def bytes_from_the_start(chance: Random) -> Question:
    """Positions in bytes."""
    size = sizes(chance, 2, least=3)
    index = _inside(chance, size)
    position = Layout.of(size).position(index)
    dtype, itemsize = chance.choice((("float32", 4), ("int64", 8), ("int16", 2)))
    return Question(
        f"A contiguous tensor of {dtype}, {itemsize} bytes each, has size {size}. How many bytes "
        f"from its beginning does [{index[0]}, {index[1]}] start?",
        position * itemsize,
        f"position {position}, times {itemsize} bytes.",
        "The position first, in elements; then the bytes of one.",
        f"x = torch.zeros({size}, dtype=torch.{dtype})\n"
        f"x[{index[0]}, {index[1]}].data_ptr() - x.data_ptr()",
        mistakes={position: "That is in elements."},
    )


def which_index_is_there(chance: Random) -> Question:
    """Backwards."""
    rows, columns = sizes(chance, 2, least=3)
    index = _inside(chance, (rows, columns))
    at = index[0] * columns + index[1]
    return Question(
        f"A tensor has size ({rows}, {columns}), stride ({columns}, 1) and storage offset 0. Which "
        f"index lies at position {at}?",
        index,
        f"{at} is {index[0]} × {columns} + {index[1]}.",
        "How many whole rows fit before this position, and what is left over?",
        f"tuple((torch.arange({rows * columns}).view({rows}, {columns}) == {at})"
        ".nonzero()[0].tolist())",
        mistakes=others(index, {index[::-1]: "The first number says which row."}),
    )


def one_step_along(chance: Random) -> Question:
    """What a stride is."""
    size = sizes(chance, 3, most=5)
    layout = Layout.of(size)
    dim = chance.randrange(3)
    answer = layout.stride[dim]
    return Question(
        f"A tensor has size {size} and stride {layout.stride}. How many slots further does one "
        f"step along dim {dim} lead?",
        answer,
        "that is what the stride of a dim says.",
        "Dims are counted from 0.",
        f"torch.zeros{size}.stride({dim})",
        mistakes=others(answer, {size[dim]: "That is its size: how many indices it has."}),
    )
