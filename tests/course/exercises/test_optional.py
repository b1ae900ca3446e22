"""The exercises that stand in a lesson: right work passes, wrong work is told why."""

import random
from pathlib import Path

import pytest
import torch

from stridekit_course import CheckFailed, check
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.exercise import SEED
from stridekit_course.exercises import EXERCISES, find
from stridekit_course.exercises.optional import OPTIONAL
from tests.course.checks.ours import OneOfOurs


def heads_stride(size, stride, heads):
    """By torch, where a storage of so many elements could be."""
    rows = torch.empty(0, device="meta").as_strided(size, stride)
    return rows.view(*size[:2], heads, -1).transpose(1, 2).stride()


def cache_slot(stride, block_size, table, token, head):
    """By torch: where the part begins."""
    size = (max(table) + 1, 2, block_size, head + 1, 1)
    cache = torch.empty(0, device="meta").as_strided(size, stride)
    return cache[table[token // block_size], 1, token % block_size, head].storage_offset()


def bytes_copied(size, itemsize, steps):
    """Added up, one after another."""
    batch, heads, tokens, depth = size
    return sum(batch * heads * (tokens + n + 1) * depth * itemsize for n in range(steps))


def plain_stride(size, stride, heads):
    """As a learner may write it."""
    batch, tokens, one = stride
    return (batch, size[2] // heads * one, tokens, one)


def plain_slot(stride, block_size, table, token, head):
    """As a learner may write it."""
    block, place = table[token // block_size], token % block_size
    return block * stride[0] + stride[1] + place * stride[2] + head * stride[3]


PLAIN = {"heads_stride": plain_stride, "cache_slot": plain_slot, "bytes_copied": bytes_copied}
RIGHT = {each.__name__: each for each in (heads_stride, cache_slot, bytes_copied)}


def test_the_lesson_says_that_they_are_plain_python():
    """torch itself would do the first two in a line, and their checks refuse it."""
    with pytest.raises(CheckFailed, match=r"plain Python.*no call of torch"):
        check("heads_stride", heads_stride)
    lesson = (Path(__file__).parents[3] / "course" / "15-attention-is-layout.ipynb").read_text(
        "utf-8"
    )
    assert "plain Python, with no call of torch or NumPy" in lesson


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("name", RIGHT)
def test_right_work_passes(name, hidden, capsys):
    """Plain, and as torch says it."""
    assert RIGHT.keys() == OPTIONAL.keys()
    exercise = OPTIONAL[name]
    run_check(exercise, OneOfOurs(RIGHT[name]), hidden=hidden)
    check(name, PLAIN[name], hidden=hidden)
    assert capsys.readouterr().out.count(f"{name}: right on all ") == 2


@pytest.mark.parametrize(
    ("exercise", "mistake"),
    [(each, mistake) for each in OPTIONAL.values() for mistake in each.mistakes],
    ids=lambda each: each.name if hasattr(each, "name") else each.said[:30],
)
def test_every_known_mistake_draws_its_own_hint(exercise, mistake):
    """And none stands in another's light."""
    with pytest.raises(CheckFailed) as failure:
        run_check(exercise, OneOfOurs(mistake.function))
    assert str(failure.value).split("hint: ")[1].splitlines()[0] == mistake.hint
    assert {"is", "are"} & {*mistake.hint.partition(".")[0].split()}, "It is no sentence."


@pytest.mark.parametrize("name", RIGHT)
def test_a_stub_is_not_written_yet(name):
    """So a lesson that is run from top to bottom says it, and goes on."""

    def stub(*_given):
        raise NotImplementedError

    with pytest.raises(CheckFailed, match=f"{name} is not written yet"):
        check(name, stub)
    assert f"check.{name}(your_function)" in repr(getattr(check, name))


def test_no_assignment_has_them():
    """They are found by their names all the same."""
    assert not EXERCISES.keys() & OPTIONAL.keys()
    assert all(find(name) is exercise for name, exercise in OPTIONAL.items())


@pytest.mark.parametrize("name", RIGHT)
def test_there_is_a_rule_for_every_case(name):
    """A sentence, with the answer in it or what leads to it."""
    exercise = OPTIONAL[name]
    for arguments in exercise.cases(False, random.Random(1)):
        assert exercise.rule(*arguments).endswith(".")


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("heads_stride", lambda size, stride, _: (size, stride)),
        ("heads_stride", lambda size, *rest: (sorted(size), rest)),
        ("cache_slot", lambda *given: given[:-1]),
        ("cache_slot", lambda stride, block_size, table, *rest: (stride, sorted(table), rest)),
    ],
)
def test_an_answer_that_is_kept_for_some_of_the_facts_is_wrong(name, facts):
    """Whatever the seed."""
    for seed in (SEED, 1, 7):
        kept = {}

        def keeps(*given, kept=kept):
            return kept.setdefault(repr(facts(*given)), PLAIN[name](*given))

        with pytest.raises(CheckFailed):
            run_check(OPTIONAL[name], OneOfOurs(keeps), hidden=True, seed=seed)
