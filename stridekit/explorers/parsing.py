"""Parsing what people type, leniently: `3,4`, `(3, 4)`, `[3 4]` are all the size (3, 4)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from stridekit.explorers.explorer import MisreadError, Problem, TextField
from stridekit.layouts.layout import Ints

MOST_DIMS = 6
# A stride times a step stays in the 64 bits that torch has for it.
LARGEST = 10**9
# Enough to be larger than that. Python reads no int of some thousand digits.
DIGITS = 17
# 3x4 is a size; an x elsewhere is a slip.
_SEPARATORS = re.compile(r"(?<=\d)\s*(?:[x×*]|by)\s*(?=\d)|[\s,;]+")
_SIZE = re.compile(r"(torch\.)?size\b", re.IGNORECASE)
_INT = re.compile(r"([+-]?)0*([0-9]+)")
# What stands before a point is near to what was meant.
_NEARLY = re.compile(r"([+-]?)0*([0-9]+)[.][0-9]*")
_THOUSANDS = re.compile(r"\s*[+-]?[0-9]{1,3}(,[0-9]{3})+\s*")


def ints(
    what: str, *, least: int | None = 0, most: int = LARGEST, because: str = ""
) -> Callable[[str], Ints]:
    """A reader of ints between least and most; `what` names them in messages.

    `because` says why they are at least that.

    >>> size = ints("the size")
    >>> size("3,4"), size("(3, 4)"), size("[3 4]"), size("3x4"), size("()")
    ((3, 4), (3, 4), (3, 4), (3, 4), ())
    """
    low = -most if least is None else least

    def near(numbers: Sequence[int]) -> str:
        return spell(tuple(min(max(each, low), most) for each in numbers[:MOST_DIMS]))

    def read(text: str) -> Ints:
        # A minus in print is another character than the one on the keyboard.
        plain = _SIZE.sub("", text.replace("−", "-"), count=1).strip().strip("()[]{}").strip()
        if not plain:
            return ()
        parts = [part for part in _SEPARATORS.split(plain) if part]
        wrong = [part for part in parts if not _INT.fullmatch(part)]
        read_ones = [_INT.fullmatch(part) or _NEARLY.fullmatch(part) for part in parts]
        # What is no number stands for a 1, so that the others keep their places.
        numbers = tuple(int(one[1] + one[2][:DIGITS]) if one else 1 for one in read_ones)
        if wrong:
            some = any(read_ones)
            raise MisreadError(
                Problem(
                    f"{what} {shorten(text)!r} cannot be read.",
                    f"{shorten(wrong[0])!r} is no whole number. Write numbers with commas or "
                    "spaces between them.",
                    near(numbers) if some else "for instance 3, 4",
                ),
                near(numbers if some else (3, 4)),
            )
        if len(numbers) > MOST_DIMS:
            why = f"an explorer shows at most {MOST_DIMS} dims, and these are {len(numbers)}."
            raise _out_of(what, text, why, near(numbers))
        for part, number in zip(parts, numbers, strict=True):
            if number < low:
                why = because or f"each number is at least {low:,}, and {shorten(part)} is not."
                raise _out_of(what, text, why, near(numbers))
            if number > most:
                why = f"each number is at most {most:,}, and {shorten(part)} is not."
                raise _out_of(what, text, why, near(numbers))
        return numbers

    return read


def whole(
    what: str, *, least: int | None = 0, most: int = LARGEST, because: str = ""
) -> Callable[[str], int]:
    """A reader of one int.

    >>> whole("the offset")(" 3 "), whole("the offset")("1,000")
    (3, 1000)
    """
    several = ints(what, least=least, most=most, because=because)

    def read(text: str) -> int:
        if _THOUSANDS.fullmatch(text):
            return several(text.replace(",", ""))[0]
        try:
            numbers = several(text)
        except MisreadError as error:
            first, *more = (error.instead or "").split(",")
            why = error.problem.why
            if more and "cannot be read" not in error.problem.what:
                why = "One number is asked for."
            offered = first if "," not in error.problem.nearest else f"for instance {first}"
            raise MisreadError(replace(error.problem, why=why, nearest=offered), first) from None
        if len(numbers) != 1:
            one = str(numbers[0] if numbers else least or 0)
            raise _out_of(what, text, "one number is asked for.", one)
        return numbers[0]

    return read


def ints_field(
    name: str,
    label: str,
    *,
    least: int | None = 0,
    most: int = LARGEST,
    because: str = "",
    hint: str = "",
) -> TextField:
    """A field for a size, a stride or an index."""
    reader = ints(f"The {label}", least=least, most=most, because=because)
    return TextField(name, label, reader, spell, hint, least)


def whole_field(
    name: str,
    label: str,
    *,
    least: int | None = 0,
    most: int = LARGEST,
    because: str = "",
    hint: str = "",
) -> TextField:
    """A field for one number."""
    reader = whole(f"The {label}", least=least, most=most, because=because)
    return TextField(name, label, reader, str, hint, least)


def spell(numbers: Ints) -> str:
    """Numbers as they are typed.

    >>> spell((3, 4)), spell(())
    ('3, 4', '()')
    """
    return ", ".join(map(str, numbers)) if len(numbers) else "()"


def shorten(text: str, most: int = 30) -> str:
    """Text of any length, short enough for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _out_of(what: str, text: str, why: str, nearest: str) -> MisreadError:
    sentence = why[0].upper() + why[1:]
    problem = Problem(f"{what} {shorten(text)!r} does not fit.", sentence, nearest)
    return MisreadError(problem, nearest)
