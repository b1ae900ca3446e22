"""Assignment ps3: column-major, channels_last, dense. All are walks along the dims."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.returns import TRUTH
from stridekit.exercises.ps3_walk import (
    draw_beside,
    in_any_order,
    in_words,
    near,
    packed,
    random_walks,
    small_walks,
    walk,
    weigh_image,
)
from stridekit.layouts.layout import Ints, Layout, is_contiguous
from stridekit.layouts.memory_formats import channels_last, follows, is_dense, preserved_stride

CHANNELS_LAST = (1, 3, 2, 0)
_NO_ELEMENTS = (
    "a size of 0 means that there are no elements, and then nothing can be out of order: True."
)


def _walk_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield from small_walks(hidden=hidden)
    yield from random_walks(500 if hidden else 150, chance)


def _walked(size: Ints, stride: Ints, order: Iterable[int]) -> bool:
    """A walk without any exception: what most mistakes do."""
    expected = 1
    for dim in order:
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


def _kept(size: Ints) -> list[int]:
    return [dim for dim, n in enumerate(size) if n != 1]


# is_f_contiguous


def _f_rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return _NO_ELEMENTS
    if not size:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{in_words('from the first to the last', walk(size, stride, range(len(size))))}."


def _not_c(size: Ints, stride: Ints) -> Any:
    return not is_contiguous(size, stride)


def _f_with_ones(size: Ints, stride: Ints) -> Any:
    return 0 in size or _walked(size, stride, range(len(size)))


def _f_with_none(size: Ints, stride: Ints) -> Any:
    return _walked(size, stride, _kept(size))


def _ascending(size: Ints, stride: Ints) -> Any:
    return 0 in size or list(stride) == sorted(stride)


def _first_is_one(size: Ints, stride: Ints) -> Any:
    return not size or 0 in size or stride[0] == 1


IS_F_CONTIGUOUS = plain_exercise(
    "is_f_contiguous",
    ("size", "stride"),
    cases=_walk_cases,
    reference=lambda size, stride: is_contiguous(size[::-1], stride[::-1]),
    returns=TRUTH,
    rule=_f_rule,
    picture=lambda case, *_: draw_beside(
        case.arguments, "column-major", packed(case.arguments[0], range(len(case.arguments[0])))
    ),
    mistakes=(
        Mistake(
            _not_c,
            "this is what you get if column-major is taken for the opposite of row-major. A "
            "tensor can be both, such as a vector, and it can be neither.",
        ),
        Mistake(
            is_contiguous,
            "this is what you get if the walk goes from the last dim to the first. That is the "
            "test for row-major order.",
        ),
        Mistake(_f_with_ones, "this is what you get if dims of size 1 are not skipped."),
        Mistake(_f_with_none, "this is what you get if tensors without elements are walked."),
        Mistake(
            _ascending,
            "this is what you get if ascending strides are taken for column-major. They must be "
            "exactly the products of the sizes to their left.",
        ),
        Mistake(_first_is_one, "this is what you get if only the first stride is looked at."),
    ),
)


# is_channels_last


def _channels_last_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    small = [*product((0, 1, 2), repeat=4)]
    for size in small:
        yield from near(size, CHANNELS_LAST)
    yield from in_any_order(product((1, 2), repeat=4))
    yield from _of_another_rank()
    if hidden:
        for size in product(range(4), repeat=4):
            yield from near(size, CHANNELS_LAST)
        yield from in_any_order(product((1, 2, 3), repeat=4))
        for size in product((1, 2), repeat=4):
            for stride in product((1, 2, 4, 8), repeat=4):
                yield size, stride
    yield from random_walks(500 if hidden else 150, chance, (CHANNELS_LAST,) * 3, rank=4)
    yield from random_walks(50 if hidden else 15, chance)


def _of_another_rank() -> Iterable[Arguments]:
    """Images without a batch, channels_last_3d, and channels_last with a dim too much."""
    for rank in range(4):
        for size in product((0, 1, 2), repeat=rank):
            yield size, packed(size, reversed(range(rank)))
    for size in product((1, 2, 3), repeat=3):
        yield size, packed(size, (0, 2, 1))
    for size in product((1, 2), repeat=4):
        stride = packed(size, CHANNELS_LAST)
        for n, step in ((1, 1), (1, 0), (2, 100)):
            yield (*size, n), (*stride, step)
            yield (n, *size), (step, *stride)
    for size in product((1, 2), repeat=5):
        yield size, packed(size, (1, 4, 3, 2, 0))


def _channels_last_rule(size: Ints, stride: Ints) -> str:
    if len(size) != 4:
        return f"channels_last is for the four dims N, C, H, W, and here is rank {len(size)}."
    steps = walk(size, stride, CHANNELS_LAST)
    words = in_words("C, W, H, N (1, 3, 2, 0)", steps)
    if 0 in size:
        return f"a tensor without elements is walked like any other. {words[0].upper()}{words[1:]}."
    return f"{words}."


def _exempting(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and (0 in size or follows(Layout(size, stride), channels_last))


def _other_order(*order: int) -> Any:
    def walked(size: Ints, stride: Ints) -> Any:
        return len(size) == 4 and _walked(size, stride, [dim for dim in order if size[dim] != 1])

    return walked


def _channels_with_ones(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and _walked(size, stride, CHANNELS_LAST)


def _zero_as_one(size: Ints, stride: Ints) -> Any:
    raised = tuple(max(n, 1) for n in size)
    expected = 1
    for dim in CHANNELS_LAST if len(size) == 4 else ():
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= raised[dim]
    return len(size) == 4


def _channel_is_one(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and stride[1] == 1


_C_IS_FIRST = (
    "this is what you get if W comes before C. The channels of a pixel are neighbours in memory, "
    "so the walk begins with C: C, W, H, N."
)

IS_CHANNELS_LAST = plain_exercise(
    "is_channels_last",
    ("size", "stride"),
    cases=_channels_last_cases,
    reference=lambda size, stride: follows(Layout(size, stride), channels_last),
    returns=TRUTH,
    weigh=weigh_image,
    rule=_channels_last_rule,
    picture=lambda case, *_: (
        draw_beside(case.arguments, "channels_last", packed(case.arguments[0], CHANNELS_LAST))
        if len(case.arguments[0]) == 4
        else draw_beside(case.arguments, "", case.arguments[1])
    ),
    mistakes=(
        Mistake(
            _exempting,
            "this is what you get if tensors without elements are exempt. For contiguous they "
            "are, for channels_last they are not.",
        ),
        Mistake(_zero_as_one, "this is what you get if a size of 0 is multiplied as 1."),
        Mistake(
            _other_order(1, 2, 3, 0),
            "this is what you get if H comes before W. In a channels_last image the next pixel is "
            "the one to the right, so W moves faster.",
        ),
        Mistake(_other_order(3, 2, 1, 0), _C_IS_FIRST),
        Mistake(_other_order(0, 2, 3, 1), _C_IS_FIRST),
        Mistake(_channels_with_ones, "this is what you get if dims of size 1 are not skipped."),
        Mistake(_channel_is_one, "this is what you get if only the stride of C is looked at."),
    ),
)


# is_dense


def _dense_rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return _NO_ELEMENTS
    if not size:
        return "rank 0 has one element: a run of one position, without a gap."
    order = sorted(range(len(size)), key=lambda dim: (stride[dim], size[dim]))
    steps = walk(size, stride, order)
    words = in_words("by ascending stride", steps)
    if all(step.ok is None for step in steps):
        return f"{words}."
    last = steps[-1]
    if last.ok is not False:
        return f"{words}, so there is no gap and no overlap."
    found = "some indices share a position" if last.stride < last.expected else "there is a gap"
    return f"{words}, so {found}."


def _reach(size: Ints, stride: Ints) -> int:
    return 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


def _without_overlap(size: Ints, stride: Ints) -> Any:
    expected = 1
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1 and step < expected:
            return 0 in size
        expected = max(expected, n * step)
    return True


def _fills_its_reach(size: Ints, stride: Ints) -> Any:
    numel = Layout(size, stride).numel
    return numel == 0 or _reach(size, stride) == numel


def _c_or_f(size: Ints, stride: Ints) -> Any:
    return is_contiguous(size, stride) or is_contiguous(size[::-1], stride[::-1])


def _dense_with_ones(size: Ints, stride: Ints) -> Any:
    return 0 in size or _walked(size, stride, sorted(range(len(size)), key=stride.__getitem__))


def _dense_with_none(size: Ints, stride: Ints) -> Any:
    return _walked(size, stride, sorted(_kept(size), key=stride.__getitem__))


IS_DENSE = plain_exercise(
    "is_dense",
    ("size", "stride"),
    cases=_walk_cases,
    reference=is_dense,
    returns=TRUTH,
    rule=_dense_rule,
    picture=lambda case, *_: draw_beside(
        case.arguments, "dense, in the same order", preserved_stride(*case.arguments)
    ),
    mistakes=(
        Mistake(
            _without_overlap,
            "this is what you get if gaps are ignored. Dense means that every position between "
            "the first and the last is used.",
        ),
        Mistake(
            _fills_its_reach,
            "this is what you get if the reach is compared with the number of elements. An "
            "overlap and a gap can make up for each other.",
        ),
        Mistake(is_contiguous, "this is what you get if only row-major order is accepted."),
        Mistake(
            _c_or_f,
            "this is what you get if only row-major and column-major order are accepted. Any "
            "order of the dims is dense, if there is no gap.",
        ),
        Mistake(_dense_with_ones, "this is what you get if dims of size 1 are not skipped."),
        Mistake(_dense_with_none, "this is what you get if tensors without elements are walked."),
    ),
)
