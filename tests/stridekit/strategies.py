"""Layouts, and twins of them in stridekit and torch, for property tests.

The edges that rules trip over each have a name here: rank 0, no elements, size 1 with an odd
stride, stride 0, an offset, stepped slices, windows, permutations.
"""

from typing import Any

import pytest
import torch
from hypothesis import strategies as st

import stridekit as sk
from stridekit.layouts import dims
from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit.tensors.storage import Storage

sizes = st.lists(st.sampled_from((0, 1, 1, 2, 2, 3, 4)), max_size=4).map(tuple)
filled_sizes = st.lists(st.sampled_from((1, 1, 2, 2, 3, 4)), max_size=4).map(tuple)


@st.composite
def row_major(draw: st.DrawFn, size: st.SearchStrategy[Any] = sizes) -> Layout:
    """A contiguous layout, with an offset now and then."""
    return Layout.of(draw(size), None, draw(st.sampled_from((0, 0, 1, 5))))


@st.composite
def permuted(draw: st.DrawFn) -> Layout:
    """A row-major layout with its dims in another order."""
    layout = draw(row_major())
    return dims.permute(layout, draw(st.permutations(range(layout.ndim))))


@st.composite
def padded(draw: st.DrawFn) -> Layout:
    """Rows of a wider grid: gaps between the dims, as slices leave them."""
    size = draw(sizes)
    room = tuple(n + draw(st.integers(0, 2)) for n in size)
    return Layout(size, contiguous_stride(room), draw(st.integers(0, 3)))


@st.composite
def stepped(draw: st.DrawFn) -> Layout:
    """Every k-th index of each dim."""
    size = draw(sizes)
    steps = tuple(draw(st.integers(1, 3)) for _ in size)
    room = tuple(n * k for n, k in zip(size, steps, strict=True))
    stride = contiguous_stride(room)
    return Layout(size, tuple(s * k for s, k in zip(stride, steps, strict=True)))


@st.composite
def expanded(draw: st.DrawFn) -> Layout:
    """Stride 0 on some dims."""
    size = draw(filled_sizes)
    zero = [draw(st.booleans()) for _ in size]
    inner = contiguous_stride(tuple(1 if z else n for n, z in zip(size, zero, strict=True)))
    return Layout(size, tuple(0 if z else s for s, z in zip(inner, zero, strict=True)))


@st.composite
def windows(draw: st.DrawFn) -> Layout:
    """Overlapping windows over a vector, as unfold makes them."""
    count, width, step = (draw(st.integers(1, 4)) for _ in range(3))
    return Layout((count, width), (step, 1), draw(st.integers(0, 2)))


@st.composite
def odd_ones(draw: st.DrawFn) -> Layout:
    """Dims of size 1 with strides that nobody would think of."""
    layout = draw(row_major())
    odd = st.sampled_from((0, 1, 7, 50))
    stride = tuple(
        draw(odd) if n == 1 else s for n, s in zip(layout.size, layout.stride, strict=True)
    )
    return Layout(layout.size, stride, layout.storage_offset)


@st.composite
def anything(draw: st.DrawFn) -> Layout:
    """Any small strides at all."""
    size = draw(sizes)
    return Layout(size, tuple(draw(st.integers(0, 12)) for _ in size), draw(st.integers(0, 3)))


layouts = st.one_of(
    row_major(), permuted(), padded(), stepped(), expanded(), windows(), odd_ones(), anything()
)


def storage_length(layout: Layout) -> int:
    """A storage that holds the layout, in elements."""
    reach = layout.reach
    return layout.storage_offset if reach is None else reach[1] + 1


def twins(layout: Layout) -> tuple[sk.Tensor, torch.Tensor]:
    """A stridekit and a torch tensor of that layout, both over 0, 1, 2, ... as int64."""
    length = storage_length(layout)
    # Each counts by itself: a storage that NumPy has seen may not grow.
    memory = bytearray(torch.arange(length).numpy().tobytes())
    ours = sk.Tensor(layout, Storage.wrap(memory), sk.int64)
    theirs = torch.arange(length).as_strided(layout.size, layout.stride, layout.storage_offset)
    return ours, theirs


def header(tensor: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Size, stride and offset of either twin."""
    return tuple(tensor.size()), tuple(tensor.stride()), tensor.storage_offset()


def agree(ours: Any, theirs: Any) -> None:
    """Call both: the same header and values, or a refusal of the same kind."""
    try:
        expected = theirs()
    except (RuntimeError, IndexError, ValueError, TypeError) as refusal:
        kind = type(refusal)
    else:
        result = ours()
        assert header(result) == header(expected)
        assert result.tolist() == expected.tolist()
        return
    with pytest.raises(kind) as refused:
        ours()
    assert isinstance(refused.value, sk.errors.StridekitError)
    assert str(refused.value).endswith(".")


@st.composite
def deep(draw: st.DrawFn) -> Layout:
    """Five dims and more, permuted."""
    size = tuple(draw(st.lists(st.sampled_from((1, 2, 2, 3)), min_size=5, max_size=6)))
    return dims.permute(Layout.of(size), draw(st.permutations(range(len(size)))))


@st.composite
def large(draw: st.DrawFn) -> Layout:
    """More elements than a diagram shows: some dims long, some repeated, some permuted."""
    ndim = draw(st.integers(1, 5))
    size = tuple(
        draw(st.sampled_from((1, 2, 7, 30) if ndim > 2 else (1, 40, 300))) for _ in range(ndim)
    )
    zero = [draw(st.sampled_from((False, False, True))) for _ in size]
    inner = contiguous_stride(tuple(1 if z else n for n, z in zip(size, zero, strict=True)))
    stride = tuple(0 if z else s for s, z in zip(inner, zero, strict=True))
    layout = Layout(size, stride, draw(st.sampled_from((0, 0, 3))))
    return dims.permute(layout, draw(st.permutations(range(ndim))))


any_layouts = st.one_of(layouts, layouts, deep(), large())
