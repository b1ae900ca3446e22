"""What a function can reach: where that is no library, nobody watches it."""

import functools
import math
import operator
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import torch

import stridekit
from stridekit_course.checks.library_calls import is_out_of_reach

answers = {"prod": np.prod}


def helper(size):
    """Of another function."""
    return math.prod(size)


def leads_on(size):
    """To a library, by way of a global."""
    return answers["prod"](size)


class Walk:
    """A learner's own class."""

    def __init__(self, size):
        self.size = size

    def contiguous(self):
        """By its name alone a call of torch's."""
        return self.size


def bound(tool):
    """A function that has something in its closure."""
    return lambda size: tool(size)


@functools.cache
def remembers(size):
    """A function with a cache."""
    return max(size)


@pytest.mark.parametrize(
    "function",
    [
        lambda size: sum(size),
        lambda size: helper(size),
        lambda size: Walk(size).contiguous(),
        lambda size: Counter(size).most_common(),
        lambda size: functools.reduce(operator.mul, size, Fraction(1)),
        functools.partial(helper),
        bound(max),
        bound(lambda size: [each + 1 for each in size]),
        remembers,
        sorted,
    ],
)
def test_nothing_is_in_reach(function):
    """Of these there is nothing to watch."""
    assert is_out_of_reach(function, but_torch=False)


def imports(size):
    """In its own body."""
    import numpy as tool  # noqa: ICN001 - another name

    return tool.prod(size)


def imports_by_name(size):
    """A module that imports others."""
    import importlib

    return importlib.import_module("num" + "py").prod(size)


@pytest.mark.parametrize(
    "function",
    [
        leads_on,
        imports,
        imports_by_name,
        bound(np.prod),
        bound(torch.prod),
        bound(stridekit.arange),
        bound([np.prod]),
        bound({"a": {"b": np}}),
        functools.partial(np.prod),
        lambda size, prod=np.prod: prod(size),
        lambda size, *, prod=torch.prod: prod(size),
        lambda size: eval("np.prod(size)"),
        lambda size: getattr(math, "pro" + "d")(size),
        lambda size: size.__class__.__base__.__subclasses__(),
        lambda size: globals()["np"].prod(size),
        lambda size: operator.attrgetter("a.b")(size),
        lambda size: math.sys.modules["numpy"],
        lambda size: open("answers").read(),  # noqa: PTH123, SIM115 - as it is typed
        np.prod,
        torch.Tensor.reshape,
    ],
)
def test_something_is_in_reach(function):
    """Whichever way leads there."""
    assert not is_out_of_reach(function, but_torch=False)


def test_torch_alone():
    """On tensors, calls of torch are seen in another way."""
    assert is_out_of_reach(lambda tensor: torch.empty(tensor.size()), but_torch=True)
    assert not is_out_of_reach(lambda tensor: np.shares_memory(tensor, tensor), but_torch=True)
    assert not is_out_of_reach(lambda tensor: tensor.numpy().copy(), but_torch=True)
    assert not is_out_of_reach(lambda tensor: torch.asarray(tensor), but_torch=True)
