"""stridekit against torch: every operation, on random layouts, in results and in refusals.

    python -m tests.stridekit.differential --cases 1000000 --seed 1

Each case is plain data: a layout, a dtype, a method's name and its arguments. Both libraries
get twins of it. Compared are: whether it raises, and with which built-in exception; for every
tensor that comes back its header, its values, whether it is the same object and whether it lies
on the same storage; and, after a write, the tensor's own header and its whole storage.
A mismatch is shrunk before it is printed. Exit status 0 means that there was none.

Not compared, because stridekit decides otherwise on purpose (docs/model.md): negative sizes for
`expand` beside a 0, and a negative repeat of a dim without elements (torch lets them pass); lists
of floats as an index; uint8 tensors as masks; numbers beyond float16 (torch refuses them unless
there is one element); casts of numbers that are out of range (undefined in torch); numbers past 64
bits where torch wraps around; `resize_` of an overlapping tensor to its own size with a
memory_format, after which torch's header leaves its storage; and which of several values stays at a
position that a table of indices in another order than row-major names more than once.
"""

import argparse
import copy
import operator
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from re import search
from typing import Any

import torch

import stridekit as sk
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "float16", "bfloat16", "float32", "float64")
OTHERS = ("uint16", "uint32", "uint64", "complex64", "complex128")
FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")


@dataclass(frozen=True)
class Name:
    """An argument that each library has under this name: a dtype or a memory format."""

    name: str


@dataclass(frozen=True)
class Other:
    """An argument that is a tensor: of its own, or on the storage of the first one."""

    layout: Layout
    dtype: str
    shared: bool = False
    most: int = 0  # where it is not 0, all values are below it


@dataclass(frozen=True)
class Case:
    """One call."""

    layout: Layout
    dtype: str
    method: str
    args: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()


# Layouts


def random_size(chance: Random, most: int = 4) -> tuple[int, ...]:
    return tuple(chance.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(chance.randint(0, most)))


def random_layout(chance: Random) -> Layout:
    """Every kind that rules trip over: padded, stepped, permuted, expanded, windows, odd."""
    size = random_size(chance, 5 if chance.random() < 0.15 else 4)
    room = tuple(n + chance.choice((0, 0, 0, 1, 2)) for n in size)
    stride = list(contiguous_stride(room if chance.random() < 0.4 else size))
    for dim in range(len(size)):
        luck = chance.random()
        if luck < 0.08:
            stride[dim] = 0
        elif luck < 0.14:
            stride[dim] *= 2
        elif luck < 0.2:
            stride[dim] = chance.randint(0, 9)
        elif size[dim] == 1 and luck < 0.4:
            stride[dim] = chance.choice((0, 1, 7, 50))
    order = list(range(len(size)))
    if chance.random() < 0.4:
        chance.shuffle(order)
    if len(size) == 4 and chance.random() < 0.2:
        stride, order = list(_channels_last(size)), [0, 1, 2, 3]
    return Layout(
        tuple(size[d] for d in order),
        tuple(stride[d] for d in order),
        chance.choice((0, 0, 0, 1, 4)),
    )


def _channels_last(size: tuple[int, ...]) -> tuple[int, ...]:
    _, c, h, w = size
    return (h * w * c, 1, w * c, c)


def storage_length(layout: Layout) -> int:
    reach = layout.reach
    return layout.storage_offset if reach is None else reach[1] + 1


# Arguments: for each method, what to call it with


def a_dim(chance: Random, x: Layout) -> int:
    return (
        chance.randint(-x.ndim - 1, x.ndim)
        if chance.random() < 0.3
        else (chance.randrange(-x.ndim, x.ndim) if x.ndim else 0)
    )


def some_dims(chance: Random, x: Layout) -> tuple[int, ...]:
    if x.ndim and chance.random() < 0.8:
        return tuple(chance.sample(range(x.ndim), chance.randint(0, x.ndim)))
    return tuple(a_dim(chance, x) for _ in range(chance.randint(0, 3)))


def a_size(chance: Random, x: Layout) -> tuple[int, ...]:
    """Mostly one that has the right number of elements."""
    luck = chance.random()
    if luck < 0.12:
        return tuple(chance.randint(-2, 5) for _ in range(chance.randint(0, 4)))
    if luck < 0.2:
        return x.size
    rest, parts = x.numel, []
    for _ in range(chance.randint(0, 3)):
        if rest < 1:
            break
        parts.append(chance.choice([n for n in range(1, min(rest, 12) + 1) if rest % n == 0]))
        rest //= parts[-1]
    parts.append(rest)
    if chance.random() < 0.3:
        parts.insert(chance.randint(0, len(parts)), 1)
    if chance.random() < 0.15:
        parts[chance.randrange(len(parts))] = -1
    if chance.random() < 0.3:
        chance.shuffle(parts)
    return tuple(parts)


def an_expanded_size(chance: Random, x: Layout) -> tuple[int, ...]:
    size = [chance.choice((n, n, -1, 3 if n == 1 else n, chance.randint(0, 4))) for n in x.size]
    lead = [chance.choice((1, 2, 3, 0, -1)) for _ in range(chance.choice((0, 0, 1, 2)))]
    size = lead + size
    if chance.random() < 0.1 and size:
        size.pop()
    return tuple(size)


def a_basic_item(chance: Random, n: int) -> Any:
    luck = chance.random()
    if luck < 0.3:
        return (
            chance.randint(-n - 1, n)
            if chance.random() < 0.15 or not n
            else (chance.randrange(-n, n))
        )
    if luck < 0.8:
        bound = [None, None, *range(-n - 1, n + 2)]
        step = chance.choice((None, None, 1, 2, 3, chance.choice((0, -1, 1))))
        return slice(chance.choice(bound), chance.choice(bound), step)
    return chance.choice((None, Ellipsis))


def a_key(chance: Random, x: Layout) -> Any:
    items = [a_basic_item(chance, x.size[d]) for d in range(chance.randint(0, x.ndim))]
    if chance.random() < 0.05:
        items.append(a_basic_item(chance, 2))
    while sum(item is Ellipsis for item in items) > 1:
        items.remove(Ellipsis)
    if len(items) == 1 and chance.random() < 0.5:
        return items[0]
    return tuple(items)


def a_list(chance: Random, n: int, count: int) -> list[Any]:
    if chance.random() < 0.2:
        mask = [chance.random() < 0.5 for _ in range(n if chance.random() < 0.9 else n + 1)]
        return mask if mask else [0]
    if not n:
        return [0] * count
    return [chance.randrange(-n, n) if chance.random() < 0.97 else n for _ in range(count)]


def an_advanced_key(chance: Random, x: Layout) -> Any:
    count = chance.randint(0, 3)
    items: list[Any] = []
    for d in range(chance.randint(1, max(1, x.ndim))):
        n = x.size[d] if d < x.ndim else 1
        if chance.random() < 0.55:
            items.append(a_list(chance, n, count if chance.random() < 0.9 else 1))
        else:
            items.append(a_basic_item(chance, n))
    while sum(item is Ellipsis for item in items) > 1:
        items.remove(Ellipsis)
    if chance.random() < 0.1:
        items.insert(0, chance.choice((True, False, None)))
    if not any(isinstance(item, list | bool) for item in items):
        items.append([0])
    return tuple(items)


def a_mask(chance: Random, x: Layout) -> Any:
    size = x.size[: chance.randint(1, x.ndim)] if x.ndim else ()
    return (Other(Layout.of(size), "bool"),)


def an_other(chance: Random, x: Layout) -> Other:
    """A tensor that broadcasts to x, mostly; now and then on x's own storage."""
    if chance.random() < 0.2:
        shared = random_layout(chance)
        if chance.random() < 0.5 and x.ndim:
            shared = Layout(x.size, x.stride, max(0, x.storage_offset - chance.choice((0, 1))))
        if storage_length(shared) <= storage_length(x):
            return Other(shared, "", shared=True)
    size = tuple(1 if chance.random() < 0.25 else n for n in x.size)[chance.choice((0, 0, 0, 1)) :]
    if chance.random() < 0.1:
        size = random_size(chance)
    order = list(range(len(size)))
    chance.shuffle(order)
    stride = contiguous_stride(tuple(size[d] for d in order))
    back = tuple(stride[order.index(d)] for d in range(len(size)))
    dtype = chance.choice(("int64", "int64", "int64", *DTYPES))
    return Other(Layout(size, back, chance.choice((0, 0, 2))), dtype)


def a_number(chance: Random) -> Any:
    return chance.choice((0, 1, 3, -2, 7, 2.5, -0.5, 0.1, 300, 50_000, True, False, 1j, 2 + 0j))


Arguments = Callable[[Random, Layout], tuple[Any, ...]]


def _none(chance: Random, x: Layout) -> tuple[Any, ...]:
    return ()


def _strided(chance: Random, x: Layout) -> tuple[Any, ...]:
    size = random_size(chance, 3)
    stride = tuple(chance.choice((0, 1, 1, 2, 3, 5, chance.choice((-1, 4)))) for _ in size)
    if chance.random() < 0.05:
        stride += (1,)
    offset = () if chance.random() < 0.4 else (chance.choice((0, 0, 1, 3, 20, -1)),)
    return (size, stride, *offset)


def _header(chance: Random) -> tuple[Any, ...]:
    """A storage_offset, a size, and mostly a stride."""
    size = random_size(chance, 3)
    stride = tuple(chance.choice((0, 1, 1, 2, 3, 5)) for _ in size)
    offset = chance.choice((0, 0, 1, 3, -1))
    return (offset, size) if chance.random() < 0.3 else (offset, size, stride)


def _table(chance: Random, most: int) -> Other:
    """An index tensor, whose values are small, often with strides of its own."""
    size = tuple(chance.choice((0, 1, 2, 2, 3)) for _ in range(chance.choice((1, 1, 2, 3))))
    order = list(range(len(size)))
    chance.shuffle(order)
    stride = contiguous_stride(tuple(size[d] for d in order))
    back = tuple(stride[order.index(d)] for d in range(len(size)))
    return Other(Layout(size, back), "int64", most=most)


def _with_table(chance: Random, x: Layout) -> Any:
    table = _table(chance, min((n for n in x.size if n), default=1))
    before = [slice(None)] * (chance.randint(0, x.ndim - 1) if x.ndim else 0)
    after = [a_basic_item(chance, 2)] if chance.random() < 0.2 else []
    return (*before, table, *after) if before or after or chance.random() < 0.5 else table


def _picked_value(chance: Random, x: Layout) -> Any:
    """A value for what is picked: of one element, of the same memory, or of its own."""
    luck = chance.random()
    if luck < 0.3:
        return Other(Layout.of((1,) * chance.randint(0, 2)), chance.choice(("int64", *DTYPES)))
    return an_other(chance, x)


METHODS: dict[str, Arguments] = {
    "view": lambda c, x: (a_size(c, x),),
    "reshape": lambda c, x: (a_size(c, x),),
    "view_dtype": lambda c, x: (Name(c.choice(("int64", *DTYPES, *OTHERS))),),
    "transpose": lambda c, x: (a_dim(c, x), a_dim(c, x)),
    "t": _none,
    "T": _none,
    "mT": _none,
    "permute": lambda c, x: (
        tuple(c.sample(range(x.ndim), x.ndim)) if c.random() < 0.8 else some_dims(c, x),
    ),
    "squeeze": lambda c, x: c.choice(((), (a_dim(c, x),), (some_dims(c, x),))),
    "unsqueeze": lambda c, x: (c.randint(-x.ndim - 2, x.ndim + 1),),
    "narrow": lambda c, x: (a_dim(c, x), c.randint(-4, 4), c.randint(-1, 3)),
    "select": lambda c, x: (a_dim(c, x), c.randint(-4, 3)),
    "getitem": lambda c, x: (a_key(c, x),),
    "getitem_advanced": lambda c, x: (an_advanced_key(c, x),),
    "getitem_mask": lambda c, x: (a_mask(c, x),),
    "expand": lambda c, x: (an_expanded_size(c, x),),
    "unfold": lambda c, x: (a_dim(c, x), c.randint(-1, 4), c.randint(0, 3)),
    "diagonal": lambda c, x: (c.randint(-4, 4), a_dim(c, x), a_dim(c, x)),
    "as_strided": _strided,
    "detach": _none,
    "flatten": lambda c, x: c.choice(((), (a_dim(c, x),), (a_dim(c, x), a_dim(c, x)))),
    "contiguous": _none,
    "contiguous_format": lambda c, x: (Name(c.choice(FORMATS)),),
    "is_contiguous_format": lambda c, x: (Name(c.choice(FORMATS)),),
    "clone": lambda c, x: (Name(c.choice(FORMATS)),),
    "to_format": lambda c, x: (Name(c.choice(FORMATS)),),
    "to": lambda c, x: (Name(c.choice(("int64", *DTYPES))),),
    "repeat": lambda c, x: (
        tuple(
            c.choice((0, 1, 1, 2, 3, c.choice((1, -1)) if x.numel else 1))
            for _ in range(x.ndim + c.randint(-1, 2))
        ),
    ),
    "flip": lambda c, x: (some_dims(c, x),),
    "setitem": lambda c, x: (
        a_key(c, x),
        a_number(c) if c.random() < 0.5 else Other(Layout.of(random_size(c, 2)), "int64"),
    ),
    "setitem_advanced": lambda c, x: (an_advanced_key(c, x), c.choice((3, 0, 7.5, True))),
    "setitem_mask": lambda c, x: (a_mask(c, x), c.choice((3, 0, 7.5, True))),
    "fill_": lambda c, x: (a_number(c) if c.random() < 0.6 else an_other(c, x),),
    "copy_": lambda c, x: (an_other(c, x),),
    "add_": lambda c, x: (a_number(c) if c.random() < 0.5 else an_other(c, x),),
    "mul_": lambda c, x: (a_number(c) if c.random() < 0.5 else an_other(c, x),),
    "resize_": lambda c, x: (random_size(c, 3) if c.random() < 0.8 else x.size,),
    "resize_format": lambda c, x: (
        x.size if c.random() < 0.5 else random_size(c),
        Name(c.choice(FORMATS)),
    ),
    "set_": lambda c, x: c.choice(((), (an_other(c, x),), (an_other(c, x), *_header(c)))),
    "getitem_strided_index": lambda c, x: (_with_table(c, x),),
    "setitem_picked": lambda c, x: (_with_table(c, x), _picked_value(c, x)),
    "setitem_by_mask": lambda c, x: (a_mask(c, x), _picked_value(c, x)),
    "setitem_truth": lambda c, x: (
        c.random() < 0.5,
        an_other(c, x) if c.random() < 0.7 else Other(Layout.of((7,)), "int64"),
    ),
    "reshape_base": lambda c, x: (a_size(c, x),),
    "int": _none,
    "float": _none,
    "index": _none,
    "truth": _none,
    "reversed": _none,
    "wide_slice": lambda c, x: (
        slice(
            c.choice((None, 0, 1, 2**63, -(2**64))), None, c.choice((1, 2**31, 2**62, 2**63 - 1))
        ),
    ),
    "wide_unfold": lambda c, x: (a_dim(c, x), 1, c.choice((1, 2**31, 2**62))),
    "wide_strided": lambda c, x: (
        tuple(c.choice((0, 1, 2, 2**31, 2**62)) for _ in range(2)),
        tuple(c.choice((0, 1, 2**31, 2**62, 2**63 - 1)) for _ in range(2)),
        c.choice((0, 1, 2**62)),
    ),
    "wide_expand": lambda c, x: (tuple(c.choice((0, 1, 2**31, 2**62)) for _ in range(3)),),
    "dims_as_tensors": lambda c, x: (a_dim(c, x), a_dim(c, x)),
    "zero_": _none,
    "pickled": _none,
    "deep_copied": _none,
    "item": _none,
    "len": _none,
    "iterate": _none,
}

# Methods whose name here says more than the method's own.
CALLS: dict[str, Callable[..., Any]] = {
    "view_dtype": lambda x, dtype: x.view(dtype),
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "getitem": lambda x, key: x[key],
    "getitem_advanced": lambda x, key: x[key],
    "getitem_mask": lambda x, key: x[key],
    "setitem": operator.setitem,
    "setitem_advanced": operator.setitem,
    "setitem_mask": operator.setitem,
    "contiguous_format": lambda x, fmt: x.contiguous(memory_format=fmt),
    "is_contiguous_format": lambda x, fmt: x.is_contiguous(memory_format=fmt),
    "clone": lambda x, fmt: x.clone(memory_format=fmt),
    "to_format": lambda x, fmt: x.to(memory_format=fmt),
    "resize_format": lambda x, size, fmt: x.resize_(size, memory_format=fmt),
    "getitem_strided_index": lambda x, key: x[key],
    "setitem_picked": operator.setitem,
    "setitem_by_mask": operator.setitem,
    "setitem_truth": operator.setitem,
    "reshape_base": lambda x, size: (
        (x.reshape(size).base if isinstance(x, sk.Tensor) else x.reshape(size)._base) is None
    ),
    "int": int,
    "float": float,
    "index": operator.index,
    "truth": bool,
    "reversed": reversed,
    "wide_slice": lambda x, key: x[key],
    "wide_unfold": lambda x, dim, size, step: x.unfold(dim, size, step),
    "wide_strided": lambda x, *header: x.as_strided(*header),
    "wide_expand": lambda x, size: x.expand(size),
    "dims_as_tensors": lambda x, *dims: x.transpose(*map(_library(x).tensor, dims)),
    # torch pickles not every dtype; a deep copy has the same header.
    "pickled": lambda x: (
        pickle.loads(pickle.dumps(x)) if isinstance(x, sk.Tensor) else copy.deepcopy(x)
    ),
    "deep_copied": copy.deepcopy,
    "len": len,
    "iterate": list,
}


def _library(x: Any) -> Any:
    return sk if isinstance(x, sk.Tensor) else torch


def random_case(chance: Random) -> Case:
    layout = random_layout(chance)
    method = chance.choice(_NAMES)
    dtype = "int64" if chance.random() < 0.75 else chance.choice((*DTYPES, *OTHERS))
    return Case(layout, dtype, method, METHODS[method](chance, layout))


_NAMES = tuple(METHODS)


# Running a case in both libraries


def make_ours(layout: Layout, dtype: str) -> sk.Tensor:
    kind = dtypes.BY_NAME[dtype]
    memory = kind.pack(kind.cast(i % 100) for i in range(storage_length(layout)))
    return sk.Tensor(layout, Storage.wrap(memory, resizable=True), kind)


def make_theirs(layout: Layout, dtype: str) -> torch.Tensor:
    flat = torch.arange(storage_length(layout)).remainder_(100).to(getattr(torch, dtype))
    return flat.as_strided(layout.size, layout.stride, layout.storage_offset)


def _resolve(value: Any, library: Any, make: Callable[..., Any], x: Any, case: Case) -> Any:
    if isinstance(value, Name):
        return getattr(library, value.name)
    if isinstance(value, Other):
        if value.shared:
            there = value.layout
            return x.as_strided(there.size, there.stride, there.storage_offset)
        if value.most:
            return library.tensor(
                [i % value.most for i in range(storage_length(value.layout))], dtype=library.int64
            ).as_strided(value.layout.size, value.layout.stride, value.layout.storage_offset)
        return make(value.layout, value.dtype)
    if isinstance(value, tuple):
        return tuple(_resolve(part, library, make, x, case) for part in value)
    return value


def _call(case: Case, library: Any, make: Callable[..., Any]) -> tuple[Any, Any]:
    x = make(case.layout, case.dtype)
    args = [_resolve(arg, library, make, x, case) for arg in case.args]
    call = CALLS.get(case.method)
    return x, call(x, *args) if call else getattr(x, case.method)(*args)


def _pieces(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


def _same_values(a: Any, b: Any) -> bool:
    return bool(a == b) or repr(a) == repr(b)


def compare(case: Case) -> str | None:
    """What differs between the two libraries, or None.

    Where torch has no kernel for a dtype, that says nothing about memory, and nothing differs.
    """
    expected: Any = None
    refusal: BaseException | None = None
    try:
        theirs, expected = _call(case, torch, make_theirs)
    except (NotImplementedError, OverflowError):
        # Negative numbers in uint64: torch 2.14 refuses some that 2.13 wraps around.
        return None
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        refusal = error
    of_no_interest = r"Promotion for uint16|not implemented for"  # the latter until torch 2.6
    if search(of_no_interest, str(refusal)) or _has_negative_size(expected):
        return None
    try:
        ours, result = _call(case, sk, make_ours)
    except StridekitError as error:
        if refusal is None and ("past 64 bits" in str(error) or _leads_outside(expected)):
            # There torch wraps around, unless it notices; or it gives what nobody may read.
            return None
        if refusal is None:
            return f"stridekit refuses: {error}\ntorch gives {_describe(expected)}"
        kinds = (RuntimeError, IndexError, ValueError, TypeError)
        wanted = next(kind for kind in kinds if isinstance(refusal, kind))
        if not isinstance(error, wanted):
            return f"stridekit raises {type(error).__name__}: {error}\ntorch raises {refusal!r}"
        return None
    if refusal is not None:
        return f"torch refuses: {refusal!r}\nstridekit gives {_describe(result)}"
    return _compare_results(case, ours, result, theirs, expected)


def _has_negative_size(result: Any) -> bool:
    return isinstance(result, torch.Tensor) and min(result.size(), default=0) < 0


def _leads_outside(result: Any) -> bool:
    """Whether torch gave a header that leads outside of its memory, as `set_` does."""
    if not isinstance(result, torch.Tensor):
        return False
    layout = Layout(tuple(result.size()), result.stride(), result.storage_offset())
    return storage_length(layout) * result.element_size() > result.untyped_storage().nbytes()


def _compare_results(case: Case, ours: Any, result: Any, theirs: Any, expected: Any) -> str | None:
    mine, wanted = _pieces(result), _pieces(expected)
    if len(mine) != len(wanted):
        return f"stridekit gives {len(mine)} pieces, torch {len(wanted)}"
    loose = _values_are_open(case)
    for a, b in zip(mine, wanted, strict=True):
        if not isinstance(b, torch.Tensor):
            if type(a) is not type(b) or not _same_values(a, b):
                return f"stridekit gives {a!r}, torch {b!r}"
            continue
        if a.dtype.name != str(b.dtype).removeprefix("torch."):
            return f"dtype: stridekit {a.dtype}, torch {b.dtype}"
        if (a is ours) is not (b is theirs):
            return f"the same object: stridekit {a is ours}, torch {b is theirs}"
        shares = b.untyped_storage()._cdata == theirs.untyped_storage()._cdata
        if (a.untyped_storage() is ours.untyped_storage()) is not shares:
            return f"on the same storage: stridekit {not shares}, torch {shares}"
        difference = _compare_tensors(a, b, values=not loose)
        if difference:
            return difference
    if case.method.endswith("_") or case.method.startswith(("set", "resize")):
        return _compare_after(case, ours, theirs, loose)
    return None


def _compare_tensors(a: Any, b: Any, *, values: bool) -> str | None:
    header = tuple(a.size()), tuple(a.stride()), a.storage_offset()
    wanted = tuple(b.size()), tuple(b.stride()), b.storage_offset()
    if header != wanted:
        return f"header: stridekit {header}, torch {wanted}"
    small = b.numel() < 2000 and max(b.shape, default=0) < 2000
    if values and small and not _same_values(a.tolist(), b.tolist()):
        return f"values: stridekit {a.tolist()}, torch {b.tolist()}"
    return None


def _compare_after(case: Case, ours: Any, theirs: Any, loose: bool) -> str | None:
    """After a write: the tensor's own header, and its storage from end to end."""
    difference = _compare_tensors(ours, theirs, values=False)
    if difference:
        return f"afterwards, {difference}"
    mine, wanted = ours.untyped_storage(), theirs.untyped_storage()
    if storage_length(ours.layout) * ours.element_size() > wanted.nbytes():
        return None
    if mine.nbytes() != wanted.nbytes():
        return f"afterwards, storage: stridekit {mine.nbytes()} bytes, torch {wanted.nbytes()}"
    if not loose:
        itemsize = ours.element_size()
        length = min(mine.nbytes() // itemsize, storage_length(case.layout))
        a = ours.dtype.unpack(mine.memory[: length * itemsize])
        flat = torch.empty(0, dtype=theirs.dtype)
        b = flat.set_(wanted, 0, (length,), (1,)).tolist()
        if not _same_values(a, b):
            return f"afterwards, storage: stridekit {a}, torch {b}"
    return None


def _values_are_open(case: Case) -> bool:
    """Where torch itself leaves open which values come out."""
    grows = case.method.startswith("resize") or case.method == "set_"
    flat = [part for arg in case.args for part in (arg if isinstance(arg, tuple) else (arg,))]
    others = [part for part in flat if isinstance(part, Other)]
    turned = any(other.most and not other.layout.is_contiguous for other in others)
    shared = any(other.shared for other in others)
    overlaps = len(set(case.layout.positions())) < case.layout.numel
    written = case.method in ("copy_", "add_", "mul_") or case.method.startswith("setitem")
    rounds = case.dtype not in ("int64", "int32", "int16", "int8", "uint8")
    mixed = any(other.dtype not in ("", case.dtype) for other in others)
    one_write = case.method in ("add_", "mul_") and not rounds and not mixed
    return (
        grows
        or shared
        or (case.method == "setitem_picked" and turned)
        or (written and overlaps and not one_write)
    )


def _describe(result: Any) -> str:
    pieces = _pieces(result)
    return ", ".join(
        f"{tuple(p.size())}/{tuple(p.stride())}+{p.storage_offset()}"
        if hasattr(p, "stride")
        else repr(p)
        for p in pieces
    )


# Making a mismatch small


def shrink(case: Case) -> Case:
    """A case that still differs, from which nothing more can be taken."""
    while True:
        for smaller in _smaller(case):
            try:
                if compare(smaller):
                    case = smaller
                    break
            except Exception:  # noqa: BLE001 - a variant that makes no sense is no smaller case
                continue
        else:
            return case


def _smaller(case: Case) -> Iterator[Case]:
    x = case.layout
    for dim in range(x.ndim):
        yield replace(
            case,
            layout=Layout(
                x.size[:dim] + x.size[dim + 1 :],
                x.stride[:dim] + x.stride[dim + 1 :],
                x.storage_offset,
            ),
        )
        if x.size[dim] > 0:
            yield replace(
                case,
                layout=Layout(
                    (*x.size[:dim], x.size[dim] - 1, *x.size[dim + 1 :]), x.stride, x.storage_offset
                ),
            )
        if x.stride[dim] > 0:
            yield replace(
                case,
                layout=Layout(
                    x.size,
                    (*x.stride[:dim], x.stride[dim] - 1, *x.stride[dim + 1 :]),
                    x.storage_offset,
                ),
            )
    if x.storage_offset:
        yield replace(case, layout=Layout(x.size, x.stride, 0))
    if case.dtype != "int64":
        yield replace(case, dtype="int64")
    for i, arg in enumerate(case.args):
        for simpler in _simpler(arg):
            yield replace(case, args=(*case.args[:i], simpler, *case.args[i + 1 :]))


def _simpler(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        if value:
            yield from dict.fromkeys((0, int(value / 2), value - 1 if value > 0 else value + 1))
    elif isinstance(value, tuple | list):
        kind = type(value)
        for i, part in enumerate(value):
            yield kind([*value[:i], *value[i + 1 :]])
            for simpler in _simpler(part):
                yield kind([*value[:i], simpler, *value[i + 1 :]])
    elif isinstance(value, Other):
        for smaller in _smaller(Case(value.layout, "int64", "")):
            yield replace(value, layout=smaller.layout)
        if value.dtype not in ("int64", ""):
            yield replace(value, dtype="int64")


def run(cases: int, seed: int, most: int = 10) -> tuple[int, list[tuple[Case, str]]]:
    """So many random cases: how many were compared, and the mismatches, at most so many."""
    chance = Random(seed)
    mismatches: list[tuple[Case, str]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for done in range(1, cases + 1):
            case = random_case(chance)
            if compare(case):
                small = shrink(case)
                mismatches.append((small, compare(small) or ""))
                if len(mismatches) >= most:
                    return done, mismatches
    return cases, mismatches


def main() -> int:
    parser = argparse.ArgumentParser(description="stridekit against torch, on random cases")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.perf_counter()
    done, mismatches = run(given.cases, given.seed)
    seconds = time.perf_counter() - start
    for case, difference in mismatches:
        print(f"{case}\n  {difference}\n")
    print(
        f"{done:,} cases over {len(METHODS)} operations, seed {given.seed}, in {seconds:.0f} s: "
        f"{len(mismatches)} mismatches"
    )
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
