"""Of view and reshape."""

from random import Random

from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question, Spot


def can_it_be_viewed(chance: Random) -> Question:
    """After a transpose."""
    a, b, c = sizes(chance, 3, most=5)
    new, answer = chance.choice(
        (
            (f"({a * c}, {b})", False),
            (f"({a}, {c * b})", False),
            (f"({a}, {c}, {b}, 1)", True),
            (f"({a}, 1, {c}, {b})", True),
            (f"({a * b * c},)", False),
        )
    )
    return Question(
        f"`x = torch.zeros({a}, {b}, {c}).transpose(1, 2)` has size ({a}, {c}, {b}) and stride "
        f"({b * c}, 1, {c}). Can it be viewed as {new}?",
        answer,
        "no two dims have to become one."
        if answer
        else "two neighbours would have to merge, and one hop of the left one is not as long as "
        "the whole right one.",
        "Which neighbours have to become one dim? Is the stride of the left one the size times the "
        "stride of the right one?",
        tried(f"x.view{new}", f"x = torch.zeros({a}, {b}, {c}).transpose(1, 2)"),
    )


def stride_of_a_view(chance: Random) -> Question:
    """A chunk keeps its last stride."""
    a, b, c = sizes(chance, 3, least=3, most=6)
    answer = (b * c, 1)
    return Question(
        f"`x = torch.zeros({a}, {b}, {c})[:, :2]` has size ({a}, 2, {c}) and stride "
        f"({b * c}, {c}, 1). It can be viewed as ({a}, {2 * c}). With which stride?",
        answer,
        "each chunk keeps the stride of its last dim, and the gap after it stays.",
        "Dim 0 stays as it is. The other two become one: how far is one step of that?",
        f"torch.zeros({a}, {b}, {c})[:, :2].view({a}, {2 * c}).stride()",
        mistakes=others(
            answer,
            {(2 * c, 1): "So it would be without gaps. Dim 0 still steps over what was left out."},
        ),
    )


def which_dims_cannot_merge(chance: Random) -> Question:
    """The seam."""
    a, b, c = sizes(chance, 3, most=6)
    slices, seam = chance.choice(
        ((f"[:, :{b - 1}]", 0), (f"[:, :, :{c - 1}]", 1), (".transpose(1, 2)", 1))
    )
    # After a transpose the last two never merge; nor do the first two.
    x = f"torch.zeros({a}, {b}, {c}){slices}"
    return Question(
        f"`x = torch.zeros({a}, {b}, {c}){slices}`. Does `x.view(-1)` work? If not: of its seams, "
        "take the one furthest to the right. Which dim stands on the left of it?",
        Spot(False, seam, "Left dim of the seam?"),
        "there one hop of the left dim is not as long as the whole right one.",
        "For each two neighbours: is the left stride the right size times the right stride?",
        f"x = {x}\nsize, stride = x.size(), x.stride()\n"
        "seams = [d for d in range(2) if stride[d] != size[d + 1] * stride[d + 1]]\n"
        "(not seams, seams[-1])",
    )


def minus_one(chance: Random) -> Question:
    """What -1 stands for."""
    a, b, c = sizes(chance, 3)
    new = chance.choice((f"(-1, {c})", f"({a}, -1)", f"({b}, -1, 1)"))
    ask = {f"(-1, {c})": 0}.get(new, 1)
    answer = {f"(-1, {c})": a * b, f"({a}, -1)": b * c, f"({b}, -1, 1)": a * c}[new]
    return Question(
        f"`torch.zeros({a}, {b}, {c}).view{new}`: what does -1 stand for?",
        answer,
        f"there are {a * b * c} elements, and the other sizes have to divide them.",
        "How many elements are there? Divide by the other sizes.",
        f"torch.zeros({a}, {b}, {c}).view{new}.size({ask})",
    )


def does_reshape_copy(chance: Random) -> Question:
    """Only where it must."""
    rows, columns = sizes(chance, 2, least=3)
    call, copies = chance.choice(
        (
            (f"x.reshape({rows * columns})", False),
            (f"x.t().reshape({rows * columns})", True),
            (f"x[:, 1:].reshape({rows}, 1, {columns - 1})", False),
            (f"x[:, 1:].reshape({rows * (columns - 1)})", True),
            (f"x[1:].reshape({(rows - 1) * columns})", False),
            (f"x.t().reshape({columns}, {rows}, 1)", False),
        )
    )
    return Question(
        f"`x = torch.arange({rows * columns}).view({rows}, {columns})`. Does `{call}` copy?",
        copies,
        "no header over the old storage reads the elements in this order."
        if copies
        else "there is a view of this size, and reshape gives it.",
        "Reshape copies only if there is no view. Which dims have to merge?",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})\n"
        f"{call}.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
    )


def a_write_after_reshape(chance: Random) -> Question:
    """Whether it arrives."""
    rows, columns = sizes(chance, 2)
    transposed = chance.random() < 0.5
    call = f"x.t().reshape({rows}, {columns})" if transposed else f"x.reshape({columns}, {rows})"
    return Question(
        f"`x = torch.arange({rows * columns}).view({rows}, {columns})` and `y = {call}`. Then "
        "`y[0, 0] = 100`. Is `x[0, 0]` 100 now?",
        not transposed,
        "this reshape is a copy, so the write stays there."
        if transposed
        else "this reshape is a view, so both see the write.",
        "Is `y` a view or a copy?",
        f"x = torch.arange({rows * columns}).view({rows}, {columns})\ny = {call}\n"
        "y[0, 0] = 100\nx[0, 0].item() == 100",
    )


def which_element_is_there(chance: Random) -> Question:
    """A view keeps reading order."""
    rows, columns = sizes(chance, 2)
    i, j = chance.randrange(columns), chance.randrange(rows)
    answer = i * rows + j
    return Question(
        f"`x = torch.arange({rows * columns}).view({rows}, {columns})`. What is "
        f"`x.view({columns}, {rows})[{i}, {j}]`?",
        answer,
        f"a view keeps reading order, and this is number {i} × {rows} + {j} in it.",
        "A view keeps reading order. Number the elements of the new grid.",
        f"torch.arange({rows * columns}).view({columns}, {rows})[{i}, {j}].item()",
        mistakes=others(answer, {j * columns + i: "That would be the transpose."}),
    )


def _viewed(call: str, header: str, new: str, answer: bool, reason: str, hint: str) -> Question:
    return Question(
        f"`{call}` has {header}. Does `{call}.view{new}` work?",
        answer,
        reason,
        hint,
        tried(f"{call}.view{new}", "t = torch.arange(12).view(3, 4)"),
    )


def the_transpose_in_blocks(_chance: Random) -> Question:
    """A seam that is not crossed. Always the same question."""
    return _viewed(
        "t.t()",
        "size (4, 3) and stride (1, 4)",
        "(2, 2, 3)",
        True,
        "the 4 is split in two, and the rows of 3 stay as they are.",
        "The last size, 3, stays. Only the 4 becomes 2 and 2. Can one step lead over two rows?",
    )


def the_left_half_in_one_row(_chance: Random) -> Question:
    """Unequal gaps. Always the same question."""
    return _viewed(
        "t[:, :2]",
        "size (3, 2) and stride (4, 1)",
        "(6)",
        False,
        "it reads 0, 1, 4, 5, 8, 9, and no single stride leads along that.",
        "Write down its numbers in reading order. Are they all equally far apart?",
    )


def every_other_column_in_one_row(_chance: Random) -> Question:
    """Equal gaps. Always the same question."""
    return _viewed(
        "t[:, ::2]",
        "size (3, 2) and stride (4, 2)",
        "(6)",
        True,
        "it reads 0, 2, 4, 6, 8, 10: a stride of 2 leads along that.",
        "Write down its numbers in reading order. Are they all equally far apart?",
    )


def a_write_after_every_other_column(_chance: Random) -> Question:
    """Through reshape. Always the same question."""
    return Question(
        "`y = t[:, ::2].reshape(6)`, and then `y[0] = 100`. Is `t[0, 0]` 100 now?",
        True,
        "here `reshape` is a view, so the write arrives.",
        "Reshape copies only if there is no view. What did you say of `t[:, ::2].view(6)`?",
        "t = torch.arange(12).view(3, 4)\nt[:, ::2].reshape(6)[0] = 100\nt[0, 0].item() == 100",
    )
