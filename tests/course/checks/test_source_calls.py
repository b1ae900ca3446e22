"""Library calls in a function's source: found by what names mean, and where they stand."""

import functools
import io
import itertools
import operator
import sys
from itertools import repeat
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numpy import prod as product
from torch import reshape as again

import stridekit as sk
from stridekit_course import check
from stridekit_course.checks.callee import SourceLine
from stridekit_course.checks.rules import PLAIN, without
from stridekit_course.checks.source_calls import calls_in_source, code_of


def written(function):
    """The names that stand in the source."""
    return [call.name for call in calls_in_source(function)]


def through_a_helper(size):
    """The helper calls it."""
    return helper(size)


def helper(size):
    """Called by others."""
    # np.cumsum would do as well, and torch.cumsum(size): but names in comments are not calls.
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
    """Types in annotations and in isinstance are not calls."""
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


BY_NAME = {
    "flip": lambda t: torch.flip(t, [0]),
    "roll": lambda t: torch.roll(t, 1),
}


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (BY_NAME["roll"], ["torch.roll"]),
        (lambda size: np.prod(size), ["numpy.prod"]),
        (lambda size: product(size), ["numpy.prod"]),
        (lambda size: np.multiply.reduce(size), ["numpy.reduce"]),
        (lambda size: torch.zeros(size).stride(), ["torch.zeros"]),
        (lambda size: sk.Layout(size, size), ["stridekit.Layout"]),
        (lambda size: sk.zeros(size), ["stridekit.zeros"]),
        (lambda t: t.reshape(3), ["argument.reshape"]),
        (lambda t: t[0].reshape(3), []),
        (lambda t: again(t, (3,)), ["torch.reshape"]),
        (lambda t: torch.Tensor.clone(t), ["Tensor.clone"]),
        (lambda t: getattr(t, "reshape")(3), []),  # noqa: B009
        (lambda t: operator.methodcaller("clone")(t), []),
        (through_a_helper, ["numpy.prod"]),
        (through_a_class, ["torch.empty"]),
        (imports_inside, ["numpy.prod", "numpy.norm"]),
        (annotated, []),
        (own_names, []),
        (recursive, []),
        (functools.partial(helper), ["numpy.prod"]),
        (functools.lru_cache(helper), ["numpy.prod"]),
        (np.prod, ["numpy.prod"]),
        (torch.clone, ["torch.clone"]),
        (lambda size: torch.Size(size), []),
        (lambda size: np.int64(size), []),
        (eval("lambda size: np.prod(size)"), []),
        (len, []),
        (lambda size: check(size), ["stridekit_course.check"]),
    ],
)
def test_calls_in_the_source(function, names):
    """Whatever they are named there."""
    assert sorted(written(function)) == sorted(names)


# What a notebook's example cells leave behind: globals that a function's own names hide.
rows = torch.arange(6)
storage = np.arange(6)
grid = sk.arange(6)


def local_names(size):
    """Locals, parameters, loop variables, names of exceptions, and what `as` binds."""
    rows = set()
    rows.add(1)
    storage = [2, 1]
    storage.sort()
    for grid in ([],):
        grid.append(size)
    try:
        np = []
        np.clip()
    except AttributeError as torch:
        torch.add_note("own")
    return rows


def parameters(rows, *storage, grid=(), **torch):
    """A parameter hides a global."""
    return rows.add(1), storage.index(1), grid.count(1), torch.get(1)


def nested(size):
    """So does a nested function, called check or whatever."""

    def check(n):
        return n

    class draw:  # noqa: N801 - somebody's own
        def flatten(self):
            return size

    return check(1), draw().flatten(), draw.flatten(None)


def comprehensions(size):
    """And the names in comprehensions, of all four kinds."""
    return (
        [rows.add(1) for rows in size],
        {storage.sort() for storage in size},
        {grid: grid.copy() for grid in size},
        any(torch.all() for torch in size),
        [np.index() for np in size],
    )


def closing_over():
    """A closure's name hides the global too."""
    rows, np = [], SimpleNamespace(prod=len)

    def function(size):
        return rows.append(np.prod(size))

    return function


def walrus_and_match(size):
    """All that binds."""
    if (rows := list(size)) and rows.copy():
        match size:
            case [storage, *grid]:
                return storage.sort(), grid.sort()
            case {"a": torch, **np}:
                return torch.add(), np.prod()
    return None


def global_after_all(size):
    """Unless `global` says otherwise."""
    global rows
    return rows.sum()


def local_import(size):
    """An import of something else binds the name as well."""
    import math as np

    return np.prod(size)


@pytest.mark.parametrize(
    "function",
    [local_names, parameters, nested, comprehensions, closing_over(), walrus_and_match,
     local_import],
)  # fmt: skip
def test_names_are_resolved_as_python_does(function):
    """What hides a global is not a library's."""
    for call in calls_in_source(function):
        assert call.name.startswith((".", "argument."))
        assert not PLAIN.forbids_written(call)


def test_a_global_that_is_meant_is_found():
    """`global` gives the name its other meaning back."""
    assert written(global_after_all) == ["Tensor.sum"]


class Block:
    """A class of the learner's own, with methods called as torch's are."""

    def to(self, dim):
        """Own."""
        return self if dim else None

    def flatten(self):
        """Own."""
        return [self]

    contiguous = flatten


def own_methods(tensor):
    """No tensor's methods."""
    block = Block()
    return block.to(1).flatten(), [each.contiguous() for each in block.flatten()]


def of_itertools(tensor):
    """No tensor's repeat, wherever it is imported."""
    from itertools import repeat as again

    return [*repeat(1, 2)], [*itertools.repeat(1, 2)], [*again(1, 2)]


@pytest.mark.parametrize("function", [own_methods, of_itertools])
def test_own_methods_and_other_modules_are_not_forbidden(function):
    """Whatever they are called."""
    rules = without("because", "to", "flatten", "contiguous", "repeat")
    assert not any(map(rules.forbids_written, calls_in_source(function)))


def test_a_method_of_the_argument_itself_is_known():
    """A parameter of the function that nothing else binds is the tensor."""
    rules = without("because", "clone")

    def direct(t):
        return t.clone()

    def bound_again(t):
        t = Block()
        return t.clone()

    def inner(t):
        def of(t):
            return t.clone()

        return of(Block())

    assert [any(map(rules.forbids_written, calls_in_source(each)))
            for each in (direct, bound_again, inner)] == [True, False, False]  # fmt: skip
    assert not any(map(PLAIN.forbids_written, calls_in_source(direct)))


def test_the_place_is_the_line_of_the_cell_and_names_the_helper():
    """Counted in the cell or file, as editors show it."""
    first = helper.__code__.co_firstlineno
    place = SourceLine(first + 3, "return int(np.prod(size))")
    assert calls_in_source(helper) == (("numpy.prod", place),)
    assert calls_in_source(through_a_helper) == (("numpy.prod", place._replace(helper="helper")),)
    assert place._replace(helper="helper").where == f" in line {place.line} of its helper helper"
    assert (place.where, SourceLine(0).where) == (f" in line {place.line}", "")


def empty_cell():
    """A closure over a name that has no value."""

    def function(size):
        return later(size) if size else ()

    if function is None:
        later = len
    return function


class Odd:
    """A callable whose every other attribute raises."""

    def __call__(self, size):
        """Right."""
        return np.prod(size)

    def __getattr__(self, name):
        raise RuntimeError(name)


class Slotted:
    """A callable without a dictionary, and with names that a check could take for its own."""

    __slots__ = ()
    read = run = staticmethod(lambda *_: 1 / 0)

    def __call__(self, size):
        """Right."""
        return size


def test_odd_callables_do_not_break_the_reading():
    """What cannot be read is not read."""
    assert written(empty_cell()) == []
    assert written(Odd()) in ([], ["numpy.prod"])
    assert written(Slotted()) == []
    assert written(functools.partial(functools.partial(Slotted()))) == []
    assert written(type("Meta", (type,), {"__call__": lambda cls: 1})("C", (), {})) == []
    assert written(staticmethod(helper)) == ["numpy.prod"]
    assert code_of(functools.lru_cache(helper)) is helper.__code__
    assert code_of(len) is None


def writes(size):
    """Right, and it talks."""
    sys.stdout.write("here")
    sys.stdout.flush()
    return size


def test_a_stream_of_the_grader_is_no_library(monkeypatch):
    """A function is read while sys.stdout is the stream of the process that it lives in."""
    methods = {"write": lambda self, text: len(text)}
    methods["write"].__module__ = "stridekit_grading.sandbox.shell"
    monkeypatch.setattr(sys, "stdout", type("Stream", (io.TextIOBase,), methods)())
    assert calls_in_source(writes) == ()
