"""ps2, `transpose`: two dims change places."""

import random
from itertools import combinations, product

from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.exercise import Given
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.checks.strategies import RUN_TOGETHER, to_strides
from stridekit_course.exercises import ps2


def _cases(hidden: bool, chance: random.Random) -> Given:
    sizes, few = product(range(4), repeat=2), ((2, 3), (2, 1), (0, 3), (3, 3))
    for layout in (
        *ps2.small_grids(sizes if hidden else few, 2 if hidden else 1),
        *(Layout((n,), (5,)) for n in range(4)),
        *map(ps2.of_many_dims, (3, 4)),
        *(ps2.TWINS, ps2.HUGE, *RUN_TOGETHER[:2]),
    ):
        rank = layout.ndim
        # One dim that is not there, or both, or the same one twice.
        bad = ps2.bad_dims(rank)
        pairs = [*product(ps2.dims_of(rank), repeat=2), *zip(bad, bad, strict=True), bad[1:3]]
        pairs += [(dim, rank - 1) for dim in bad] + [(-1, dim) for dim in bad[:2]]
        yield from ((layout, *pair) for pair in pairs)
    many = ps2.of_many_dims(ps2.DIMS_MOST)
    for pair in combinations(range(ps2.DIMS_MOST), 2) if hidden else ():
        yield many, *pair
    others = ("same", "next", "before", "any", "any", "none")
    for layout, dim, row in ps2.crossed_dims(chance, 2 if hidden else 1, other=others):
        rank = layout.ndim
        other = {
            "same": dim % rank,
            "next": (dim + 1) % rank,
            "before": (dim - 1) % rank - rank,
            "any": chance.choice(ps2.dims_of(rank)),
            "none": chance.choice(ps2.bad_dims(rank)),
        }[row.other]
        yield layout, dim, other


def _rule(size: Ints, stride: Ints, dim0: int, dim1: int) -> str:
    rank = len(size)
    a, b = dim0 % rank, dim1 % rank
    if a == b:
        return f"dim {dim0} and dim {dim1} are the same dim, so nothing changes places."
    return (
        f"dims {a} and {b} change places, in the size and in the stride alike: size {size[a]} "
        f"keeps its stride {stride[a]}, and size {size[b]} its stride {stride[b]}; all others stay."
    )


def _swapped(numbers: Ints, dim0: int, dim1: int) -> Ints:
    order = list(numbers)
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return tuple(order)


def _overwritten(numbers: Ints, dim0: int, dim1: int) -> Ints:
    order = list(numbers)
    order[dim0] = order[dim1]
    order[dim1] = order[dim0]
    return tuple(order)


def _moved(numbers: Ints, dim0: int, dim1: int) -> Ints:
    order = list(numbers)
    order.insert(range(len(order))[dim1], order.pop(dim0))
    return tuple(order)


def _by_slices(numbers: Ints, dim0: int, dim1: int) -> Ints:
    a, b = min(dim0, dim1), max(dim0, dim1)
    if a == b:
        return numbers
    return (*numbers[:a], numbers[b], *numbers[a + 1 : b], numbers[a], *numbers[b + 1 :])


def _refused_if_same(numbers: Ints, dim0: int, dim1: int) -> Ints:
    if range(len(numbers))[dim0] == range(len(numbers))[dim1]:
        raise ValueError
    return _swapped(numbers, dim0, dim1)


EXERCISE = ps2.exercise_on_dims(
    "transpose",
    ("size", "stride", "dim0", "dim1"),
    place=3,
    named=("dim0", "dim1"),
    returns=SIZE_AND_STRIDE,
    cases=_cases,
    reference=to_strides(dims.transpose),
    rule=_rule,
    known={
        "if only the sizes change places. Each size takes its stride along.": (
            lambda size, stride, *pair: (_swapped(size, *pair), stride)
        ),
        "if only the strides change places. Each stride takes its size along.": (
            lambda size, stride, *pair: (size, _swapped(stride, *pair))
        ),
        "if all dims are turned round. Only dim0 and dim1 change places.": (
            ps2.of_both(lambda numbers, *_: numbers[::-1])
        ),
        "if nothing changes places where two sizes are equal. Their strides may differ.": (
            lambda size, stride, *pair: (
                _swapped(size, *pair),
                stride if _swapped(size, *pair) == size else _swapped(stride, *pair),
            )
        ),
        "if nothing changes places.": lambda size, stride, *_: (size, stride),
        "if one dim is overwritten before it is read. Both have to be read first.": (
            ps2.of_both(_overwritten)
        ),
        "if one dim is taken out and put in at the other's place: the dims between move too. Only "
        "two change places.": ps2.of_both(_moved),
        "if negative dims are compared and cut with as they are. "
        "Make both dims positive first.": ps2.of_both(_by_slices),
    },
    refusing={
        "if the same dim twice is refused. It is allowed, and nothing changes.": (
            ps2.of_both(_refused_if_same)
        ),
        "if a dim that is named twice is never looked for. It has to be there all the same.": (
            ps2.of_both(lambda numbers, a, b: numbers if a == b else _swapped(numbers, a, b))
        ),
        ps2.WRAPPED: (
            ps2.of_both(
                lambda numbers, a, b: _swapped(numbers, a % len(numbers), b % len(numbers))
            ),
            ps2.of_both(lambda numbers, a, b: _swapped(numbers, a, b % len(numbers))),
        ),
    },
)
