"""Memory formats and density: every small layout, against torch."""

from itertools import product

import pytest
import torch
from hypothesis import given

import stridekit as sk
from stridekit import Layout
from stridekit.errors import ArgumentError, LayoutError
from stridekit.layouts.memory_formats import (
    fastest_first,
    follows,
    is_dense,
    preserved_stride,
    suggested,
)
from tests.stridekit.strategies import layouts, twins


def test_channels_last_in_every_small_layout():
    """Rank 4, sizes 0 to 2, strides that could be right, wrong or 0; and no other rank."""
    compared = 0
    for size in product(range(3), repeat=4):
        for stride in product((0, 1, 2, 4), repeat=4):
            theirs = torch.empty_strided(size, stride)
            ours = follows(Layout(size, stride), sk.channels_last)
            assert ours is theirs.is_contiguous(memory_format=torch.channels_last), (size, stride)
            compared += 1
    assert compared == 3**4 * 4**4
    for rank in (0, 1, 2, 3, 5):
        assert not follows(Layout.of((2,) * rank), sk.channels_last)


def test_density_in_every_small_layout():
    """Rank 0 to 3; torch shows it by whether clone() keeps the strides of dims that matter."""
    compared = 0
    for rank in range(4):
        for size in product((0, 1, 2, 3), repeat=rank):
            for stride in product((0, 1, 2, 3, 4, 6), repeat=rank):
                theirs = torch.empty_strided(size, stride)
                dense = torch.ops.aten.is_non_overlapping_and_dense(theirs)
                assert is_dense(size, stride) is dense, (size, stride)
                compared += 1
    assert compared > 14_000


@given(layouts)
def test_preserved_strides_are_those_of_clone_and_empty_like(layout):
    """Dense ones stay; others are packed in the order of the strides."""
    _, theirs = twins(layout)
    stride = preserved_stride(layout.size, layout.stride)
    assert stride == theirs.clone().stride() == torch.empty_like(theirs).stride()


@given(layouts)
def test_fastest_first_is_a_permutation(layout):
    """Law: each dim once."""
    order = fastest_first(layout.size, [layout.stride])
    assert sorted(order) == list(range(layout.ndim))


@pytest.mark.parametrize(
    ("layout", "memory_format"),
    [
        (Layout.of((2, 3, 4, 5)), sk.contiguous_format),
        (Layout((2, 3, 4, 5), (60, 1, 15, 3)), sk.channels_last),
        (Layout((2, 1, 4, 5), (20, 20, 5, 1)), sk.contiguous_format),
        (Layout((2, 1, 4, 5), (20, 1, 5, 1)), sk.channels_last),
        (Layout((2, 1, 1, 1), (1, 1, 1, 1)), sk.contiguous_format),
        (Layout((2, 3, 4, 5), (60, 0, 15, 3)), sk.contiguous_format),
        (Layout((2, 3, 2, 2, 2), (24, 1, 12, 6, 3)), sk.channels_last_3d),
    ],
)
def test_suggested_formats(layout, memory_format):
    """What to(memory_format=...) takes for done already."""
    assert suggested(layout) is memory_format


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (
            lambda x: x.clone(memory_format=sk.channels_last),
            LayoutError,
            "that format is for 4 dims",
        ),
        (lambda x: x.contiguous(memory_format=sk.channels_last), LayoutError, "this tensor has 2"),
        (
            lambda x: x.t().contiguous(memory_format=sk.preserve_format),
            LayoutError,
            "clone() keeps the order",
        ),
        (lambda x: x.to(memory_format="channels_last"), ArgumentError, "is not a memory format"),
        (
            lambda x: x.is_contiguous(memory_format=3),
            ArgumentError,
            "3 is not a memory format. There are",
        ),
        (
            lambda x: x.resize_(2, memory_format=sk.preserve_format),
            LayoutError,
            "name the format you mean",
        ),
    ],
)
def test_refusals_say_what_and_why(call, error, sentence):
    """The sentence, not only the exception's type."""
    with pytest.raises(error) as refusal:
        call(sk.zeros(2, 3))
    assert sentence in str(refusal.value)
