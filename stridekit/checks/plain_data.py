"""What a function returned, as plain data: exact types, bounded size, nothing of its own."""

import re
from typing import Any

from stridekit.checks.seam import Foreign, Plain

SHOWN_MOST = 120
ITEMS_MOST = 100_000
DEPTH_MOST = 6
INT_MOST = 10**300
_WHOLE = {int, bool}


def plain(value: Any, depth: int = 0) -> Plain:
    """The value as plain data.

    A subclass of tuple or list passes as the tuple or list that it is, be it torch.Size or a
    named tuple; so does a subclass of int, except bool. NumPy's numbers are not plain: they
    overflow and round where Python's do not.
    """
    kind = type(value)
    if kind is tuple and {*map(type, value)} <= _WHOLE and _is_small(value):
        # Much the most frequent answer.
        return value
    if value is None or kind is bool or kind is float:
        return value
    if kind.__module__.split(".")[0] == "numpy":
        return foreign(value)
    if isinstance(value, int):
        number = int.__index__(value)
        return number if abs(number) < INT_MOST else Foreign("int", "a number of 300 digits")
    if isinstance(value, str):
        return str.__str__(value)[:ITEMS_MOST]
    if isinstance(value, tuple):
        items = [*tuple.__iter__(value)]
        return _items(items, tuple, depth, value)
    if isinstance(value, list):
        items = [*list.__iter__(value)]
        return _items(items, list, depth, value)
    return foreign(value)


def _is_small(numbers: tuple[int, ...]) -> bool:
    return not numbers or (
        len(numbers) < 64 and min(numbers) > -INT_MOST and max(numbers) < INT_MOST
    )


def _items(items: list[Any], kind: type, depth: int, value: Any) -> Plain:
    if depth == DEPTH_MOST or len(items) > ITEMS_MOST:
        return Foreign(type(value).__name__, f"a {kind.__name__} of {len(items):,} items")
    return kind(plain(item, depth + 1) for item in items)


def printable(text: str) -> str:
    r"""Text that no terminal takes for orders: what cannot be seen stands there as its escape.

    >>> printable("a\x1b[31mb\ud800")
    'a\\x1b[31mb\\ud800'
    """
    # Pictures have thousands of characters, and most lines are what they seem.
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )


def foreign(value: Any) -> Foreign:
    """Only the type, and what the value looks like."""
    kind = type(value)
    name = kind.__name__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__.split('.')[0]}.{name}"
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001 - somebody's own repr
        shown = f"a {name}"
    # Where it lies is another place each time.
    shown = printable(re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(shown.split())))
    return Foreign(name, shown if len(shown) <= SHOWN_MOST else shown[: SHOWN_MOST - 1] + "…")
