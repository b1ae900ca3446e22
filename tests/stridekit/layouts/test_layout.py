"""Layouts: torch's headers, worked out on tuples."""

from collections import Counter
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import Layout
from stridekit.errors import ArgumentError, IndexRangeError, LayoutError
from stridekit.layouts.layout import contiguous_stride, is_contiguous
from tests.stridekit.strategies import any_layouts, layouts, sizes, twins


@given(sizes)
def test_contiguous_stride_is_that_of_a_new_torch_tensor(size):
    """Row-major strides, a size 0 counting as 1."""
    assert contiguous_stride(size) == torch.empty(size).stride()


def test_is_contiguous_in_every_small_layout():
    """Rank 0 to 3, sizes 0 to 3, strides that could be right, wrong, 0 or padded."""
    compared = 0
    for rank in range(4):
        for size in product(range(4), repeat=rank):
            for stride in product((0, 1, 2, 3, 6, 9), repeat=rank):
                torch_says = torch.empty_strided(size, stride).is_contiguous()
                assert is_contiguous(size, stride) is torch_says, (size, stride)
                compared += 1
    assert compared == 1 + 24 + 24**2 + 24**3


@given(layouts)
def test_positions_are_where_torch_reads(layout):
    """The values of a tensor over 0, 1, 2, ... are its positions, in reading order."""
    _, theirs = twins(layout)
    assert list(layout.positions()) == theirs.flatten().tolist()
    assert [layout.position(index) for index in layout.indices()] == theirs.flatten().tolist()


@given(any_layouts)
def test_a_layout_is_its_dims_and_an_offset(layout):
    """Law: put together again they are the layout. Each once, it visits the same positions."""
    assert Layout.over(layout.dims, layout.storage_offset) == layout
    if layout.numel < 3000:
        assert {*layout.each_once.positions()} == {*layout.positions()}
    assert 0 in layout.size or all(n == 1 for n, step in layout.each_once.dims if step == 0)


@given(layouts)
def test_reach_and_reaches_say_which_positions_are_read(layout):
    """Against the plain list of all positions."""
    positions = set(layout.positions())
    expected = (min(positions), max(positions)) if positions else None
    assert layout.reach == expected
    beyond = range(-2, (expected[1] if expected else 0) + 3)
    assert {p for p in beyond if layout.reaches(p)} == positions


def test_reaches_knows_negative_strides():
    """NumPy has them, and diagrams show NumPy arrays."""
    backwards = Layout((3, 2), (-4, 1), 8)
    assert [p for p in range(-1, 12) if backwards.reaches(p)] == [0, 1, 4, 5, 8, 9]
    assert backwards.reach == (0, 9)


def test_vast_layouts_cost_nothing():
    """Nothing here goes through the elements unless it is asked to."""
    vast = Layout((10**13, 3, 2), (0, 2, 1))
    assert vast.numel == 6 * 10**13
    assert vast.reach == (0, 5)
    assert vast.reaches(5)
    assert not vast.reaches(6)
    positions = vast.positions()
    assert [next(positions) for _ in range(7)] == [0, 1, 2, 3, 4, 5, 0]
    assert list(Layout((10**13, 0), (1, 1)).positions()) == []


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (
            lambda: Layout((2, 3), (1,)),
            LayoutError,
            "size (2, 3) has 2 dims and stride (1,) has 1",
        ),
        (lambda: Layout((2, -3), (1, 1)), LayoutError, "size (2, -3) has a negative entry"),
        (lambda: Layout.of([-1]), LayoutError, "size (-1,) has a negative entry"),
        (lambda: Layout([2], (1,)), ArgumentError, "size is a tuple of int, and [2] is not"),
        (lambda: Layout((2.0,), (1,)), ArgumentError, "size is a tuple of int"),
        (lambda: Layout((2,), (1,), 0.5), ArgumentError, "storage_offset is an int, not 0.5"),
        (
            lambda: Layout.of([True]),
            ArgumentError,
            "a size is an int, and True is a bool",
        ),
        (lambda: Layout.of([2], ["1"]), ArgumentError, "a stride is an int, and '1' is a str"),
        (
            lambda: Layout.of(3),
            ArgumentError,
            "Layout.of: a size stands in a tuple or list of ints",
        ),
        (lambda: Layout.of((3,)).position(1), ArgumentError, "an index stands in a tuple or list"),
        (
            lambda: Layout.of((3,)).position((1.5,)),
            ArgumentError,
            "index is an int, and 1.5",
        ),
        (lambda: Layout.of((3,)).index_at("1"), ArgumentError, "a position is an int, and '1'"),
        (lambda: Layout.of((3,)).count_at(1, most=[2]), ArgumentError, "most is an int, and [2]"),
        (lambda: Layout.of((3,)).position((1, 2)), IndexRangeError, "takes 1 coordinate, not 2"),
        (
            lambda: Layout.of((2, 3)).position((0,)),
            IndexRangeError,
            "takes 2 coordinates, not 1",
        ),
        (
            lambda: Layout.of((2, 3)).position((0, 3)),
            IndexRangeError,
            "3 is outside dim 1, which has size 3",
        ),
    ],
)
def test_refusals_say_what_and_why(make, error, sentence):
    """The sentence, not only the exception's type."""
    with pytest.raises(error) as refusal:
        make()
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


@given(any_layouts, st.integers(-3, 3))
def test_who_lies_at_a_position(layout, beyond):
    """index_at finds one, count_at counts them all, reaches says whether there is any."""
    if layout.numel > 3000:
        return
    counts = Counter(layout.positions())
    low, high = layout.reach or (0, 0)
    for position in {low, high, low + beyond, high + beyond, (low + high) // 2}:
        index = layout.index_at(position)
        assert (index is not None) == layout.reaches(position) == (position in counts)
        assert index is None or layout.position(index) == position
        assert layout.count_at(position) == counts[position]


@given(any_layouts)
def test_two_indices_at_one_position_are_an_overlap(layout):
    """Counted one by one."""
    if layout.numel > 3000:
        return
    assert layout.has_overlap == (len({*layout.positions()}) < layout.numel)


@pytest.mark.parametrize("size", [*product((1, 2, 3), repeat=3)])
def test_every_small_overlap_is_found(size):
    """All strides from 0 to 6."""
    for stride in product(range(7), repeat=3):
        layout = Layout(size, stride)
        assert layout.has_overlap == (len({*layout.positions()}) < layout.numel), layout


def test_an_overlap_is_found_among_any_number_of_elements():
    """No element is visited."""
    assert Layout((10**6, 10**6), (7, 7 * 10**5)).has_overlap
    assert not Layout((10**6, 10**6), (10**6, 1)).has_overlap


def test_counting_costs_no_more_with_more_elements():
    """Whatever the sizes are: what repeats is multiplied, the rest is counted up to a limit."""
    repeated = Layout((10**13, 3, 2), (0, 2, 1))
    assert repeated.count_at(5) == 10**13
    windows = Layout((10**6, 10**6), (7, 11))
    assert windows.count_at(77 * 10**4, most=50) == 50
    assert windows.index_at(5) is None
