"""What comes of an operation: the layout of its result, from what it was given.

torch's profiler tells what went into an operation, and not what came out. These are the rules of
torch's kernels, as pure functions of headers and numbers. (torch would tell it on the meta device,
but it loads its compilers for that, which takes seconds; and kernels keep channels_last where the
meta device says that they do not.)

Source: ATen/native/TensorShape.cpp, PadNd.cpp, Im2Col.cpp and others there; TensorIterator.cpp.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from math import prod
from typing import Any

from stridekit.layouts.dims import transpose
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import (
    contiguous_format,
    preserved_stride,
    stride_of,
    suggested,
)
from stridekit.layouts.view_rule import infer_size, plan_view
from stridekit.own_code.headers import Header


@lru_cache(4096)
def result_layout(name: str, given: tuple[Any, ...]) -> Layout | None:
    """The layout of what an operation of this name gives.

    None where headers do not tell, as of what torch refused: its rule fails for these, too.
    """
    rule = _RULES.get(name)
    with suppress(Exception):
        return rule(*given) if rule else None
    return None


def _kept(x: Header, *_: Any) -> Layout:
    """Of the same size, in the same order of dims."""
    return Layout(x.size, preserved_stride(x.size, x.stride), 0)


def _in_format(size: Ints, parts: Sequence[Header]) -> Layout:
    """In the memory format that all parts suggest; where they differ, contiguous."""
    first, *others = {suggested(part.layout) for part in parts}
    return Layout(size, stride_of("", size, contiguous_format if others else first), 0)


def _with_dim(size: Ints, dim: int, n: int) -> Ints:
    """A size with another number in one dim, if there is one, counted from either end."""
    return (*size[:dim], n, *size[dim:][1:]) if size else size


def _joined(parts: Sequence[Header], dim: int, *_: Any) -> Layout:
    # Those of size (0,) join whatever there is.
    sizes = [part.size for part in parts if part.size != (0,)] or [(0,)]
    (rest,) = {_with_dim(size, dim, 0) for size in sizes}
    return _in_format(_with_dim(rest, dim, sum(size[dim] for size in sizes)), parts)


def _stacked(parts: Sequence[Header], dim: int, *_: Any) -> Layout:
    (size,) = {part.size for part in parts}
    dim %= len(size) + 1
    size = (*size[:dim], len(parts), *size[dim:])
    # They are joined along the dim that comes next, which is then viewed as two.
    viewed = plan_view(_joined(parts, dim), size) if dim < len(size) - 1 else None
    return viewed if isinstance(viewed, Layout) else Layout.of(size)


def _block_diagonal(parts: Sequence[Header], *_: Any) -> Layout:
    sizes = [(1, 1, *part.size)[-2:] for part in parts]
    return Layout.of(tuple(map(sum, zip(*sizes, strict=True))))


def _index_select(x: Header, dim: int, index: Header, *_: Any) -> Layout:
    (n,) = index.size or (1,)
    return Layout.of(_with_dim(x.size, dim, n))


def _gathered(x: Header, dim: int, index: Header, *_: Any) -> Layout | None:
    pairs = zip(_with_dim(index.size, dim, 0), x.size, strict=True)
    return Layout.of(index.size) if all(n <= most for n, most in pairs) else None


def _padded(x: Header, pad: Ints, *_: Any) -> Ints:
    """The size, whose last dims are padded, the last one first."""
    pairs = zip_longest(reversed(x.size), pad[::2], pad[1::2], fillvalue=0)
    return tuple(map(sum, pairs))[::-1]


def _mirrored(x: Header, pad: Ints, *_: Any) -> Layout | None:
    """No more than there is beside the edge."""
    size = _padded(x, pad)
    inner = zip(x.size[::-1], pad[::2], pad[1::2], strict=False)
    return _in_format(size, [x]) if all(max(pair) < n for n, *pair in inner) else None


def _repeated(x: Header, repeats: Ints, *_: Any) -> Layout:
    size = (1,) * (len(repeats) - len(x.size)) + x.size
    return Layout.of(tuple(n * times for n, times in zip(size, repeats, strict=True)))


def _repeat_interleaved(x: Header, repeats: Any, dim: int | None = None, *_: Any) -> Layout | None:
    if not isinstance(repeats, int):
        return None
    size = (prod(x.size),) if dim is None else x.size
    dim = (dim or 0) % len(size)
    return Layout.of(_with_dim(size, dim, size[dim] * repeats))


def _turned(x: Header, times: int, dims: Ints, *_: Any) -> Layout:
    return transpose(_kept(x), *dims) if times % 2 else _kept(x)


def _rolled(x: Header, _shifts: Ints, dims: Ints, *_: Any) -> Layout:
    return _in_format(x.size, [x]) if dims else Layout.of(x.size)


def _shuffled(x: Header, r: int, *_: Any) -> Layout:
    *lead, c, h, w = x.size
    return _in_format((*lead, c // r**2, h * r, w * r), [x])


def _unshuffled(x: Header, r: int, *_: Any) -> Layout:
    *lead, c, h, w = x.size
    return _in_format((*lead, c * r**2, h // r, w // r), [x])


def _windows(
    x: Header, kernel: Ints, dilation: Ints, padding: Ints, step: Ints, *_: Any
) -> Layout | None:
    *lead, c = x.size[:-2]
    each = zip(x.size[-2:], kernel, dilation, padding, step, strict=True)
    counts = tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in each)
    return Layout.of((*lead, c * prod(kernel), prod(counts))) if min(counts) > 0 else None


def _flattened(x: Header, start: int, end: int) -> Layout:
    start, end = start % len(x.size), end % len(x.size) + 1
    return Layout.of((*x.size[:start], prod(x.size[start:end]), *x.size[end:]))


_BY_RULE: dict[str, Callable[..., Layout | None]] = {
    "cat": _joined,
    "stack": _stacked,
    "block_diag": _block_diagonal,
    "index_select": _index_select,
    "gather": _gathered,
    "take": lambda _, index, *_more: Layout.of(index.size),
    "embedding": lambda x, index, *_: Layout.of((*index.size, *x.size[1:])),
    "tril triu": lambda x, *_: Layout.of(x.size) if len(x.size) > 1 else None,
    "flip select_scatter slice_scatter": _kept,
    "select_backward slice_backward diagonal_backward": lambda _, size, *_more: Layout.of(size),
    "constant_pad_nd replication_pad1d replication_pad2d replication_pad3d": (
        lambda x, *pad: _in_format(_padded(x, *pad), [x])
    ),
    "reflection_pad1d reflection_pad2d reflection_pad3d": _mirrored,
    "_pad_circular": lambda x, *pad: Layout.of(_padded(x, *pad)),
    "repeat": _repeated,
    "repeat_interleave": _repeat_interleaved,
    "rot90": _turned,
    "roll": _rolled,
    "pixel_shuffle": _shuffled,
    "pixel_unshuffle": _unshuffled,
    "native_channel_shuffle": lambda x, *_: _in_format(x.size, [x]),
    "im2col": _windows,
    "reshape": lambda x, size: Layout.of(infer_size("", prod(x.size), size)),
    "reshape_as": lambda _, other: Layout.of(other.size),
    "flatten": _flattened,
    "ravel": lambda x: Layout.of((prod(x.size),)),
}
_RULES = {name: rule for names, rule in _BY_RULE.items() for name in names.split()}
