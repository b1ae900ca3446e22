"""Explanations: the steps are right, and say what torch says."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import Layout, explain
from stridekit.errors import ArgumentError, IndexRangeError, SizeError, ViewError
from stridekit.explain import HopStep, PlaceStep, WalkStep
from stridekit.layouts.broadcasting import Misfit
from stridekit.layouts.view_rule import Chunk, Obstacle
from tests.stridekit.layouts.test_broadcasting import small_sizes
from tests.stridekit.layouts.test_view_rule import factorings
from tests.stridekit.strategies import layouts, twins


@given(layouts)
def test_the_verdicts_agree_with_torch(layout):
    """Contiguity, channels_last and density; for both libraries' tensors, and the layout alone."""
    ours, theirs = twins(layout)
    for ask, answer in (
        (explain.contiguity, theirs.is_contiguous()),
        (explain.channels_last, theirs.is_contiguous(memory_format=torch.channels_last)),
        (explain.density, torch.ops.aten.is_non_overlapping_and_dense(theirs)),
    ):
        explanation = ask(layout)
        assert explanation.holds is answer
        assert explanation.answer.startswith("Yes: " if answer else "No: ")
        assert str(explanation) == str(ask(ours)) == str(ask(theirs))


@given(layouts)
def test_the_walk_stops_at_the_first_no(layout):
    """From the right, and expected is the product of what was passed."""
    steps = explain.contiguity(layout).steps
    if not layout.numel:
        assert steps == ()
        return
    assert [step.dim for step in steps] == list(reversed(range(layout.ndim)))[: len(steps)]
    assert all(step.ok is not False for step in steps[:-1])
    expected = 1
    for step in steps:
        assert isinstance(step, WalkStep)
        assert step.expected == expected
        assert (step.ok is None) is (step.size == 1)
        expected *= step.size


@given(layouts, st.data())
def test_view_gives_the_layout_or_the_message_of_the_error(layout, data):
    """Every ViewError's message is the answer of its explanation."""
    ours, _ = twins(layout)
    size = data.draw(st.sampled_from(list(factorings(layout.numel, 4))))
    explanation = explain.view(ours, *size) if size else explain.view(ours, size)
    try:
        result = ours.view(size)
    except ViewError as error:
        assert explanation.answer == str(error)
        assert explanation.result == error.obstacle
        assert isinstance(explanation.result, Obstacle)
        assert explanation.holds is False
    else:
        assert explanation.result == result.layout
        assert explanation.holds is True


@given(layouts, st.data())
def test_the_steps_of_a_view_take_all_dims_from_the_right(layout, data):
    """Each old dim in one run, each new dim filled from one run."""
    if not layout.numel:
        return
    size = data.draw(st.sampled_from(list(factorings(layout.numel, 4))))
    explanation = explain.view(layout_tensor(layout), *size) if size else None
    if explanation is None:
        return
    steps = explanation.steps
    assert all(isinstance(step, Chunk) for step in steps)
    old = [dim for step in reversed(steps) for dim in step.dims]
    assert old == list(range(layout.ndim - len(old), layout.ndim))
    for step in steps:
        assert step.numel == Layout.of([layout.size[dim] for dim in step.dims]).numel
        if step.new_dims is not None:
            assert Layout.of([size[dim] for dim in step.new_dims]).numel == step.numel
    assert [step for step in steps if step.new_dims is None] == (
        [] if explanation.holds else [steps[-1]]
    )


def layout_tensor(layout):
    return twins(layout)[0]


@given(st.lists(st.sampled_from(small_sizes), min_size=1, max_size=3))
def test_broadcast_goes_place_by_place(sizes):
    """The last step is where it fails, or the leftmost dim."""
    explanation = explain.broadcast(*sizes)
    results = [step.result for step in explanation.steps if isinstance(step, PlaceStep)]
    if explanation.holds:
        assert tuple(reversed(results)) == explanation.result
    else:
        assert isinstance(explanation.result, Misfit)
        assert len(results) == explanation.result.place
        assert results[-1] is None
        assert None not in results[:-1]


@given(layouts, st.data())
def test_position_adds_up(layout, data):
    """The hops lead to where torch reads."""
    if not layout.numel:
        return
    index = tuple(data.draw(st.integers(-n, n - 1)) for n in layout.size)
    _, theirs = twins(layout)
    explanation = explain.position(theirs, *index)
    assert explanation.result == theirs[index].item()
    hops = [step for step in explanation.steps if isinstance(step, HopStep)]
    assert [hop.position for hop in hops][-1:] == [explanation.result] * bool(hops)
    assert eval(explanation.answer.removeprefix("offset").split(" = ")[0].replace("×", "*")) == (
        explanation.result
    )


def test_a_skipped_dim_does_not_count():
    """Its stride is not what a rule without the exception would expect, and nobody minds."""
    told = explain.contiguity(torch.zeros(3, 4)[:1, 1:])
    assert told.holds
    assert told.answer == "Yes: every stride that counts is as expected."


def test_the_sentences():
    """As a lesson shows them."""
    x = torch.arange(24).view(2, 3, 4)[:, :1]
    assert str(explain.contiguity(x)).splitlines() == [
        "Is size (2, 1, 4), stride (12, 4, 1) contiguous?",
        "  dim 2: size 4, stride 1, expected 1 - yes; next, expect 1 × 4 = 4",
        "  dim 1: size 1, stride 4, expected 4 - skipped: nothing steps along a dim of size 1",
        "  dim 0: size 2, stride 12, expected 4 - no",
        "No: dim 0 has stride 12, and 4 is expected.",
    ]
    assert str(
        explain.view(torch.arange(24).view(2, 3, 4).permute(2, 0, 1), 4, 6)
    ).splitlines() == [
        "Can size (4, 2, 3), stride (1, 12, 4) be viewed as (4, 6)?",
        "  dims 1, 2: a chunk of 6, 4 apart - becomes new dim 1",
        "  dim 0: a chunk of 4, 1 apart - becomes new dim 0",
        "Yes: size (4, 6), stride (1, 4). Nothing is copied.",
    ]
    assert str(explain.density(torch.zeros(2, 3).expand(4, 2, 3))).splitlines() == [
        "Is size (4, 2, 3), stride (0, 3, 1) non-overlapping and dense?",
        "  dim 0: size 4, stride 0, expected 1 - no",
        "No: dim 0 has stride 0, and 1 is expected.",
    ]
    assert str(explain.broadcast((4, 3), (2, 3))).splitlines() == [
        "What do (4, 3) and (2, 3) broadcast to?",
        "  dim -1: 3 and 3 → 3",
        "  dim -2: 4 and 2 do not fit: they differ, and neither is 1",
        "broadcast of sizes (4, 3) and (2, 3): aligned at the right, dim -2 is 4 in one and 2 in",
        "another. Sizes must be equal there, or one of them 1.",
    ]


def test_numpy_arrays_are_explained_in_elements():
    """Their byte strides divided by the itemsize."""
    assert explain.contiguity(np.zeros((3, 4), np.int32).T).answer == (
        "No: dim 1 has stride 4, and 1 is expected."
    )


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: explain.contiguity(3), ArgumentError, "explain.contiguity: an object of type int"),
        (lambda: explain.view(sk.arange(4), 3), SizeError, "that size holds 3 elements"),
        (lambda: explain.view(sk.arange(4)), ArgumentError, "needs a size"),
        (lambda: explain.broadcast(), ArgumentError, "give tensors or sizes"),
        (lambda: explain.broadcast((2, "3")), ArgumentError, "a size is an int, and '3' is a str"),
        (lambda: explain.broadcast((2, -1)), SizeError, "explain.broadcast(2, -1): a size counts"),
        (lambda: explain.view(sk.Layout.of((4,)), 3), SizeError, "that size holds 3 elements"),
        (
            lambda: explain.position(sk.arange(4), 4),
            IndexRangeError,
            "position(4): 4 is outside dim 0",
        ),
    ],
)
def test_bad_input_gets_a_clear_sentence(call, error, sentence):
    """As everywhere."""
    with pytest.raises(error) as refusal:
        call()
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("sizes", "question", "step", "answer"),
    [
        (((3,),), "What does (3,)", "dim -1: 3 → 3", "It broadcasts to (3,)."),
        (((3,), (4,)), "What do (3,) and (4,)", "they differ, and neither is 1", "dim -1 is 3"),
        (((2,), (1,), (3,)), "What do", "2 and 1 and 3 do not fit: 2 and 3 differ", "dim -1 is 2"),
    ],
)
def test_what_is_said_of_sizes_is_true_of_one_of_two_and_of_three(sizes, question, step, answer):
    """Which two do not fit, where there are others."""
    told = explain.broadcast(*sizes)
    assert told.question.startswith(question)
    assert step in str(told.steps[0])
    assert answer in told.answer


def test_a_bare_layout_is_explained_in_each_way():
    """As the tensor that has it."""
    x = sk.arange(6).view(2, 3).t()
    for ask in (explain.contiguity, explain.density, lambda it: explain.view(it, 6),
                lambda it: explain.position(it, 1, 1), explain.broadcast):  # fmt: skip
        assert ask(x.layout) == ask(x)


def test_a_position_is_asked_for_as_an_index_is_written():
    """x[1, 2] and x[(1, 2)] are the same index."""
    x = sk.arange(12).view(3, 4)
    assert explain.position(x, (1, 2)).result == explain.position(x, 1, 2).result == 6
    assert explain.position(x, [1, 2]).result == 6
    assert explain.position(sk.zeros(()), ()).result == 0
