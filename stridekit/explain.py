"""Explanations: the steps of a verdict about a header, as data that prints itself.

Every step carries its numbers, so a lesson can show it, a test can read it, and a check can
quote it.
"""

from dataclasses import dataclass

from stridekit.interop import subject_of
from stridekit.layout import Layout

__all__ = ["ContiguityStep", "Explanation", "contiguity", "contiguity_of"]


@dataclass(frozen=True, slots=True)
class ContiguityStep:
    """One dim in the walk from the right. Stride and expected are in elements.

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
        return f"{facts} - yes; to its left, expect {self.expected} x {self.size} = {product}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question about a header, the steps that answer it, and the answer."""

    question: str
    steps: tuple[ContiguityStep, ...]
    answer: str
    holds: bool

    def __str__(self) -> str:
        return "\n".join([self.question, *(f"  {step}" for step in self.steps), self.answer])

    __repr__ = __str__


def contiguity(x: object) -> Explanation:
    """Why a stridekit, torch or NumPy tensor is contiguous or not, dim by dim.

    The walk is torch's (c10/core/Contiguity.h): from the right, expecting stride 1 first.

    >>> sk.explain.contiguity(sk.arange(12).view(3, 4))
    Is size (3, 4), stride (4, 1) contiguous?
      dim 1: size 4, stride 1, expected 1 - yes; to its left, expect 1 x 4 = 4
      dim 0: size 3, stride 4, expected 4 - yes; to its left, expect 4 x 3 = 12
    Yes: every stride is as expected.
    >>> sk.explain.contiguity(sk.arange(12).view(3, 4).t())
    Is size (4, 3), stride (1, 4) contiguous?
      dim 1: size 3, stride 4, expected 1 - no
    No: dim 1 has stride 4, and 1 is expected.
    """
    return contiguity_of(subject_of("explain.contiguity", x).layout)


def contiguity_of(layout: Layout) -> Explanation:
    """The same for a bare layout."""
    question = f"Is size {layout.size}, stride {layout.stride} contiguous?"
    if layout.numel == 0:
        return Explanation(question, (), "Yes: a tensor without elements is contiguous.", True)
    steps: list[ContiguityStep] = []
    expected = 1
    for dim in reversed(range(layout.ndim)):
        n, stride = layout.size[dim], layout.stride[dim]
        ok = None if n == 1 else stride == expected
        steps.append(ContiguityStep(dim, n, stride, expected, ok))
        if ok is False:
            answer = f"No: dim {dim} has stride {stride}, and {expected} is expected."
            return Explanation(question, tuple(steps), answer, False)
        if ok:
            expected *= n
    return Explanation(question, tuple(steps), "Yes: every stride is as expected.", True)
