"""Overlap, as_strided and unsafe writes."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question


def one_added_to_windows(_chance: Random) -> Question:
    """The lesson's own windows."""
    return Question(
        "`z = torch.zeros(6)`, and `windows = z.unfold(0, 3, 1)`: all runs of three neighbours. "
        "What is in `z` after `windows.add_(1)`?",
        "1, 2, 3, 3, 2, 1",
        "a number in the middle belongs to three windows, so 1 is added to it three times. torch "
        "says nothing.",
        "How many windows does each number belong to? And which overlap does torch look for?",
        "z = torch.zeros(6)\nwindows = z.unfold(0, 3, 1)\n_ = windows.add_(1)\n"
        "str(z.int().tolist())[1:-1]",
        options=(
            "1, 1, 1, 1, 1, 1",
            "1, 2, 3, 3, 2, 1",
            "3, 3, 3, 3, 3, 3",
            "0, 0, 0, 0, 0, 0: torch raises an error",
        ),
        mistakes={
            "1, 1, 1, 1, 1, 1": "Count the cells of `windows`, and the slots of `z`.",
            "0, 0, 0, 0, 0, 0: torch raises an error": "It would have to look for this overlap.",
        },
    )


def left_neighbour_added(_chance: Random) -> Question:
    """What is read lies where it is written."""
    return Question(
        "`x = torch.arange(6)`, which is 0, 1, 2, 3, 4, 5. Add to each number its left "
        "neighbour: `x[1:] += x[:-1]`. What is `x` then?",
        "torch raises an error",
        "it sees that what is read lies in what is written, and the result would depend on the "
        "order of work.",
        "Would it be clear whether a neighbour is read before or after it was written?",
        "x = torch.arange(6)\n"
        "try:\n    x[1:] += x[:-1]\n    said = str(x.tolist())[1:-1]\n"
        'except RuntimeError:\n    said = "torch raises an error"\nsaid',
        options=("0, 1, 3, 5, 7, 9", "0, 1, 3, 6, 10, 15", "torch raises an error"),
        mistakes={
            "0, 1, 3, 5, 7, 9": "That is what NumPy does: it copies what it reads first.",
            "0, 1, 3, 6, 10, 15": "That reads neighbours that were already changed.",
        },
    )


def bytes_of_frames(_chance: Random) -> Question:
    """Sliding windows over audio."""
    return Question(
        "One second of sound is 16,000 numbers of 4 bytes. `sound.unfold(0, 400, 160)` cuts it "
        "into 98 frames of 400 numbers. How many bytes does that copy?",
        0,
        "the frames are a new header over the same storage.",
        "Does `unfold` write to memory, or only a header?",
        "sound = torch.zeros(16_000)\nframes = sound.unfold(0, 400, 160)\n"
        "0 if frames.data_ptr() == sound.data_ptr() else frames.numel() * 4",
        mistakes={
            156_800: "So many bytes would all frames take if they were copied out.",
            64_000: "So many bytes has the sound itself.",
        },
    )


def how_many_windows(chance: Random) -> Question:
    """Of unfold."""
    n, window, step = chance.randrange(9, 16), chance.randrange(3, 6), chance.randrange(1, 4)
    answer = (n - window) // step + 1
    return Question(
        f"How many windows does `unfold(0, {window}, {step})` make of {n} elements?",
        answer,
        f"the last begins at {(answer - 1) * step}; one more would end past the end.",
        f"The last window begins at {n - window} or before.",
        f"torch.arange({n}).unfold(0, {window}, {step}).size(0)",
        mistakes=others(answer, {answer - 1: "The one that begins at 0 counts too."}),
    )


def stride_of_windows(chance: Random) -> Question:
    """Two dims out of one."""
    n, window, step = chance.randrange(9, 16), chance.randrange(3, 6), chance.randrange(2, 4)
    return Question(
        f"What is the stride of `torch.arange({n}).unfold(0, {window}, {step})`? It has two "
        "numbers: from window to window, and inside of one.",
        (step, 1),
        f"the next window begins {step} slots later; inside, neighbours are neighbours.",
        "How far is it from the beginning of one window to the next?",
        f"torch.arange({n}).unfold(0, {window}, {step}).stride()",
        mistakes=others(
            (step, 1),
            {(window, 1): "So windows would not overlap.", (1, step): "The other way round."},
        ),
    )


def how_many_indices(chance: Random) -> Question:
    """Of one position."""
    size = chance.choice(((3, 3), (3, 4), (4, 3)))
    stride = chance.choice(((1, 1), (2, 1), (1, 2)))
    positions = list(Layout(size, stride).positions())
    at = chance.choice(positions)
    return Question(
        f"How many indices of a tensor of size {size}, stride {stride}, offset 0 lead to position "
        f"{at}?",
        positions.count(at),
        f"these are all [i, j] with {stride[0]} × i + {stride[1]} × j = {at}.",
        f"Look for all i and j with {stride[0]} × i + {stride[1]} × j = {at}.",
        f"[{stride[0]} * i + {stride[1]} * j for i in range({size[0]}) "
        f"for j in range({size[1]})].count({at})",
    )


def do_two_meet(chance: Random) -> Question:
    """Is there any overlap."""
    rows, columns = sizes(chance, 2, least=3)
    stride = chance.choice(((columns, 1), (columns - 1, 1), (columns + 2, 1), (1, rows), (0, 1)))
    positions = list(Layout((rows, columns), stride).positions())
    answer = len({*positions}) < len(positions)
    return Question(
        f"A tensor has size ({rows}, {columns}) and stride {stride}. Do any two of its indices "
        "share a position?",
        answer,
        "a step along one dim leads back into what the other dim covers."
        if answer
        else "one dim steps over all that the other one covers.",
        "How far does the dim with the small stride reach? Does the other one step over all of "
        "that?",
        f"at = [{stride[0]} * i + {stride[1]} * j for i in range({rows}) "
        f"for j in range({columns})]\nlen(set(at)) < len(at)",
    )


def does_torch_refuse(chance: Random) -> Question:
    """A write in place on what is expanded."""
    n, rows = chance.randrange(2, 6), chance.randrange(2, 6)
    what, refused, why = chance.choice(
        (
            ("y.add_(1)", True, "a stride of 0 is easy to see, and torch refuses."),
            ("y[1].add_(1)", False, "one row alone has no dim that is repeated."),
            ("y.clone().add_(1)", False, "the clone has elements of its own."),
            ("y[:, 0].add_(1)", True, "a column is one slot, repeated."),
        )
    )
    return Question(
        f"`y = torch.zeros({n}).expand({rows}, {n})`. Does torch refuse `{what}`?",
        refused,
        why,
        "Has what is written to a dim of stride 0?",
        tried(what, f"y = torch.zeros({n}).expand({rows}, {n})", works=False),
    )


def written_twice(chance: Random) -> Question:
    """Windows that overlap are not seen by torch."""
    n = chance.randrange(5, 9)
    return Question(
        f"`x = torch.zeros({n})` and `w = x.as_strided(({n - 1}, 2), (1, 1))`: windows of two that "
        "overlap. Does torch refuse `w.add_(1)`?",
        False,
        "torch looks for strides of 0 only; some positions are written twice, silently.",
        "There is overlap, but no stride is 0. What does torch look for?",
        tried(
            "w.add_(1)",
            f"x = torch.zeros({n})",
            f"w = x.as_strided(({n - 1}, 2), (1, 1))",
            works=False,
        ),
    )


def out_of_bounds(chance: Random) -> Question:
    """The furthest position."""
    rows, columns = sizes(chance, 2)
    step = columns + chance.randrange(0, 3)
    need = (rows - 1) * step + columns
    length = need + chance.choice((-1, 0))
    return Question(
        f"The storage has {length} slots. Does torch take "
        f"`as_strided(({rows}, {columns}), ({step}, 1))` over it?",
        length >= need,
        f"the furthest position is {need - 1}, and the last slot is {length - 1}.",
        "Which is the furthest position? And which is the last slot?",
        tried(f"torch.zeros({length}).as_strided(({rows}, {columns}), ({step}, 1))"),
    )


def distinct_slots(chance: Random) -> Question:
    """Elements against slots."""
    n, window = chance.randrange(6, 12), chance.randrange(2, 5)
    answer = n
    return Question(
        f"`w = torch.arange({n}).unfold(0, {window}, 1)` has {(n - window + 1) * window} elements. "
        "On how many different slots do they lie?",
        answer,
        f"the windows cover the {n} slots of the storage, most of them more than once.",
        "Can there be more slots than the storage has?",
        f"len(set(torch.arange({n}).unfold(0, {window}, 1).flatten().tolist()))",
        mistakes={(n - window + 1) * window: "Those are elements; windows share slots."},
    )
