"""The detective's questions: everything at once."""

from random import Random

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question

_LINES = (
    "photo.transpose(0, 1)",
    "photo[:, 24:25].expand(64, 48, 3)",
    "photo.flatten()[:9114].view(62, 49, 3)",
    "photo[1:, 1:]",
)


def _picture(
    size: Ints, stride: Ints, offset: int, answer: str, reason: str, hint: str
) -> Question:
    headers = ", ".join(
        f'(tuple(({line}).size()), ({line}).stride(), ({line}).storage_offset()): "{line}"'
        for line in _LINES
    )
    return Question(
        f"`photo` has size (64, 48, 3) and stride (144, 3, 1). Which line makes the picture of "
        f"size {size}, stride {stride} and offset {offset}?",
        answer,
        reason,
        hint,
        "photo = torch.zeros(64, 48, 3)\n"
        f"headers = {{{headers}}}\n"
        f"headers[{size}, {stride}, {offset}]",
        options=_LINES,
        shown=f"x = torch.zeros(64, 48, 3){answer.removeprefix('photo')}\n"
        "tuple(x.size()), x.stride(), x.storage_offset()",
    )


def picture_a(_chance: Random) -> Question:
    """The face on its side."""
    return _picture(
        (48, 64, 3),
        (3, 144, 1),
        0,
        _LINES[0],
        "rows and columns have changed places, and their strides with them.",
        "Which numbers of the stride are new, and which have only moved?",
    )


def picture_b(_chance: Random) -> Question:
    """The face made of one column."""
    return _picture(
        (64, 48, 3),
        (144, 0, 1),
        72,
        _LINES[1],
        "offset 72 is 24 × 3, so column 24 comes first; and a stride of 0 repeats it.",
        "Which step leads nowhere? And which column lies 72 slots from the start?",
    )


def picture_c(_chance: Random) -> Question:
    """The face that leans."""
    return _picture(
        (62, 49, 3),
        (147, 3, 1),
        0,
        _LINES[2],
        "a row was taken for 49 pixels, 147 slots, so each row begins one pixel too late.",
        "How many pixels has a row of `photo`, and how many has one of the picture?",
    )


def which_cannot_have_made_it(_chance: Random) -> Question:
    """Stride and offset alone are not the header."""
    chains = ("t.diagonal(1)", "t.flatten()[1::7]", "t[:, 1:].diagonal()", "t[0, 1::7]")
    sizes_of = ", ".join(f'"{chain}": ({chain}).size()' for chain in chains)
    return Question(
        "`t` has size (4, 6) and stride (6, 1). Somebody made a tensor of size (4,), stride (7,) "
        "and offset 1 from it. Which of these cannot have made it?",
        "t[0, 1::7]",
        "it has that stride and that offset, but in row 0 there is room for one element only.",
        "Write 7 as rows and columns of `t`. Which of the lines can go on for four elements?",
        f"t = torch.arange(24).view(4, 6)\nsizes = {{{sizes_of}}}\n"
        "(other,) = (chain for chain, size in sizes.items() if size != (4,))\nother",
        options=chains,
        shown="t = torch.arange(24).view(4, 6)\ntuple(t[0, 1::7].size())",
    )


def lines_that_copy(_chance: Random) -> Question:
    """Of the lesson's pipeline."""
    return Question(
        "A pipeline makes a batch of image files. Each image is a view of a file's bytes, `uint8`, "
        "size (64, 96, 3), and goes through `permute(2, 0, 1).contiguous()`, `float()`, "
        "`[:, 4:60, 20:76]`, `flip(2)`, `/ 255`, `- mean` and `/ std`. Then `torch.stack` makes a "
        "batch, and `contiguous(memory_format=torch.channels_last)` is asked for. At how many of "
        "these places are elements copied? A change of dtype alone counts as a copy; numbers "
        "that are computed do not.",
        5,
        "contiguous, float, flip, stack, and contiguous once more.",
        "Which of them only write a new header? Which compute new numbers? Count the others.",
        "from stridekit import watch\n"
        "image = torch.zeros(64, 96, 3, dtype=torch.uint8)\n"
        "with watch() as seen:\n"
        "    x = image.permute(2, 0, 1).contiguous()\n"
        "    x = x.float()\n"
        "    x = x[:, 4:60, 20:76]\n"
        "    x = x.flip(2)\n"
        "    x = x / 255\n"
        "    x = torch.stack([x, x])\n"
        "    x = x.contiguous(memory_format=torch.channels_last)\n"
        "len(seen.copies)",
        mistakes={
            8: "Three of them compute new numbers.",
            4: "Does `float()` write new memory? Has torch negative strides? Does `stack` share?",
        },
    )


def is_a_clone_contiguous(_chance: Random) -> Question:
    """Not of a transpose."""
    return Question(
        '"After `clone()` a tensor is contiguous." Is that so?',
        False,
        "it preserves the strides of a dense tensor. The clone of a transpose is a transpose.",
        "What became of the strides in the third function?",
        "torch.arange(24).view(4, 6).t().clone().is_contiguous()",
    )


def sixty_trillion_in_six(_chance: Random) -> Question:
    """A stride of 0."""
    return Question(
        '"A tensor of sixty trillion elements fits into the memory of six." Is that so?',
        True,
        "with a stride of 0 it is the header that is large, and not the storage.",
        "Must each element have a slot of its own?",
        "huge = torch.arange(6).view(1, 3, 2).expand(10_000_000_000_000, 3, 2)\n"
        "huge.numel() == 60_000_000_000_000 and huge.untyped_storage().nbytes() == 6 * 8",
    )


def does_torch_refuse_windows(_chance: Random) -> Question:
    """No stride is 0, and it is unsafe all the same."""
    return Question(
        '"If a write in place is unsafe, torch raises an error." Does it for '
        "`torch.zeros(6).unfold(0, 3, 1).add_(1)`, which writes to some slots three times?",
        False,
        "it recognises a stride of 0, and windows have none.",
        "By what could torch see it, without looking at every element?",
        tried("z.unfold(0, 3, 1).add_(1)", "z = torch.zeros(6)", works=False),
    )


def offset_of_two_slices(chance: Random) -> Question:
    """Headers add up."""
    rows, columns = sizes(chance, 2, least=4)
    i, j = chance.randrange(1, rows - 1), chance.randrange(1, columns)
    answer = (i + 1) * columns + j
    return Question(
        f"`t` has size ({rows}, {columns}), stride ({columns}, 1) and storage offset 0. What is "
        f"the storage offset of `t[{i}:, {j}:][1:]`?",
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
        shown=f"x = torch.zeros({rows}, {columns})\ny = {answer}\n"
        "tuple(y.size()), y.stride(), y.storage_offset()",
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
        f"`photo` comes from a file: size ({h}, {w}, 3), contiguous. What is the "
        "stride of `photo.permute(2, 0, 1)`?",
        answer,
        "channels are neighbours, a column is 3 slots further, and a row a whole row of pixels.",
        "What was the stride of the channels, of the rows, and of the columns?",
        f"torch.zeros({h}, {w}, 3).permute(2, 0, 1).stride()",
        mistakes={(h * w, w, 1): "So `contiguous` would lay it out."},
    )
