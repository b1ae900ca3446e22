"""The tensor: a header over a storage, with torch's method names.

`Tensor` is the top of a house of five storeys, one module each: `headers` (what is read off
the header), `views` (never copy), `copies` (may copy), `writes` (in place), and here: values
out. What a view becomes is worked out on layouts, in `dims`, `viewing`, `broadcasting` and
`indexing`; elements are moved by `storage`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Self

from stridekit.errors import ArgumentError, SizeError
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import DType, Number
from stridekit.tensors.storage import Storage
from stridekit.tensors.writes import Writes

# A repr shows so many values at most.
SHOWN = 64


class Tensor(Writes):
    """A header (size, stride, storage_offset, dtype) over a storage.

    Sizes, strides and offsets are in elements. Views share the storage: a write through one
    is seen by all. Law: every position that the header reaches lies inside the storage; a
    header for which that fails is refused with LayoutError, so no method can read outside.

    >>> grid = sk.arange(12).view(3, 4)
    >>> grid.stride(), grid.t().stride()
    ((4, 1), (1, 4))
    >>> grid.t()[1].tolist()
    [1, 5, 9]
    """

    __slots__ = ()

    def tolist(self) -> Any:
        """The values as nested lists; of rank 0, the bare value.

        >>> sk.arange(4).view(2, 2).tolist()
        [[0, 1], [2, 3]]
        """
        values: list[Any] = self._values()
        if not self.numel():
            return _empty_nest(self.shape)
        for n in reversed(self.shape[1:]):
            values = [values[i : i + n] for i in range(0, len(values), n)]
        return values if self.ndim else values[0]

    def item(self) -> Number:
        """The one value. Raises SizeError when there is not just one.

        >>> sk.tensor([[5]]).item()
        5
        """
        if self.numel() != 1:
            raise SizeError(
                f"item() on size {self.shape}: it is for one element, and there are "
                f"{self.numel()}. tolist() gives them all."
            )
        return self._values()[0]

    def equal(self, other: "Tensor") -> bool:
        """Whether both have the same size and equal values.

        >>> grid = sk.arange(4).view(2, 2)
        >>> grid.t().equal(grid.t().clone()), grid.equal(grid.t())
        (True, False)
        """
        if not isinstance(other, Tensor):
            raise ArgumentError(f"equal: give a stridekit tensor, not a {type(other).__name__}.")
        return self.shape == other.shape and self.tolist() == other.tolist()

    def numpy(self) -> Any:
        """A NumPy array on the same memory. Writes are seen on both sides."""
        from stridekit.tensors.interop.numpy import to_numpy

        return to_numpy(self._layout, self._storage, self._dtype)

    def torch(self) -> Any:
        """A torch tensor on the same memory. Writes are seen on both sides."""
        from stridekit.tensors.interop.torch import to_torch

        return to_torch(self._layout, self._storage, self._dtype)

    def __len__(self) -> int:
        """The size of dim 0. Raises ArgumentError for rank 0, as torch does."""
        if not self.ndim:
            raise ArgumentError("len() of a tensor of rank 0: it has no dim to count along.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        """The views `t[0]`, `t[1]`, and so on."""
        if not self.ndim:
            raise ArgumentError("iteration over a tensor of rank 0: it has no dim to go along.")
        return (self[i] for i in range(self.shape[0]))

    def __bool__(self) -> bool:
        """The truth of the one value. Raises SizeError when there is not just one."""
        if self.numel() != 1:
            raise SizeError(
                f"the truth of a tensor of size {self.shape}: which of its {self.numel()} elements "
                "is meant? tolist() gives them all."
            )
        return bool(self.item())

    def __repr__(self) -> str:
        layout = self._layout
        if layout.numel <= SHOWN:
            values = str(self.tolist())
        else:
            first = list(islice(layout.positions(), 6))
            values = f"[{', '.join(str(self._storage.read(self._dtype, p)) for p in first)}, ...]"
        return (
            f"Tensor({values}, size={layout.size}, stride={layout.stride}, "
            f"storage_offset={layout.storage_offset}, dtype={self._dtype.name})"
        )

    def _values(self) -> list[Number]:
        return self._dtype.unpack(self._storage.gather(self._layout, self.element_size()))


def new(size: Ints, dtype: DType, values: bytearray) -> Tensor:
    """A row-major tensor on a new storage that holds these bytes."""
    return Tensor(Layout.of(size), Storage.wrap(values, resizable=True), dtype)


def _empty_nest(size: Ints) -> list[Any]:
    # Lists are made only as deep as there is something to count.
    first, rest = size[0], size[1:]
    return [_empty_nest(rest) for _ in range(first)] if rest else []
