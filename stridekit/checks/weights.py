"""The order of cases: a counterexample is the first that fails, so small and telling ones lead."""

from math import prod
from typing import Any

from stridekit.checks.seam import Argument, Case, TensorData


def weigh_arguments(case: Case) -> tuple[Any, ...]:
    """How much there is to read in a case: few elements first, but some before none."""
    sizes = [
        each.size if isinstance(each, TensorData) else each
        for each in case.arguments
        if type(each) in (tuple, TensorData)
    ]
    first = sizes[0] if sizes and {*map(type, sizes[0])} <= _INTEGERS else ()
    count = abs(prod(first))
    numbers: list[int] = []
    _add_numbers(case.arguments, numbers)
    below = len([n for n in numbers if n < 0])
    return count == 0, count, len(numbers), sum(map(abs, numbers)), below, repr(numbers)


_INTEGERS = {int, bool}


def _add_numbers(values: tuple[Argument, ...], numbers: list[int]) -> None:
    """All numbers of arguments, in order: of thousands of cases, so without a generator."""
    if {*map(type, values)} <= _INTEGERS:
        numbers += values
        return
    for each in values:
        kind = type(each)
        if kind in _INTEGERS:
            numbers.append(each)
        elif kind is TensorData:
            numbers += (*each.size, *each.stride, each.storage_offset)
        elif isinstance(each, tuple):
            _add_numbers(each, numbers)


_SIZES = ("size", "shape", "new_size")


def triviality(parameters: tuple[str, ...], case: Case) -> int:
    """How little a case can show: 0 for most, 1 for one element at most, 2 for none.

    What goes wrong there as well shows better elsewhere.
    """
    sizes = [each.size for each in case.arguments if type(each) is TensorData]
    if not sizes and len(parameters) == len(case.arguments):
        pairs = zip(parameters, case.arguments, strict=True)
        sizes = [each for name, each in pairs if name in _SIZES]
    elif not sizes:
        sizes = [*case.arguments]
    held = [n for size in sizes for n in size]
    if 0 in held:
        return 2
    return int(bool(sizes) and {*held} <= {1})


def weigh_strides(case: Case) -> tuple[Any, ...]:
    """As usual, but a stride of 0 that was given comes late: much is right by chance there."""
    size, stride = case.arguments[:2]
    return 0 in size, 0 in stride, weigh_arguments(case)
