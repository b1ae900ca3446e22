"""What is said of functions that go ways of their own: nothing that is not true of them.

Each is right but for what its docstring says.
"""

import builtins
import operator
import re
from itertools import accumulate, pairwise, product, zip_longest
from math import prod

import numpy as np
import pytest
import torch

from stridekit_course.checks.engine import check
from stridekit_course.checks.exercise import Refusal
from stridekit_course.exercises import EXERCISES, CheckFailed
from tests.course.checks.ours import OneOfOurs


def right(name, *arguments):
    """What the exercise expects; refusals are raised."""
    expected = EXERCISES[name].reference(*arguments)
    if isinstance(expected, Refusal):
        raise getattr(builtins, expected.error)
    return expected


def hint_for(name, function, *, hidden=False):
    """The hint that is given, or None."""
    with pytest.raises(CheckFailed) as failure:
        check(EXERCISES[name], OneOfOurs(function), hidden=hidden)
    assert "wrong on " in str(failure.value)
    lines = [line.strip() for line in str(failure.value).splitlines()]
    return next((line for line in lines if line.startswith("hint: ")), None)


def _can_view(size, stride, kept, ends):
    inner = {a: prod(size[b:]) for a, b in pairwise(kept)}
    return 0 in size or all(
        stride[a] == size[b] * stride[b] or inner[a] in ends for a, b in pairwise(kept)
    )


def from_the_left_too(size, stride, new_size):
    """Takes products of the new size from the left for boundaries, too."""
    kept = [dim for dim, n in enumerate(size) if n != 1]
    ends = {*accumulate(new_size, operator.mul, initial=1)}
    ends |= {*accumulate(new_size[::-1], operator.mul, initial=1)}
    return _can_view(size, stride, kept, ends)


def drops_stride_0(size, stride, new_size):
    """Drops dims of stride 0 as well as those of size 1."""
    kept = [dim for dim, n in enumerate(size) if n != 1 and stride[dim]]
    return _can_view(size, stride, kept, {*accumulate(new_size[::-1], operator.mul, initial=1)})


def refuses_0_beside_1(*sizes):
    """Thinks that 1 gives way to no 0."""
    places = zip_longest(*(size[::-1] for size in sizes), fillvalue=1)
    if any({0, 1} <= {*here} for here in places):
        raise ValueError
    return right("broadcast_sizes", *sizes)


def three_corners(size, stride, storage_offset, storage_length):
    """Looks at the first, the last and the highest position alone."""
    ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    corners = [storage_offset + way for way in (0, sum(ways), sum(max(way, 0) for way in ways))]
    return 0 in size or (min(corners) >= 0 and max(corners) < storage_length)


def negative_in_lists(size, stride, storage_offset, storage_length):
    """Counts negative positions from the end where there are many dims."""
    ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + sum(min(way, 0) for way in ways)
    high = storage_offset + sum(max(way, 0) for way in ways)
    return 0 in size or (
        (low >= 0 or len(size) > 4) and high < storage_length and storage_offset > -1
    )


def nothing_in_no_storage(size, stride, storage_offset, storage_length):
    """Thinks that in a storage of length 0 not even a tensor without elements has room."""
    return storage_length > 0 and right("in_bounds", size, stride, storage_offset, storage_length)


def never_both_without_elements(shape, byte_strides, itemsize):
    """Gives both flags where one dim counts, and never where there are no elements."""
    c, f = right("numpy_flags", shape, byte_strides, itemsize)
    if sum(n != 1 for n in shape) < 2:
        return c, f
    return c, f and not c


def gives_up_far_out(size, stride):
    """Counts positions, and from 10,000 on looks for stride 0 alone."""
    if 0 in size:
        return False
    positions = [sum(map(operator.mul, index, stride)) for index in product(*map(range, size))]
    if max(positions) < 10_000:
        return len({*positions}) < len(positions)
    return any(n > 1 and step == 0 for n, step in zip(size, stride, strict=True))


def lets_one_pass(size, stride):
    """Visits all indices, and lets one meeting pass among many."""
    verdict = right("inplace_verdict", size, stride)
    if verdict != "silent" or prod(size) < 30:
        return verdict
    positions = [sum(map(operator.mul, index, stride)) for index in product(*map(range, size))]
    return "silent" if len({*positions}) < len(positions) - 1 else "safe"


def asks_strides_for_0(size, stride):
    """Looks for a 0 among the strides in place of the sizes."""
    size = tuple(n or 2 for n in size)
    return 0 in stride or right("is_f_contiguous", size, stride)


def divides(size, stride):
    """Goes the right way, and divides what is to be multiplied."""
    expected = 1
    for n, step in zip(size, stride, strict=True):
        if 0 not in size and n != 1 and step != expected:
            return False
        expected /= n or 1
    return True


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("broadcast_sizes", refuses_0_beside_1),
        ("is_f_contiguous", divides),
        ("is_f_contiguous", asks_strides_for_0),
        ("can_view", from_the_left_too),
        ("can_view", drops_stride_0),
        ("in_bounds", negative_in_lists),
        ("in_bounds", nothing_in_no_storage),
        ("numpy_flags", never_both_without_elements),
        ("has_overlap", gives_up_far_out),
        ("inplace_verdict", lets_one_pass),
    ],
)
def test_who_agrees_with_a_mistake_by_chance_gets_no_hint(name, function, hidden):
    """Of two answers, whoever always gives one agrees with all who give it wrongly.

    So does whoever refuses what a mistake refuses, too.
    """
    assert hint_for(name, function, hidden=hidden) is None


def nothing_left_keeps_the_stride(size, stride, storage_offset, dim, start, stop, step):
    """Multiplies the stride, but not where nothing is left."""
    new_size, new_stride, offset = right(
        "slice_dim", size, stride, storage_offset, dim, start, stop, step
    )
    return new_size, stride if 0 in new_size and 0 not in size else new_stride, offset


def keeps_equal_sizes(size, stride, dim0, dim1):
    """Thinks that nothing changes where two sizes are equal."""
    transposed = right("transpose", size, stride, dim0, dim1)
    return (size, stride) if transposed[0] == size else transposed


def grows_with_numel(size, stride, storage_offset, storage_length, new_size):
    """Leaves the storage alone where the number of elements does not grow."""
    *kept, length = right("resize", size, stride, storage_offset, storage_length, new_size)
    if all(size) and prod(new_size) <= prod(size):
        length = storage_length
    return (*kept, length)


def compares(image):
    """Copies once, and then compares."""
    planes = image.transpose(2, 0, 1)
    copy = planes.copy()
    assert (copy == planes).all()
    return torch.from_numpy(copy)


def lists(image):
    """Copies by way of a list."""
    return torch.tensor(np.moveaxis(image, -1, 0).tolist(), dtype=torch.uint8)


def any_stride_of_0(_, stride):
    """Asks for nothing but a stride of 0."""
    return 0 in stride


def strides_of_0_that_repeat(size, stride):
    """Asks for a stride of 0 on a dim of size above 1."""
    return any(n > 1 and step == 0 for n, step in zip(size, stride, strict=True))


def any_stride_of_0_without_elements(size, stride):
    """Takes a stride of 0 for overlap where there are no elements."""
    return (0 in size and 0 in stride) or right("has_overlap", size, stride)


def refused_without_elements(size, stride):
    """Thinks that torch refuses a stride of 0 where there are no elements."""
    return "refused" if 0 in size and 0 in stride else right("inplace_verdict", size, stride)


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("in_bounds", three_corners, "the lowest or the highest position is taken to be that of"),
        ("slice_dim", nothing_left_keeps_the_stride, "an empty slice leaves the stride as it was"),
        ("transpose", keeps_equal_sizes, "nothing changes places where two sizes are equal"),
        ("resize", grows_with_numel, "only grows where there are more elements than before"),
        ("has_overlap", any_stride_of_0, "only stride 0 is taken for overlap"),
        ("has_overlap", strides_of_0_that_repeat, "only stride 0 is taken for overlap"),
        ("has_overlap", any_stride_of_0_without_elements, "counts in a tensor without elements"),
        ("inplace_verdict", refused_without_elements, "refuse a tensor without elements"),
        ("load_image", compares, "or what tolist() or a comparison with == gives"),
        ("load_image", lists, "or what tolist() or a comparison with == gives"),
    ],
)
def test_who_goes_another_way_is_told_of_that_one(name, function, said, hidden):
    """And not of a mistake that answers alike there."""
    assert said in hint_for(name, function, hidden=hidden)


def each_way_by_itself(size, stride, storage_offset, storage_length):
    """Goes back along each dim alone."""
    ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + min([0, *ways])
    high = storage_offset + sum(max(way, 0) for way in ways)
    return 0 in size or (low >= 0 and high < storage_length)


def from_0_on(size, stride, _storage_offset):
    """Forgets the offset."""
    return right("reading_order", size, stride, 0)


@pytest.mark.parametrize(
    ("name", "function"), [("in_bounds", each_way_by_itself), ("reading_order", from_0_on)]
)
def test_a_case_of_small_numbers_is_shown(name, function):
    """Where a larger one of as few elements fails as well."""
    with pytest.raises(CheckFailed) as failure:
        check(EXERCISES[name], OneOfOurs(function))
    call, _, _ = str(failure.value).partition(" returned ")
    assert max(map(int, re.findall(r"\d+", call))) < 100


def as_many_as_before(size, stride, new_size):
    """Gives the old strides where there are no elements."""
    return stride if 0 in size else right("view_stride", size, stride, new_size)


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_where_any_int_will_do_none_is_asked_for(hidden):
    """How many there have to be is all that is wrong."""
    with pytest.raises(CheckFailed, match=r"; expected any tuple of \d ints?\."):
        check(EXERCISES["view_stride"], OneOfOurs(as_many_as_before), hidden=hidden)


def kept(name, place):
    """The exercise's function, which keeps its answers by all arguments but that one."""
    answers = {}

    def function(*arguments):
        key = (*arguments[:place], *arguments[place + 1 :])
        if key not in answers:
            answers[key] = right(name, *arguments)
        return answers[key]

    return function


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
@pytest.mark.parametrize(
    ("name", "place"),
    [("position", 2), ("select", 2), ("can_view", 1), ("lines_touched", 2), ("has_overlap", 0)],
)
def test_who_keeps_answers_is_told_what_the_key_lacks(name, place, hidden):
    """Whatever else would give such an answer once."""
    parameter = EXERCISES[name].parameters[place]
    lacks = f"answers are kept from call to call under a key without {parameter}."
    assert lacks in hint_for(name, kept(name, place), hidden=hidden)


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_who_always_says_the_same_keeps_nothing(hidden):
    """Of one parameter no key lacks a part."""
    assert "are kept" not in (hint_for("isContiguous", lambda tensor: True, hidden=hidden) or "")
    assert "are kept" not in (hint_for("has_overlap", lambda *_: False, hidden=hidden) or "")
