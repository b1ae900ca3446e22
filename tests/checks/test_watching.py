"""Forbidden calls: read in the source, and seen as the function runs."""

import functools
import operator
from importlib import import_module

import numpy as np
import pytest
import torch
from numpy import prod as product
from torch import reshape as again

import stridekit as sk
from stridekit.checks.calling import Local
from stridekit.checks.cases import tensor_data
from stridekit.checks.rules import PLAIN, header_only, without
from stridekit.checks.seam import Case, SourceCall
from stridekit.checks.watching import calls_in_source
from stridekit.layouts.layout import Layout

TENSOR = tensor_data(Layout((2, 3), (1, 2)))


def written(function):
    """The names that stand in the source."""
    return [call.name for call in calls_in_source(function)]


def seen(function, *arguments, watch):
    """The names that were called."""
    (outcome,) = Local(function).run([Case(arguments)], watch)
    return list(outcome.calls)


def through_a_helper(size):
    """The helper calls it."""
    return helper(size)


def helper(size):
    """Called by others."""
    # np.cumsum would do as well, and torch.cumsum(size): but names in comments are no calls.
    return int(np.prod(size))


class Maker:
    """Calls it in a method."""

    def make(self, size):
        """The whole size."""
        return torch.empty(size).numel()


def through_a_class(size):
    """A method of a class of the learner's own."""
    return Maker().make(size)


def imports_inside(size):
    """So that no name at the top tells."""
    import numpy.linalg
    from numpy import prod as innocent

    return innocent(size) if size else numpy.linalg.norm(size)


def annotated(size: torch.Size) -> np.ndarray:
    """Types in annotations and in isinstance are no calls."""
    kept: torch.Tensor = size
    return kept if isinstance(size, torch.Size | np.ndarray) else size


def own_names(size):
    """One's own function may have any name."""

    def reshape(size):
        return size

    return reshape(size), clone(size), sorted(size), "a".join([]), [].append(1)


def clone(size):
    """Own."""
    return size


def recursive(size):
    """Calls itself."""
    return size and recursive(size[1:])


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lambda size: np.prod(size), ["numpy.prod"]),
        (lambda size: product(size), ["numpy.prod"]),
        (lambda size: np.multiply.reduce(size), ["numpy.reduce"]),
        (lambda size: torch.zeros(size).stride(), [".stride", "torch.zeros"]),
        (lambda size: sk.Layout(size, size), ["stridekit.Layout"]),
        (lambda size: sk.zeros(size), ["stridekit.zeros"]),
        (lambda t: t.reshape(3), [".reshape"]),
        (lambda t: again(t, (3,)), ["torch.reshape"]),
        (lambda t: torch.Tensor.clone(t), ["Tensor.clone"]),
        (lambda t: getattr(t, "reshape")(3), [".reshape"]),  # noqa: B009
        (lambda t: operator.methodcaller("clone")(t), []),
        (through_a_helper, ["numpy.prod"]),
        (through_a_class, [".make", "torch.empty", ".numel"]),
        (imports_inside, ["numpy.prod", "numpy.norm"]),
        (annotated, []),
        (own_names, [".join", ".append"]),
        (recursive, []),
        (functools.partial(helper), ["numpy.prod"]),
        (functools.lru_cache(helper), ["numpy.prod"]),
        (np.prod, ["numpy.prod"]),
        (torch.clone, ["torch.clone"]),
        (lambda size: torch.Size(size), []),
        (lambda size: np.int64(size), []),
        (eval("lambda size: np.prod(size)"), []),
        (len, []),
    ],
)
def test_calls_in_the_source(function, names):
    """Whatever they are named there; what is not known is named by what follows the dot."""
    assert sorted(written(function)) == sorted(names)


def test_the_line_is_that_of_the_function():
    """Counted from its `def`, as a learner counts in the cell."""
    assert calls_in_source(helper) == (SourceCall("numpy.prod", 4),)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda size: np.prod(size), "numpy.prod"),
        (lambda size: np.zeros(size).reshape(-1), "numpy.ndarray.reshape"),
        (lambda size: torch.zeros(size), "torch.zeros"),
        (lambda size: torch.broadcast_shapes(size, size), "torch.broadcast_shapes"),
        (lambda size: sk.zeros(size), "stridekit.zeros"),
        (lambda size: import_module("nump" + "y").prod(size), "numpy.prod"),
        (lambda size: getattr(np, "pro" + "d")(size), "numpy.prod"),
        (through_a_class, "torch.empty"),
    ],
)
def test_plain_exercises_see_every_library_call(function, name):
    """However it is found."""
    assert name in seen(function, (2, 3), watch="plain")


def test_plain_python_is_not_seen():
    """Nor are builtins and the standard library."""
    from fractions import Fraction
    from math import prod

    def plain(size):
        return [
            prod(size),
            sorted(size),
            Fraction(1, 2),
            "x".join("ab"),
            functools.reduce(max, size),
        ]

    assert seen(plain, (2, 3), watch="plain") == []


def test_what_a_library_calls_itself_is_its_own_affair():
    """Only what the learner called is named."""
    assert seen(lambda size: np.prod(size), (2, 3), watch="plain") == ["numpy.prod"]


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lambda t: t.reshape(6), ["Tensor.reshape"]),
        (lambda t: again(t, (6,)), ["torch.reshape"]),
        (lambda t: operator.methodcaller("clone")(t), ["Tensor.clone"]),
        (lambda t: t.shape, ["Tensor.shape"]),
        (lambda t: (t.T, t + 1), ["Tensor.T", "Tensor.add"]),
        (lambda t: torch.empty(3), ["torch.empty"]),
    ],
)
def test_tensor_exercises_see_torch_functions_and_attributes(function, names):
    """By torch's function mode."""
    assert seen(function, TENSOR, watch="tensors") == names


def test_stridekit_tensors_note_their_names():
    """As torch's do."""
    own = tensor_data(Layout((2, 3), (1, 2)), "stridekit")
    assert seen(lambda t: (t.size(), t.is_contiguous()), own, watch="tensors")[:2] == [
        "Tensor.size",
        "Tensor.is_contiguous",
    ]


def test_printing_a_tensor_is_no_reading_of_it():
    """Somebody who debugs by printing may print the argument too."""
    for library in ("torch", "stridekit"):
        given = tensor_data(Layout((2, 3), (1, 2)), library)
        names = seen(lambda t: print(t, f"{t}", repr(t)), given, watch="tensors")
        assert all(not header_only("f").forbids_seen(name) for name in names), names


def test_the_profiler_that_was_there_is_there_again():
    """A check may run under one."""
    import sys

    def profiler(frame, event, arg):
        """Somebody's own."""

    sys.setprofile(profiler)
    try:
        seen(lambda size: size, (2,), watch="plain")
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def test_rules():
    """What each kind of exercise forbids."""
    header = header_only("f")
    assert not header.forbids_seen("Tensor.size")
    assert header.forbids_seen("Tensor.tolist")
    assert header.forbids_seen("torch.empty")
    assert not header.forbids_seen("Tensor.__repr__")
    assert not header.forbids_seen("numpy.prod")
    assert header.forbids_written(SourceCall(".is_contiguous", 1))
    assert not header.forbids_written(SourceCall(".sort", 1))
    copying = without("because", "clone", "ascontiguousarray")
    assert copying.forbids_seen("Tensor.clone")
    assert copying.forbids_written(SourceCall("numpy.ascontiguousarray", 1))
    assert not copying.forbids_seen("Tensor.copy_")
    assert PLAIN.forbids_seen("torch.anything")
    assert not PLAIN.forbids_written(SourceCall(".index", 1))
