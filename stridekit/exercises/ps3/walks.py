"""What ps3 shares on walks: along the dims, each stride held against what is expected."""

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import draw_headers
from stridekit.checks.seam import Case, TensorData
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import joined
from stridekit.explain import WalkStep
from stridekit.layouts.layout import Ints

WAY = "from the last to the first"
NO_ELEMENTS = (
    "a size of 0 means that there are no elements, and then nothing can be out of order: True."
)


def row_major_walk(size: Ints, stride: Ints) -> Any:
    """The walk from the last dim to the first."""
    return walk(size, stride, reversed(range(len(size))))


def walked(size: Ints, stride: Ints, order: Iterable[int]) -> bool:
    """A walk without any exception: what most mistakes do."""
    expected = 1
    for dim in order:
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


def kept(size: Ints) -> list[int]:
    """The dims of another size than 1."""
    return [dim for dim, n in enumerate(size) if n != 1]


def walk(size: Ints, stride: Ints, order: Iterable[int]) -> tuple[WalkStep, ...]:
    """The steps along the dims in that order, up to the first stride that is not as expected.

    >>> [step.ok for step in walk((4, 1, 3), (4, 9, 1), (2, 1, 0))]
    [True, None, False]
    """
    steps = []
    expected = 1
    for dim in order:
        ok = None if size[dim] == 1 else stride[dim] == expected
        steps.append(WalkStep(dim, size[dim], stride[dim], expected, ok))
        if ok is False:
            break
        expected *= size[dim]
    return tuple(steps)


def holds(steps: Iterable[WalkStep]) -> bool:
    """Whether no step has failed."""
    return all(step.ok is not False for step in steps)


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
    return f"{begin}: dim {last.dim} has stride {last.stride}, and {_expected(walked)} is expected"


def _expected(walked: Sequence[WalkStep]) -> str:
    """What the last step expects, as the product of the sizes before it."""
    passed = [str(step.size) for step in walked[:-1]]
    if not passed:
        return "1"
    return f"{' × '.join(['1', *passed])} = {walked[-1].expected}"


def _dims(dims: Sequence[int]) -> str:
    words = joined([str(dim) for dim in sorted(dims)])
    return f"dim {words}" if len(dims) == 1 else f"dims {words}"


def weigh_image(case: Case) -> tuple[Any, ...]:
    """Smallest first, and of the same number of elements those with more channels first.

    So a wrong order of all dims differs earlier than one of H and W alone. Without elements those
    with one 0 come first.
    """
    none, count, *rest = weigh_arguments(case)
    first = case.arguments[0]
    size = first.size if isinstance(first, TensorData) else first
    channels = size[1] if len(size) == 4 and not none else 0
    return none, count, size.count(0), repeats(case), -channels, *rest


def repeats(case: Case) -> bool:
    """Whether a tensor of a case has the same element at several indices by a stride of 0."""
    return any(
        n > 1 and step == 0
        for each in case.tensors
        for n, step in zip(each.size, each.stride, strict=True)
    )


def draw_beside(arguments: Arguments, name: str, other: Ints) -> Diagram | None:
    """The size and stride of a case, and the size with other strides, unless they are the same."""
    size, stride = arguments
    if not prod(size):
        return None
    headers = {"given": (size, stride, 0)}
    if other != stride:
        headers[name] = (size, other, 0)
    return draw_headers(headers)
