"""Broadcasting: sizes aligned at the right, and expand, which repeats without copying.

A repeated dim gets stride 0: its index may grow, and the position stays. So the cost does not
depend on how often it is repeated.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from stridekit.layouts.layout import Ints, Layout, count


class Misfit(NamedTuple):
    """Why sizes do not broadcast: at one place from the right, two sizes differ and none is 1.

    `place` counts dims from the right, starting at 1.
    """

    sizes: tuple[Ints, ...]
    place: int
    first: int
    second: int

    @property
    def message(self) -> str:
        """Call, facts, reason, and the way out."""
        return (
            f"broadcast of sizes {' and '.join(map(str, self.sizes))}: aligned at the right, dim "
            f"-{self.place} is {self.first} in one and {self.second} in another. Sizes must be "
            "equal there, or one of them 1."
        )


def broadcast_sizes(*sizes: Ints) -> Ints | Misfit:
    """The size that all broadcast to, or the place where they do not fit.

    Sizes are aligned at the right, missing ones count as 1, and 1 gives way
    (ATen/ExpandUtils.cpp, infer_size).

    >>> broadcast_sizes((3, 2), (2, 3, 1))
    (2, 3, 2)
    >>> broadcast_sizes((3,), (4,)).place
    1
    """
    result: list[int] = []
    for place in range(1, max(map(len, sizes), default=0) + 1):
        n = 1
        for size in sizes:
            other = size[-place] if place <= len(size) else 1
            if other != 1:
                if n not in (1, other):
                    return Misfit(sizes, place, n, other)
                n = other
        result.append(n)
    return tuple(reversed(result))


class ExpandObstacle(NamedTuple):
    """Why `expand` is impossible: what is asked of dim `dim` of the new size.

    `size` is what the tensor has there; None stands for a dim that it does not have.
    """

    layout: Layout
    new_size: Ints
    dim: int | None
    size: int | None

    @property
    def reason(self) -> str:
        """The reason in one clause."""
        if self.dim is None:
            are = "size is" if len(self.new_size) == 1 else "sizes are"
            return (
                f"{len(self.new_size)} {are} given, and the tensor has "
                f"{count(self.layout.ndim, 'dim')}, none of which can be dropped"
            )
        wanted = self.new_size[self.dim]
        if self.size is None:
            return f"dim {self.dim} is new, so {wanted} cannot stand for its size"
        if wanted < -1:
            return f"size {wanted} is negative"
        return f"dim {self.dim} would go from {self.size} to {wanted}, and only 1 can be repeated"

    @property
    def message(self) -> str:
        """Call, facts, reason, and the way out."""
        wanted = ", ".join(map(str, self.new_size))
        return (
            f"expand({wanted}) on size {self.layout.size}: {self.reason}. Write -1 for a dim that "
            "stays as it is."
        )


def plan_expand(layout: Layout, new_size: Sequence[int]) -> Layout | ExpandObstacle:
    """The layout of `expand(new_size)`, or the obstacle that makes it impossible.

    Size 1 goes to any size with stride 0, -1 keeps a size, and new dims may come on the left
    (ATen/ExpandUtils.cpp, inferExpandGeometry). torch lets a size of -2 pass beside a 0;
    here a negative size is always an obstacle.

    >>> plan_expand(Layout.of((3, 1)), (2, 3, 4))
    Layout(size=(2, 3, 4), stride=(0, 1, 0), storage_offset=0)
    >>> plan_expand(Layout.of((3, 2)), (3, 4)).dim
    1
    """
    wanted = tuple(new_size)
    if len(wanted) < layout.ndim:
        return ExpandObstacle(layout, wanted, None, None)
    own = layout.dims
    dims: list[tuple[int, int]] = []
    for dim in reversed(range(len(wanted))):
        is_new, target = not own, wanted[dim]
        # A new dim steps over what stands to its right; beside rank 0 there is nothing.
        n, step = (1, prod(dims[-1]) if dims else 0) if is_new else own.pop()
        if target < -1 or (target == -1 and is_new):
            return ExpandObstacle(layout, wanted, dim, None if is_new else n)
        if target not in (-1, n):
            if n != 1:
                return ExpandObstacle(layout, wanted, dim, n)
            n, step = target, 0
        dims.append((n, step))
    return Layout.over(reversed(dims), layout.storage_offset)
