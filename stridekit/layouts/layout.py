"""Layouts: where each index of a tensor lies in its storage.

Everything here is arithmetic on tuples of int. Sizes count elements, strides and offsets are
in elements too, and a *position* is a slot in the storage. Nothing is ever read or written.

One rule carries it all: `position = storage_offset + sum(index[d] * stride[d])`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from math import gcd, prod
from typing import SupportsIndex

from stridekit.errors import ArgumentError, DimError, IndexRangeError, LayoutError, quoted
from stridekit.layouts.whole_numbers import as_int, as_ints

Ints = tuple[int, ...]
# A bool is an int to Python, and none here.
_INT = frozenset((int,))


def walk_positions(size: Ints, stride: Ints, storage_offset: int) -> Iterator[int]:
    """The position of every index, in row-major order."""
    if not size:
        yield storage_offset
        return
    n, step = size[-1], stride[-1]
    for start in walk_positions(size[:-1], stride[:-1], storage_offset):
        yield from range(start, start + n * step, step) if step else repeat(start, n)


def walk_indices(size: Ints) -> Iterator[Ints]:
    """Every index, in row-major order."""
    if not size:
        yield ()
        return
    for i in range(size[0]):
        for rest in walk_indices(size[1:]):
            yield (i, *rest)


def as_sums(rest: int, dims: list[tuple[int, int]]) -> Iterator[Ints]:
    """Each way to write `rest` as a sum of i * step with 0 <= i < n, one i per (step, n)."""
    if not dims:
        if rest == 0:
            yield ()
        return
    (step, n), finer = dims[0], dims[1:]
    if not finer:
        i, left = divmod(rest, step)
        if left == 0 and 0 <= i < n:
            yield (i,)
        return
    # The finer dims make multiples of their common divisor only, and nothing past their ends.
    most_left = sum(finer_step * (finer_n - 1) for finer_step, finer_n in finer)
    fewest = max(0, -((most_left - rest) // step))
    divisor = gcd(*(finer_step for finer_step, _ in finer))
    common = gcd(step, divisor)
    if rest % common:
        return
    every = divisor // common
    first = rest // common * pow(step // common, -1, every)
    for i in range(fewest + (first - fewest) % every, min(n - 1, rest // step) + 1, every):
        for others in as_sums(rest - i * step, finer):
            yield (i, *others)


def spell(numbers: Iterable[int]) -> str:
    """Numbers as they stand in a call.

    >>> spell((2, 3))
    '2, 3'
    """
    return ", ".join(map(str, numbers))


def count(n: int, noun: str, nouns: str = "") -> str:
    """A number of things.

    >>> count(1, "element"), count(1200, "element"), count(2, "switch", "switches")
    ('1 element', '1,200 elements', '2 switches')
    """
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"


def contiguous_stride(size: Ints) -> Ints:
    """The row-major stride of a size, in elements: the last dim runs fastest.

    A size of 0 counts as 1, as in torch (c10/core/TensorImpl.h, empty_tensor_restride).

    >>> contiguous_stride((2, 3, 4))
    (12, 4, 1)
    >>> contiguous_stride((2, 0, 4))
    (4, 4, 1)
    """
    stride: list[int] = []
    step = 1
    for n in reversed(size):
        stride.append(step)
        step *= max(n, 1)
    return tuple(reversed(stride))


def is_contiguous(size: Ints, stride: Ints) -> bool:
    """Whether row-major order visits neighbouring positions, one after another.

    Law: a layout without elements is contiguous; dims of size 1 never matter; of what is
    left, each stride is the product of the sizes to its right. The storage_offset plays no
    part (c10/core/Contiguity.h).

    >>> is_contiguous((3, 4), (4, 1)), is_contiguous((4, 3), (1, 4))
    (True, False)
    >>> is_contiguous((1, 3), (99, 1)), is_contiguous((0, 3), (7, 9))
    (True, True)
    """
    return is_packed(zip(reversed(size), reversed(stride), strict=True)) or not prod(size)


def is_packed(dims: Iterable[tuple[int, int]], expected: int = 1) -> bool:
    """Whether each stride is the product of the sizes before it, the first as expected.

    Dims come as (size, stride), the fastest first; those of size 1 never matter.

    >>> is_packed([(4, 1), (1, 99), (3, 4)])
    True
    """
    for n, step in dims:
        if n != 1:
            if step != expected:
                return False
            expected *= n
    return True


def wrap_dim(call: str, dim: SupportsIndex, ndim: int, what: str = "a tensor") -> int:
    """The dim as a number from 0 on; a negative one counts from the right.

    Rank 0 answers to 0 and -1, as in torch (c10/core/WrapDimMinimal.h). Raises DimError
    outside, ArgumentError for what is not an int.

    >>> wrap_dim("transpose", -1, 3)
    2
    """
    number = as_int(call, "a dim", dim, plain=True)
    span = max(ndim, 1)
    if not -span <= number < span:
        raise DimError(
            f"{call}: there is no dim {number} in {what} of {count(ndim, 'dim')}. "
            f"Give a dim from {-span} to {span - 1}."
        )
    return number % span


@dataclass(frozen=True, slots=True)
class Layout:
    """The part of a header that says where things lie: size, stride, storage_offset.

    All three are in elements. Sizes are never negative. Strides may be: NumPy's are at times, and
    arithmetic does not mind, but no `Tensor` is made from such a layout.
    Raises LayoutError when the numbers make no layout, ArgumentError when they are not
    tuples of int.

    >>> grid = Layout((3, 4), (4, 1))
    >>> grid.position((1, 2))
    6
    """

    size: Ints
    stride: Ints
    storage_offset: int = 0

    def __post_init__(self) -> None:
        for name, numbers in (("size", self.size), ("stride", self.stride)):
            if type(numbers) is not tuple or not _INT.issuperset(map(type, numbers)):
                raise ArgumentError(
                    f"Layout: {name} is a tuple of int, and {quoted(numbers)} is not. "
                    "Layout.of(...) takes lists, too, and whatever counts as an int."
                )
        if type(self.storage_offset) is not int:
            raise ArgumentError(
                f"Layout: storage_offset is an int, not {quoted(self.storage_offset)}."
            )
        if len(self.size) != len(self.stride):
            raise LayoutError(
                f"size {self.size} has {count(len(self.size), 'dim')} and stride "
                f"{self.stride} has {len(self.stride)}. Each dim needs a size and a stride."
            )
        if self.size and min(self.size) < 0:
            raise LayoutError(f"size {self.size} has a negative entry. Sizes count.")

    @classmethod
    def of(
        cls,
        size: Sequence[SupportsIndex],
        stride: Sequence[SupportsIndex] | None = None,
        storage_offset: SupportsIndex = 0,
    ) -> "Layout":
        """A layout from tuples or lists of integers; row-major where no stride is given.

        >>> Layout.of([2, 3])
        Layout(size=(2, 3), stride=(3, 1), storage_offset=0)
        """
        sizes = as_ints("Layout.of", "a size", size)
        if stride is None:
            steps = contiguous_stride(sizes)
        else:
            steps = as_ints("Layout.of", "a stride", stride)
        return cls(sizes, steps, as_int("Layout.of", "storage_offset", storage_offset))

    @classmethod
    def over(cls, dims: Iterable[tuple[int, int]], storage_offset: int) -> "Layout":
        """The layout of some dims, each a size and a stride.

        >>> Layout.over([(4, 1), (3, 4)], 2)
        Layout(size=(4, 3), stride=(1, 4), storage_offset=2)
        """
        size, stride = [*zip(*dims)] or ((), ())  # noqa: B905 - pairs all
        return cls(size, stride, storage_offset)

    @property
    def dims(self) -> list[tuple[int, int]]:
        """Size and stride of each dim."""
        return [*zip(self.size, self.stride)]  # noqa: B905 - as many of both

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return len(self.size)

    @property
    def numel(self) -> int:
        """The number of elements: the product of the sizes. Rank 0 has one element."""
        return prod(self.size)

    @property
    def each_once(self) -> "Layout":
        """The layout with each element once where a dim repeats it.

        >>> Layout((3, 2), (0, 1)).each_once.size
        (1, 2)
        """
        dims = [(n if step else min(n, 1), step) for n, step in self.dims]
        return Layout.over(dims, self.storage_offset)

    @property
    def is_contiguous(self) -> bool:
        """Whether row-major order visits neighbouring positions, one after another."""
        return is_contiguous(self.size, self.stride)

    @property
    def reach(self) -> tuple[int, int] | None:
        """The lowest and the highest position that an index reaches; None without elements.

        >>> Layout((3, 2), (4, 1), 5).reach
        (5, 14)
        """
        if self.numel == 0:
            return None
        spans = [(n - 1) * step for n, step in self.dims]
        low = self.storage_offset + sum(span for span in spans if span < 0)
        high = self.storage_offset + sum(span for span in spans if span > 0)
        return low, high

    @property
    def needed(self) -> int:
        """How many elements a storage must hold for it; none where it has none itself.

        >>> Layout((3, 2), (4, 1), 5).needed, Layout.of((0,), None, 5).needed
        (15, 0)
        """
        reach = self.reach
        return 0 if reach is None else reach[1] + 1

    @property
    def repeated(self) -> list[int]:
        """The dims that show the same memory again and again: those of stride 0."""
        return [dim for dim, (n, step) in enumerate(self.dims) if n > 1 and step == 0]

    def position(self, index: Ints) -> int:
        """The storage position of one index; negative entries count from the end of their dim.

        Raises IndexRangeError when the index has another length, or leaves its dim, ArgumentError
        when it is not a tuple.

        >>> Layout((3, 4), (4, 1), 2).position((2, -1))
        13
        """
        own = as_ints("position", "an index", index)
        if len(own) != self.ndim:
            raise IndexRangeError(
                f"position({spell(index)}): size {self.size} takes "
                f"{count(self.ndim, 'coordinate')}, not {len(own)}."
            )
        position = self.storage_offset
        for dim, (i, (n, step)) in enumerate(zip(own, self.dims, strict=True)):
            if not -n <= i < n:
                raise IndexRangeError(
                    f"position({spell(index)}): {i} is outside dim {dim}, which has size {n}."
                )
            position += (i % n) * step
        return position

    def reaches(self, position: int) -> bool:
        """Whether some index lies at this position. Costs no more with more elements.

        >>> strided = Layout((3, 2), (4, 1))
        >>> [position for position in range(11) if strided.reaches(position)]
        [0, 1, 4, 5, 8, 9]
        """
        return self.index_at(position) is not None

    def index_at(self, position: int) -> Ints | None:
        """An index that lies at this position, or None. Costs no more with more elements.

        >>> Layout((4, 3), (1, 4)).index_at(6)
        (2, 1)
        """
        return next(self._indices_at(position), None)

    def count_at(self, position: int, most: int = 1000) -> int:
        """How many indices lie at this position.

        Dims with stride 0 multiply it. Apart from those, counting ends at `most`.

        >>> windows = Layout((3, 3), (1, 1))
        >>> [windows.count_at(position) for position in range(6)]
        [1, 2, 3, 2, 1, 0]
        """
        repeats = prod(n for n, step in self.dims if step == 0)
        most = as_int("count_at", "most", most)
        return repeats * sum(1 for _ in islice(self._indices_at(position), max(most, 0)))

    @property
    def has_overlap(self) -> bool:
        """Whether two indices lead to the same position.

        Two indices meet where their difference leads nowhere: so one more way to stay than
        taking no step at all. Costs no more with more elements, and more with more dims.

        >>> Layout((4, 3), (1, 1)).has_overlap, Layout((3, 2), (2, 5)).has_overlap
        (True, False)
        """
        if not self.numel:
            return False
        differences = Layout(tuple(2 * n - 1 for n in self.size), self.stride)
        nowhere = sum((n - 1) * step for n, step in self.dims)
        return differences.count_at(nowhere, most=2) > 1

    def _indices_at(self, position: int) -> Iterator[Ints]:
        """The indices that lie at this position; of dims with stride 0 the index 0 alone."""
        position, reach = as_int("Layout", "a position", position), self.reach
        if reach is None:
            return
        # Count every dim from its lowest position, the longest step first.
        dims = sorted(
            ((abs(step), n, dim) for dim, (n, step) in enumerate(self.dims) if step and n > 1),
            reverse=True,
        )
        for sums in as_sums(position - reach[0], [(step, n) for step, n, _ in dims]):
            index = [0] * self.ndim
            for i, (_, n, dim) in zip(sums, dims, strict=True):
                index[dim] = i if self.stride[dim] > 0 else n - 1 - i
            yield tuple(index)

    def indices(self) -> Iterator[Ints]:
        """Every index, in row-major order, one at a time."""
        return walk_indices(self.size) if self.numel else iter(())

    def positions(self) -> Iterator[int]:
        """The position of every index, in row-major order.

        >>> list(Layout((2, 3), (1, 2)).positions())
        [0, 2, 4, 1, 3, 5]
        """
        return (
            walk_positions(self.size, self.stride, self.storage_offset) if self.numel else iter(())
        )
