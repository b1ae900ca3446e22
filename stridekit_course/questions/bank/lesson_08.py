"""Of contiguous and clone, and what they keep."""

from random import Random

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def does_contiguous_copy(chance: Random) -> Question:
    """Only what is not contiguous."""
    rows, columns = sizes(chance, 2, least=3)
    call, copies = chance.choice(
        (
            ("x", False),
            ("x[1:]", False),
            ("x.t()", True),
            ("x[:, 1:]", True),
            ("x[0]", False),
            ("x[:, 0]", True),
            ("x.t().t()", False),
        )
    )
    return Question(
        f"`x = torch.zeros({rows}, {columns})`. Does `{call}.contiguous()` make a new storage?",
        copies,
        f"`{call}` is {'not ' if copies else ''}contiguous.",
        f"All depends on whether `{call}` is contiguous. An offset does not matter.",
        f"x = torch.zeros({rows}, {columns})\n"
        f"{call}.contiguous().untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
    )


def does_clone_copy(chance: Random) -> Question:
    """Always."""
    rows, columns = sizes(chance, 2)
    call = chance.choice(("x", "x.t()", "x[1:]"))
    return Question(
        f"`x = torch.zeros({rows}, {columns})`. Does `{call}.clone()` make a new storage?",
        True,
        "a clone always does.",
        "Is there any tensor that clone gives back as it is?",
        f"x = torch.zeros({rows}, {columns})\n"
        f"{call}.clone().untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
    )


def stride_of_a_clone(chance: Random) -> Question:
    """It keeps the order of a dense tensor."""
    size = sizes(chance, 3, most=5)
    stride = Layout.of(size).stride
    dims = chance.choice(((1, 2, 0), (2, 0, 1), (2, 1, 0)))
    answer = tuple(stride[dim] for dim in dims)
    new = tuple(size[dim] for dim in dims)
    return Question(
        f"`x = torch.zeros{size}.permute{dims}` has size {new} and is dense: no gaps, no overlap. "
        f"Its stride is that of the permute. What is the stride of `x.clone()`?",
        answer,
        "the clone of a dense tensor keeps its stride.",
        "Work out the stride of `x` first. A clone keeps the order in memory of what is dense.",
        f"torch.zeros{size}.permute{dims}.clone().stride()",
        mistakes=others(answer, {Layout.of(new).stride: "That is what `contiguous` gives."}),
    )


def stride_of_contiguous(chance: Random) -> Question:
    """Always row-major."""
    size = sizes(chance, 3, most=6)
    dims = chance.choice(((1, 2, 0), (2, 0, 1)))
    new = tuple(size[dim] for dim in dims)
    answer = Layout.of(new).stride
    return Question(
        f"`x` has size {new} and is not contiguous. What is the stride of `x.contiguous()`?",
        answer,
        "the product of the sizes to the right, as in every new tensor.",
        "It is the row-major stride of this size.",
        f"torch.zeros{size}.permute{dims}.contiguous().stride()",
    )


def clone_closes_gaps(chance: Random) -> Question:
    """A tensor with gaps is not dense."""
    rows, columns = chance.randrange(2, 6), 2 * chance.randrange(2, 5)
    answer = columns // 2, 1
    return Question(
        f"`x = torch.zeros({rows}, {columns})[:, ::2]` has size ({rows}, {columns // 2}) and "
        f"stride ({columns}, 2). What is the stride of `x.clone()`?",
        answer,
        "the order of the dims stays, and the gaps are closed.",
        "A clone takes no gaps along. How long is a row then?",
        f"torch.zeros({rows}, {columns})[:, ::2].clone().stride()",
        mistakes=others(answer, {(columns, 2): "That would keep the gaps."}),
    )


def bytes_that_contiguous_copies(chance: Random) -> Question:
    """The elements, not the storage."""
    rows, columns = sizes(chance, 2, least=4)
    answer = rows * (columns - 2) * 8
    return Question(
        f"`x = torch.zeros({rows}, {columns}, dtype=torch.float64)[:, 2:]`, 8 bytes an element. "
        "How many bytes does `x.contiguous()` copy?",
        answer,
        f"{rows} × {columns - 2} elements of 8 bytes; the gaps are not copied.",
        "How many elements does `x` have? The gaps are left behind.",
        f"torch.zeros({rows}, {columns}, dtype=torch.float64)[:, 2:].contiguous()"
        ".untyped_storage().nbytes()",
        mistakes=others(answer, {rows * columns * 8: "That is the whole storage of `x`."}),
    )


def is_the_same_object(chance: Random) -> Question:
    """Itself, if it is contiguous."""
    rows, columns = sizes(chance, 2)
    call, same = chance.choice((("x", True), ("x.t()", False), ("x.t().t()", True)))
    return Question(
        f"`x = torch.zeros({rows}, {columns})` and `y = {call}`. Is `y.contiguous() is y` True?",
        same,
        "what is contiguous comes back as it is."
        if same
        else "`y` is not contiguous, so there is a new tensor.",
        "What does `contiguous` give back if there is nothing to do?",
        f"x = torch.zeros({rows}, {columns})\ny = {call}\ny.contiguous() is y",
    )


def what_a_write_to_the_copy_does(chance: Random) -> Question:
    """Silently two."""
    n = chance.randrange(3, 6)
    call, arrives = chance.choice((("x.t().contiguous()", False), ("x[1:].contiguous()", True)))
    return Question(
        f"`x = torch.zeros({n}, {n})` and `y = {call}`. Then `y.fill_(1)`. Is there a 1 in `x` "
        "now?",
        arrives,
        "`contiguous` had nothing to do, so `y` is a view of `x`."
        if arrives
        else "`contiguous` had to copy, so `y` is on its own.",
        "Did `contiguous` have to copy?",
        f"x = torch.zeros({n}, {n})\ny = {call}\ny.fill_(1)\nx.sum().item() > 0",
    )


_TRANSPOSE = "u = torch.arange(12).view(3, 4).t()"


def _stride_of(call: str, answer: Ints, reason: str, hint: str, mistake: str) -> Question:
    return Question(
        f"`{_TRANSPOSE}` has size (4, 3) and stride (1, 4). What is the stride of `{call}`?",
        answer,
        reason,
        hint,
        f"{_TRANSPOSE}\n{f'({call})' if ' ' in call else call}.stride()",
        mistakes={(3, 1) if answer == (1, 4) else (1, 4): mistake},
    )


def contiguous_of_the_transpose(_chance: Random) -> Question:
    """Reading order. Always the same question."""
    return _stride_of(
        "u.contiguous()",
        (3, 1),
        "it is written anew in reading order, and its rows have 3 elements.",
        "In memory, row after row: how long is a row of `u`?",
        "That is the stride of `u`, and with it `u` is not contiguous.",
    )


def clone_of_the_transpose(_chance: Random) -> Question:
    """The order of the source. Always the same question."""
    return _stride_of(
        "u.clone()",
        (1, 4),
        "the clone of a transpose is a transpose: its elements lie as those of `u` do.",
        "Does a clone change the order in which the elements lie?",
        "It would be right if a clone put its elements into reading order.",
    )


def clone_of_three_dims(_chance: Random) -> Question:
    """Gaps are closed, smallest stride first. Always the same question."""
    return Question(
        "`x` has size (3, 3, 4) and stride (20, 2, 5): it has gaps. What is the stride of "
        "`x.clone()`?",
        (12, 1, 3),
        "dim 1 has the smallest stride and gets 1. Dim 2 gets 3, and dim 0 gets 3 × 4.",
        "Which dim has the smallest stride? It comes first and gets 1. The next one gets its size.",
        "x = torch.arange(60).view(3, 4, 5).transpose(1, 2)[:, ::2]\nx.clone().stride()",
        mistakes={
            (20, 2, 5): "Those are the strides of `x`, gaps and all.",
            (12, 4, 1): "That is reading order. A clone keeps the order of the dims in memory.",
        },
    )


def the_transpose_plus_one(_chance: Random) -> Question:
    """Arithmetic preserves. Always the same question."""
    return _stride_of(
        "u + 1",
        (1, 4),
        "the sum is laid out like `u`.",
        "The sum is new memory. In which order would you go through `u`, to be quick?",
        "That would be reading order. To write it, torch would have to jump to and fro in `u`.",
    )


def the_transpose_afterwards(_chance: Random) -> Question:
    """Nothing happens to the source. Always the same question."""
    return Question(
        f"`{_TRANSPOSE}`, and then a line that says only `u.contiguous()`. What is the "
        "stride of `u` afterwards?",
        (1, 4),
        "`contiguous` returns another tensor, and here nobody keeps it.",
        "What does that line do with what `contiguous` returns?",
        f"{_TRANSPOSE}\nu.contiguous()\nu.stride()",
        mistakes={(3, 1): "That is the stride of what `contiguous` returned. Was it kept?"},
    )


def copies_in_a_chain(_chance: Random) -> Question:
    """Five links. Always the same question."""
    return Question(
        "`x = torch.arange(24).view(2, 3, 4)`. How many of the five links copy in "
        "`x.permute(2, 0, 1).reshape(4, 6).reshape(8, 3).t().contiguous()`?",
        2,
        "`reshape(8, 3)` does, for the 8 crosses a seam, and so does `contiguous()`.",
        "`permute` and `t` never copy. After `permute` the size is (4, 2, 3) and the stride "
        "(1, 12, 4): where is the seam, and which `reshape` crosses it?",
        "x = torch.arange(24).view(2, 3, 4)\ncopies = 0\n"
        "for link in (\n"
        "    lambda x: x.permute(2, 0, 1),\n"
        "    lambda x: x.reshape(4, 6),\n"
        "    lambda x: x.reshape(8, 3),\n"
        "    lambda x: x.t(),\n"
        "    lambda x: x.contiguous(),\n"
        "):\n"
        "    y = link(x)\n"
        "    copies += y.data_ptr() != x.data_ptr()\n"
        "    x = y\n"
        "copies",
        shown="from stridekit import watch\n"
        "x = torch.arange(24).view(2, 3, 4)\n"
        "with watch() as seen:\n"
        "    y = x.permute(2, 0, 1).reshape(4, 6).reshape(8, 3).t().contiguous()\n"
        "[copy.call for copy in seen.copies]",
    )


def links_that_break(_chance: Random) -> Question:
    """Three lines for one gradient. Always the same question."""
    return Question(
        "`weight.grad` is a view of `flat`. After which of the lines A, B and C does the next "
        "`backward` add to something other than `flat`?",
        "B and C",
        "`clone` always takes new memory, and `zero_grad` drops the gradients, so that `backward` "
        "makes new ones. `contiguous` gives back the view, which is contiguous.",
        "Which line leaves `weight.grad` on the storage of `flat`? The piece is contiguous.",
        "import torch\n"
        "left = []\n"
        "for name, line in {\n"
        '    "A": lambda p: setattr(p, "grad", p.grad.contiguous()),\n'
        '    "B": lambda p: setattr(p, "grad", p.grad.clone()),\n'
        '    "C": lambda p: setattr(p, "grad", None),\n'
        "}.items():\n"
        "    flat, p = torch.zeros(6), torch.zeros(2, 3, requires_grad=True)\n"
        "    p.grad = flat.view_as(p)\n"
        "    line(p)\n"
        "    p.sum().backward()\n"
        "    if not flat.any():\n"
        "        left.append(name)\n"
        '" and ".join(left)',
        shown="flat = torch.zeros(6)\n"
        "grad = flat.view(2, 3)\n"
        "[x.data_ptr() == flat.data_ptr() for x in (grad.contiguous(), grad.clone())]",
        options=("only A", "only B", "only C", "A and B", "B and C", "all three"),
        mistakes={
            "A and B": "Does `contiguous` copy what is contiguous? And what does C drop?",
            "only B": "What does `zero_grad` do with a gradient, if you do not say otherwise?",
            "all three": "One of them gives back the very same view.",
        },
    )
