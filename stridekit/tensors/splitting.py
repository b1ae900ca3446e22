"""The methods that give several views, or the parts of complex numbers. None of them copies."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, Self, SupportsIndex

from stridekit.errors import ArgumentError, SizeError
from stridekit.layouts.layout import Layout, wrap_dim
from stridekit.layouts.whole_numbers import as_int, as_ints
from stridekit.tensors.base import TensorBase
from stridekit.tensors.dtypes import complex64, complex128, float32, float64, int64
from stridekit.tensors.inputs import read_values
from stridekit.tensors.storage import allocated
from stridekit.tensors.views import Views

_PARTS = {complex64: float32, complex128: float64}
_WHOLES = {float32: complex64, float64: complex128}


class Pieces(Views):
    """What a tensor can be taken apart into. See `Tensor`."""

    __slots__ = ()

    def split(
        self, split_size: SupportsIndex | Sequence[SupportsIndex], dim: SupportsIndex = 0
    ) -> tuple[Self, ...]:
        """Pieces of one dim: each of that size, the last one smaller; or of the sizes in a list.

        Raises SizeError when a list does not add up to the dim's size.

        >>> [piece.tolist() for piece in sk.arange(5).split(2)]
        [[0, 1], [2, 3], [4]]
        """
        length = 0 if isinstance(split_size, Sequence) else as_int("split", "a size", split_size)
        if length < 0:
            raise SizeError(f"split({split_size}): a piece counts indices, so it is not negative.")
        at, n = self._split_dim("split", dim)
        if isinstance(split_size, Sequence):
            lengths = list(as_ints("split", "a size", split_size))
            if min(lengths, default=0) < 0 or sum(lengths) != n:
                raise SizeError(
                    f"split({lengths}): the pieces must not be negative, and must add up to {n}, "
                    f"the size of dim {at}."
                )
        else:
            if length == 0 and n:
                raise SizeError(f"split({length}): a dim of size {n} has no pieces of {length}.")
            lengths = [min(length, n - start) for start in range(0, n, length)] if n else [0]
        starts = accumulate(lengths, initial=0)
        return tuple(self.narrow(at, *piece) for piece in zip(starts, lengths, strict=False))

    def chunk(self, chunks: SupportsIndex, dim: SupportsIndex = 0) -> tuple[Self, ...]:
        """At most so many pieces of one dim, of equal size but for the last. Raises SizeError.

        >>> [piece.tolist() for piece in sk.arange(5).chunk(2)]
        [[0, 1, 2], [3, 4]]
        """
        count = as_int("chunk", "chunks", chunks, plain=True)
        if count < 1:
            raise SizeError(f"chunk({count}): there is at least 1 piece.")
        at, n = self._split_dim("chunk", dim)
        return self.split(-(-n // count), at) if n else self.split([0] * count, at)

    def unbind(self, dim: SupportsIndex = 0) -> tuple[Self, ...]:
        """`select(dim, i)` for every i.

        >>> [row.tolist() for row in sk.arange(4).view(2, 2).unbind()]
        [[0, 1], [2, 3]]
        """
        at = self._own("unbind", dim)
        return tuple(self.select(at, i) for i in range(self.shape[at]))

    def tensor_split(
        self, *args: Any, dim: SupportsIndex = 0, sections: Any = None, indices: Any = None
    ) -> tuple[Self, ...]:
        """So many pieces of one dim, the first ones longer by one; or pieces between indices.

        The first argument is the one or the other, a tensor of int64 too; the second is the dim.
        Indices outside give empty pieces, as in slicing. Raises SizeError.

        >>> [piece.tolist() for piece in sk.arange(5).tensor_split(2)]
        [[0, 1, 2], [3, 4]]
        >>> [piece.tolist() for piece in sk.arange(5).tensor_split((1, 4))]
        [[0], [1, 2, 3], [4]]
        """
        if len(args) > 1:
            args, dim = args[:-1], args[-1]
        given = _given("tensor_split", args, sections, indices)
        at, n = self._split_dim("tensor_split", dim)
        if isinstance(given, TensorBase):
            if given.ndim > 1 or given.dtype != int64:
                raise SizeError(
                    f"tensor_split: a tensor of size {given.shape} and dtype {given.dtype.name}. "
                    "Sections are one int64, indices one dim of them."
                )
            given = read_values(given) if given.ndim else int(read_values(given)[0])  # type: ignore[arg-type]
        if isinstance(given, tuple | list):
            ends = as_ints("tensor_split", "an index", given)
        else:
            count = as_int("tensor_split", "sections", given, plain=True)
            if count < 1:
                raise SizeError(f"tensor_split({count}): there is at least 1 piece.")
            # Before so many pieces are made: whether there is room for a pointer to each.
            allocated(8 * count)
            lengths = [n // count + (i < n % count) for i in range(count - 1)]
            ends = tuple(accumulate(lengths))
        whole = (slice(None),) * at
        bounds = pairwise((0, *ends, None))
        return tuple(self[(*whole, slice(start, stop))] for start, stop in bounds)  # type: ignore[index]

    def hsplit(self, *args: Any, sections: Any = None, indices: Any = None) -> tuple[Self, ...]:
        """`tensor_split` of columns: of dim 1, or of the one dim. Sections must be equal."""
        given = _given("hsplit", args, sections, indices)
        return self._split_evenly("hsplit", given, 1, 0 if self.ndim == 1 else 1)

    def vsplit(self, *args: Any, sections: Any = None, indices: Any = None) -> tuple[Self, ...]:
        """`tensor_split` of rows, for 2 dims or more. Sections must be equal."""
        return self._split_evenly("vsplit", _given("vsplit", args, sections, indices), 2, 0)

    def dsplit(self, *args: Any, sections: Any = None, indices: Any = None) -> tuple[Self, ...]:
        """`tensor_split` of dim 2, for 3 dims or more. Sections must be equal."""
        return self._split_evenly("dsplit", _given("dsplit", args, sections, indices), 3, 2)

    def view_as_real(self) -> Self:
        """The two parts of each complex number, as a new last dim over the same memory.

        Raises SizeError for real numbers.

        >>> sk.tensor([1 + 2j]).view_as_real().tolist()
        [[1.0, 2.0]]
        """
        part = _PARTS.get(self.dtype)
        if part is None:
            raise SizeError(f"view_as_real: {self.dtype.name} has no imaginary parts.")
        x = self.layout
        layout = Layout((*x.size, 2), (*(2 * step for step in x.stride), 1), 2 * x.storage_offset)
        base = self if self.base is None else self.base
        return type(self)(layout, self.untyped_storage(), part, base)

    def view_as_complex(self) -> Self:
        """Neighbours in the last dim, which has size 2, as complex numbers on the same memory.

        Raises SizeError where they do not lie as complex numbers do.

        >>> sk.tensor([[1.0, 2.0]]).view_as_complex().tolist()
        [(1+2j)]
        """
        whole = _WHOLES.get(self.dtype)
        if whole is None:
            raise SizeError(
                f"view_as_complex: {self.dtype.name} numbers are no parts of complex ones here. "
                "float32 and float64 are."
            )
        x = self.layout
        if not x.ndim or x.size[-1] != 2:
            raise SizeError(f"view_as_complex on size {x.size}: the last dim must have size 2.")
        if x.stride[-1] != 1:
            raise SizeError(
                f"view_as_complex: stride[-1] is {x.stride[-1]}, and the two parts of a complex "
                "number lie side by side. contiguous() puts them there."
            )
        steps = [step for n, step in zip(x.size[:-1], x.stride[:-1], strict=True) if n != 1]
        if any(step % 2 for step in (*steps, x.storage_offset)):
            raise SizeError(
                f"view_as_complex: stride {x.stride} and storage_offset {x.storage_offset} must be "
                "even but for the last stride, for each complex number takes two elements."
            )
        layout = Layout(
            x.size[:-1], tuple(step // 2 for step in x.stride[:-1]), x.storage_offset // 2
        )
        base = self if self.base is None else self.base
        return type(self)(layout, self.untyped_storage(), whole, base)

    @property
    def real(self) -> Self:
        """The real parts, as a view; a tensor of real numbers itself."""
        return self.view_as_real().select(-1, 0) if self.dtype.kind == "complex" else self

    @property
    def imag(self) -> Self:
        """The imaginary parts, as a view. Raises SizeError for real numbers."""
        if self.dtype.kind != "complex":
            raise SizeError(f"imag: {self.dtype.name} has no imaginary parts.")
        return self.view_as_real().select(-1, 1)

    @property
    def H(self) -> Self:  # noqa: N802 - torch's name
        """The transpose of a real matrix. Raises SizeError for other ranks."""
        if self.ndim not in (0, 2):
            raise SizeError(f"H on size {self.shape}: it is for 2 dims. mH takes batches.")
        return self.mH

    @property
    def mH(self) -> Self:  # noqa: N802 - torch's name
        """`mT` of real numbers. Complex ones torch conjugates lazily, so they are refused."""
        if self.dtype.kind == "complex":
            raise ArgumentError(
                "mH of complex numbers: torch marks them as conjugated and leaves the memory as it "
                "is, and no header here says that. mT transposes alone."
            )
        return self.mT

    def adjoint(self) -> Self:
        """`mH`, as a method."""
        return self.mH

    def _split_evenly(self, call: str, given: Any, least: int, dim: int) -> tuple[Self, ...]:
        if isinstance(given, tuple | list):
            as_ints(call, "an index", given)
            count = 1
        else:
            count = as_int(call, "sections", given, plain=True)
        if self.ndim < least:
            raise SizeError(f"{call} on size {self.shape}: it is for {least} dims or more.")
        if count < 1 or self.shape[dim] % count:
            raise SizeError(
                f"{call}({count}): size {self.shape[dim]} of dim {dim} does not divide into "
                f"{count} equal pieces. tensor_split makes unequal ones."
            )
        return self.tensor_split(given, dim)

    def _split_dim(self, call: str, dim: SupportsIndex) -> tuple[int, int]:
        if not self.ndim:
            raise SizeError(f"{call} on rank 0: there is no dim to divide.")
        at = wrap_dim(call, dim, self.ndim)
        return at, self.shape[at]


def _given(call: str, args: tuple[Any, ...], sections: Any, indices: Any) -> Any:
    """What a split was asked for: by place, or by one of torch's keywords."""
    given = [*args, *(each for each in (sections, indices) if each is not None)]
    if len(given) != 1:
        raise ArgumentError(f"{call}: give sections, a number, or indices, a tuple: one of them.")
    return given[0]
