"""ps5, `expand`: the stride of an expanded tensor."""

import random
from itertools import product

from stridekit.diagrams import Diagram
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import draw_change, draw_headers
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import (
    LARGE_STEPS,
    crossed_layouts,
    in_every_order,
    small_sizes,
)

# What the text says of the new size.
DIMS_MOST = 10


def _cases(hidden: bool, chance: random.Random) -> Given:
    """Every small one of one dim, fitting or not; then large numbers, many dims, old and new."""
    for n, leads in product(range(4), small_sizes(1 + hidden, most=2, least=-2)):
        yield from (((n,), (3,), (*leads, wanted)) for wanted in (-2, -1, 0, 1, 2, 3))
    # Told apart by where a number ends.
    for n, wanted in product((1, 3, 11, 300), (1, 3, 10, 11, 101, 300, 2**53 + 1)):
        yield (n,), (2,), (wanted,)
        yield from (((n, 1), (1, 7), (*leads, wanted, 2)) for leads in ((), (1,)))
    for layout in in_every_order((2, 3, 2), chance):
        yield from ((layout, (*leads, 2, 3, 2)) for leads in ((1,), (2, 1)))
    # Shorter by so many dims, also where they are of size 1.
    for rank, n in product(range(1, DIMS_MOST + 1), (1, 2)):
        yield from (((n,) * rank, (2,) * rank, (n,) * fewer) for fewer in range(rank))
    for layout, row in crossed_layouts(
        chance,
        range(1, DIMS_MOST + 1),
        offsets=(0,),
        steps=LARGE_STEPS,
        sizes=("ones", "ones", "mixed", "alike", "wide", "none", "wide ones", "wide none"),
        times=5 if hidden else 1,
        new=range(DIMS_MOST),
        leads=((1,), (1,), (2,), (1, 1, 2), (2, 1, 1), (1, 12), (0, 1), (1, 0, 1), (1, 1, 1, -1)),
        wanted=("stays", "minus", 2, 6, 10, 2**53 + 1, 0, -2),
    ):
        kept = [n if row.wanted == "stays" else chance.choice((n, -1)) for n in layout.size]
        if row.wanted not in ("stays", "minus"):
            # Most often in a dim that can become another one.
            ones = [dim for dim, n in enumerate(layout.size) if n == 1]
            kept[chance.choice((*ones * 4, *range(layout.ndim)))] = row.wanted
        # The leading dims come again and again, as far as there is room.
        new = min(row.new, DIMS_MOST - layout.ndim)
        new_size = (*(row.leads * DIMS_MOST)[:new], *kept)
        # No more elements than torch can count.
        plan = plan_expand(layout, new_size)
        if isinstance(plan, ExpandObstacle) or plan.numel < 2**63:
            yield layout, new_size


def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    return Refusal("ValueError", plan.reason) if isinstance(plan, ExpandObstacle) else plan.stride


def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return (
            "aligned at the right, a dim keeps its size, as -1 says too, and only one of size 1 "
            "can take another; new dims stand at the left, have a size of 0 or more, and none is "
            "dropped."
        )
    lead = len(new_size) - len(size)
    clauses = []
    for dim, (n, step) in enumerate(plan.dims):
        was = f"goes from size 1 to {n}" if dim >= lead else f"is new, of size {n},"
        why = f"{was} and gets stride 0"
        if dim >= lead and n == size[dim - lead]:
            why = f"keeps size {n} and so its stride {step}"
        elif dim < lead and n == 1:
            right = " × ".join(map(str, plan.dims[dim + 1]))
            why = f"{was} and gets size × stride of the dim to its right, {right} = {step}"
        clauses.append(f"dim {dim} {why}")
    return f"{'; '.join(clauses)}."


def _picture(
    expected: Plain, outcome: Outcome, size: Ints, stride: Ints, new_size: Ints
) -> Diagram | None:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return draw_headers({"given": (size, stride, 0)})
    return draw_change((size, stride, 0), (plan.size, expected), (plan.size, outcome.value))


def _from_the_right(size: Ints, stride: Ints, new_size: Ints) -> Ints:
    lead = len(new_size) - len(size)
    sizes: list[int] = []
    steps: list[int] = []
    for dim in reversed(range(len(new_size))):
        is_new = dim < lead
        n, step = (1, sizes[-1] * steps[-1]) if is_new else (size[dim - lead], stride[dim - lead])
        sizes.append(n if new_size[dim] == -1 else new_size[dim])
        steps.append(step if sizes[-1] == n else 0)
    return tuple(steps[::-1])


_but = variants(_from_the_right, contiguous_stride=contiguous_stride)
# What a new dim of size 1 gets, and what each dim keeps or not.
_RIGHT, _KEPT = "sizes[-1] * steps[-1]", "sizes[-1] == n"


EXERCISE = Exercise(
    "expand",
    ("size", "stride", "new_size"),
    place=2,
    returns=INTS,
    reordered=("size", "stride", "new_size"),
    cases=_cases,
    # Nothing shows in no elements, and little in ones; -1 has to be looked up.
    late=lambda size, _, new: (0 in new, max(*size, *new, 0) < 2, len(new), new.count(-1)),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if a repeated dim keeps its stride. With stride 0 its "
        "index grows and the position stays.": (
            _but(_KEPT, f"{_KEPT} or not is_new"),
            _but(_KEPT, f"{_KEPT} or not is_new", _RIGHT, "0"),
        ),
        "if a new dim of size 1 looks at the dims as they were given. Take size × stride of the "
        "dim to its right as it is after expanding.": _but(_RIGHT, "size[0] * stride[0]"),
        "if a new dim of size 1 takes over the stride to its right. It gets size × stride.": _but(
            _RIGHT, "steps[-1]"
        ),
        "if every new dim gets stride 0. One of size 1 repeats nothing, and gets size × stride of "
        "the dim to its right.": _but(_RIGHT, "0"),
        "if -1 is multiplied as it stands. It means the size that the dim has.": _but(
            _RIGHT, "new_size[dim + 1] * steps[-1]"
        ),
        "if every dim of size 1 gets stride 0. One that stays 1 keeps its stride.": (
            _but(_KEPT, f"{_KEPT} and (is_new or n != 1)"),
            _but(_KEPT, f"{_KEPT} != 1"),
        ),
        "these are the strides of a copy, in row-major order. expand copies nothing.": _but(
            "tuple(steps[::-1])", "contiguous_stride((*sizes[::-1],))"
        ),
    },
    refusing={
        "if each negative size keeps the size that is there. Only -1 does, and only for a dim that "
        "is there.": lambda size, stride, new_size: _reference(
            size, stride, tuple(max(n, -1) for n in new_size)
        ),
    },
)
