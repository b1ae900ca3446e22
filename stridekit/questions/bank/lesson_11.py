"""Overlap, as_strided and unsafe writes."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit.questions.bank import others, sizes, tried
from stridekit.questions.question import Question


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
        f"Which stride has `torch.arange({n}).unfold(0, {window}, {step})`? It has two numbers: "
        "from window to window, and inside of one.",
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
