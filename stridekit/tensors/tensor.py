"""The tensor: a header over a storage, with torch's method names, and what it leaves to torch.

`Tensor` is the top of a house of storeys, one module each: `base` (what is read off the
header), `views` and `splitting` (never copy), `copies` and `named_copies` (may copy, or do),
`writes`, `own_header` and `arithmetic` (in place), `protocols` (what Python, NumPy and torch ask),
and here: values out, and what is refused. What a view becomes is worked out on layouts, in `dims`,
`view_rule`, `broadcasting` and `indexing`; elements are moved by `storage`.

stridekit is for what lies in memory and why. `t.torch()` gives torch's tensor on the same memory,
and that calculates.
"""

from itertools import islice
from typing import Any, NoReturn

from stridekit.errors import MissingError, NotOfferedError, SizeError
from stridekit.layouts.layout import Ints, Layout, numel
from stridekit.tensors.base import TensorBase, checked
from stridekit.tensors.dtypes import DType, Number, as_dtype
from stridekit.tensors.inputs import as_number, flattened_as, foreign, require_plain
from stridekit.tensors.protocols import Protocols
from stridekit.tensors.storage import Storage, allocated
from stridekit.tensors.views import sizes_of


class Refusals(Protocols):
    """What is refused on purpose, with the way out. See `Tensor`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        # Only what nobody defines comes here. A plain error for what protocols probe for.
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise MissingError(
            f"{name}: stridekit is about where elements lie in memory, and has nothing of that "
            f"name. If torch has it, t.torch().{name} works on the same memory."
        )


def _refuse(sign: str) -> Any:
    def refused(_self: Refusals, *_others: object) -> NoReturn:
        raise NotOfferedError(
            f"{sign}: stridekit is about where elements lie in memory, and calculates with add_ "
            "and mul_ alone. t.torch() gives a torch tensor on the same memory, which calculates."
        )

    refused.__doc__ = f"Refused with NotOfferedError: `{sign}` is torch's affair."
    return refused


_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "divmod": "divmod",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
for _name, _sign in _SIGNS.items():
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Refusals, _form, _refuse(_sign))
    if _name not in ("add", "mul", "divmod"):
        setattr(Refusals, f"__i{_name}__", _refuse(f"{_sign}="))
for _name, _sign in {"neg": "-", "pos": "+", "invert": "~", "abs": "abs", "round": "round"}.items():
    setattr(Refusals, f"__{_name}__", _refuse(_sign))


# A repr shows so many values at most.
SHOWN = 64


class Tensor(Refusals):
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
            _require_few_lists(self.shape)
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

    def new_zeros(
        self, *args: Any, size: Any = None, dtype: Any = None, **options: Any
    ) -> "Tensor":
        """Zeros of another size, in this tensor's dtype unless another is given."""
        require_plain("new_zeros", options)
        shape = sizes_of("new_zeros", args, size)
        kind = self._dtype if dtype is None else as_dtype(dtype)
        if min(shape, default=0) < 0:
            raise SizeError(f"new_zeros{shape}: a size counts elements, so it is not negative.")
        checked(Layout.of(shape), None, kind)
        return new(shape, kind, allocated(numel(shape) * kind.itemsize))

    def new_empty(
        self, *args: Any, size: Any = None, dtype: Any = None, **options: Any
    ) -> "Tensor":
        """`new_zeros`, for here nothing is left open."""
        return self.new_zeros(*args, size=size, dtype=dtype, **options)

    def new_ones(self, *args: Any, size: Any = None, dtype: Any = None, **options: Any) -> "Tensor":
        """Ones of another size, in this tensor's dtype unless another is given."""
        return self.new_zeros(*args, size=size, dtype=dtype, **options).fill_(1)

    def new_full(
        self, size: Any, fill_value: Any, *, dtype: Any = None, **options: Any
    ) -> "Tensor":
        """One number in another size, in this tensor's dtype unless another is given."""
        value = as_number("new_full: fill_value", fill_value)
        return self.new_zeros(size=size, dtype=dtype, **options).fill_(value)

    def new_tensor(self, data: Any, *, dtype: Any = None, **options: Any) -> "Tensor":
        """A copy of lists, an array or a tensor, in this tensor's dtype unless another is given.

        Raises what `stridekit.tensor` raises.
        """
        require_plain("new_tensor", options)
        kind = self._dtype if dtype is None else as_dtype(dtype)
        whole = data if isinstance(data, TensorBase) else foreign(data)
        if whole is not None:
            shared = Tensor(whole.layout, whole.untyped_storage(), whole.dtype)
            return shared.to(kind, copy=True)
        size, kind, values = flattened_as("new_tensor", data, kind)
        return new(size, kind, kind.pack(values))

    def __repr__(self) -> str:
        layout = self._layout
        if not layout.numel:
            values = "[]"
        elif layout.numel <= SHOWN:
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


def _require_few_lists(size: Ints) -> None:
    lists = 1
    for n in size:
        lists *= n
        if lists > 1 << 32:
            raise SizeError(f"tolist() on size {size}: so many empty lists fit no memory.")
        if not n:
            return
