"""Explanations: the steps of a verdict about a header, as data that prints itself.

Every step carries its numbers, so a lesson can show it, a test can read it, and a check can
quote it. The subject is a stridekit, torch or NumPy tensor, or a bare `Layout`. Sizes, strides
and positions are in elements; those of a NumPy array whose elements lie at no multiple of their
size are in bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, SupportsIndex

from stridekit.errors import ArgumentError
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints, Layout, spell
from stridekit.layouts.view_rule import Chunk, Obstacle, chunks, plan_view
from stridekit.layouts.whole_numbers import as_int, as_ints, counting, sizes_of
from stridekit.tensors.subjects import subject_of

# A long answer is broken where a notebook's line ends.
WIDTH = 88


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One dim in a walk along the strides.

    `ok` is None for a dim of size 1, which is skipped whatever its stride.
    """

    dim: int
    size: int
    stride: int
    expected: int
    ok: bool | None

    def __str__(self) -> str:
        facts = f"dim {self.dim}: size {self.size}, stride {self.stride}, expected {self.expected}"
        if self.ok is None:
            return f"{facts} - skipped: nothing steps along a dim of size 1"
        if not self.ok:
            return f"{facts} - no"
        product = self.expected * self.size
        return f"{facts} - yes; next, expect {self.expected} × {self.size} = {product}"


@dataclass(frozen=True, slots=True)
class PlaceStep:
    """One place in a broadcast, counted from the right: the sizes there, and what comes out.

    A size is None where a tensor has no dim there. `result` is None where they do not fit.
    """

    place: int
    sizes: tuple[int | None, ...]
    result: int | None

    def __str__(self) -> str:
        sizes = " and ".join("(none)" if n is None else str(n) for n in self.sizes)
        if self.result is None:
            differing = [*dict.fromkeys(n for n in self.sizes if n not in (1, None))][:2]
            who = "they" if len(self.sizes) == 2 else " and ".join(map(str, differing))
            return f"dim -{self.place}: {sizes} do not fit: {who} differ, and neither is 1"
        return f"dim -{self.place}: {sizes} → {self.result}"


@dataclass(frozen=True, slots=True)
class HopStep:
    """One dim's part in the way to an element: `index` steps of `stride` positions."""

    dim: int
    index: int
    stride: int
    position: int

    def __str__(self) -> str:
        moved = f"{self.index} × {self.stride} = {self.index * self.stride}"
        return f"dim {self.dim}: index × stride = {moved}, to position {self.position}"


Step = WalkStep | Chunk | PlaceStep | HopStep


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question about a header, the steps that answer it, and the answer.

    `holds` is the answer to a yes-or-no question; `result` whatever else comes out.
    """

    question: str
    steps: tuple[Step, ...]
    answer: str
    holds: bool
    result: Any = None

    def __str__(self) -> str:
        answer = fill(self.answer, WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([self.question, *(f"  {step}" for step in self.steps), answer])

    __repr__ = __str__


def contiguity(x: object) -> Explanation:
    """Why a tensor is contiguous or not, dim by dim from the right.

    The walk is torch's (c10/core/Contiguity.h).

    >>> explain.contiguity(sk.arange(12).view(3, 4))
    Is size (3, 4), stride (4, 1) contiguous?
      dim 1: size 4, stride 1, expected 1 - yes; next, expect 1 × 4 = 4
      dim 0: size 3, stride 4, expected 4 - yes; next, expect 4 × 3 = 12
    Yes: every stride is as expected.
    >>> explain.contiguity(sk.arange(12).view(3, 4).t())
    Is size (4, 3), stride (1, 4) contiguous?
      dim 1: size 3, stride 4, expected 1 - no
    No: dim 1 has stride 4, and 1 is expected.
    """
    layout, first = _layout_and_unit("explain.contiguity", x)
    question = f"Is {_header(layout, first)} contiguous?"
    if layout.numel == 0:
        return Explanation(question, (), "Yes: a tensor without elements is contiguous.", True)
    return _walk(question, layout, reversed(range(layout.ndim)), first)


def channels_last(x: object) -> Explanation:
    """Why a tensor is contiguous in channels_last, or not: the walk goes C, W, H, N.

    There is no exception for tensors without elements (c10/core/MemoryFormat.h).

    >>> explain.channels_last(sk.zeros(1, 3, 2, 2))
    Is size (1, 3, 2, 2), stride (12, 4, 2, 1) contiguous in channels_last?
      dim 1: size 3, stride 4, expected 1 - no
    No: dim 1 has stride 4, and 1 is expected.
    """
    layout, first = _layout_and_unit("explain.channels_last", x)
    question = f"Is {_header(layout, first)} contiguous in channels_last?"
    if layout.ndim != 4:
        answer = f"No: channels_last is for 4 dims (N, C, H, W), and there are {layout.ndim}."
        return Explanation(question, (), answer, False)
    return _walk(question, layout, (1, 3, 2, 0), first)


def density(x: object) -> Explanation:
    """Why a tensor is non-overlapping and dense, or not: the walk goes by ascending stride.

    Dense tensors keep their strides in `clone()`. Law: dense means contiguous once the dims
    stand in the right order.

    >>> explain.density(sk.arange(12).view(3, 4)[:, ::2]).answer
    'No: dim 1 has stride 2, and 1 is expected.'
    """
    layout, first = _layout_and_unit("explain.density", x)
    question = f"Is {_header(layout, first)} non-overlapping and dense?"
    if first == 1 and layout.is_contiguous:
        return Explanation(question, (), "Yes: it is contiguous.", True)
    order = sorted(range(layout.ndim), key=lambda dim: (layout.stride[dim], layout.size[dim]))
    return _walk(question, layout, order, first)


def view(x: object, *size: Any) -> Explanation:
    """Why `view(size)` is possible or not.

    The steps are the chunks that the old dims form, from the right. `result` is the new layout,
    or the obstacle. The answer to an impossible view is the message of its ViewError. Raises
    SizeError for another number of elements, as view does.

    >>> explain.view(sk.arange(8).view(2, 4).t(), 8)
    Can size (4, 2), stride (1, 4) be viewed as (8,)?
      dim 1: a chunk of 2, 4 apart - the new sizes do not fill it exactly
    view(8) on size (4, 2), stride (1, 4): dims 0 and 1 cannot merge, because stride[0] is 1
    and merging needs size[1] × stride[1] = 2 × 4 = 8. reshape(8) copies instead.
    """
    layout, _ = _layout_and_unit("explain.view", x)
    new_size = sizes_of("explain.view", size)
    plan = plan_view(layout, new_size)
    question = f"Can {_header(layout)} be viewed as {new_size}?"
    steps = chunks(layout, new_size)
    if isinstance(plan, Obstacle):
        return Explanation(question, steps, plan.message, False, plan)
    answer = f"Yes: size {plan.size}, stride {plan.stride}. Nothing is copied."
    return Explanation(question, steps, answer, True, plan)


def broadcast(*tensors: object) -> Explanation:
    """How sizes broadcast, place by place from the right, or where they do not fit.

    Takes tensors, layouts, or sizes as tuples. `result` is the common size, or the misfit.

    >>> explain.broadcast((3, 2), (2, 3, 1))
    What do (3, 2) and (2, 3, 1) broadcast to?
      dim -1: 2 and 1 → 2
      dim -2: 3 and 3 → 3
      dim -3: (none) and 2 → 2
    They broadcast to (2, 3, 2).
    """
    if not tensors:
        raise ArgumentError("explain.broadcast: give tensors or sizes, one at least.")
    sizes = tuple(_size("explain.broadcast", each) for each in tensors)
    outcome = broadcast_sizes(*sizes)
    many, told = len(sizes) > 1, " and ".join(map(str, sizes))
    question = f"What {'do' if many else 'does'} {told} broadcast to?"
    steps = []
    for place in range(1, max(map(len, sizes)) + 1):
        here = tuple(size[-place] if place <= len(size) else None for size in sizes)
        fits = not isinstance(outcome, Misfit) or place < outcome.place
        result = next((n for n in here if n not in (1, None)), 1) if fits else None
        steps.append(PlaceStep(place, here, result))
        if not fits:
            break
    if isinstance(outcome, Misfit):
        return Explanation(question, tuple(steps), outcome.message, False, outcome)
    answer = f"{'They broadcast' if many else 'It broadcasts'} to {outcome}."
    return Explanation(question, tuple(steps), answer, True, outcome)


def position(x: object, *index: SupportsIndex | Sequence[SupportsIndex]) -> Explanation:
    """Which storage position an index has: the offset, and one hop per dim.

    The index is given as in x[1, 2] or as in x[(1, 2)]. `result` is the position. Raises
    IndexRangeError.

    >>> explain.position(sk.arange(12).view(3, 4)[1:], 1, 2)
    Where is [1, 2] of size (2, 4), stride (4, 1), storage_offset 4?
      dim 0: index × stride = 1 × 4 = 4, to position 8
      dim 1: index × stride = 2 × 1 = 2, to position 10
    offset 4 + 1 × 4 + 2 × 1 = 10
    """
    layout, _ = _layout_and_unit("explain.position", x)
    items: Sequence[Any] = index
    if len(index) == 1 and isinstance(index[0], tuple | list):
        items = index[0]
    given = tuple(as_int("explain.position", "an index", i) for i in items)
    target = layout.position(given)
    question = f"Where is [{spell(given)}] of {_header(layout)}?"
    at, steps, terms = layout.storage_offset, [], [f"offset {layout.storage_offset}"]
    for dim, (i, n, step) in enumerate(zip(given, layout.size, layout.stride, strict=True)):
        at += i % n * step
        steps.append(HopStep(dim, i % n, step, at))
        terms.append(f"{i % n} × {step}")
    return Explanation(question, tuple(steps), f"{' + '.join(terms)} = {target}", True, target)


def walk(size: Ints, stride: Ints, order: Iterable[int], expected: int = 1) -> tuple[WalkStep, ...]:
    """The steps along the dims in that order, up to the first stride that is not as expected.

    >>> [step.ok for step in explain.walk((4, 1, 3), (4, 9, 1), (2, 1, 0))]
    [True, None, False]
    """
    steps: list[WalkStep] = []
    for dim in order:
        ok = None if size[dim] == 1 else stride[dim] == expected
        steps.append(WalkStep(dim, size[dim], stride[dim], expected, ok))
        if ok is False:
            break
        expected *= size[dim]
    return tuple(steps)


def _walk(question: str, layout: Layout, order: Iterable[int], expected: int) -> Explanation:
    steps = walk(layout.size, layout.stride, order, expected)
    for step in steps:
        if step.ok is False:
            found = f"dim {step.dim} has stride {step.stride}, and {step.expected} is expected"
            return Explanation(question, steps, f"No: {found}.", False)
    skipped = any(step.ok is None for step in steps)
    answer = f"Yes: every stride {'that counts ' if skipped else ''}is as expected."
    return Explanation(question, steps, answer, True)


def _layout_and_unit(call: str, x: object) -> tuple[Layout, int]:
    """A layout, and the stride that neighbours have: 1, or an itemsize where bytes are counted."""
    if isinstance(x, Layout):
        return x, 1
    subject = subject_of(call, x)
    return subject.layout, subject.span


def _size(call: str, x: object) -> Ints:
    if isinstance(x, tuple | list):
        return counting(call, as_ints(call, "a size", x))
    return _layout_and_unit(call, x)[0].size


def _header(layout: Layout, neighbours: int = 1) -> str:
    words = "stride" if neighbours == 1 else "byte_strides"
    offset = f", storage_offset {layout.storage_offset}" if layout.storage_offset else ""
    if neighbours > 1 and offset:
        offset = f", byte offset {layout.storage_offset}"
    return f"size {layout.size}, {words} {layout.stride}{offset}"
