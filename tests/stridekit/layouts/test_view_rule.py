"""The view rule, against torch: every small layout, then random ones."""

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import Layout
from stridekit.errors import SizeError
from stridekit.layouts.view_rule import Obstacle, chunks, infer_size, plan_view
from tests.stridekit.strategies import layouts, sizes, twins


def factorings(numel: int, most: int):
    """Every size of up to so many dims with that many elements."""
    if numel == 0:
        yield from ((0,), (0, 1), (2, 0), (0, 3, 0))
        return
    for rank in range(most + 1):
        options = [n for n in range(1, numel + 1) if numel % n == 0]
        for size in product(options, repeat=rank):
            if torch.Size(size).numel() == numel:
                yield size


def check(layout: Layout, new_size: tuple[int, ...]) -> None:
    """plan_view and torch's view agree on one case, header or refusal."""
    _, theirs = twins(layout)
    plan = plan_view(layout, new_size)
    try:
        expected = theirs.view(new_size)
    except RuntimeError:
        assert isinstance(plan, Obstacle), (layout, new_size, plan)
        return
    assert isinstance(plan, Layout), (layout, new_size, plan)
    assert plan.stride == expected.stride()
    assert plan.size == expected.size()
    assert plan.storage_offset == expected.storage_offset()


def test_every_small_view():
    """Rank 0 to 3, sizes 0 to 3, strides that merge and strides that do not."""
    compared = 0
    for rank in range(4):
        strides = (0, 1, 2, 3, 6) if rank < 3 else (0, 1, 2, 4)
        for size in product(range(4) if rank < 3 else (1, 2, 3), repeat=rank):
            targets = list(factorings(torch.Size(size).numel(), 3))
            for stride in product(strides, repeat=rank):
                for new_size in targets:
                    check(Layout(size, stride), new_size)
                    compared += 1
    assert compared > 20_000


@given(layouts, st.data())
def test_random_views(layout, data):
    """Larger layouts of every named kind, viewed under any size that has the right numel."""
    check(layout, data.draw(st.sampled_from(list(factorings(layout.numel, 4)))))


@given(layouts, st.data())
def test_an_obstacle_names_dims_that_really_do_not_merge(layout, data):
    """Its numbers are the layout's own, and they differ."""
    plan = plan_view(layout, data.draw(st.sampled_from(list(factorings(layout.numel, 4)))))
    if isinstance(plan, Obstacle):
        assert plan.left < plan.right
        assert plan.actual == layout.stride[plan.left]
        assert plan.expected == layout.size[plan.right] * layout.stride[plan.right]
        assert plan.actual != plan.expected
        assert all(layout.size[dim] == 1 for dim in range(plan.left + 1, plan.right))


@given(layouts, st.data())
def test_a_view_reads_the_same_positions_in_the_same_order(layout, data):
    """Law: view keeps reading order."""
    plan = plan_view(layout, data.draw(st.sampled_from(list(factorings(layout.numel, 4)))))
    if isinstance(plan, Layout):
        assert list(plan.positions()) == list(layout.positions())


@given(sizes, st.lists(st.integers(-3, 6), max_size=4).map(tuple))
def test_infer_size_agrees_with_torch(size, new_size):
    """-1 is worked out, or refused, just where torch does."""
    x = torch.empty(size)
    try:
        expected = tuple(x.view(new_size).size())
    except RuntimeError:
        with pytest.raises(SizeError):
            infer_size("view", x.numel(), new_size)
    else:
        assert infer_size("view", x.numel(), new_size) == expected


def test_the_reason_reads_as_the_house_wants_it():
    """Call, facts, reason, way out."""
    plan = plan_view(Layout((2, 4), (1, 2)), (8,))
    assert isinstance(plan, Obstacle)
    assert plan.message == (
        "view(8) on size (2, 4), stride (1, 2): dims 0 and 1 cannot merge, because stride[0] is "
        "1 and merging needs size[1] × stride[1] = 4 × 2 = 8. reshape(8) copies instead."
    )


@pytest.mark.parametrize(
    ("numel", "size", "sentence"),
    [
        (24, (5, 5), "view(5, 5): that size holds 25 elements, and the tensor has 24."),
        (24, (-1, -1), "give one -1 at most"),
        (24, (-2, 24), "size -2 is negative"),
        (24, (1,), "that size holds 1 element, and the tensor has 24"),
        (24, (1200,), "that size holds 1200 elements, and the tensor has 24"),
        (24, (5, -1), "24 elements do not divide by 5"),
        (1, (5, -1), "1 element does not divide by 5"),
        (1200, (7, -1), "1200 elements do not divide by 7"),
        (24, (0, -1), "that size holds no elements, and the tensor has 24"),
        (0, (0, -1), "any number could stand for -1"),
    ],
)
def test_refused_sizes_say_why(numel, size, sentence):
    """One clear sentence each."""
    with pytest.raises(SizeError) as refusal:
        infer_size("view", numel, size)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("layout", "size", "told"),
    [
        (Layout.of((3, 4)), (2, 6), ["dims 0, 1: a chunk of 12, 1 apart - becomes new dims 0, 1"]),
        (
            Layout((3, 1), (1, 99)),
            (3,),
            [
                "dim 1: a chunk of 1, 99 apart - nothing is left to share out",
                "dim 0: a chunk of 3, 1 apart - becomes new dim 0",
            ],
        ),
        (
            Layout((2, 4, 2), (8, 1, 4)),
            (2, 8),
            ["dim 2: a chunk of 2, 4 apart - the new sizes do not fill it exactly"],
        ),
        (Layout.of(()), (1, 1), []),
        (Layout.of((0, 3)), (3, 0), []),
    ],
)
def test_what_is_said_of_a_chunk(layout, size, told):
    """Which dims form it, which fill it, and where the first ends that cannot be filled."""
    assert [*map(str, chunks(layout, size))] == told
