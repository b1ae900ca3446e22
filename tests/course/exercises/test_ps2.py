"""ps2: what the checks expect is what torch does, refusals included; pictures, rules, hints."""

from math import prod
from typing import NamedTuple

import pytest
import torch

from stridekit_course.checks.callee import Case, Foreign, Outcome, TensorData
from stridekit_course.checks.engine import check
from stridekit_course.checks.exercise import Refusal
from stridekit_course.checks.pictures import as_layout
from stridekit_course.exercises import ASSIGNMENTS
from stridekit_course.exercises.ps2 import DIMS_MOST
from tests.course.checks.ours import picture_of, wrong_with

BY_NAME = {each.name: each for each in ASSIGNMENTS["ps2"]}
SEED = 2302
each_exercise = pytest.mark.parametrize("exercise", ASSIGNMENTS["ps2"], ids=lambda each: each.name)


def tensor(size, stride, storage_offset=0):
    """A tensor with that header. It takes no memory: strides may be large."""
    return torch.empty(0, device="meta").as_strided(size, stride, storage_offset)


def header(t):
    return tuple(t.size()), tuple(t.stride()), t.storage_offset()


def size_and_stride(t):
    return tuple(t.size()), tuple(t.stride())


def slice_of(t, *key):
    # What t[start:stop:step] calls, for any dim, bad ones included.
    return torch.ops.aten.slice(t, *key)


TORCH = {
    "select": lambda size, stride, offset, *key: header(tensor(size, stride, offset).select(*key)),
    "slice_dim": lambda size, stride, offset, *key: header(
        slice_of(tensor(size, stride, offset), *key)
    ),
    "transpose": lambda size, stride, *dims: size_and_stride(tensor(size, stride).transpose(*dims)),
    "permute": lambda size, stride, dims: size_and_stride(tensor(size, stride).permute(dims)),
    "unsqueeze": lambda size, stride, dim: size_and_stride(tensor(size, stride).unsqueeze(dim)),
    "squeeze": lambda size, stride, dim: size_and_stride(tensor(size, stride).squeeze(dim)),
    "diagonal": lambda size, stride, offset, which: header(
        tensor(size, stride, offset).diagonal(which)
    ),
}


def what_torch_does(name, arguments):
    """Torch's answer as an outcome, with the course's names of exceptions."""
    try:
        return Outcome("value", value=TORCH[name](*arguments))
    except IndexError:
        error = "IndexError"
    except RuntimeError:
        # The course says ValueError where torch says that dims or a step make no sense. torch
        # counts the dims of permute before it looks at them; the course does not.
        error = "ValueError"
        if name == "permute":
            size, _, dims = arguments
            if any(dim not in range(-len(size), len(size)) for dim in dims):
                error = "IndexError"
    return Outcome("raised", bases=(error,))


@each_exercise
@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_what_is_expected_is_what_torch_does(exercise, hidden):
    """On every case. The check accepts one answer to each, so that is the same answer."""
    batch = exercise.batch(hidden=hidden, seed=SEED)
    for case in batch.cases:
        outcome = what_torch_does(exercise.name, case.arguments)
        assert wrong_with(exercise, case, outcome) is None, case


@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_slices_are_those_of_python_and_of_square_brackets(hidden):
    """slice.indices says start and size; t[..., start:stop:step, ...] says the header."""
    for case in BY_NAME["slice_dim"].all_cases(hidden=hidden, seed=SEED):
        size, stride, offset, dim, *bounds = case.arguments
        key = slice(*bounds)
        if key.step < 1 or dim not in range(-len(size), len(size)):
            continue
        start, stop, step = key.indices(size[dim])
        dim %= len(size)
        expected = (
            (*size[:dim], len(range(start, stop, step)), *size[dim + 1 :]),
            (*stride[:dim], stride[dim] * step, *stride[dim + 1 :]),
            offset + start * stride[dim],
        )
        assert wrong_with(BY_NAME["slice_dim"], case, Outcome("value", value=expected)) is None
        keys = (*(slice(None),) * dim, key)
        assert header(tensor(size, stride, offset)[keys]) == expected


@each_exercise
def test_cases_hold_what_trips_people(exercise):
    """No elements, size 1, stride 0, negative dims, refusals; each case once."""
    for hidden in (False, True):
        cases = exercise.all_cases(hidden=hidden, seed=SEED)
        assert len(set(cases)) == len(cases)
        sizes = [case.arguments[0] for case in cases]
        assert any(0 in size for size in sizes)
        assert any(1 in size for size in sizes)
        assert any(0 in case.arguments[1] for case in cases)
        kinds = [what_torch_does(exercise.name, case.arguments).kind for case in cases]
        share = kinds.count("raised") / len(cases)
        assert share == 0 if exercise.name == "diagonal" else 0.04 < share < 0.6


@each_exercise
def test_the_hidden_scope_holds_all_of_the_visible_one(exercise):
    """But for the random cases, which are those that change with the seed."""
    visible, *others = (set(exercise.all_cases(hidden=False, seed=seed)) for seed in range(8))
    hidden = set(exercise.all_cases(hidden=True, seed=8))
    assert visible.intersection(*others) <= hidden
    assert 350 <= len(visible) <= 700
    assert 1000 <= len(hidden) <= 1850


@each_exercise
def test_the_largest_cases_are_those_of_the_texts(exercise):
    """Somebody who counts or walks has to come through; so has one who looks for dims among all.

    Some strides and offsets are greater than what a float holds.
    """
    ranks, rounded = set(), False
    for hidden in (False, True):
        for case in exercise.all_cases(hidden=hidden, seed=SEED):
            size, stride, *others = case.arguments
            ranks.add(len(size))
            rounded |= any(float(step) != step for step in stride)
            assert max(size, default=0) <= (60 if exercise.name == "diagonal" else 300)
            assert max(stride, default=0) <= 10**16
            if exercise.name == "slice_dim":
                offset, _, start, stop, step = others
                assert max(abs(start), abs(stop), offset / 10**15) <= 1000
                assert step <= 10**6
            if exercise.name == "diagonal":
                offset, which = others
                assert max(abs(which), offset / 10**15) <= 1000
            if exercise.name == "permute":
                assert len(others[0]) <= 8
    assert rounded
    most = {"diagonal": 2, "permute": 8, "unsqueeze": 11}
    assert max(ranks) == most.get(exercise.name, 12)


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("select", ((), (), 0, 0, 0), "IndexError"),
        ("select", ((2, 0), (1, 1), 0, 1, 0), "IndexError"),
        ("slice_dim", ((), (), 0, 0, 0, 1, 1), "IndexError"),
        ("slice_dim", ((3,), (1,), 0, 0, 0, 3, 0), "ValueError"),
        ("permute", ((2, 3), (3, 1), (0, 5, 1)), "IndexError"),
        ("permute", ((2, 3), (3, 1), (1, -1)), "ValueError"),
        ("unsqueeze", ((), (), -2), "IndexError"),
        ("squeeze", ((1,), (1,), 1), "IndexError"),
    ],
)
def test_refusals_of_the_edges(name, arguments, error):
    """Where torch refuses too, with the exception that the exercise names."""
    complaint = wrong_with(BY_NAME[name], Case(arguments), Outcome("raised", bases=("KeyError",)))
    assert f"expected a{'n' if error == 'IndexError' else ''} {error}, because " in complaint
    assert what_torch_does(name, arguments).bases == (error,)


ODD = [
    None,
    3,
    "header",
    [],
    (),
    ((),),
    ((2,), (1,)),
    ((2,), (1, 1), 0),
    ((2,), (-1,), 5),
    ((-2,), (1,), 0),
    ((2,), (1,), -1),
    ((10**9,), (0,), 0),
    ((10**9,), (1,), 0),
    ((10**40,), (0,), 0),
    ((2,), (10**40,), 0),
    ((2,) * 70, (0,) * 70, 0),
    ((True,), (1.5,), 0),
    (((2,),), ((1,),), (0,)),
    ([2], [1], 0),
    ((), (), 10**6),
    (None, None, None),
    Foreign("generator", "<generator>"),
    TensorData("torch", "int64", (1,), (1,), 0, bytes(8)),
]


def fits(exercise, case):
    """Whether the header that is given fits on a page."""
    given = dict(zip(exercise.parameters, case.arguments, strict=True))
    size = given["size"]
    layout = as_layout((size, given["stride"], given.get("storage_offset", 0)))
    return layout is not None and prod(size) <= 10**6


@each_exercise
def test_every_case_has_a_picture_whatever_came_back(exercise):
    """Also one that cannot be drawn, and nothing at all."""
    cases = exercise.all_cases(hidden=True, seed=SEED)
    drawn = 0
    for number, case in enumerate(cases[:: len(cases) // 60]):
        for value in (ODD[number % len(ODD)], ODD[(number * 7 + 3) % len(ODD)]):
            picture = picture_of(exercise, case, Outcome("value", value=value))
            if fits(exercise, case):
                assert "given" in picture.text()
                drawn += 1
        picture = picture_of(exercise, case, Outcome("raised", bases=("KeyError",)))
        assert picture is None or picture.svg()
    assert drawn > 60
    smallest = cases[0]
    for value in ODD:
        assert picture_of(exercise, smallest, Outcome("value", value=value)).text()


@each_exercise
def test_every_case_has_a_rule(exercise):
    """One sentence, on one line."""
    for hidden in (False, True):
        for case in exercise.all_cases(hidden=hidden, seed=SEED):
            rule = exercise.rule(*case.arguments)
            assert rule.endswith(".")
            assert "\n" not in rule
            assert ". " not in rule
            assert len(rule) < 360


@pytest.mark.parametrize("seed", [SEED, 8, 9])
@pytest.mark.parametrize("name", ["select", "slice_dim", "transpose", "unsqueeze", "squeeze"])
def test_every_dim_of_every_rank_changes_something(name, seed):
    """At each seed; those of unsqueeze count in the result, and a single dim has no other."""
    in_result = name == "unsqueeze"
    place = BY_NAME[name].parameters.index("dim0" if name == "transpose" else "dim")
    changed = set()
    for case in BY_NAME[name].all_cases(hidden=True, seed=seed):
        answer = BY_NAME[name].reference(*case.arguments)
        if not isinstance(answer, Refusal) and answer != case.arguments[: len(answer)]:
            rank = len(case.arguments[0]) + in_result
            changed.add((rank, case.arguments[place] % rank))
    least = 2 if name == "transpose" else 1
    assert {(n, d) for n in range(least, DIMS_MOST + 1) for d in range(n)} <= changed


class Header(NamedTuple):
    """A header with names."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    storage_offset: int


def test_a_named_tuple_passes_as_the_tuple_that_it_is(capsys):
    """So somebody may give the parts their names."""

    def diagonal(size, stride, storage_offset, offset):
        row, column = max(-offset, 0), max(offset, 0)
        count = max(0, min(size[0] - row, size[1] - column))
        if count:
            storage_offset += row * stride[0] + column * stride[1]
        return Header((count,), (sum(stride),), storage_offset)

    check(BY_NAME["diagonal"], diagonal)
    assert capsys.readouterr().out.startswith("diagonal: right on all ")
