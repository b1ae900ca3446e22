"""Of resize_."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def a_column_made_shorter(_chance: Random) -> Question:
    """What comes instead of the second element."""
    return Question(
        "`t` is the grid of size (3, 4) with the numbers 0 to 11, and `column = t[:, 1]` shows 1, "
        "5, 9. Then `column.resize_(2)`. What is `column.tolist()`?",
        (1, 2),
        "it begins at slot 1, as before. But the stride is new, and from there slot follows slot.",
        "What is the stride of a new tensor of size (2,)?",
        "t = torch.arange(12).view(3, 4)\nt[:, 1].resize_(2).tolist()",
        mistakes={
            (1, 5): "That is `column[:2]`, which keeps the stride. `resize_` makes a new one.",
            (0, 1): "The storage offset stays.",
            (5, 9): "The storage offset stays.",
        },
    )


def two_rows_made_three(_chance: Random) -> Question:
    """The offset is never given back."""
    return Question(
        "`t` is the grid of size (3, 4), on a storage of 12 slots. `x = t[1:]` is its last two "
        "rows. Then `x.resize_(3, 4)`. How many slots has the storage now?",
        16,
        "4 slots before `x` begins, and 12 for its elements.",
        "Where does `x` begin, and how many elements come from there on?",
        "x = torch.arange(12).view(3, 4)[1:]\nx.resize_(3, 4).untyped_storage().nbytes() // 8",
        mistakes={
            12: "So many elements it has. But does it begin at slot 0?",
            20: "`x` was there already. Count from where it begins.",
        },
    )


def a_transpose_to_its_own_size(_chance: Random) -> Question:
    """Nothing happens."""
    return Question(
        "`t` is the grid of size (3, 4), so `u = t.t()` has size (4, 3), and is not contiguous. "
        "Is it contiguous after `u.resize_(4, 3)`?",
        False,
        "it has this size already, and so `resize_` does nothing at all.",
        "Compare the new size with the old one.",
        "u = torch.arange(12).view(3, 4).t()\nu.resize_(4, 3).is_contiguous()",
    )


def what_is_in_it(chance: Random) -> Question:
    """From the offset, slot after slot."""
    n = chance.randrange(9, 13)
    start = chance.randrange(2, 5)
    answer = tuple(range(start, start + 3))
    return Question(
        f"`x = torch.arange({n})[{start}:]`, and then `x.resize_(3)`. What is `x.tolist()`?",
        answer,
        "the offset stays, and from there slot follows slot.",
        "Does `resize_` change the storage offset?",
        f"x = torch.arange({n})[{start}:]\nx.resize_(3).tolist()",
        mistakes={(0, 1, 2): "The offset stays."},
    )


def how_long_is_the_storage(chance: Random) -> Question:
    """The offset counts."""
    n, start = chance.randrange(5, 8), chance.randrange(1, 4)
    rows, columns = sizes(chance, 2, least=3, most=5)
    answer = start + rows * columns
    return Question(
        f"`x = torch.arange({n})[{start}:]`, and then `x.resize_({rows}, {columns})`. How many "
        "slots has its storage now?",
        answer,
        f"{start} before it begins, and {rows} × {columns} elements.",
        "Needed are the offset and the elements.",
        f"x = torch.arange({n})[{start}:]\n"
        f"x.resize_({rows}, {columns}).untyped_storage().nbytes() // 8",
        mistakes=others(answer, {rows * columns: "It does not begin at position 0."}),
    )


def it_never_shrinks(chance: Random) -> Question:
    """What is there stays."""
    n, small = chance.randrange(8, 15), chance.randrange(2, 6)
    return Question(
        f"`x = torch.arange({n})`, and then `x.resize_({small})`. How many slots has its storage "
        "now?",
        n,
        "`resize_` makes a storage longer if it has to, and never shorter.",
        "Does a storage ever get shorter by `resize_`?",
        f"x = torch.arange({n})\nx.resize_({small}).untyped_storage().nbytes() // 8",
        mistakes={small: "That is the size of `x`; its storage is as it was."},
    )


def stride_afterwards(chance: Random) -> Question:
    """Row-major, whatever it was."""
    rows, columns = sizes(chance, 2)
    size = (rows, columns)
    answer = Layout.of(size).stride
    return Question(
        f"`x = torch.zeros({rows}, {columns}).t()`, and then `x.resize_{size}`. Its size was "
        f"({columns}, {rows}). What is its stride now?",
        answer,
        "with a new size the stride is row-major, whatever it was.",
        "`resize_` takes the row-major stride of the new size.",
        f"x = torch.zeros({rows}, {columns}).t()\nx.resize_({rows}, {columns}).stride()",
        mistakes=others(answer, {(1, columns): "Swapping is gone: the header is made anew."}),
    )


def the_same_size(chance: Random) -> Question:
    """Nothing happens."""
    rows, columns = sizes(chance, 2)
    same = chance.random() < 0.5
    size = (columns, rows) if same else (rows, columns)
    return Question(
        f"`x = torch.zeros({rows}, {columns}).t()` has size ({columns}, {rows}) and is not "
        f"contiguous. Is it contiguous after `x.resize_{size}`?",
        not same,
        "it has this size already, so nothing happens."
        if same
        else "the size is new, so the stride is row-major.",
        "Compare the new size with the old one.",
        f"x = torch.zeros({rows}, {columns}).t()\nx.resize_{size}.is_contiguous()",
    )


def who_else_sees_it(chance: Random) -> Question:
    """One header changes."""
    n = chance.randrange(4, 9)
    return Question(
        f"`x = torch.arange({n})` and `y = x[:]`. Then `x.resize_(2)`. How many elements "
        "does `y` have?",
        n,
        "`resize_` changes the header of `x` and, at most, the storage. `y` has its own header.",
        "Whose header does `resize_` change?",
        f"x = torch.arange({n})\ny = x[:]\nx.resize_(2)\ny.numel()",
        mistakes={2: "That is `x`."},
    )


def reshape_or_resize(chance: Random) -> Question:
    """Reading order or memory order."""
    rows, columns = sizes(chance, 2, least=3, most=5)
    numel = rows * columns
    return Question(
        f"`x = torch.arange({numel}).view({rows}, {columns}).t()`. `x.resize_({numel})` gives its "
        "storage in order. Does it give the same numbers as `x.reshape(-1)` would have?",
        False,
        "`reshape` keeps reading order, and that of a transpose is not the order in memory.",
        "In which order does `reshape` read, and in which `resize_`?",
        f"x = torch.arange({numel}).view({rows}, {columns}).t()\nread = x.reshape(-1)\n"
        f"torch.equal(x.resize_({numel}), read)",
    )
