"""Library calls: seen as the function runs."""

import functools
import importlib
import inspect
import operator
import sys
import threading
import warnings
from importlib import import_module

import numpy as np
import pytest
import torch
from torch import reshape as again

import stridekit as sk
from stridekit.layouts.layout import Layout
from stridekit_course.checks import library_calls
from stridekit_course.checks.callee import Case, SourceCall, SourceLine
from stridekit_course.checks.calling import Local
from stridekit_course.checks.rules import PLAIN, header_only, without
from stridekit_course.checks.strategies import tensor_data

TENSOR = tensor_data(Layout((2, 3), (1, 2)))


def seen(function, *arguments, watch):
    """The names that were called."""
    (outcome,) = Local(function).run([Case(arguments)], watch).outcomes
    return [call.name for call in outcome.calls]


def test_the_packages_of_another_python_are_installed_too(tmp_path, monkeypatch):
    """A virtual environment may go on to them: what lies there no learner has written."""
    packages = tmp_path / "other" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "elsewhere.py").write_text(
        "import numpy\n\n\ndef count(size):\n    return int(numpy.prod(size))\n"
    )
    monkeypatch.syspath_prepend(packages)
    library_calls._installed.cache_clear()
    library_calls._is_installed.cache_clear()
    elsewhere = import_module("elsewhere")
    assert seen(lambda size: elsewhere.count(size), (2, 3), watch="plain") == []
    library_calls._installed.cache_clear()


class Maker:
    """Calls it in a method."""

    def make(self, size):
        """The whole size."""
        return torch.empty(size).numel()


def through_a_class(size):
    """A method of a class of the learner's own."""
    return Maker().make(size)


def in_a_thread(function):
    """One that leaves its work to a thread."""

    def started(argument):
        thread = threading.Thread(target=function, args=(argument,))
        thread.start()
        thread.join()

    return started


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
        (in_a_thread(lambda size: getattr(np, "pro" + "d")(size)), "numpy.prod"),
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


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda t: torch.ops.aten.clone.default(t), "torch.ops.aten.clone"),
        (lambda t: torch.ops.aten.view_copy(t, [6]), "torch.ops.aten.view_copy"),
        (lambda t: torch.nn.functional.pad(t, (1, 1)), "torch.nn.functional.pad"),
        (lambda t, alias=np.shares_memory: alias(t, t), "numpy.shares_memory"),
        (lambda t: [np.may_share_memory][0](t, t), "numpy.may_share_memory"),
        (
            lambda t: np.lib.stride_tricks.as_strided(np.zeros(1), (1,), (8,)).flags,
            "numpy.as_strided",
        ),
        (lambda t: sk.from_torch(t).contiguous(), "stridekit.contiguous"),
        (in_a_thread(lambda t: getattr(t, "clo" + "ne")()), "torch.clone"),
        (
            lambda t: importlib.import_module("stridekit_course.exercises.ps3").made(t),
            "stridekit_course.made",
        ),
    ],
)
def test_tensor_exercises_see_operators_numpy_and_stridekit_too(function, name):
    """However they are found: by an alias, a default argument, an overload."""
    assert name in seen(function, TENSOR, watch="tensors")


def test_the_library_s_own_reference_is_a_call_of_stridekit():
    """It cannot be borrowed."""
    from stridekit_course.exercises.ps1.unravel import _reference

    assert seen(lambda size: _reference(3, size), (2, 3), watch="plain") == [
        "stridekit_course.reference"
    ]


def test_nothing_is_noted_where_nothing_is_asked():
    """For functions of our own."""
    assert seen(lambda t: t.clone(), TENSOR, watch="nothing") == []


def test_what_is_used_of_stridekits_tensors_is_seen():
    """As of torch's."""
    own = tensor_data(Layout((2, 3), (1, 2)), "stridekit")
    assert seen(lambda t: (t.size(), t.ndim, t.is_contiguous()), own, watch="tensors") == [
        "stridekit.size",
        "stridekit.ndim",
        "stridekit.is_contiguous",
    ]


def test_a_call_is_told_with_its_line():
    """That of the very call, whatever of the same name stands before it; and its helper's."""

    def wrong(t):
        numbers = [1].copy()
        return {}.copy(), numbers, operator.attrgetter("clone")(t)()

    def helped(t):
        return wrong(t)

    def lines(function):
        (outcome,) = Local(function).run([Case((TENSOR,))], "tensors").outcomes
        return [(call.name, call.place.line, call.place.helper) for call in outcome.calls]

    first = wrong.__code__.co_firstlineno
    assert lines(wrong) == [("Tensor.clone", first + 2, "")]
    assert lines(helped) == [("Tensor.clone", first + 2, "wrong")]
    # What wraps it is in no line of its own, nor is who calls the check.
    assert lines(operator.methodcaller("clone")) == [("Tensor.clone", 0, "")]
    assert ("Tensor.clone", first + 2, "") in lines(torch.no_grad()(wrong))
    assert {line for _, line, _ in lines(torch.no_grad()(wrong))} == {0, first + 2}

    def in_brackets(t):
        return [*(other.clone() for each in [t] for other in (e for e in [each]))]

    def helped_in_brackets(t):
        return in_brackets(t)

    first = in_brackets.__code__.co_firstlineno
    assert lines(in_brackets) == [("Tensor.clone", first + 1, "")]
    assert lines(helped_in_brackets) == [("Tensor.clone", first + 1, "in_brackets")]
    plain = lambda size: ([1].copy(), np.zeros(size).copy())  # noqa: E731 - of one line
    (outcome,) = Local(plain).run([Case(((2,),))], "plain").outcomes
    assert [call.name for call in outcome.calls] == ["numpy.zeros", "numpy.ndarray.copy"]


def test_what_is_installed_may_call_what_it_likes():
    """A library's lazy parts are asked for their names by much of Python's own."""

    def looks(size):
        inspect.stack()
        warnings.warn("x", stacklevel=1)
        return [hasattr(module, "__file__") for module in [*sys.modules.values()]] and size

    names = seen(looks, (2, 3), watch="plain")
    assert not [name for name in names if "__file__" not in name]
    assert seen(lambda size: (inspect.stack(), size), (2, 3), watch="plain") == []


def test_what_a_library_lacks_is_called_what_was_asked_for():
    """Of a tensor and of a module."""
    given = tensor_data(Layout((2, 3), (1, 2)), "stridekit")
    asks = lambda t: (getattr(t, "nelement", 0), getattr(np, "nothing", 0))  # noqa: E731 - a line
    assert seen(asks, given, watch="tensors") == ["stridekit.nelement", "numpy.nothing"]


def test_printing_a_tensor_is_no_reading_of_it():
    """Somebody who debugs by printing may print the argument too."""
    for library in ("torch", "stridekit"):
        given = tensor_data(Layout((2, 3), (1, 2)), library)
        names = seen(lambda t: print(t, f"{t}", repr(t)), given, watch="tensors")
        assert all(not header_only("f").forbids_seen(name) for name in names), names


def test_a_profiler_written_in_c_is_there_again():
    """Such as the one of %prun."""
    import cProfile

    def called_since():
        """It counts this call."""

    profiler = cProfile.Profile()
    profiler.enable()
    try:
        seen(lambda size: size, (2,), watch="plain")
        # From Python 3.12 on it has a place of its own, and is never put away.
        assert sys.getprofile() is (profiler if sys.version_info < (3, 12) else None)
        called_since()
    finally:
        profiler.disable()
    assert any(getattr(each.code, "co_name", "") == "called_since" for each in profiler.getstats())


def test_the_profiler_that_was_there_is_there_again():
    """A check may run under one."""

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
    assert header.forbids_seen("numpy.as_strided")
    here = SourceLine(1)
    assert header.forbids_written(SourceCall("argument.is_contiguous", here))
    assert not header.forbids_written(SourceCall("argument.sort", here))
    assert not header.forbids_written(SourceCall(".is_contiguous", here))
    copying = without("because", "clone", "ascontiguousarray")
    assert copying.forbids_seen("Tensor.clone")
    assert copying.forbids_seen("torch.ops.aten.clone")
    assert copying.forbids_written(SourceCall("numpy.ascontiguousarray", here))
    assert not copying.forbids_seen("Tensor.copy_")
    assert PLAIN.forbids_seen("torch.anything")
    assert not PLAIN.forbids_written(SourceCall(".index", here))
