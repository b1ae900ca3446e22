"""What contiguous means."""

from random import Random

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question, Spot


def _swapped(size: Ints) -> tuple[Ints, Ints]:
    stride = Layout.of(size).stride
    return (*size[:-2], size[-1], size[-2]), (*stride[:-2], stride[-1], stride[-2])


def is_it_contiguous(chance: Random) -> Question:
    """From size and stride."""
    size = sizes(chance, 3, most=5)
    kind = chance.randrange(4)
    if kind == 0:
        stride = Layout.of(size).stride
    elif kind == 1:
        size, stride = _swapped(size)
    elif kind == 2:
        stride = Layout.of((*size[:2], size[2] + 1)).stride
    else:
        stride = (7, *Layout.of(size[1:]).stride)
        size = (1, *size[1:])
    answer = Layout(size, stride).is_contiguous
    return Question(
        f"A tensor has size {size} and stride {stride}. Is it contiguous?",
        answer,
        "every stride is as expected; a dim of size 1 does not count."
        if answer
        else "some stride is not the product of the sizes to its right.",
        "Go from the last dim to the first: expect 1, then the product of the sizes so far. Pass "
        "over dims of size 1.",
        f"torch.empty_strided({size}, {stride}).is_contiguous()",
    )


def where_it_fails(chance: Random) -> Question:
    """The first dim, from the right."""
    size = sizes(chance, 3, most=5)
    dim = chance.randrange(3)
    strides = [*Layout.of(size).stride]
    for each in range(dim + 1):
        strides[each] *= 2
    stride = tuple(strides)
    return Question(
        f"A tensor has size {size} and stride {stride}. Go from the last dim to the first. Is it "
        "contiguous? If not, which dim is the first whose stride is not as expected?",
        Spot(False, dim, rank=3),
        f"at dim {dim} the stride is {stride[dim]}, and {stride[dim] // 2} is expected.",
        "Expect 1 for the last dim, and then the product of the sizes to the right.",
        f"size, stride, expected = {size}, {stride}, torch.empty{size}.stride()\n"
        "(stride == expected, max(d for d in range(3) if stride[d] != expected[d]))",
    )


def what_is_expected(chance: Random) -> Question:
    """The product of the sizes to the right."""
    size = sizes(chance, 4, most=6)
    dim = chance.randrange(2)
    answer = Layout.of(size).stride[dim]
    return Question(
        f"A tensor has size {size}. Which stride must dim {dim} have if it is contiguous?",
        answer,
        f"{' × '.join(map(str, size[dim + 1 :]))} = {answer}.",
        f"Multiply the sizes to the right of dim {dim}.",
        f"torch.empty{size}.stride({dim})",
        mistakes=others(
            answer,
            {
                size[dim + 1]: "That is the next size alone.",
                answer * size[dim]: "You multiplied by its own size too.",
            },
        ),
    )


def size_one(chance: Random) -> Question:
    """A stride that nobody steps along."""
    n = chance.randrange(3, 8)
    odd = chance.randrange(10, 90)
    return Question(
        f"A tensor has size (1, {n}) and stride ({odd}, 1). Is it contiguous?",
        True,
        "dim 0 has one index only, so nothing ever steps along it, whatever its stride says.",
        "How often does one step along dim 0?",
        f"torch.empty_strided((1, {n}), ({odd}, 1)).is_contiguous()",
    )


def after_an_operation(chance: Random) -> Question:
    """Which of them keep it."""
    size = sizes(chance, 2, least=4)
    call, answer, why = chance.choice(
        (
            ("x[1:]", True, "whole rows without gaps; an offset does not matter."),
            ("x[:, 1:]", False, "at the end of each row of the slice there is a gap."),
            ("x.t()", False, "reading order jumps from column to column."),
            ("x[::2]", False, "rows are left out between those of the slice."),
            ("x[2]", True, "one row has no gaps."),
            ("x[:, 0]", False, "from one element of a column to the next it is a row."),
            ("x.t().t()", True, "twice swapped is as it was."),
            ("x.unsqueeze(1)", True, "a dim of size 1 does not count."),
        )
    )
    return Question(
        f"`x = torch.zeros{size}`. Is `{call}` contiguous?",
        answer,
        why,
        "Read it in reading order, with a finger on the storage. Does the finger go slot by slot?",
        f"x = torch.zeros{size}\n{call}.is_contiguous()",
    )


def offset_and_contiguous(chance: Random) -> Question:
    """An offset has no say."""
    size = sizes(chance, 2)
    offset = chance.randrange(1, 20)
    return Question(
        f"A tensor has size {size}, stride {Layout.of(size).stride} and storage offset {offset}. "
        "Is it contiguous?",
        True,
        "the offset says where it begins, and that does not matter.",
        "Which parts of the header does the rule look at?",
        f"torch.zeros(99).as_strided({size}, {Layout.of(size).stride}, {offset}).is_contiguous()",
    )


def descending_is_not_enough(chance: Random) -> Question:
    """Strides that fall may still leave gaps."""
    rows, columns = sizes(chance, 2)
    step = columns + chance.randrange(1, 4)
    return Question(
        f"A tensor has size ({rows}, {columns}) and stride ({step}, 1). Its strides get smaller "
        "from left to right. Is it contiguous?",
        False,
        f"dim 0 would need stride {columns}; so there is a gap after each row.",
        "How long is a row, and how far is it to the next one?",
        f"torch.empty_strided(({rows}, {columns}), ({step}, 1)).is_contiguous()",
    )


def _piece(call: str, size: Ints, answer: bool, reason: str, hint: str) -> Question:
    return Question(
        f"`t = torch.arange(12).view(3, 4)`. `{call}` has size {size} and stride (4, 1). Is it "
        "contiguous?",
        answer,
        reason,
        hint,
        f"t = torch.arange(12).view(3, 4)\n{call}.is_contiguous()",
    )


def the_last_two_rows(_chance: Random) -> Question:
    """Whole rows. Always the same question."""
    return _piece(
        "t[1:]",
        (2, 4),
        True,
        "whole rows lie one after the other, and it does not matter where they begin.",
        "Write down the positions of its elements as you read them, row by row.",
    )


def without_the_first_column(_chance: Random) -> Question:
    """A gap after each row. Always the same question."""
    return _piece(
        "t[:, 1:]",
        (3, 3),
        False,
        "it reads 1, 2, 3, then 5: one slot is left out between its rows.",
        "Write down the positions of its elements as you read them. Do they follow each other?",
    )


def a_piece_of_one_row(_chance: Random) -> Question:
    """A single row has no gap after it. Always the same question."""
    return _piece(
        "t[:1, 1:]",
        (1, 3),
        True,
        "it reads 1, 2, 3. There is no second row, so nobody ever takes the step of 4.",
        "Write down the positions of its elements. Where would the stride of 4 be used?",
    )
