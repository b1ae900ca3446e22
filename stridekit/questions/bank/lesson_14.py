"""The detective's questions: everything at once."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit.questions.bank import others, sizes
from stridekit.questions.question import Question


def offset_of_two_slices(chance: Random) -> Question:
    """Headers add up."""
    rows, columns = sizes(chance, 2, least=4)
    i, j = chance.randrange(1, rows - 1), chance.randrange(1, columns)
    answer = (i + 1) * columns + j
    return Question(
        f"`t` has size ({rows}, {columns}), stride ({columns}, 1) and storage offset 0. Which "
        f"storage offset has `t[{i}:, {j}:][1:]`?",
        answer,
        f"its first element is `t[{i + 1}, {j}]`, at {i + 1} × {columns} + {j}.",
        "Which element of `t` is its first one?",
        f"torch.zeros({rows}, {columns})[{i}:, {j}:][1:].storage_offset()",
        mistakes=others(answer, {i * columns + j: "The second slice leaves out one row more."}),
    )


def bytes_copied(chance: Random) -> Question:
    """By a reshape of a transpose, or of what is none."""
    rows, columns = sizes(chance, 2, least=3)
    call, elements = chance.choice(
        (
            ("t.t()[:2].reshape(-1)", 2 * rows),
            ("t[:2].reshape(-1)", 0),
            ("t[:, :2].reshape(-1)", 2 * rows),
            ("t.t().contiguous()", rows * columns),
            ("t[None].contiguous()", 0),
        )
    )
    return Question(
        f"`t` is a contiguous tensor of size ({rows}, {columns}), 8 bytes an element. How many "
        f"bytes does `{call}` copy?",
        8 * elements,
        "a copy takes 8 bytes for each element, a view none.",
        "Is there a view? If not, how many elements has the copy?",
        f"t = torch.arange({rows * columns}).view({rows}, {columns})\ny = {call}\n"
        "same = y.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()\n"
        "0 if same else y.untyped_storage().nbytes()",
    )


def which_line_made_it(chance: Random) -> Question:
    """From the header back to the call."""
    rows, columns = sizes(chance, 2, least=4, most=7)
    lines = {
        "x.t()": ((columns, rows), (1, columns), 0),
        "x[1:]": ((rows - 1, columns), (columns, 1), columns),
        "x[:, 1:]": ((rows, columns - 1), (columns, 1), 1),
        "x[::2]": ((-(-rows // 2), columns), (2 * columns, 1), 0),
        "x[:1].expand(3, -1)": ((3, columns), (0, 1), 0),
    }
    answer = chance.choice([*lines])
    size, stride, offset = lines[answer]
    headers = (
        "{"
        + ", ".join(
            f'(tuple(({c}).size()), ({c}).stride(), ({c}).storage_offset()): "{c}"' for c in lines
        )
        + "}"
    )
    return Question(
        f"`x` has size ({rows}, {columns}) and stride ({columns}, 1). Which line makes a tensor of "
        f"size {size}, stride {stride} and offset {offset} of it?",
        answer,
        "size, stride and offset together leave a trace of what was done.",
        "Look at the offset first, and then at what became of each stride.",
        f"x = torch.zeros({rows}, {columns})\nheaders = {headers}\n"
        f"headers[{size}, {stride}, {offset}]",
        options=tuple(lines),
    )


def positions_reached(chance: Random) -> Question:
    """Slots against elements."""
    rows, columns = sizes(chance, 2, least=3)
    call, answer = chance.choice(
        (
            (f"torch.zeros({rows}, {columns})[::2]", -(-rows // 2) * columns),
            (f"torch.zeros({columns}).expand({rows}, {columns})", columns),
            (f"torch.zeros({rows}, {columns}).t()", rows * columns),
            (f"torch.zeros({rows + columns}).unfold(0, {columns}, 1)", rows + columns),
        )
    )
    return Question(
        f"How many different slots do the elements of `{call}` lie on?",
        answer,
        "elements that share a slot count once, and slots that are not reached do not count.",
        "Which slots of the storage are reached at all? Is any reached twice?",
        f"x = {call}\nat = torch.arange(x.untyped_storage().nbytes() // 4)\n"
        "len(set(at.as_strided(x.size(), x.stride(), x.storage_offset()).flatten().tolist()))",
    )


def is_it_a_view(chance: Random) -> Question:
    """Once more, mixed."""
    n = chance.randrange(2, 5)
    call, shares = chance.choice(
        (
            ("x.permute(2, 0, 1)", True),
            ("x.flatten(1)", True),
            ("x.transpose(0, 1).flatten(1)", False),
            ("x[:, [0, 1]]", False),
            ("x[:, 0:2]", True),
            ("x.contiguous()", True),
            ("x.clone()", False),
            ("x.expand(5, -1, -1, -1)", True),
            ("x.unfold(2, 2, 1)", True),
            ("x.repeat(1, 1, 1)", False),
        )
    )
    return Question(
        f"`x = torch.zeros({n}, 3, 4)`. Does `{call}` share its storage?",
        shares,
        "one header more over the same slots is all that it takes."
        if shares
        else "no header over these slots says that, or the call always copies.",
        "Is there a size, a stride and an offset over the old slots for it?",
        f"x = torch.zeros({n}, 3, 4)\n"
        f"({call}).untyped_storage().data_ptr() == x.untyped_storage().data_ptr()",
    )


def how_long_must_it_be(chance: Random) -> Question:
    """The furthest position, with an offset."""
    size = sizes(chance, 2)
    stride = chance.choice(((1, size[0]), (size[1] + 2, 1), (0, 1), (1, 1)))
    offset = chance.randrange(1, 9)
    answer = Layout(size, stride, offset).position((size[0] - 1, size[1] - 1)) + 1
    return Question(
        f"A tensor has size {size}, stride {stride} and storage offset {offset}. How many slots "
        "must its storage have at least?",
        answer,
        f"its furthest element lies at position {answer - 1}.",
        "Where does the element with the largest index lie? Positions begin at 0.",
        f"offset = {offset}\n"
        f"offset + torch.empty_strided({size}, {stride}).untyped_storage().nbytes() // 4",
        mistakes=others(
            answer,
            {answer - 1: "That is the furthest position.", answer - offset: "The offset counts."},
        ),
    )


def an_image_from_a_file(chance: Random) -> Question:
    """From H, W, C to C, H, W."""
    h, w = sizes(chance, 2, least=4)
    answer = (1, w * 3, 3)
    return Question(
        f"`photo` comes from a file: size ({h}, {w}, 3), contiguous. Which stride has "
        "`photo.permute(2, 0, 1)`?",
        answer,
        "channels are neighbours, a column is 3 slots further, and a row a whole row of pixels.",
        "What was the stride of the channels, of the rows, and of the columns?",
        f"torch.zeros({h}, {w}, 3).permute(2, 0, 1).stride()",
        mistakes={(h * w, w, 1): "So `contiguous` would lay it out."},
    )
