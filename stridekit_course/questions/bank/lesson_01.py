"""Header and storage."""

from random import Random

from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question

_ITEMSIZE = {"int8": 1, "int16": 2, "float32": 4, "int64": 8}


def bytes_of_a_storage(chance: Random) -> Question:
    """Elements times bytes."""
    rows, columns = sizes(chance, 2)
    dtype = chance.choice([*_ITEMSIZE])
    itemsize = _ITEMSIZE[dtype]
    answer = rows * columns * itemsize
    return Question(
        f"How many bytes does the storage of `torch.zeros({rows}, {columns}, dtype=torch.{dtype})` "
        f"have? One element of {dtype} takes {8 * itemsize} bits.",
        answer,
        f"{rows} times {columns} elements, of {itemsize} each.",
        "Count the elements, and multiply by the bytes of one; a byte has 8 bits.",
        f"torch.zeros({rows}, {columns}, dtype=torch.{dtype}).untyped_storage().nbytes()",
        mistakes=others(
            answer,
            {
                rows * columns: "That is the number of elements.",
                rows * columns * itemsize * 8: "Those are bits.",
            },
        ),
    )


def a_write_through_a_slice(chance: Random) -> Question:
    """A slice is a view."""
    n = chance.randrange(4, 8)
    at = chance.randrange(n - 2)
    new = chance.randrange(50, 100)
    return Question(
        f"`x = torch.arange({n})` and `begin = x[:{n - 1}]`. Then `x[{at}] = {new}`. What is "
        f"`begin[{at}]` now?",
        new,
        "a slice of a tensor is a view: both read the same slot.",
        "Does a slice of a tensor have a storage of its own?",
        f"x = torch.arange({n})\nbegin = x[:{n - 1}]\nx[{at}] = {new}\nbegin[{at}].item()",
        mistakes={at: "That was there before the write."},
    )


def a_write_through_a_clone(chance: Random) -> Question:
    """A clone is a copy."""
    n = chance.randrange(3, 8)
    at = chance.randrange(n)
    new = chance.randrange(50, 100)
    return Question(
        f"`x = torch.arange({n})` and `y = x.clone()`. Then `x[{at}] = {new}`. What is `y[{at}]` "
        "now?",
        at,
        "a clone has a storage of its own, and the write did not go there.",
        "To which storage did the write go?",
        f"x = torch.arange({n})\ny = x.clone()\nx[{at}] = {new}\ny[{at}].item()",
        mistakes={new: "That is what `x` reads. A clone does not share its storage."},
    )


_LINES = {
    "q = p[1:]": 0,
    "q = p.view(2, 3)": 0,
    "q = p": 0,
    "q = p.clone()": 1,
    "q = p + 1": 1,
    "q = p[:]": 0,
    "q = torch.zeros(6)": 1,
}


def how_many_storages(chance: Random) -> Question:
    """Lines that make a storage, and lines that do not."""
    chosen = chance.sample([*_LINES], 3)
    lines = [line.replace("q", name, 1) for name, line in zip("qrs", chosen, strict=True)]
    answer = 1 + sum(_LINES[line] for line in chosen)
    listed = "; ".join(f"`{line}`" for line in lines)
    return Question(
        f"`p = torch.arange(6)`; {listed}. How many storages do these four names have together?",
        answer,
        "a line may make a header, a storage, both, or neither.",
        "Go through the lines: which of them make new numbers, and which a new header only?",
        "p = torch.arange(6)\n"
        + "\n".join(lines)
        + "\nlen({each.untyped_storage().data_ptr() for each in (p, q, r, s)})",
        mistakes=others(answer, {4: "Not each line makes a storage."}),
    )


def is_it_in_the_header(chance: Random) -> Question:
    """What belongs where."""
    where = {
        "the size": "in the header",
        "the stride": "in the header",
        "the storage offset": "in the header",
        "the dtype": "in the header",
        "the elements": "in the storage",
    }
    what = chance.choice([*where])
    proof = {
        "the size": "x.t().size() != x.size()",
        "the stride": "x.t().stride() != x.stride()",
        "the storage offset": "x[1:].storage_offset() != x.storage_offset()",
        "the dtype": "x.view(torch.float64).dtype != x.dtype",
        "the elements": "x[1:].untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
    }[what]
    return Question(
        f"Where are {what} of a tensor kept?"
        if what == "the elements"
        else f"Where is {what} of a tensor kept?",
        where[what],
        "two tensors on one storage can differ in what their headers say, and in nothing else.",
        "Can two tensors on one storage differ in it?",
        f'x = torch.arange(6).view(2, 3)\n"in the header" if {proof} else "in the storage"',
        options=("in the header", "in the storage"),
        shown=f"x = torch.arange(6).view(2, 3)\n{proof}",
    )


def a_slice_keeps_it_all(chance: Random) -> Question:
    """A small view keeps a large storage."""
    n = chance.randrange(3, 10) * 1000
    small = chance.randrange(2, 10)
    return Question(
        f"`x = torch.zeros({n})` in float32, 4 bytes each, and `y = x[:{small}]`. How many bytes "
        "does the storage of `y` have?",
        4 * n,
        "it is the storage of `x`, and all of that stays as long as `y` does.",
        "Whose storage does `y` lie on?",
        f"torch.zeros({n})[:{small}].untyped_storage().nbytes()",
        mistakes={4 * small: "Those are the bytes of its own elements.", n: "Those are elements."},
    )


def same_object_same_storage(chance: Random) -> Question:
    """Neither the other way."""
    n = chance.randrange(4, 9)
    make, shares = chance.choice(
        (("x[:]", True), (f"x.view({n})", True), ("x.clone()", False), ("x * 1", False))
    )
    return Question(
        f"`x = torch.arange({n})` and `y = {make}`. `y is x` is False. Do they share a storage?",
        shares,
        "`is` compares headers, so to speak: two of them may stand over one storage."
        if shares
        else "this line makes new elements, so it needs a new storage.",
        "`is` compares the Python objects. What does the line do: read the same slots, or copy?",
        f"x = torch.arange({n})\ny = {make}\n"
        "x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr()",
    )


def a_list_is_sliced(_chance: Random) -> Question:
    """A list is no tensor. Always the same question."""
    return Question(
        "A list: `numbers = [10, 20, 30]`, then `kept = numbers[1:]`, then `numbers[1] = 0`. What "
        "is `kept[0]` now?",
        20,
        "a slice of a list is a new list, and the write did not go there.",
        "Which number is copied into `kept`, and when?",
        "numbers = [10, 20, 30]\nkept = numbers[1:]\nnumbers[1] = 0\nkept[0]",
        mistakes={0: "That is what a tensor would say. Lists do otherwise."},
    )


def which_line_protects(_chance: Random) -> Question:
    """A slice of everything is still a slice. Always the same question."""
    sliced, cloned, both = "kept = grid[1][:]", "kept = grid[1].clone()", "both of them"
    return Question(
        "`grid` is a tensor with two rows, and `grid.fill_(0)` is going to clear it. Which line, "
        "written before that, saves the numbers of the second row?",
        cloned,
        "a clone has memory of its own. On a list `[:]` would copy as well; on a tensor it only "
        "looks at the same numbers once more.",
        "On a list, `[:]` makes a copy. Does a slice of a tensor?",
        "grid = torch.tensor([[10, 11, 12], [20, 21, 22]])\n"
        "sliced, cloned = grid[1][:], grid[1].clone()\n"
        "grid.fill_(0)\n"
        "saved = (sliced[0].item() == 20, cloned[0].item() == 20)\n"
        f'{{(True, False): "{sliced}", (False, True): "{cloned}", (True, True): "{both}"}}[saved]',
        options=(sliced, cloned, both),
        shown="grid = torch.tensor([[10, 11, 12], [20, 21, 22]])\n"
        "sliced, cloned = grid[1][:], grid[1].clone()\n"
        "grid.fill_(0)\n"
        "sliced.tolist(), cloned.tolist()",
    )


def ten_of_a_million(_chance: Random) -> Question:
    """What is left when the large one is deleted. Always the same question."""
    return Question(
        "`big = torch.zeros(1_000_000)` has a million numbers of 4 bytes each. After "
        "`few = big[:10]` and `del big` only `few` is left. How many bytes of memory does it keep?",
        4_000_000,
        "the ten numbers lie in the memory of the million, and that stays or goes as a whole.",
        "Nothing was copied for `few`. So in whose memory does it lie?",
        "big = torch.zeros(1_000_000)\nfew = big[:10]\ndel big\nfew.untyped_storage().nbytes()",
        mistakes={
            40: "Those are its own ten numbers. Did anybody copy them?",
            1_000_000: "So many numbers. How many bytes?",
        },
    )
