"""Whole numbers as arguments: sizes, strides, dims and indices, whatever counts as an int.

Sizes, strides, offsets, dims and indices are whole numbers of 64 bits, as in torch.
"""

from operator import index as to_index
from typing import Any, SupportsIndex

from stridekit.errors import ArgumentError, SizeError, WideIntError, quoted

WIDEST = (1 << 63) - 1


def as_int(call: str, what: str, value: SupportsIndex, *, plain: bool = False) -> int:
    """A built-in int from an int or from what counts as one.

    NumPy's integers do, and tensors of one integer; where `plain`, of rank 0 alone, and no arrays.
    Raises ArgumentError for anything else, bool included, and WideIntError for what does not fit 64
    bits, as torch does.
    """
    number = value if type(value) is int else _to_index(call, what, value, plain=plain)
    if not -WIDEST - 1 <= number <= WIDEST:
        raise WideIntError(
            f"{call}: {what} is {spell_long(number)}, and whole numbers past 64 bits (from "
            "-2**63 to 2**63 - 1) count nothing here."
        )
    return number


def _to_index(call: str, what: str, value: Any, *, plain: bool) -> int:
    # Tensors and arrays have items, NumPy's numbers have none.
    is_held = hasattr(type(value), "__setitem__") and hasattr(value, "ndim")
    is_bool = is_held and getattr(getattr(value, "dtype", None), "kind", None) == "bool"
    if is_bool and not plain and what != "a dim":
        raise SizeError(f"{call}: {what} is an int, and a bool tensor holds none.")
    try:
        if isinstance(value, bool):
            raise TypeError
        if plain and is_held and (is_bool or value.ndim or type(value).__module__ == "numpy"):
            raise TypeError
        return to_index(value)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{call}: {what} is an int, and {quoted(value)} is {a_type(value)}."
        ) from None


def as_ints(call: str, what: str, values: object) -> tuple[int, ...]:
    """A tuple of ints from a tuple or list of what counts as ints.

    Other iterables are refused, as torch refuses them: an array or a range is not a size there.
    Raises ArgumentError or WideIntError.

    >>> as_ints("view", "a size", [2, 3])
    (2, 3)
    """
    if not isinstance(values, tuple | list):
        raise ArgumentError(
            f"{call}: {what} stands in a tuple or list of ints, and {quoted(values)} is "
            f"{a_type(values)}."
        )
    return tuple(as_int(call, what, value) for value in values)


def sizes_of(
    call: str, arguments: tuple[Any, ...], named: Any = None, what: str = "a size"
) -> tuple[int, ...]:
    """The size, or the dims, meant by `f(2, 3)`, `f((2, 3))`, `f([2, 3])` or `f(size=(2, 3))`.

    Raises ArgumentError or WideIntError.

    >>> sizes_of("view", (2, 3)), sizes_of("view", ([2, 3],)), sizes_of("view", (), (2, 3))
    ((2, 3), (2, 3), (2, 3))
    """
    if named is not None:
        if arguments:
            raise ArgumentError(f"{call}: {what} is given twice, by place and by name. Give one.")
        return as_ints(call, what, named)
    if not arguments:
        example = "1, 0" if what == "a dim" else "2, 3"
        raise ArgumentError(f"{call}() needs {what}: {call}({example}), or {call}(()) for rank 0.")
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        return as_ints(call, what, arguments[0])
    return as_ints(call, what, arguments)


def counting(call: str, size: tuple[int, ...]) -> tuple[int, ...]:
    """The size, if it counts elements. Raises SizeError for a negative one."""
    if min(size, default=0) < 0:
        raise SizeError(
            f"{call}({', '.join(map(str, size))}): a size counts elements, so it is not negative."
        )
    return size


def a_type(value: object) -> str:
    """The name of an object's type, as a sentence has it.

    >>> a_type(3), a_type([3])
    ('an int', 'a list')
    """
    return article(type(value).__name__)


def article(noun: str) -> str:
    """A noun with its article: that of a type, which has one before its u as in `uint8`.

    >>> article("int"), article("uint8"), article("IndexError"), article("UntypedStorage")
    ('an int', 'a uint8', 'an IndexError', 'an UntypedStorage')
    """
    return f"{'an' if noun.startswith((*'aeioAEIO', 'nd', 'Unt')) else 'a'} {noun}"


def spell_long(number: int) -> str:
    """A whole number, or its magnitude where nobody would read its digits.

    >>> spell_long(12), spell_long(-(10**30))
    ('12', 'a number of 100 bits')
    """
    return str(number) if abs(number) < 1 << 70 else f"a number of {number.bit_length()} bits"
