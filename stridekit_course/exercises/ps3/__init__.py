"""What the exercises of ps3 share: headers in order or nearly so, walks along the dims, copies."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import joined
from stridekit.errors import StridekitError
from stridekit.explain import WalkStep, walk
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Function, Outcome, TensorData
from stridekit_course.checks.exercise import Given, variants
from stridekit_course.checks.pictures import LONGEST, draw_strides, draw_tensors
from stridekit_course.checks.strategies import (
    CHANNELS_LAST,
    REACHES,
    RUN_TOGETHER,
    crossed_layouts,
    in_every_order,
    layouts,
    packed,
    put,
    small_layouts,
    tensor_data,
)
from stridekit_course.checks.tensor_results import DTYPES, other_kind

# A gap behind the first 256 elements.
_LONG_ROWS = (Layout((2, 256), (257, 1)), Layout((2, 2, 128), (300, 128, 1)))
# The most that comes, as the texts say it.
DIMS_MOST, ELEMENTS_MOST = 7, 600


def walk_cases(hidden: bool, chance: random.Random) -> Iterator[Layout]:
    """Every small size with small strides, and larger ones of all kinds."""
    yield from small_layouts(2, (0, 1, 2, 3, 6) if hidden else (0, 1, 2, 3))
    yield from (*REACHES, *RUN_TOGETHER, Layout((260, 2), (1, 260)), Layout((2, 260), (260, 1)))
    # A gap of more positions than 16 bits tell apart.
    yield from (*_LONG_ROWS, Layout((2,), (65_537,)))
    yield from (Layout(each.size[::-1], each.stride[::-1]) for each in (*REACHES, *_LONG_ROWS))
    if hidden:
        yield from one_of_many((0, 100))
    ranks = range(DIMS_MOST + 1)
    yield from layouts(chance, ranks, most=ELEMENTS_MOST, times=4 if hidden else 1)


def one_of_many(steps: Iterable[int]) -> Iterator[Layout]:
    """Both orders; and at each place a stride that is not in it, of a dim of size 2, or of size 1.

    So each dim of each rank decides once, and once it must not.
    """
    for rank in range(3, DIMS_MOST + 1):
        for place, order in product(range(rank), (range(rank), range(rank)[::-1])):
            twos, ones = (2,) * rank, put((2,) * rank, place, 1)
            stride = packed(twos, order)
            yield from (Layout(twos, put(stride, place, stride[place] + gap)) for gap in (0, 1))
            yield from (Layout(ones, put(packed(ones, order), place, step)) for step in steps)


def tensor_layouts(hidden: bool, chance: random.Random) -> Iterator[Layout]:
    """The same for tensors, which take longer than numbers."""
    sizes = [*product((0, 1, 2, 3), repeat=2)] if hidden else [(2, 3), (2, 2), (1, 2), (2, 0)]
    yield from small_layouts(1, (0, 1, 2))
    for size in sizes:
        # Without elements a few strides are enough.
        strides = ((1, 2), (0, 1), (3, 1)) if 0 in size else product((0, 1, 2, 3), repeat=2)
        yield from (Layout(size, stride, int(stride[0] == 2)) for stride in strides)
    # Images and volumes with the channels last.
    yield Layout((2, 3, 2, 2), packed((2, 3, 2, 2), CHANNELS_LAST))
    yield Layout((2, 3, 2, 2, 2), packed((2, 3, 2, 2, 2), (1, 4, 3, 2, 0)))
    # Strides that are other objects than the numbers that they are equal to.
    yield from (Layout((1, 2), (300, 1)), Layout((2, 260), (260, 1)), *_LONG_ROWS)
    yield from (*REACHES, *RUN_TOGETHER)
    yield from one_of_many((0,)) if hidden else ()
    ranks = range(DIMS_MOST + 1)
    # A tensor that is copied element by element takes as long as it has elements.
    yield from layouts(chance, ranks, offsets=(0, 1, 3), most=60, times=2 if hidden else 1)
    yield from [*layouts(chance, ranks, most=ELEMENTS_MOST)][: 20 if hidden else 3]


def odd_tensors(hidden: bool, chance: random.Random, layout: Layout, twice: Layout) -> Given:
    """The eight odd values of each dtype, also with some of them twice, and in every order."""
    for dtype in DTYPES:
        more = (twice, *in_every_order(twice.size, chance)) if hidden else ()
        yield from ((tensor_data(each, dtype=dtype, odd=True),) for each in (layout, *more))


def crossed_tensors(
    hidden: bool, chance: random.Random, ranks: Iterable[int], **options: Any
) -> Given:
    """Tensors of all kinds and dtypes, of odd values."""
    rows = [*crossed_layouts(chance, ranks, most=24, dtype=DTYPES, **options)]
    for layout, row in rows if hidden else rows[:24]:
        yield (tensor_data(layout, dtype=row.dtype, odd=True),)


def is_late(_size: Ints, stride: Ints) -> bool:
    """A stride of 0 that was given comes late: much is right by chance there."""
    return 0 in stride


def is_repeated(tensor: TensorData) -> bool:
    """Whether it has the same element at several indices by a stride of 0: that comes late."""
    return bool(tensor.layout.repeated)


# Walks.


WAY = "from the last to the first"
NO_ELEMENTS = (
    "a size of 0 means that there are no elements, and then nothing can be out of order: True."
)


def row_major_walk(size: Ints, stride: Ints) -> tuple[WalkStep, ...]:
    """The walk from the last dim to the first."""
    return walk(size, stride, reversed(range(len(size))))


def holds(steps: Iterable[WalkStep]) -> bool:
    """Whether no step has failed."""
    return all(step.ok is not False for step in steps)


def variants_of_walk(order: str, *changes: str) -> Callable[..., Function]:
    """What makes mistakes of a walk along the dims in that order; all have these changes."""
    changed = variants(_is_in_order)
    return lambda *more: changed("range(0)", order, *changes, *more)


def _is_in_order(size: Ints, stride: Ints, expected: int = 1) -> bool:
    if 0 in size:
        return True
    for dim in range(0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


def in_words(way: str, steps: Sequence[WalkStep]) -> str:
    """What a walk has come to, with its numbers, as a sentence without a full stop."""
    skipped = [step.dim for step in steps if step.ok is None]
    walked = [step for step in steps if step.ok is not None]
    if not walked:
        stride = tuple(step.stride for step in sorted(steps, key=lambda step: step.dim))
        return f"nothing steps along a dim of size 1, so here any stride will do, {stride} too"
    begin = f"walk the dims {way}"
    if skipped:
        begin += f" and skip {_dims(skipped)}, of size 1"
    last = walked[-1]
    if last.ok:
        have, are = ("stride", "is") if len(walked) == 1 else ("strides", "are")
        strides = joined([str(step.stride) for step in walked])
        return f"{begin}: the {have} {strides} {are} as expected"
    passed = [str(step.size) for step in walked[:-1]]
    expected = f"{' × '.join(['1', *passed])} = {last.expected}" if passed else "1"
    return f"{begin}: dim {last.dim} has stride {last.stride}, and {expected} is expected"


def _dims(dims: Sequence[int]) -> str:
    words = joined([str(dim) for dim in sorted(dims)])
    return f"dim {words}" if len(dims) == 1 else f"dims {words}"


def beside(name: str, other: Callable[[Ints, Ints], Ints]) -> Callable[..., Diagram | None]:
    """A picture of a size and a stride, and of the size with other strides, if they are others."""

    def picture(_: object, __: object, size: Ints, stride: Ints) -> Diagram | None:
        strides = other(size, stride)
        others = {name: strides} if strides != stride else {}
        return draw_strides(size, given=stride, **others)

    return picture


# Copies.


# What makes a tensor of another dtype, and takes a memory_format: there and back it is a copy.
CONVERSIONS = (
    *("to", "_to_copy", "type", "type_as", "cpu", "bool", "byte", "char", "short", "int", "long"),
    *("half", "bfloat16", "float", "double", "chalf", "cfloat", "cdouble"),
)


# So many elements have a colour each.
FEW = 12


def draw_copy(expected: TensorData | None, outcome: Outcome, given: TensorData) -> Diagram | None:
    """The tensor or the image, the copy that is expected, and the result."""
    if not 0 < given.layout.needed <= LONGEST:
        return None
    name, yours = "tensor" if given.library == "torch" else "image", outcome.value
    tensors = {name: given}
    if expected is not None:
        tensors["expected"] = expected._replace(memory=1)
    is_new = isinstance(yours, TensorData) and outcome.is_argument is None
    if is_new and yours.layout.needed <= LONGEST:
        same_memory = outcome.aliases is not None and yours.storage == given.storage
        tensors["yours"] = yours._replace(memory=0 if same_memory else 2)
    try:
        # Of what is the same at each index, colour follows the element: the strips alone differ.
        is_same = all(
            other_kind(each, given.dtype, given.size) is None and each.values() == given.values()
            for each in tensors.values()
        )
        colours = is_same and len(tensors) > 1 and prod(given.size) <= FEW
        return draw_tensors(tensors, color_by="element" if colours else None)
    except StridekitError:
        return draw_tensors({name: given})


def made(tensor: Any, **how: Any) -> Any:
    """A new torch tensor of that size and dtype."""
    import torch

    return torch.empty(tuple(tensor.size()), **{"dtype": tensor.dtype, **how})


def copies(tensor: Any) -> Any:
    """A mistake: a row-major copy, whatever the tensor."""
    return made(tensor).copy_(tensor)


def imitates(tensor: Any) -> Any:
    """A mistake: a copy in the order that the tensor has."""
    import torch

    return torch.empty_like(tensor).copy_(tensor)


def _of_a_guessed_dtype(tensor: Any) -> Any:
    import torch

    return torch.tensor(tensor.tolist())


def _through_floats(tensor: Any) -> Any:
    import torch

    if tensor.is_complex():
        return copies(tensor)
    return made(tensor).copy_(made(tensor, dtype=torch.float64).copy_(tensor))


LOSSY_COPIES: dict[str, Function] = {
    "if the new tensor is made without a dtype: it is float32 then.": (
        lambda tensor: made(tensor, dtype=None).copy_(tensor)
    ),
    "if torch guesses the dtype from Python's numbers.": _of_a_guessed_dtype,
    "if the elements pass through floats on their way. Floats cannot tell all whole numbers "
    "apart.": _through_floats,
    "if something is computed with the elements, such as + 0. Not every value survives that: 0.0 + "
    "-0.0 is 0.0.": lambda tensor: made(tensor).fill_(0).add_(tensor),
}
"""Row-major copies that lose something, by what is said of them."""
