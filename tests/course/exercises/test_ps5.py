"""Assignment ps5: what its checks expect is what torch does, on every case."""

from itertools import cycle, product
from math import prod

import numpy as np
import pytest
import torch

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Layout
from stridekit_course import check
from stridekit_course.checks.callee import Case, Foreign, Outcome
from stridekit_course.exercises import ASSIGNMENTS, CheckFailed
from stridekit_course.exercises.ps5 import overlaps
from tests.course.checks.ours import picture_of, wrong_with

EXERCISES = {each.name: each for each in ASSIGNMENTS["ps5"]}
REFUSED = Outcome("raised", bases=("ValueError", "Exception", "BaseException"))

# What a function may return that nobody foresaw.
ODD = (
    *(None, True, -1, 2.5, "silent", "", (), [], (1,), (-1, 0), (None,), (10**9,)),
    *(((),), ((), ()), ((2, 2), (1,)), ((2,), (-5,)), ((-2,), (1,)), ((1, 2), "ab"), [[1], [2]]),
    *(
        ((10**9,), (0,)),
        ((2,), (10**9,)),
        ((2,), (1,), 0),
        ((1,) * 70, (0,) * 70),
        Foreign("generator", "<generator>"),
    ),
)


def cases_of(name):
    """The cases, visible and hidden."""
    for hidden in (False, True):
        yield from EXERCISES[name].all_cases(hidden=hidden, seed=5305)


def compare(name, oracle):
    """Every case against the oracle, which gives None for a refusal; how many it refused."""
    refusals = 0
    for case in cases_of(name):
        right = oracle(*case.arguments)
        refusals += right is None
        outcome = REFUSED if right is None else Outcome("value", value=right)
        assert wrong_with(EXERCISES[name], case, outcome) is None, (case.arguments, right)
    return refusals


def strided(size, stride, offset=0, length=None):
    """A storage that counts 0, 1, 2, ..., and a tensor of that header over it."""
    reach = Layout(size, stride, offset).reach
    least = 0 if reach is None else reach[1] + 1
    storage = torch.arange(least if length is None else length)
    return storage, storage.as_strided(size, stride, offset)


def without_memory(size, stride):
    """A tensor of that header and no storage, for strides past 2**53."""
    return torch.empty_strided(size, stride, dtype=torch.int8, device="meta")


def test_broadcast_sizes_is_torch():
    """Its sizes and its refusals."""

    def oracle(*sizes):
        try:
            alike = torch.broadcast_tensors(*(torch.empty(()).expand(size) for size in sizes))
        except RuntimeError:
            return None
        return tuple(alike[0].shape)

    assert compare("broadcast_sizes", oracle) > 500


def test_expand_is_torch():
    """Its strides and its refusals; but beside a 0 torch lets -2 pass, and the exercise not."""
    passed = 0

    def oracle(size, stride, new_size):
        nonlocal passed
        try:
            expanded = without_memory(size, stride).expand(new_size)
        except RuntimeError:
            return None
        if min(new_size) < -1:
            assert 0 in expanded.size()
            passed += 1
            return None
        return tuple(expanded.stride())

    assert compare("expand", oracle) > 500
    assert passed


def test_bytes_saved_is_numpy():
    """A copy's bytes, minus those of the positions that an array of positions holds.

    NumPy has elements of any number of bytes.
    """

    def oracle(size, stride, itemsize):
        _, positions = strided(size, stride)
        array = np.empty(size, f"V{itemsize}")
        return array.nbytes - itemsize * positions.unique().numel()

    compare("bytes_saved", oracle)


def test_sliding_window_is_unfold():
    """Its size and its stride."""

    def oracle(size, stride, dim, window, step):
        windows = without_memory(size, stride).unfold(dim, window, step)
        return tuple(windows.size()), tuple(windows.stride())

    compare("sliding_window", oracle)


def test_has_overlap_is_exact():
    """A tensor of positions holds one of them twice."""

    def oracle(size, stride):
        _, tensor = strided(size, stride)
        return tensor.unique().numel() < tensor.numel()

    compare("has_overlap", oracle)


def test_writes_per_position_counts():
    """A tensor of positions, counted; without elements torch takes any offset."""

    def oracle(size, stride, storage_offset, storage_length):
        _, tensor = strided(size, stride, storage_offset, storage_length)
        return torch.bincount(tensor.flatten(), minlength=storage_length).tolist()

    compare("writes_per_position", oracle)


def verdict(size, stride):
    """What add_(1) does to a torch tensor, seen in its storage."""
    storage, tensor = strided(size, stride)
    storage.zero_()
    try:
        tensor.add_(1)
    except RuntimeError:
        assert not storage.any()
        return "refused"
    return "silent" if (storage > 1).any() else "safe"


def test_inplace_verdict_is_torch():
    """On the cases of the check."""
    compare("inplace_verdict", verdict)


def test_inplace_verdict_is_torch_on_every_small_layout():
    """Sizes 0 to 3, rank up to 3, with strides 0, interleaved ones and gaps."""
    exercise = EXERCISES["inplace_verdict"]
    sample = exercise.all_cases(hidden=False, seed=1)[0]
    seen = set()
    for rank in range(4):
        for size in product(range(4), repeat=rank):
            for stride in product((0, 1, 2, 3, 6), repeat=rank):
                said = verdict(size, stride)
                seen.add(said)
                case = type(sample)((size, stride))
                assert wrong_with(exercise, case, Outcome("value", value=said)) is None, case
                assert overlaps(size, stride) is (said != "safe")
    assert seen == {"safe", "refused", "silent"}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_hidden_cases_hold_the_small_ones(name):
    """Whoever passes the hidden check has no small case wrong."""
    all_cases = EXERCISES[name].all_cases
    visible = [{*all_cases(hidden=False, seed=seed)} for seed in range(4)]
    hidden = {*all_cases(hidden=True, seed=5305)}
    # What comes whatever the seed is not random.
    small = set.intersection(*visible)
    assert len(small) > 300
    assert small <= hidden
    assert len(hidden) > 2 * len(visible[0])


# What the text of each exercise states: whether a case's arguments are within it.
STATED = {
    "broadcast_sizes": lambda *sizes: len(sizes) <= 7 and max(map(len, sizes)) <= 7,
    "expand": lambda size, _, new_size: max(len(size), len(new_size)) <= 10,
    "bytes_saved": lambda size, stride, itemsize: (
        has_at_most(400, size) and is_near(size, stride) and 1 <= itemsize <= 1000
    ),
    "sliding_window": lambda size, *_: len(size) <= 7 and max(size) <= 1000,
    "has_overlap": lambda size, stride: has_at_most(400, size) and is_near(size, stride),
    "writes_per_position": lambda size, _, __, length: has_at_most(300, size) and length <= 1000,
    "inplace_verdict": lambda size, stride: has_at_most(400, size) and is_near(size, stride),
}


def has_at_most(elements, size):
    """At most so many elements, in at most 7 dims."""
    return len(size) <= 7 and prod(size) <= elements


def is_near(size, stride):
    """No position beyond 200,000, so that a table of all positions is small."""
    return (Layout(size, stride).reach or (0, 0))[1] <= 200_000


@pytest.mark.parametrize("name", EXERCISES)
def test_no_case_is_larger_than_the_text_says(name):
    """So that right but slow work is in time, whatever the chance."""
    for seed in range(3):
        cases = EXERCISES[name].batch(hidden=True, seed=seed).cases
        assert all(STATED[name](*case.arguments) for case in cases)


@pytest.mark.parametrize("name", EXERCISES)
def test_pictures_and_rules_do_not_raise(name):
    """Whatever came back; and a rule is one sentence."""
    exercise = EXERCISES[name]
    odd = cycle((*(Outcome("value", value=value) for value in ODD), REFUSED))
    drawn = 0
    cases = [*exercise.all_cases(hidden=True, seed=5305)]
    for case, outcome in zip(cases[::7], odd, strict=False):
        picture = picture_of(exercise, case, outcome)
        assert picture is None or isinstance(picture, Diagram)
        drawn += picture is not None
        assert exercise.rule(*case.arguments).endswith(".")
        assert wrong_with(exercise, case, outcome) is None or outcome.kind
    # Of one case in seven a third, or more.
    assert drawn > len(cases) / 21


@pytest.mark.parametrize("name", EXERCISES)
def test_pictures_of_the_smallest_cases_can_be_read(name):
    """In text form, with every odd answer."""
    exercise = EXERCISES[name]
    for case in exercise.all_cases(hidden=False, seed=5305)[:40:8]:
        for value in ODD:
            picture = picture_of(exercise, case, Outcome("value", value=value))
            assert picture is None or picture.text()


def test_sizes_that_no_header_holds_have_no_picture():
    """Beside a 0 there are no elements, and strides may be past 64 bits all the same."""
    case = Case(((3, 1, 1, 2, 2**53 + 1, 0), (1, 3, 300, 2, 1, 1), (0,)))
    assert picture_of(EXERCISES["broadcast_sizes"], case, Outcome("value", value=())) is None


def test_a_torch_size_passes_as_the_tuple_it_is(capsys):
    """The learner's sizes may be torch's."""

    def broadcast_sizes(*sizes):
        rank = max(map(len, sizes))
        result = []
        for place in zip(*((1,) * (rank - len(size)) + size for size in sizes), strict=True):
            others = set(place) - {1}
            if len(others) > 1:
                raise ValueError
            result.append(others.pop() if others else 1)
        return torch.Size(result)

    check.broadcast_sizes(broadcast_sizes)
    assert "right on all" in capsys.readouterr().out


def test_the_message_of_a_variadic_call():
    """The arguments stand in it as the learner would write them."""
    with pytest.raises(CheckFailed) as failure:
        check.broadcast_sizes(lambda *sizes: sizes[0] if len(sizes) < 3 else None)
    assert str(failure.value).startswith(
        "broadcast_sizes((2,), (2, 2)) returned (2,); expected (2, 2)."
    )
    with pytest.raises(CheckFailed) as failure:
        check.broadcast_sizes(lambda one: one)
    assert "Begin it with `def broadcast_sizes(*sizes):`." in str(failure.value)
