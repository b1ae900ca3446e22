"""NumPy and torch on the same bytes."""

from random import Random

from stridekit_course.questions.bank import others, sizes, tried
from stridekit_course.questions.question import Question

_ITEMSIZE = {"int16": 2, "float32": 4, "float64": 8}
_TWO_TENSORS = """\
a = np.arange(6, dtype=np.int32).reshape(2, 3)
t = torch.from_numpy(a)
c = torch.tensor(a)
a[0, 1] = 100
"""


def tensor_after_the_write(_chance: Random) -> Question:
    """A second header."""
    return Question(
        "`a = np.arange(6, dtype=np.int32).reshape(2, 3)` and `t = torch.from_numpy(a)`. Then "
        "`a[0, 1] = 100`. What is `t[0, 1]` now?",
        100,
        "`t` has a header of its own, and it stands on the memory of `a`.",
        "Does `from_numpy` take new memory?",
        _TWO_TENSORS + "t[0, 1].item()",
        mistakes={1: "That was there before. Did `from_numpy` make a copy of it?"},
    )


def copy_after_the_write(_chance: Random) -> Question:
    """And one that took memory."""
    return Question(
        "`a = np.arange(6, dtype=np.int32).reshape(2, 3)` and `c = torch.tensor(a)`. Then "
        "`a[0, 1] = 100`. What is `c[0, 1]` now?",
        1,
        "`torch.tensor` always copies, so `c` has memory of its own.",
        "The names do not say who shares. This one always does the same.",
        _TWO_TENSORS + "c[0, 1].item()",
        mistakes={100: "That would be so if `c` stood on the memory of `a`."},
    )


def stride_across(_chance: Random) -> Question:
    """Of the lesson's own grid."""
    return Question(
        "`a` has shape (2, 3) and dtype int32, 4 bytes each. NumPy says that `a.strides` is "
        "(12, 4). What is `torch.from_numpy(a).stride()`?",
        (3, 1),
        "NumPy counts bytes and torch counts elements, and each of these takes 4 bytes.",
        "NumPy counts bytes. What does torch count?",
        "torch.from_numpy(np.arange(6, dtype=np.int32).reshape(2, 3)).stride()",
        mistakes={
            (12, 4): "Those are bytes.",
            (48, 16): "From bytes to elements one divides.",
            (1, 3): "The first number is for dim 0.",
        },
    )


def which_step_copies(_chance: Random) -> Question:
    """Three headers and one copy. Always the same question."""
    return Question(
        "`photo` is an array of shape (64, 96, 3). What in "
        "`torch.from_numpy(photo[:, ::-1].transpose(2, 0, 1).copy())` copies the pixels?",
        "only copy",
        "mirroring and reordering write a header each, and `from_numpy` writes one more.",
        "NumPy has negative strides. So what does it write for `[:, ::-1]`?",
        "photo = np.zeros((64, 96, 3), dtype=np.uint8)\n"
        "turned = photo[:, ::-1].transpose(2, 0, 1)\n"
        "copied = turned.copy()\n"
        "kept = np.shares_memory(torch.from_numpy(copied).numpy(), copied)\n"
        '"only copy" if kept and np.shares_memory(photo, turned) else "others too"',
        options=("mirroring and copy", "only copy", "copy and from_numpy", "all of them"),
        mistakes={
            "copy and from_numpy": "Does `from_numpy` take memory of its own?",
        },
        shown="photo = np.zeros((64, 96, 3), dtype=np.uint8)\n"
        "turned = photo[:, ::-1].transpose(2, 0, 1)\n"
        "np.shares_memory(photo, turned), np.shares_memory(photo, turned.copy())",
    )


def strides_in_elements(chance: Random) -> Question:
    """Byte strides, divided."""
    rows, columns = sizes(chance, 2, least=4)
    dtype = chance.choice([*_ITEMSIZE])
    itemsize = _ITEMSIZE[dtype]
    answer = (columns, 2)
    return Question(
        f"An array of {dtype}, {itemsize} bytes each, has byte strides "
        f"({columns * itemsize}, {2 * itemsize}). What stride does `torch.from_numpy` give it?",
        answer,
        f"byte strides, divided by the {itemsize} bytes of one element.",
        "In torch, strides count elements.",
        f"torch.from_numpy(np.zeros(({rows}, {columns}), dtype=np.{dtype})[:, ::2]).stride()",
        mistakes=others(answer, {(columns * itemsize, 2 * itemsize): "Those are bytes."}),
    )


def byte_strides(chance: Random) -> Question:
    """And multiplied."""
    rows, columns = sizes(chance, 2)
    dtype = chance.choice([*_ITEMSIZE])
    itemsize = _ITEMSIZE[dtype]
    answer = (columns * itemsize, itemsize)
    return Question(
        f"A contiguous tensor of {dtype}, {itemsize} bytes each, has size ({rows}, {columns}). "
        "What are the byte strides of `x.numpy()`?",
        answer,
        f"it is ({columns}, 1) in elements, and each has {itemsize} bytes.",
        "NumPy counts in bytes.",
        f"torch.zeros({rows}, {columns}, dtype=torch.{dtype}).numpy().strides",
        mistakes=others(answer, {(columns, 1): "Those are elements."}),
    )


def does_a_write_cross(chance: Random) -> Question:
    """Same bytes, or a copy."""
    n = chance.randrange(3, 8)
    call, crosses = chance.choice(
        (
            ("torch.from_numpy(a)", True),
            ("torch.tensor(a)", False),
            ("torch.as_tensor(a)", True),
            ("torch.as_tensor(a, dtype=torch.float32)", False),
            ("torch.from_numpy(a.copy())", False),
            ("torch.asarray(a)", True),
        )
    )
    return Question(
        f"`a = np.zeros({n})`, which is float64, and `x = {call}`. Then `a[0] = 5`. Is `x[0]` 5 "
        "now?",
        crosses,
        "both read the same bytes." if crosses else "there was a copy, so they are apart.",
        "Did this call have to make, or always makes, new bytes?",
        f"a = np.zeros({n})\nx = {call}\na[0] = 5\nx[0].item() == 5",
    )


def size_of_a_dtype_view(chance: Random) -> Question:
    """The last dim is cut or joined."""
    rows, columns = chance.randrange(2, 5), 4 * chance.randrange(1, 4)
    old, new = chance.choice((("int32", "int8"), ("int16", "int32"), ("int8", "int32")))
    width = {"int8": 1, "int16": 2, "int32": 4}
    answer = rows, columns * width[old] // width[new]
    return Question(
        f"A contiguous tensor of {old} has size ({rows}, {columns}). What is the size of its "
        f"`view(torch.{new})`? The number in a dtype's name counts bits.",
        answer,
        f"a row is {columns * width[old]} bytes, and one element now takes {width[new]}.",
        "How many bytes is a row? How many elements of the new dtype are that?",
        f"torch.zeros({rows}, {columns}, dtype=torch.{old}).view(torch.{new}).size()",
        mistakes=others(answer, {(rows, columns): "The bytes stay, so the size changes."}),
    )


def does_from_numpy_take_it(chance: Random) -> Question:
    """Negative strides."""
    n = chance.randrange(4, 9)
    index, taken = chance.choice(
        (("[::-1]", False), ("[::2]", True), ("[1:]", True), ("[::-1].copy()", True))
    )
    return Question(
        f"Does `torch.from_numpy(np.arange({n}){index})` work?",
        taken,
        "all its strides are 0 or more." if taken else "torch has no negative strides.",
        "Is there a negative stride?",
        tried(f"torch.from_numpy(np.arange({n}){index})", error="ValueError"),
    )


def does_numpy_refuse(chance: Random) -> Question:
    """What numpy() will not do."""
    n = chance.randrange(2, 6)
    make, refused, why = chance.choice(
        (
            (f"torch.zeros({n}, requires_grad=True)", True, "autograd cannot see what NumPy does."),
            (f"torch.zeros({n}, dtype=torch.bfloat16)", True, "NumPy has no bfloat16."),
            (f"torch.zeros({n}, {n}).t()", False, "NumPy takes any strides."),
            (f"torch.zeros({n}).expand(3, {n})", False, "NumPy has strides of 0, too."),
            (f"torch.zeros({n}, requires_grad=True).detach()", False, "autograd no longer looks."),
        )
    )  # fmt: skip
    return Question(
        f"`x = {make}`. Does `x.numpy()` refuse?",
        refused,
        why,
        "It refuses what autograd watches, and what NumPy has no word for.",
        tried("x.numpy()", f"x = {make}", error="(RuntimeError, TypeError)", works=False),
    )


def who_sees_the_write(chance: Random) -> Question:
    """Three headers over one memory."""
    n = chance.randrange(4, 8)
    at = chance.randrange(1, n)
    return Question(
        f"`a = np.arange({n})`, `x = torch.from_numpy(a)` and `b = x[{at}:].numpy()`. Then "
        f"`b[0] = -1`. What is `a[{at}]` now?",
        -1,
        "array, tensor and array again: three headers over the same bytes.",
        "Which of these lines copied anything?",
        f"a = np.arange({n})\nx = torch.from_numpy(a)\nb = x[{at}:].numpy()\nb[0] = -1\n"
        f"int(a[{at}])",
        mistakes={at: "That was there before the write."},
    )
