"""Transpose and permute."""

from random import Random

from stridekit.layouts.layout import Layout
from stridekit_course.questions.bank import others, sizes
from stridekit_course.questions.question import Question


def _order(chance: Random) -> tuple[int, int, int]:
    """One of the two that are not their own way back: the others hide mistakes."""
    return chance.choice(((1, 2, 0), (2, 0, 1)))


def a_write_through_the_transpose(_chance: Random) -> Question:
    """It arrives in the original."""
    return Question(
        "`t` is `torch.arange(6).view(2, 3)`, and `y = t.t()`. After `y[2, 0] = 100`, at which "
        "index of `t` does 100 stand?",
        (0, 2),
        "the two indices change places, and both tensors reach the same memory.",
        "Row 2 of `y` is a column of `t`. Which?",
        "t = torch.arange(6).view(2, 3)\ny = t.t()\ny[2, 0] = 100\n"
        "tuple((t == 100).nonzero()[0].tolist())",
        mistakes={(2, 0): "`t` has only two rows, numbered 0 and 1."},
    )


def stride_of_the_transpose(_chance: Random) -> Question:
    """The strides go along."""
    return Question(
        "`t` has size (2, 3) and stride (3, 1). What is the stride of `t.t()`?",
        (1, 3),
        "what led to the right now leads down, and is still 1 slot long.",
        "A step down in `t.t()` is a step to the right in `t`. How long is it?",
        "torch.arange(6).view(2, 3).t().stride()",
        mistakes={
            (3, 1): "That is the stride of `t`. Down and to the right have changed places.",
            (2, 1): "That would be so if its elements had been copied, row after row.",
        },
    )


def how_many_are_moved(_chance: Random) -> Question:
    """None."""
    return Question(
        "`t` has 1000 rows and 1000 columns. How many of its elements does `t.t()` move in memory?",
        0,
        "it writes a new header of a few numbers, whatever the size.",
        "The header says how to read memory. What has to change, the memory or the header?",
        "t = torch.zeros(1000, 1000)\n"
        "0 if t.t().untyped_storage().data_ptr() == t.untyped_storage().data_ptr() else t.numel()",
        mistakes={
            1_000_000: "A copy would move them all. But a write to `t.t()` reaches `t`.",
            999_000: "The diagonal stays, and so does all else.",
        },
    )


def stride_after_permute(chance: Random) -> Question:
    """Each stride goes along with its dim."""
    size = sizes(chance, 3, most=6)
    stride = Layout.of(size).stride
    dims = _order(chance)
    answer = tuple(stride[dim] for dim in dims)
    return Question(
        f"`x` has size {size} and stride {stride}. What is the stride of `x.permute{dims}`?",
        answer,
        "each stride goes along with its dim.",
        f"The new dim 0 is the old dim {dims[0]}. What was its stride?",
        f"torch.zeros{size}.permute{dims}.stride()",
        mistakes=others(
            answer,
            {
                tuple(stride[dims.index(d)] for d in range(3)): "That is the way back: `permute` "
                "names, for each new dim, the old one.",
                stride: "The stride would stay only if the order did.",
            },
        ),
    )


def size_after_permute(chance: Random) -> Question:
    """And each size."""
    size = sizes(chance, 3)
    dims = _order(chance)
    answer = tuple(size[dim] for dim in dims)
    return Question(
        f"`x` has size {size}. What is the size of `x.permute{dims}`?",
        answer,
        "for each new dim, `permute` names the old one.",
        f"The new dim 0 is the old dim {dims[0]}. What was its size?",
        f"torch.zeros{size}.permute{dims}.size()",
        mistakes=others(
            answer, {tuple(size[dims.index(d)] for d in range(3)): "That is the way back."}
        ),
    )


def the_way_back(chance: Random) -> Question:
    """The inverse permutation."""
    dims = _order(chance)
    back = tuple(dims.index(dim) for dim in range(3))
    return Question(
        f"`y = x.permute{dims}`. Which three dims does `y.permute` need, so that you have `x` "
        "again?",
        back,
        "it says where each old dim is now.",
        "Where in `y` is the old dim 0? That number comes first.",
        f"tuple(torch.tensor({dims}).argsort().tolist())",
        mistakes={dims: "The same order once more leads one step further."},
    )


def what_does_a_transpose_change(chance: Random) -> Question:
    """Only the header."""
    what = chance.choice(("size", "stride", "storage", "storage offset"))
    changes = what in ("size", "stride")
    code = {
        "size": "x.t().size() != x.size()",
        "stride": "x.t().stride() != x.stride()",
        "storage": "x.t().untyped_storage().data_ptr() != x.untyped_storage().data_ptr()",
        "storage offset": "x.t().storage_offset() != x.storage_offset()",
    }[what]
    rows, columns = sizes(chance, 2)
    return Question(
        f"`x` has size ({rows}, {columns}). Has `x.t()` another {what}?",
        changes,
        "a transpose swaps two sizes and two strides, and nothing else.",
        "A transpose swaps two dims in the header. What stands there for each dim?",
        f"x = torch.zeros({rows}, {columns})\n{code}",
    )


def position_after_a_transpose(chance: Random) -> Question:
    """The element has not moved."""
    rows, columns = sizes(chance, 2, least=3)
    i, j = chance.randrange(1, columns), chance.randrange(1, rows)
    answer = i + j * columns
    return Question(
        f"`x` has size ({rows}, {columns}) and stride ({columns}, 1). At which position does "
        f"`x.t()[{i}, {j}]` lie?",
        answer,
        f"it is `x[{j}, {i}]`, at {j} × {columns} + {i}.",
        "Which element of `x` is it? It has not moved.",
        f"torch.zeros({rows}, {columns}).t()[{i}, {j}].storage_offset()",
        mistakes=others(
            answer, {i * rows + j: "That would be its place in a copy of the transpose."}
        ),
    )


def offset_of_a_diagonal(chance: Random) -> Question:
    """One dim out of two."""
    n = chance.randrange(4, 8)
    k = chance.randrange(1, n - 1)
    answer = k * n
    return Question(
        f"`x` has size ({n}, {n}) and stride ({n}, 1). What is the storage offset of "
        f"`x.t().diagonal({k})`? It begins in column {k} of the transpose.",
        answer,
        f"column {k} of the transpose is row {k} of `x`, and begins at {k} × {n}.",
        "In the transpose, how many slots is one step to the right?",
        f"torch.zeros({n}, {n}).t().diagonal({k}).storage_offset()",
        mistakes=others(answer, {k: "That is `x.diagonal(...)` itself."}),
    )


def stride_of_a_diagonal(chance: Random) -> Question:
    """The sum of two strides."""
    rows, columns = sizes(chance, 2, least=3)
    return Question(
        f"`x` has size ({rows}, {columns}) and stride ({columns}, 1). What is the stride of "
        "`x.diagonal()`? It has one number.",
        (columns + 1,),
        "one step goes one down and one to the right.",
        "From one element of the diagonal to the next: one down, and one to the right.",
        f"torch.zeros({rows}, {columns}).diagonal().stride()",
        mistakes={(columns,): "That is only one down.", (1,): "That is only one to the right."},
    )


def which_call_is_it(chance: Random) -> Question:
    """A transpose is a permute."""
    size = sizes(chance, 3)
    dims = chance.choice(((1, 0, 2), (0, 2, 1), (2, 1, 0)))
    swapped = [dim for dim in range(3) if dims[dim] != dim]
    calls = tuple(f"x.transpose({a}, {b})" for a, b in ((0, 1), (1, 2), (0, 2)))
    answer = f"x.transpose({swapped[0]}, {swapped[1]})"
    return Question(
        f"Which call gives the same as `x.permute{dims}`?",
        answer,
        "`permute` may name any order; `transpose` swaps two dims and leaves the others.",
        "Which dim has stayed where it was?",
        f"x = torch.zeros{size}\n"
        f'{{x.transpose(a, b).stride(): f"x.transpose({{a}}, {{b}})" '
        f"for a, b in ((0, 1), (1, 2), (0, 2))}}[x.permute{dims}.stride()]",
        options=calls,
        shown=f"x = torch.zeros{size}\nx.permute{dims}.stride(), {answer}.stride()",
    )
