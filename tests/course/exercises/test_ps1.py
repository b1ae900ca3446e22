"""The references of ps1 against torch and NumPy, and what is special about its exercises."""

from math import prod

import numpy as np
import pytest
import torch

from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Foreign, Outcome
from stridekit_course.checks.exercise import SEED
from stridekit_course.exercises import ASSIGNMENTS
from stridekit_course.exercises.ps1 import (
    column_major,
    in_bounds,
    position,
    reading_order,
    storage_needed,
    unravel,
)
from tests.course.checks.ours import picture_of

EXERCISES = {each.name: each for each in ASSIGNMENTS["ps1"]}
scopes = pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
each_exercise = pytest.mark.parametrize("exercise", ASSIGNMENTS["ps1"], ids=lambda each: each.name)


def cases(name, hidden):
    """The arguments of all cases."""
    return [case.arguments for case in EXERCISES[name].all_cases(hidden=hidden, seed=SEED)]


def new(size):
    """A tensor that takes no memory, however large."""
    return torch.empty(size, dtype=torch.uint8, device="meta")


@scopes
def test_c_strides_are_those_of_a_new_tensor(hidden):
    """Sizes of 0 too, and more elements than a float can count."""
    strides = set()
    for (size,) in cases("c_strides", hidden):
        assert contiguous_stride(size) == new(size).stride()
        strides.update(contiguous_stride(size))
    assert max(strides) > 2**53
    assert any(float(step) != step for step in strides)


@scopes
def test_f_strides_are_those_of_a_transposed_new_tensor(hidden):
    """And NumPy's order F, where there are elements."""
    for (size,) in cases("f_strides", hidden):
        backwards = new(size[::-1])
        turned = backwards.permute(*reversed(range(len(size)))) if size else backwards
        assert column_major(size) == turned.stride()
        if 0 < prod(size) < 10**6:
            # The stride of a dim of size 1 is never used, and NumPy promises nothing about it.
            theirs = np.empty(size, np.int8, order="F").strides
            pairs = zip(size, theirs, turned.stride(), strict=True)
            assert all(a == b for n, a, b in pairs if n > 1)


@scopes
def test_a_position_is_the_value_that_stands_there(hidden):
    """In a tensor that counts its storage. Where that is too long, it is where an element is."""
    counting = torch.arange(4096)
    kinds = set()
    for index, stride, offset in cases("position", hidden):
        ours = position._reference(index, stride, offset)
        memory = counting if ours < len(counting) else new(0)
        element = memory.as_strided(tuple(i + 1 for i in index), stride, offset)[index]
        assert ours == element.storage_offset()
        if not element.is_meta:
            assert ours == element.item()
        kinds.add((element.is_meta, float(ours) == ours))
    assert kinds == {(False, True), (True, True), (True, False)}


@scopes
def test_unravel_is_numpys(hidden):
    """Which gives NumPy's ints."""
    for flat, size in cases("unravel", hidden):
        theirs = tuple(int(i) for i in np.unravel_index(flat, size))
        assert unravel._reference(flat, size) == theirs


@scopes
def test_reading_order_is_what_tolist_reads(hidden):
    """From a tensor that counts its storage."""
    counting = torch.arange(200_000)
    for header in cases("reading_order", hidden):
        read = counting.as_strided(*header).reshape(-1).tolist()
        assert reading_order._reference(*header) == read


@scopes
def test_storage_needed_is_where_as_strided_begins_to_work(hidden):
    """With one element less, torch refuses."""
    for header in cases("storage_needed", hidden):
        needed = storage_needed._reference(*header)
        torch.empty(needed, dtype=torch.uint8).as_strided(*header)
        if needed:
            with pytest.raises(RuntimeError, match="out of bounds"):
                torch.empty(needed - 1, dtype=torch.uint8).as_strided(*header)


@scopes
def test_in_bounds_is_what_torch_and_numpy_accept(hidden):
    """Both where both can tell: torch has no negative strides."""
    seen = set()
    for size, stride, offset, length in cases("in_bounds", hidden):
        ours = in_bounds._reference(size, stride, offset, length)
        if min(stride, default=0) >= 0:
            assert ours == torch_takes(size, stride, offset, length)
            seen.add(("torch", ours))
        # NumPy looks where the offset is even without elements, and takes a buffer of no bytes
        # for no buffer.
        if 0 in size or length == 0:
            assert ours == (0 in size)
        else:
            assert ours == numpy_takes(size, stride, offset, length)
            seen.add(("numpy", ours))
    assert len(seen) == 4


def torch_takes(size, stride, offset, length):
    try:
        torch.empty(length, dtype=torch.uint8).as_strided(size, stride, offset)
    except RuntimeError as error:
        assert "out of bounds" in str(error)
        return False
    return True


def numpy_takes(size, stride, offset, length):
    try:
        np.ndarray(size, np.uint8, bytearray(length), offset, stride)
    except (ValueError, TypeError):
        return False
    return True


@each_exercise
def test_the_hidden_scope_contains_the_visible_one(exercise):
    """All but the random cases, which are those that change with the seed."""
    visible, *others = (set(exercise.all_cases(hidden=False, seed=seed)) for seed in range(8))
    hidden = set(exercise.all_cases(hidden=True, seed=8))
    assert visible.intersection(*others) <= hidden
    assert 280 <= len(visible) <= 520
    assert 700 <= len(hidden) <= 1850


@each_exercise
def test_the_largest_cases_are_those_of_the_texts(exercise):
    """Somebody who counts, walks or calls himself once for each element has to come through."""
    greatest = dict.fromkeys(("rank", "numel", "position"), 0)
    for hidden in (False, True):
        for case in exercise.all_cases(hidden=hidden, seed=SEED):
            given = dict(zip(exercise.parameters, case.arguments, strict=True))
            greatest["rank"] = max(
                greatest["rank"], *(len(each) for each in given.values() if type(each) is tuple)
            )
            if exercise.parameters == ("size",):
                assert max(given["size"], default=0) <= 10**6
                assert max(contiguous_stride(given["size"]), default=0) <= 10**18
                assert max(column_major(given["size"]), default=0) <= 10**18
            elif exercise.name == "position":
                assert max(given["index"], default=0) < 1000
                assert position._reference(*case.arguments) <= 10**18
            else:
                greatest["numel"] = max(greatest["numel"], prod(given["size"]))
            if "size" in given and "stride" in given:
                reach = Layout(given["size"], given["stride"], given["storage_offset"]).reach
                length = given.get("storage_length", 0)
                greatest["position"] = max(greatest["position"], length - 1, *(reach or (0,)))
    assert greatest["rank"] == 12
    assert greatest["numel"] <= 256
    assert greatest["position"] < 200_000


@each_exercise
@scopes
def test_every_case_has_its_rule(exercise, hidden):
    """One sentence."""
    for case in exercise.all_cases(hidden=hidden, seed=SEED):
        rule = exercise.rule(*case.arguments)
        assert rule.endswith(".")
        assert ". " not in rule
        assert len(rule) < 330


ODD = [
    None, -3, 0, 1, 10**9, True, 2.5, "two", (), [], (0,), (1, 0), (0, 1), (-1,), (None,), (10**9,),
    ((1,),), [0, 1], (1, 1, 1), Foreign("numpy.int64", "np.int64(3)"),
]  # fmt: skip


@each_exercise
def test_a_picture_never_raises(exercise):
    """Whatever came back, the picture can be shown."""
    drawn = 0
    for number, case in enumerate(exercise.all_cases(hidden=False, seed=SEED)):
        picture = picture_of(exercise, case, Outcome("value", ODD[number % len(ODD)]))
        if picture is not None:
            drawn += 1
            assert picture.text()
            assert number % 10 or picture.svg()
    # Of a size alone there is nothing to draw, unless the exercise knows what.
    assert drawn > 100 or (exercise.picture is None and exercise.parameters == ("size",))


@each_exercise
def test_a_picture_takes_every_odd_value(exercise):
    """And what raised or never ended has one too."""
    for case in exercise.all_cases(hidden=False, seed=SEED)[5:200:50]:
        outcomes = [Outcome("value", odd) for odd in ODD]
        for outcome in (*outcomes, Outcome("raised", bases=("ValueError",)), Outcome("stopped")):
            picture = picture_of(exercise, case, outcome)
            assert picture is None or picture.text()


def test_strides_are_drawn_beside_each_other():
    """What is expected, and what came back."""
    picture = picture_of(EXERCISES["c_strides"], Case(((2, 3),)), Outcome("value", (1, 2)))
    assert [grid.name for grid in picture.scene.sections[0].grids] == ["expected", "yours"]


def test_a_picture_tells_where_an_answer_would_lead():
    """The position that came back; the element at the index that came back."""
    picture = picture_of(EXERCISES["position"], Case(((1,), (3,), 2)), Outcome("value", 3))
    assert picture.scene.title == "index (1,) lies at position 5, not at 3"
    picture = picture_of(EXERCISES["unravel"], Case((4, (2, 3))), Outcome("value", (0, 2)))
    assert picture.scene.title.endswith("has the index (1, 1); at (0, 2) stands element 2")


def test_reading_order_is_drawn_without_cache_lines():
    """They are for a later lesson."""
    case = Case(((2, 9), (1, 2), 1))
    picture = picture_of(EXERCISES["reading_order"], case, Outcome("value", []))
    assert "line" not in picture.text()
    assert "line" not in picture.alt
    assert "cache" not in picture.svg()
    assert "Positions in this order: [1, 3, 5," in picture.text()


def test_storage_that_came_back_is_drawn_under_the_header():
    """So that one sees what lies outside, or what nobody needs."""
    case = Case(((2, 2), (3, 1), 1))
    too_short = picture_of(EXERCISES["storage_needed"], case, Outcome("value", 4))
    assert "index (1, 1) lies at position 5, and the storage ends at 3" in too_short.text()
    too_long = picture_of(EXERCISES["storage_needed"], case, Outcome("value", 8))
    assert "positions 1 to 5 of 8 elements" in too_long.text()
    unknown = picture_of(EXERCISES["storage_needed"], case, Outcome("value", None))
    assert "expected: a storage of 6" in unknown.text()


def test_negative_strides_are_drawn():
    """With what lies before the storage."""
    case = Case(((3, 2), (-2, 1), 3, 6))
    picture = picture_of(EXERCISES["in_bounds"], case, Outcome("value", True))
    assert "index (2, 0) lies at position -1, and the storage begins at 0" in picture.text()
