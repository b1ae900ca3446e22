"""Operations on dims: their laws, and what they say when they refuse.

That they agree with torch is for `tests/stridekit/differential.py` to show.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stridekit import Layout
from stridekit.errors import (
    ArgumentError,
    DimError,
    IndexRangeError,
    LayoutError,
    SizeError,
    StepError,
)
from stridekit.layouts import dims
from tests.stridekit.strategies import layouts

grid = Layout.of((3, 4))
vector = Layout.of((5,))
scalar = Layout.of(())


@given(layouts, st.data())
def test_permuting_and_back_is_nothing(layout, data):
    """Law: permute(p), then permute(inverse of p)."""
    order = data.draw(st.permutations(range(layout.ndim)))
    inverse = [order.index(dim) for dim in range(layout.ndim)]
    assert dims.permute(dims.permute(layout, order), inverse) == layout


@given(layouts, st.data())
def test_unsqueeze_and_squeeze_is_nothing(layout, data):
    """Law: a new dim of size 1 can be taken away again."""
    dim = data.draw(st.integers(0, layout.ndim))
    assert dims.squeeze(dims.unsqueeze(layout, dim), (dim,)) == layout


@given(layouts)
def test_transposing_twice_is_nothing(layout):
    """Law, for the first and the last dim."""
    there = dims.transpose(layout, 0, -1)
    assert dims.transpose(there, 0, -1) == layout


@given(layouts, st.integers(1, 4), st.integers(1, 3))
def test_windows_are_narrow_pieces(layout, width, step):
    """Law: window i is narrow(dim, i * step, width), moved to the last dim."""
    if not layout.ndim or layout.size[0] < width:
        return
    windows = dims.unfold(layout, 0, width, step)
    for i in range(windows.size[0]):
        piece = dims.narrow(layout, 0, i * step, width)
        moved = dims.permute(piece, (*range(1, piece.ndim), 0))
        assert dims.select(windows, 0, i) == moved


@given(layouts, st.integers(-4, 4))
def test_a_diagonal_visits_the_same_places_as_its_indices(layout, offset):
    """Law: element i of the diagonal is element (i, i + offset)."""
    if layout.ndim != 2:
        return
    diagonal = dims.diagonal(layout, offset)
    expected = [
        layout.position((i, i + offset))
        for i in range(layout.size[0])
        if 0 <= i + offset < layout.size[1]
    ]
    assert list(diagonal.positions()) == expected


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: dims.transpose(grid, 0, 2), DimError, "there is no dim 2 in a tensor of 2 dims"),
        (lambda: dims.transpose(scalar, 0, 1), DimError, "Give a dim from -1 to 0"),
        (
            lambda: dims.transpose(grid, 0.0, 1),
            ArgumentError,
            "a dim is an int, and 0.0 is a float",
        ),
        (lambda: dims.transpose(grid, True, 1), ArgumentError, "True is a bool"),
        (
            lambda: dims.permute(grid, (0,)),
            LayoutError,
            "1 dim is named, and the tensor has",
        ),
        (lambda: dims.permute(grid, (0, 0)), LayoutError, "dim 0 is named twice"),
        (lambda: dims.permute(grid, (0, 2)), DimError, "there is no dim 2"),
        (lambda: dims.squeeze(grid, (0, 0)), LayoutError, "dim 0 is named twice"),
        (lambda: dims.squeeze(grid, (2,)), DimError, "there is no dim 2"),
        (lambda: dims.unsqueeze(grid, 3), DimError, "Give a dim from -3 to 2"),
        (lambda: dims.select(grid, 0, 3), IndexRangeError, "give one from -3 to 2"),
        (lambda: dims.select(Layout.of((0,)), 0, 0), IndexRangeError, "nothing in it to pick"),
        (lambda: dims.select(scalar, 0, 0), DimError, "select on rank 0: it has no dims"),
        (lambda: dims.select(grid, 0, "a"), ArgumentError, "an index is an int, and 'a' is a str"),
        (
            lambda: dims.slice_dim(grid, 0, slice(None, None, -1)),
            StepError,
            "flip() copies instead",
        ),
        (
            lambda: dims.slice_dim(grid, 0, slice(1.5, None)),
            ArgumentError,
            "start is an int or not",
        ),
        (lambda: dims.narrow(scalar, 0, 0, 1), SizeError, "there is no dim to narrow"),
        (lambda: dims.narrow(grid, 0, 0, -1), SizeError, "length -1 is negative"),
        (lambda: dims.narrow(grid, 0, 4, 0), IndexRangeError, "start 4 is outside dim 0"),
        (lambda: dims.narrow(grid, 0, 2, 2), SizeError, "start 2 + length 2 goes beyond dim 0"),
        (lambda: dims.unfold(vector, 0, 6, 1), SizeError, "a window of 6 does not fit dim 0"),
        (lambda: dims.unfold(vector, 0, -1, 1), SizeError, "a window of -1 does not fit dim 0"),
        (lambda: dims.unfold(vector, 0, 2, 0), SizeError, "step 0 leads nowhere"),
        (lambda: dims.diagonal(grid, 0, 1, 1), LayoutError, "dim 1 and dim 1 are the same"),
        (lambda: dims.diagonal(vector), DimError, "there is no dim 1 in a tensor of 1 dim."),
        (
            lambda: dims.unsqueeze(vector, 3),
            DimError,
            "no dim 3 in a result of 2 dims. Give a dim from -2",
        ),
        (lambda: dims.as_strided(grid, (2,), (1, 1)), LayoutError, "has 1 dim and stride (1, 1)"),
        (lambda: dims.as_strided(grid, (-2,), (1,)), LayoutError, "size (-2,) is negative"),
        (lambda: dims.as_strided(grid, (2,), (-1,)), LayoutError, "stride (-1,) is negative"),
        (lambda: dims.as_strided(grid, (2, -1), (1, 1)), LayoutError, "size (2, -1) is negative"),
        (
            lambda: dims.as_strided(grid, (2,), (1,), -1),
            LayoutError,
            "storage_offset -1 is negative",
        ),
    ],
)
def test_refusals_say_what_and_why(call, error, sentence):
    """The sentence, not only the exception's type."""
    with pytest.raises(error) as refusal:
        call()
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")
