"""Explanations: the steps are right, and say what torch says."""

import numpy as np
import torch
from hypothesis import given

from stridekit import explain
from tests.strategies import layouts, twins


@given(layouts)
def test_contiguity_agrees_with_torch(layout):
    """The verdict, for a stridekit tensor and for a torch tensor."""
    ours, theirs = twins(layout)
    assert explain.contiguity(ours).holds is theirs.is_contiguous()
    assert str(explain.contiguity(ours)) == str(explain.contiguity(theirs))


@given(layouts)
def test_the_walk_stops_at_the_first_no(layout):
    """From the right, and expected is the product of what was passed."""
    steps = explain.contiguity_of(layout).steps
    if not layout.numel:
        assert steps == ()
        return
    assert [step.dim for step in steps] == list(reversed(range(layout.ndim)))[: len(steps)]
    assert all(step.ok is not False for step in steps[:-1])
    expected = 1
    for step in steps:
        assert step.expected == expected
        assert (step.ok is None) is (step.size == 1)
        expected *= step.size


def test_the_sentences():
    """As a lesson shows them."""
    x = torch.arange(24).view(2, 3, 4)[:, :1]
    assert str(explain.contiguity(x)).splitlines() == [
        "Is size (2, 1, 4), stride (12, 4, 1) contiguous?",
        "  dim 2: size 4, stride 1, expected 1 - yes; to its left, expect 1 x 4 = 4",
        "  dim 1: size 1, stride 4, expected 4 - skipped: nothing steps along a dim of size 1",
        "  dim 0: size 2, stride 12, expected 4 - no",
        "No: dim 0 has stride 12, and 4 is expected.",
    ]


def test_numpy_arrays_are_explained_in_elements():
    """Their byte strides divided by the itemsize."""
    assert explain.contiguity(np.zeros((3, 4), np.int32).T).answer == (
        "No: dim 1 has stride 4, and 1 is expected."
    )
