"""The order of cases: a counterexample is the first that fails, so small and telling ones lead."""

from collections.abc import Iterable
from typing import Any

from stridekit.checks.seam import Argument, Case, TensorData


def weigh_arguments(case: Case) -> tuple[Any, ...]:
    """How much there is to read in a case: few elements first, but some before none."""
    sizes = [
        each.size if isinstance(each, TensorData) else each
        for each in case.arguments
        if isinstance(each, tuple | TensorData)
    ]
    first = sizes[0] if sizes and all(isinstance(n, int) for n in sizes[0]) else ()
    count = 1
    for n in first:
        count *= abs(n)
    numbers = [*_numbers(case.arguments)]
    return (
        count == 0,
        count,
        len(numbers),
        sum(map(abs, numbers)),
        sum(n < 0 for n in numbers),
        repr(numbers),
    )


def _numbers(value: Argument) -> Iterable[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, TensorData):
        yield from (*value.size, *value.stride, value.storage_offset)
    elif isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)


_SIZES = ("size", "shape", "new_size")


def triviality(parameters: tuple[str, ...], case: Case) -> int:
    """How little a case can show: 0 for most, 1 for one element at most, 2 for none.

    What goes wrong there as well shows better elsewhere.
    """
    sizes = [each.size for each in case.tensors]
    if not sizes and len(parameters) == len(case.arguments):
        pairs = zip(parameters, case.arguments, strict=True)
        sizes = [each for name, each in pairs if name in _SIZES]
    elif not sizes:
        sizes = [*case.arguments]
    if any(0 in size for size in sizes):
        return 2
    return int(bool(sizes) and all(n == 1 for size in sizes for n in size))


def weigh_strides(case: Case) -> tuple[Any, ...]:
    """As usual, but a stride of 0 that was given comes late: much is right by chance there."""
    size, stride = case.arguments[:2]
    return 0 in size, 0 in stride, weigh_arguments(case)
