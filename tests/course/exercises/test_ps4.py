"""Assignment ps4: what the references say, against what torch and NumPy really do."""

import random
from itertools import chain, pairwise, product
from math import prod

import numpy as np
import pytest
import torch

from stridekit.layouts.layout import Layout
from stridekit_course import check
from stridekit_course.checks.callee import Case, Foreign, Outcome, TensorData
from stridekit_course.checks.calling import Local
from stridekit_course.checks.exercise import SEED, Refusal
from stridekit_course.exercises import ASSIGNMENTS
from stridekit_course.exercises import EXERCISES as ALL
from stridekit_course.exercises.ps4 import infer_size, is_viewable, seams_of
from stridekit_course.exercises.ps4.view_stride import _reference as stride_of_view
from tests.course.checks.ours import picture_of, wrong_with

SCOPES = pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
EXERCISES = pytest.mark.parametrize("exercise", ASSIGNMENTS["ps4"], ids=lambda each: each.name)


def arguments(exercise, hidden=False, seed=SEED):
    """The arguments of all cases."""
    return [case.arguments for case in exercise.all_cases(hidden=hidden, seed=seed)]


def viewed(tensor, size, way=torch.Tensor.view):
    """The tensor in another size, or None where torch refuses."""
    try:
        return way(tensor, size)
    except RuntimeError:
        return None


def inferred(numel, size):
    """The size that the reference gives, or None where it refuses."""
    wanted = infer_size._reference(numel, size)
    return None if isinstance(wanted, Refusal) else wanted


def torch_infers(numel, size):
    """The size that torch gives, or None where it refuses."""
    flat = torch.empty(numel, device="meta")
    found = [viewed(flat, size), viewed(flat, size, torch.Tensor.reshape)]
    sizes = {None if each is None else tuple(each.shape) for each in found}
    (only,) = sizes
    return only


def strided(size, stride):
    """A torch tensor without memory: only its header is wanted."""
    return torch.empty_strided(size, stride, device="meta")


def largest(each):
    """The largest number in a tuple of numbers, tuples and tensors."""
    if isinstance(each, TensorData):
        return largest((each.size, each.stride, each.storage_offset))
    return max(map(largest, each), default=0) if isinstance(each, tuple) else each


# What the texts say: the most dims, the most elements, and the largest number of all.
MOST = {
    "infer_size": (7, 150_000, 150_000),
    "can_view": (7, 150, 150_000),
    "view_stride": (7, 150, 150_000),
    "seams": (12, 10**18, 10**18 - 1),
    "reshape": (7, 150, 150_000),
    "resize": (7, 15_000, 500_000),
}


@SCOPES
@EXERCISES
def test_cases_are_no_larger_than_the_texts_say(exercise, hidden):
    """And the most dims do come."""
    dims, elements, most = MOST[exercise.name]
    ranks = set()
    for given in chain.from_iterable(arguments(exercise, hidden, seed) for seed in (SEED, 1, 2, 3)):
        named = dict(zip(exercise.parameters, given, strict=True))
        first = named["tensor"].size if "tensor" in named else named["size"]
        sizes = [first, named.get("new_size", first)]
        ranks |= {*map(len, sizes)}
        assert largest(given) <= most
        if exercise.name != "infer_size":
            assert max(map(prod, sizes)) <= elements
    assert max(ranks) == dims


@SCOPES
def test_infer_size_is_what_view_and_reshape_do(hidden):
    """Sizes and refusals."""
    for numel, size in arguments(ALL["infer_size"], hidden):
        assert inferred(numel, size) == torch_infers(numel, size), (numel, size)


def test_infer_size_everywhere_near_zero():
    """Every size of up to three entries from -3 to 3, for every number of elements up to 12."""
    for rank in range(4):
        for size in product(range(-3, 4), repeat=rank):
            for numel in range(13):
                assert inferred(numel, size) == torch_infers(numel, size), (numel, size)


@SCOPES
def test_can_view_and_view_stride_are_what_view_does(hidden):
    """Also the strides that the check leaves free: the reference gives torch's."""
    possible = 0
    cases = arguments(ALL["view_stride"], hidden)
    for size, stride, new_size in cases:
        view = viewed(strided(size, stride), new_size)
        expected = None if view is None else view.stride()
        assert stride_of_view(size, stride, new_size) == expected
        assert is_viewable(size, stride, new_size) is (expected is not None)
        possible += expected is not None
    assert 0.25 < possible / len(cases) < 0.75


def test_a_view_is_refused_only_where_no_strides_would_do():
    """By brute force: the positions in reading order, and the only strides that could fit."""

    def positions(size, stride):
        return list(Layout(size, stride).positions())

    for size, stride, new_size in arguments(ALL["can_view"]):
        order = positions(size, stride)
        if not order or len(order) > 60:
            continue
        guess = tuple(
            order[prod(new_size[dim + 1 :])] if n > 1 else 0 for dim, n in enumerate(new_size)
        )
        fits = positions(new_size, guess) == order
        assert is_viewable(size, stride, new_size) is fits


@SCOPES
def test_seams_are_what_torch_cannot_merge(hidden):
    """Merging just the two dims, and what lies between them, is refused by view."""
    for size, stride in arguments(ALL["seams"], hidden):
        kept = [dim for dim, n in enumerate(size) if n != 1]
        found = []
        for left, right in pairwise(kept):
            merged = (*size[:left], size[left] * size[right], *size[right + 1 :])
            if viewed(strided(size, stride), merged) is None:
                found.append(left)
        assert seams_of(size, stride) == found


@SCOPES
def test_reshape_accepts_what_torch_does(hidden):
    """Values, size, dtype, and whether the storage is shared."""
    shared = 0
    cases = ALL["reshape"].all_cases(hidden=hidden, seed=SEED)
    outcomes = Local(lambda tensor, size: tensor.reshape(size)).run(cases, "nothing").outcomes
    for case, outcome in zip(cases, outcomes, strict=True):
        assert wrong_with(ALL["reshape"], case, outcome) is None
        shared += outcome.aliases == 0
    assert 0.25 < shared / len(cases) < 0.75


@SCOPES
def test_reshape_meets_every_dtype(hidden):
    """Each where there is a view, and where there is none."""
    met = {
        (tensor.dtype, is_viewable(tensor.size, tensor.stride, new_size))
        for tensor, new_size in arguments(ALL["reshape"], hidden)
    }
    dtypes = {dtype for dtype, _ in met}
    assert dtypes >= {"int64", "bool", "float16", "bfloat16", "float64", "complex64", "complex128"}
    assert met == {*product(dtypes, (True, False))}


@SCOPES
def test_an_equal_size_is_another_object(hidden):
    """So that == is needed, as with the sizes of two tensors."""
    same = [case for case in arguments(ALL["resize"], hidden) if case[0] == case[4] != ()]
    assert same
    assert all(case[0] is not case[4] for case in same)


def test_reshape_copies_where_numpy_copies():
    """NumPy's rule is another program, and gives the same answer."""
    for tensor, new_size in arguments(ALL["reshape"]):
        if tensor.layout.numel == 0:
            continue
        steps = tuple(8 * step for step in tensor.stride)
        _, last = tensor.layout.reach
        array = np.lib.stride_tricks.as_strided(np.zeros(last + 1), tensor.size, steps)
        is_view = np.shares_memory(array, array.reshape(new_size))
        assert is_view is is_viewable(tensor.size, tensor.stride, new_size)


@SCOPES
def test_resize_is_what_torch_does(hidden):
    """Header and length of the storage."""
    for size, stride, offset, length, new_size in arguments(ALL["resize"], hidden):
        tensor = torch.zeros(length, dtype=torch.int64).as_strided(size, stride, offset)
        tensor.resize_(new_size)
        after = (
            tuple(tensor.size()),
            tensor.stride(),
            tensor.storage_offset(),
            tensor.untyped_storage().nbytes() // 8,
        )
        assert ALL["resize"].reference(size, stride, offset, length, new_size) == after


def test_resize_cases_hold_offsets_beyond_the_storage():
    """Only there does it show that a size with no elements never grows the storage."""
    beyond = [
        case
        for case in arguments(ALL["resize"])
        if case[2] > case[3] and prod(case[4]) == 0 and case[4] != case[0]
    ]
    assert beyond


def holds_one(case):
    """Whether it is about a layout of one element, in some dims."""
    size = case.arguments[0]
    return isinstance(size, tuple) and {*size} == {1}


@EXERCISES
def test_the_hidden_scope_holds_the_small_one(exercise):
    """What comes with every seed is no chance, and comes hidden too."""
    visible = [set(exercise.all_cases(hidden=False, seed=seed)) for seed in range(8)]
    always = set.intersection(*visible)
    assert len(always) > len(visible[0]) / 2
    # Of one element there are so few new sizes that chance may give one of them each time.
    several = {case for case in always if not holds_one(case)}
    assert several <= set(exercise.all_cases(hidden=True, seed=SEED))


def test_free_strides_are_free(capsys):
    """Strides of new dims of size 1, and all of them where there are no elements."""
    known = {}
    for case in ALL["view_stride"].batch(hidden=False, seed=SEED).cases:
        size, stride, new_size = case.arguments
        found = stride_of_view(size, stride, new_size)
        free = prod(size) == 0
        known[size, stride, new_size] = found and tuple(
            -9 if free or n == 1 else step for n, step in zip(new_size, found, strict=True)
        )
    assert any(-9 in (found or ()) for found in known.values())

    def view_stride(*given):
        return known[given]

    check.view_stride(view_stride)
    assert "right on all" in capsys.readouterr().out


ODD = (
    *(None, True, 0, 1.5, "word", (), [], (1,), (0,), [0], (-1, 2), (10**9, 10**9), [10**9]),
    *((None,), ("a", "b"), (2, 3), (3, 2), [(0, 1)], [None], ((2,), (1,), 0, 2), (1,) * 99),
    *(((2, 2), (2, 1), 10**9, 4), Foreign("object", "<object>"), (True, False)),
    *((4096, 4096), (5, -5), (4000,)),
)


@EXERCISES
def test_pictures_and_rules_never_raise(exercise):
    """Whatever was returned."""
    chance = random.Random(4)
    cases = exercise.all_cases(hidden=True, seed=SEED)
    for case in [*cases[:40], *chance.sample(cases, 60)]:
        rule = exercise.rule(*case.arguments)
        assert rule.endswith(".")
        assert "\n" not in rule
        tensor = TensorData("torch", "int64", (2, 2), (2, 1), 0, bytes(32))
        outcomes = [
            Outcome("raised", bases=("RuntimeError",)),
            Outcome("stopped", raised="call"),
            Outcome("value", tensor, aliases=0),
            Outcome("value", tensor),
            *(Outcome("value", value) for value in chance.sample(ODD, 6)),
        ]
        for outcome in outcomes:
            picture = picture_of(exercise, case, outcome)
            if picture is not None:
                assert picture.text()


@pytest.mark.parametrize("value", ODD, ids=repr)
@EXERCISES
def test_pictures_of_odd_values(exercise, value):
    """Each of them, in one small case."""
    for case in exercise.all_cases(hidden=False, seed=SEED)[::200]:
        picture_of(exercise, case, Outcome("value", value))


def test_an_impossible_view_is_drawn_with_its_reason():
    """The seam, and the hop that would be needed."""
    case = Case(((2, 2), (1, 2), (4,)))
    for exercise in (ALL["can_view"], ALL["view_stride"]):
        text = picture_of(exercise, case, Outcome("value", (1,))).text()
        assert "stride[0] = 1 ≠ size[1] × stride[1] = 2 × 2 = 4" in text


def test_a_seam_that_was_missed_is_the_one_that_is_drawn():
    """Not the first that torch meets."""
    case = Case(((2, 1, 3, 2), (12, 9, 1, 3)))
    missed_left = picture_of(ALL["seams"], case, Outcome("value", [2])).text()
    assert "stride[0] = 12 ≠ size[2] × stride[2] = 3 × 1 = 3" in missed_left
    missed_right = picture_of(ALL["seams"], case, Outcome("value", [0])).text()
    assert "stride[2] = 1 ≠ size[3] × stride[3] = 2 × 3 = 6" in missed_right


def test_other_ways_to_make_the_copy_are_accepted():
    """A copy may have any strides, and an unflatten or view_as never copies."""

    def view_or_rows(tensor, new_size):
        try:
            return tensor.view_as(torch.empty(new_size))
        except RuntimeError:
            rows = torch.zeros((*new_size, 2), dtype=tensor.dtype)
            copy = rows.select(-1, 0)
            copy.copy_(tensor.contiguous().view(new_size))
            return copy

    check.reshape(view_or_rows)
