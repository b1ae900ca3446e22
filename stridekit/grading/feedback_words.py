"""How a page of feedback puts numbers, times and sentences."""

import re
from datetime import timedelta
from typing import Any


def number(points: float) -> str:
    """Points as nbgrader shows them, without zeros at the end.

    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    return f"{round(points, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def of(score: float, most: float) -> str:
    """Points out of those that there are."""
    return f"{number(score)} / {number(most)}"


def duration(seconds: float) -> str:
    """A time in the two largest units that say something.

    >>> duration(90), duration(3 * 86400 + 7200 + 60), duration(20)
    ('1 minute', '3 days 2 hours', 'less than a minute')
    """
    left = timedelta(seconds=seconds)
    units = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)))
    told = []
    for unit, length in (*units, ("minute", timedelta(minutes=1))):
        count, left = divmod(left, length)
        if count:
            told.append(f"{count} {unit}{'s' * (count > 1)}")
    return " ".join(told[:2]) or "less than a minute"


def sentence(text: str) -> str:
    """With a capital, unless it begins with a name, and a full stop."""
    text = text.strip()
    first = capital(text)
    return first if first.endswith((".", "!", "?")) else f"{first}."


def capital(text: str) -> str:
    """With a capital, unless it begins with what may be a name.

    >>> capital("this is it"), capital("t is it"), capital("is_dense is it")
    ('This is it', 't is it', 'is_dense is it')
    """
    return text[:1].upper() + text[1:] if re.match(r"[a-z]{3,} ", text) else text


def breakable(name: str) -> Any:
    """A name that may be broken between its words, where a line is narrow."""
    import markupsafe

    parts = re.split(r"(?<=_)|(?<=[a-z])(?=[A-Z])|(?<=-)", name)
    return markupsafe.Markup("<wbr>").join(parts)
