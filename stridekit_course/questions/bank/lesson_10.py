"""Broadcasting with expand."""

from random import Random

from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question, Spot


def guess_minus_target(_chance: Random) -> Question:
    """The loss that the lesson begins with."""
    return Question(
        "`guess` has size (3, 1), and `target` has size (3,). "
        "What is the size of `guess - target`?",
        (3, 3),
        "the column is repeated to the right and the row downwards, so every guess meets every "
        "target.",
        "Write (3, 1) and (3,) below each other, aligned at the right. In each place, what is not "
        "1 stays.",
        "(torch.ones(3, 1) - torch.ones(3)).size()",
        mistakes={
            (3,): "That was meant. But sizes are compared from the right, and the 3 of `target` "
            "meets a 1 there.",
            (3, 1): "That would be one difference for each sample. But the 3 of `target` meets "
            "the 1 of `guess`, and a 1 gives way.",
        },
    )


def how_many_are_copied(_chance: Random) -> Question:
    """None, to make two tensors fit."""
    return Question(
        "Before torch subtracts a tensor of size (3,) from one of size (3, 1), it brings both to "
        "the size of the result. How many numbers does it copy to get there?",
        0,
        "it changes the stride instead, and reads the same memory again.",
        "Could one and the same number in memory stand in several places of a tensor?",
        "x = torch.ones(3)\ny, _ = torch.broadcast_tensors(x, torch.ones(3, 1))\n"
        "0 if y.data_ptr() == x.data_ptr() else y.numel()",
        mistakes={
            6: "So many places are new in each tensor. Does each need a number of its own?",
            12: "So many places are new. Does each need a number of its own?",
            18: "So many cells both have. Does each need a number of its own?",
            9: "So many cells each has. Does each need a number of its own?",
        },
    )


def two_against_three(_chance: Random) -> Question:
    """It fails at the right."""
    return Question(
        "Can `torch.ones(3, 2)` and `torch.ones(3)` be added? And which dim decides it, counted "
        "from the right, where -1 is the last one?",
        Spot(False, -1, rank=2),
        "sizes are compared from the right, and there the 2 meets the 3. Neither is 1.",
        "Write (3, 2) and (3,) below each other, aligned at the right.",
        tried("torch.ones(a) + torch.ones(b)", "a, b = (3, 2), (3,)")
        + "\n(works, -1 if a[-1] != b[-1] and 1 not in (a[-1], b[-1]) else -2)",
        shown="a, b = (3, 2), (3,)\na[-1], b[-1]",
    )


def to_which_size(chance: Random) -> Question:
    """Aligned on the right."""
    a, b, c = sizes(chance, 3)
    first, second = chance.choice(
        (
            ((a, 1, c), (b, 1)),
            ((a, 1), (b,)),
            ((1, b, c), (a, 1, 1)),
            ((b, 1), (a, 1, c)),
        )
    )
    rank = max(len(first), len(second))
    padded = [(1,) * (rank - len(size)) + size for size in (first, second)]
    answer = tuple(max(pair) for pair in zip(*padded, strict=True))
    return Question(
        f"To which size do {first} and {second} broadcast?",
        answer,
        "aligned on the right, whatever is not 1 stays.",
        "Write them below each other, aligned on the right. In each place, what is not 1 stays.",
        f"(torch.ones{first} + torch.ones{second}).size()",
    )


def do_they_fit(chance: Random) -> Question:
    """Equal, or 1, or missing."""
    a, b = sizes(chance, 2)
    first, second, fits = chance.choice(
        (
            ((a, b), (a,), False),
            ((a, b), (b,), True),
            ((a, 1), (b,), True),
            ((a, b), (b, a), False),
            ((a, b), (1, b), True),
            ((a,), (b,), False),
            ((a, b), (), True),
        )
    )
    return Question(
        f"Can tensors of sizes {first} and {second} be added?",
        fits,
        "in each place, from the right, they are equal or one of them is 1 or missing."
        if fits
        else "aligned on the right, there is a place where they differ and neither is 1.",
        "Write them below each other, aligned on the right.",
        tried(f"torch.ones({first}) + torch.ones({second})"),
    )


def stride_after_expand(chance: Random) -> Question:
    """0 along what is repeated."""
    n, m = sizes(chance, 2)
    column = chance.random() < 0.5
    size = (n, 1) if column else (1, n)
    new = (n, m) if column else (m, n)
    answer = (1, 0) if column else (0, 1)
    return Question(
        f"`x = torch.arange({n}).view{size}`. What is the stride of `x.expand{new}`?",
        answer,
        "along the dim that is repeated, a step leads nowhere.",
        "How many slots further is the next index along the dim that is repeated?",
        f"torch.arange({n}).view{size}.expand{new}.stride()",
        mistakes=others(answer, {answer[::-1]: "That is the other dim.", (m, 1): "So a copy."}),
    )


def bytes_of_an_expanded_one(chance: Random) -> Question:
    """The old storage."""
    n, rows = chance.randrange(2, 9) * 100, chance.choice((32, 64, 128))
    answer = 4 * n
    return Question(
        f"A row of {n} numbers of 4 bytes is expanded to ({rows}, {n}). How many bytes does its "
        "storage have?",
        answer,
        "the storage is the old one.",
        "Does `expand` copy anything?",
        f"torch.zeros({n}, dtype=torch.float32).expand({rows}, {n}).untyped_storage().nbytes()",
        mistakes={4 * n * rows: "So many a copy would have.", n: "Those are elements."},
    )


def which_dim_does_not_fit(chance: Random) -> Question:
    """Where it fails, counted from the right."""
    a, b, c = sizes(chance, 3)
    size = (a, b, c)
    wrong = chance.randrange(3)
    other = list(size)
    other[wrong] += 1
    if chance.random() < 0.5:
        other[(wrong + 1) % 3] = 1
    second = tuple(other)
    return Question(
        f"Can tensors of sizes {size} and {second} be added? And which dim decides it? (It may be "
        "counted from either end.)",
        Spot(False, wrong, rank=3),
        f"in dim {wrong}, {size[wrong]} and {second[wrong]} differ, and neither is 1.",
        "Look for a place where they differ and neither is 1.",
        tried("torch.ones(a) + torch.ones(b)", f"a, b = {size}, {second}")
        + "\nbad = [d for d in range(3) if a[d] != b[d] and 1 not in (a[d], b[d])]\n"
        "(works, bad[0])",
        shown=f"a, b = {size}, {second}\n"
        "[(x, y) for x, y in zip(a, b) if x != y and 1 not in (x, y)]",
    )


def how_many_elements_silently(chance: Random) -> Question:
    """A column and a row."""
    n = chance.randrange(3, 9)
    return Question(
        f"`y` has size ({n},) and `guess` has size ({n}, 1), one guess for each. How many elements "
        "has `guess - y`?",
        n * n,
        f"a column and a row broadcast to ({n}, {n}): each guess against each `y`.",
        f"To which size do ({n}, 1) and ({n},) broadcast?",
        f"(torch.zeros({n}, 1) - torch.zeros({n})).numel()",
        mistakes={n: "That was meant, surely. Align the sizes on the right."},
    )


def a_write_to_one_place(chance: Random) -> Question:
    """All rows are one."""
    n, rows = chance.randrange(2, 6), chance.randrange(3, 7)
    return Question(
        f"`x = torch.zeros({n})` and `y = x.expand({rows}, {n})`. Then `x[0] = 1`. How many "
        "elements of `y` are 1 now?",
        rows,
        f"column 0 of `y` is one slot, read {rows} times.",
        "On how many slots does column 0 of `y` lie?",
        f"x = torch.zeros({n})\ny = x.expand({rows}, {n})\nx[0] = 1\nint(y.sum())",
        mistakes=others(rows, {1: "In the storage, yes. How often does `y` read it?"}),
    )


def expand_or_repeat(chance: Random) -> Question:
    """One is a view."""
    n, rows = chance.randrange(2, 6), chance.randrange(2, 6)
    call, copies = chance.choice(
        ((f"x.expand({rows}, {n})", False), (f"x.repeat({rows}, 1)", True))
    )
    return Question(
        f"`x = torch.zeros({n})`. Does `{call}` copy?",
        copies,
        "`repeat` makes new elements."
        if copies
        else "`expand` sets a stride of 0 and copies nothing.",
        "Which of `expand` and `repeat` only sets a stride?",
        f"x = torch.zeros({n})\n"
        f"{call}.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
    )
