"""What an exercise returns, exactly: and the sentence for whatever else comes back."""

import builtins
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from stridekit.layouts.layout import count
from stridekit.layouts.whole_numbers import a_type
from stridekit_course.checks.callee import Foreign, Outcome, Plain, TensorData


@dataclass(frozen=True, slots=True)
class Returns:
    """A type of result.

    `name` stands with its article: `an int`, `a tuple of ints`. `complaint` says what is wrong with
    a value's type, as the rest of a sentence that begins with `returned`, or None. `parts` are the
    names of a tuple's items, where each has one.
    """

    name: str
    complaint: Callable[[Plain], str | None]
    parts: tuple[str, ...] = ()


def _no_int(value: Plain) -> str | None:
    if type(value) is int:
        return None
    if isinstance(value, bool):
        return f"{value}, a bool. Return an int: int(...) makes one"
    if isinstance(value, float):
        return f"{value!r}, a float. Return an int: // divides without leaving the ints"
    return _not(value, "an int", "int")


def _no_bool(value: Plain) -> str | None:
    if isinstance(value, bool):
        return None
    if type(value) is int:
        return f"{value}, of type int. Return a bool, True or False: bool(...) makes one"
    return _not(value, "a bool", "bool")


def word(*options: str) -> Returns:
    """One of a few strings."""
    quoted = [f'"{option}"' for option in options]
    name = f"one of the strings {', '.join(quoted[:-1])} and {quoted[-1]}"

    def complaint(value: Plain) -> str | None:
        if isinstance(value, str):
            return None if value in options else f"{shown(value)}. Return {name}"
        return _not(value, name, "")

    return Returns(name, complaint)


def items(kind: type[tuple] | type[list], item: Returns, of: str) -> Returns:  # type: ignore[type-arg]
    """A tuple or a list of any length, all items of one kind."""
    name = f"a {kind.__name__} of {of}"

    def complaint(value: Plain) -> str | None:
        if type(value) is not kind:
            return _not(value, name, kind.__name__)
        return _in_items(value, [item] * len(value), name)

    return Returns(name, complaint)


def named_parts(**parts: Returns) -> Returns:
    """A tuple of so many parts, each with its name and type."""
    name = f"the tuple ({', '.join(parts)})"

    def complaint(value: Plain) -> str | None:
        if type(value) is not tuple:
            return _not(value, name, "tuple")
        if len(value) != len(parts):
            return f"{shown(value)}, a tuple of {count(len(value), 'item')}. Return {name}"
        return _in_items(value, [*parts.values()], name)

    return Returns(name, complaint, tuple(parts))


def maybe(some: Returns) -> Returns:
    """Something, or None."""
    name = f"{some.name}, or None"

    def complaint(value: Plain) -> str | None:
        problem = None if value is None else some.complaint(value)
        return None if problem is None else problem.replace(some.name, name, 1)

    return Returns(name, complaint)


WHOLE, TRUTH = Returns("an int", _no_int), Returns("a bool", _no_bool)
INTS = items(tuple, WHOLE, "ints")
LIST_OF_INTS = items(list, WHOLE, "ints")
SIZE_AND_STRIDE = named_parts(size=INTS, stride=INTS)
HEADER = named_parts(size=INTS, stride=INTS, storage_offset=WHOLE)


def shown(value: Plain, most: int = 160) -> str:
    """A value as it would be written, shortened if it is long.

    >>> shown((3, 1)), shown(Foreign("generator", "<generator object f>"))
    ('(3, 1)', '<generator object f>')
    """
    if isinstance(value, Foreign):
        text = value.shown
    elif isinstance(value, TensorData):
        text = f"a tensor of size {value.size}, stride {value.stride}"
    elif isinstance(value, tuple | list):
        # More items than characters: what is over does not show.
        inner = ", ".join(shown(item) for item in value[:most])
        text = f"[{inner}]"
        if isinstance(value, tuple):
            text = f"({inner},)" if len(value) == 1 else f"({inner})"
    else:
        text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def listed(items: Iterable[object], most: int = 12) -> str:
    """The first few as they stand in a sentence.

    >>> listed(range(30), 3)
    '0, 1, 2, …'
    """
    words = [*map(str, items)]
    return ", ".join([*words[:most], "…"] if len(words) > most else words)


# Among so many items nobody finds the wrong one at a glance.
_AT_A_GLANCE = 8


def where_wrong(returns: Returns, value: Plain, expected: Plain) -> str:
    """Which part of an answer is wrong, where that is not seen at once: the end of a sentence."""
    if returns.parts:
        pairs = zip(returns.parts, value, expected, strict=True)
        parts = [name for name, own, wanted in pairs if own != wanted]
        return f": wrong in {' and in '.join(parts)}" if 0 < len(parts) < 3 else ""
    if not isinstance(expected, tuple | list) or len(expected) <= _AT_A_GLANCE:
        return ""
    if len(value) != len(expected):
        return f": {count(len(value), 'item')} in place of {len(expected)}"
    place = next(n for n, each in enumerate(expected) if value[n] != each)
    return f": item {place} is {shown(value[place])}, and not {shown(expected[place])}"


def _not(value: Plain, wanted: str, maker: str) -> str:
    """The sentence for a value of another type, with what makes one of the right type."""
    if value is None:
        return f"None. Return {wanted}. Is a `return` missing?"
    if isinstance(value, TensorData):
        hint = ": .item() makes a Python number" if maker in ("int", "bool") else ""
        return f"{shown(value)}, a tensor. Return {wanted}{hint}"
    if isinstance(value, Foreign):
        return foreign(value, wanted, maker)
    convertible = isinstance(value, tuple | list) and maker in ("tuple", "list")
    hint = f": {maker}(...) makes one" if convertible else ""
    return f"{shown(value)}, {a_type(value)}. Return {wanted}{hint}"


# What `tuple(...)` and `list(...)` can go through, of Python's own types and those of its modules.
_ITERABLE = re.compile(
    r"generator|map|filter|zip|range|enumerate|reversed|set|frozenset|dict_\w+|bytes|\w+_iterator"
    r"|itertools\.\w+|collections\.\w+|array\.array|numpy\.ndarray"
)


def foreign(value: Foreign, wanted: str, maker: str = "") -> str:
    """What is wrong with what is not plain, and what to return."""
    if value.type in ("type", "function", "builtin_function_or_method", "method"):
        kind = "class" if value.type == "type" else "function"
        return f"{value.shown}, a {kind}. Return {wanted}: are its parentheses missing?"
    if value.type in ("coroutine", "async_generator"):
        return f"{value.shown}, for it is an `async def`. Write `def`, and return {wanted}"
    if value.type == maker:
        return f"{value.shown}: too large for any answer here"
    convertible = maker in ("int", "bool") or (maker and _ITERABLE.fullmatch(value.type))
    hint = f": {maker}(...) makes one" if convertible else ""
    whose = f"type {value.type}"
    if value.type.startswith("numpy."):
        whose = f"NumPy's type {value.type.removeprefix('numpy.')}"
    return f"{value.shown}, of {whose}. Return {wanted}{hint}"


def _in_items(value: Plain, kinds: Sequence[Returns], wanted: str) -> str | None:
    for item, kind in zip(value, kinds, strict=True):
        problem = kind.complaint(item)
        if problem:
            # An item that is None is no forgotten `return`.
            problem = problem.removesuffix(". Is a `return` missing?")
            problem = problem.replace(f". Return {kind.name}", f". It should be {kind.name}", 1)
            return f"{shown(value)}. Return {wanted}; one item is {problem}"
    return None


def raised(outcome: Outcome) -> str:
    """An exception, as the rest of a sentence."""
    said = f": {outcome.raised}" if outcome.raised else ""
    place, where = outcome.place, ""
    if place is not None:
        where = f",{place.where}" + (f" (`{place.text}`)" if place.text else "")
    module, _, name = outcome.bases[0].rpartition(".")
    whose = " (not Python's own)" if module and hasattr(builtins, name) else ""
    return f"raised {name}{whose}{said.removesuffix('.')}{where}"
