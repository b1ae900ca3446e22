"""Broadcasting and expand, against torch and NumPy: every small case."""

from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import Layout
from stridekit.errors import ExpandError
from stridekit.layouts.broadcasting import ExpandObstacle, Misfit, broadcast_sizes, plan_expand
from tests.stridekit.strategies import layouts, twins

small_sizes = [size for rank in range(4) for size in product((0, 1, 2, 3), repeat=rank)]


def test_every_pair_of_small_sizes():
    """Rank 0 to 3, sizes 0 to 3, against both libraries."""
    compared = 0
    for a in small_sizes:
        for b in small_sizes:
            ours = broadcast_sizes(a, b)
            try:
                theirs = tuple(torch.broadcast_shapes(a, b))
            except RuntimeError:
                assert isinstance(ours, Misfit), (a, b)
                assert ours.first != ours.second
                assert 1 not in (ours.first, ours.second)
            else:
                assert ours == theirs == np.broadcast_shapes(a, b), (a, b)
            compared += 1
    assert compared == 85**2


@given(st.lists(st.sampled_from(small_sizes), max_size=4))
def test_several_sizes(sizes):
    """The order of the sizes does not matter."""
    ours = broadcast_sizes(*sizes)
    try:
        theirs = tuple(torch.broadcast_shapes(*sizes)) if sizes else ()
    except RuntimeError:
        assert isinstance(ours, Misfit)
    else:
        assert ours == theirs
    assert isinstance(broadcast_sizes(*reversed(sizes)), Misfit) is isinstance(ours, Misfit)


def test_every_small_expand():
    """Row-major and odd strides of rank 0 to 2, to every size of rank 0 to 3, -1 included."""
    compared = 0
    sources = [Layout.of(size) for size in small_sizes if len(size) <= 2]
    sources += [Layout((1, 2), (7, 3), 1), Layout((2, 1), (0, 9)), Layout((1,), (5,))]
    targets = [size for rank in range(4) for size in product((-1, 0, 1, 2, 3), repeat=rank)]
    for layout in sources:
        _, theirs = twins(layout)
        for target in targets:
            plan = plan_expand(layout, target)
            try:
                expected = theirs.expand(target)
            except RuntimeError:
                assert isinstance(plan, ExpandObstacle), (layout, target)
            else:
                if min(expected.size(), default=0) < 0:
                    continue  # torch lets a negative size pass beside a 0
                assert isinstance(plan, Layout), (layout, target)
                assert plan.size == tuple(expected.size()), (layout, target)
                assert plan.stride == expected.stride(), (layout, target)
            compared += 1
    assert compared > 3000


@given(layouts, st.integers(0, 3))
def test_broadcast_to_is_numpy_s_but_for_the_strides_of_new_dims(layout, lead):
    """Byte strides are 8 times the element strides wherever an index can step."""
    ours, _ = twins(layout)
    size = (lead, *layout.size)
    expected = np.broadcast_to(ours.numpy(), size)
    expanded = ours.expand(size)
    assert expanded.tolist() == expected.tolist()
    for n, step, byte_step in zip(size, expanded.stride(), expected.strides, strict=True):
        assert n <= 1 or step * 8 == byte_step or not expanded.numel()


def test_expanding_costs_nothing():
    """However large."""
    vast = sk.ones(3, 2).expand(10**13, 3, 2)
    assert vast.stride() == (0, 2, 1)
    assert vast.untyped_storage().nbytes() == 24
    assert vast[10**12, 1].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((2, 5), "dim 1 would go from 3 to 5, and only 1 can be repeated"),
        ((3,), "1 size is given, and the tensor has 2 dims, none of which can be dropped"),
        ((-1, 1, 3), "dim 0 is new, so -1 cannot stand for its size"),
        ((1, -2), "size -2 is negative"),
        ((-2, 3), "size -2 is negative"),
        ((10**10, 10**10, 1, 3), "is too large: nobody can count its elements"),
    ],
)
def test_refusals_say_what_and_why(size, sentence):
    """The sentence, and the obstacle as data."""
    with pytest.raises(RuntimeError) as refusal:
        sk.zeros(1, 3).expand(size)
    assert sentence in str(refusal.value)
    if isinstance(refusal.value, ExpandError):
        assert isinstance(refusal.value.obstacle, ExpandObstacle)
        assert "Write -1 for a dim that stays" in str(refusal.value)


def test_a_misfit_says_where():
    """Counted from the right, as sizes are aligned."""
    misfit = broadcast_sizes((4, 3, 2), (5, 1, 2))
    assert isinstance(misfit, Misfit)
    assert misfit.message == (
        "broadcast of sizes (4, 3, 2) and (5, 1, 2): aligned at the right, dim -3 is 4 in one and "
        "5 in another. Sizes must be equal there, or one of them 1."
    )
