"""ps4, `seams`: where neighbouring dims cannot merge."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from math import prod

from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.returns import LIST_OF_INTS
from stridekit_course.checks.strategies import LARGE_STEPS, SIZES, insert, layouts, small_layouts
from stridekit_course.exercises import ps4

# The most that comes, as the text says it.
DIMS_MOST = 12
_WITH_ELEMENTS = tuple(kind for kind in SIZES if "none" not in kind)


def _cases(hidden: bool, chance: random.Random) -> Iterable[Layout]:
    yield from small_layouts(2, (0, 1, 2, 3, 6) if hidden else (0, 1, 2, 3), least=1)
    yield from _with_ones((0, 2, 5) if hidden else (5,))
    # Told apart by where a number ends, or in more than 32 bits.
    yield from (Layout((1, 2, 3), (3, 9, 1)), Layout((12, 3), (3, 91)))
    yield Layout((2, 3), (2**32 + 3, 1))
    # A quotient of its strides leaves a rest.
    yield Layout((3, 2), (5, 2))
    # Sizes with two digits. A quotient of such strides is rounded.
    for large, kind in product(((2, 3), (10, 11), (3, 1, 12)), ps4.KINDS):
        yield ps4.strided(large, (kind,) * (len(large) - 1), 2**54 + 1)
    if hidden:
        yield from (each for each in small_layouts(3, (1, 2, 4), least=1) if each.ndim == 3)
    ranks, times = range(1, DIMS_MOST + 1), 1 + hidden
    yield from layouts(
        chance, ranks, sizes=_WITH_ELEMENTS, steps=LARGE_STEPS, most=10**6, times=times
    )


def _with_ones(steps: Ints) -> Iterator[Layout]:
    """A 1 at every place, and several, with strides that may seem to merge."""
    for kind in ps4.KINDS:
        layout = ps4.strided((2, 3), (kind,))
        for place, step in product(range(3), (*steps, 1, 3)):
            yield Layout(insert((2, 3), place, 1), insert(layout.stride, place, step))
        left, right = layout.stride
        yield Layout((2, 1, 1, 1, 3), (left, 6, 0, 9, right))


def _rule(size: Ints, stride: Ints) -> str:
    kept = ps4.kept_dims(size)
    if len(kept) < 2:
        return "a seam lies between two dims of size 2 or more, and there are fewer than two."
    verdicts = []
    for left, right in pairwise(kept):
        n, step = size[right], stride[right]
        joined = "merge" if stride[left] == n * step else "do not merge"
        verdicts.append(
            f"dims {left} and {right} {joined}, because stride[{left}] is {stride[left]} and "
            f"size[{right}] × stride[{right}] is {n} × {step} = {n * step}"
        )
    dropped = "with the dims of size 1 dropped, " if 1 in size else ""
    return f"{dropped}{'; '.join(verdicts)}."


def _picture(expected: Plain, outcome: Outcome, size: Ints, stride: Ints) -> Diagram | None:
    """The two dims in dispute, as they would have to merge."""
    kept = ps4.kept_dims(size)
    layout = as_layout((size, stride, 0))
    if layout is None or len(kept) < 2:
        return draw_headers({"given": (size, stride, 0)})
    claimed = outcome.value if isinstance(outcome.value, list) else []
    missed = [dim for dim in expected if dim not in claimed]
    wrong = [dim for dim in kept[:-1] if dim in claimed and dim not in expected]
    left = [*missed, *wrong, *expected, kept[0]][0]
    right = kept[kept.index(left) + 1]
    merged = (*size[:left], size[left] * size[right], *size[right + 1 :])
    return draw_view(ps4.counting_tensor(layout), merged, title="given")


def _next_kept(size: Ints, left: int) -> int:
    kept = ps4.kept_dims(size)
    return kept[kept.index(left) + 1]


EXERCISE = Exercise(
    "seams",
    ("size", "stride"),
    place=4,
    returns=LIST_OF_INTS,
    reordered=("size", "stride"),
    cases=_cases,
    late=ps4.is_late,
    reference=ps4.seams_of,
    rule=_rule,
    picture=_picture,
    known={
        "if the right dim of each pair is listed. List the left one.": lambda size, stride: [
            _next_kept(size, left) for left in ps4.seams_of(size, stride)
        ],
        "if the dims are numbered anew once those of size 1 are gone. List the numbers that they "
        "had.": lambda size, stride: [
            ps4.kept_dims(size).index(left) for left in ps4.seams_of(size, stride)
        ],
        "if the dim just before the right one is listed, though its size is 1. List the left dim "
        "of the pair.": lambda size, stride: [
            _next_kept(size, left) - 1 for left in ps4.seams_of(size, stride)
        ],
        "if dims of size 1 are not dropped.": lambda size, stride: [
            dim for dim in range(len(size) - 1) if stride[dim] != size[dim + 1] * stride[dim + 1]
        ],
        "if the size of the left dim is used. The left stride has to jump over the right dim, so "
        "the right size counts.": lambda size, stride: ps4.seams_of(size, stride, of_left=True),
        "if strides are held against row-major ones. What counts is only whether a dim follows on "
        "its right neighbour, however far apart that one's steps are.": lambda size, stride: [
            left for left in ps4.kept_dims(size)[:-1] if stride[left] != prod(size[left + 1 :])
        ],
        "if the list runs from the right. It has to ascend.": lambda size, stride: ps4.seams_of(
            size, stride
        )[::-1],
    },
)
