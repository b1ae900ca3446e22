"""Reading what people type, leniently: `3,4`, `(3, 4)`, `[3 4]` are all the size (3, 4)."""

import re
from collections.abc import Callable

from stridekit.explorers.core import MisreadError, Problem, Text
from stridekit.layout import Ints

MOST_DIMS = 6
LARGEST = 10**15
# 3x4 is a size; an x elsewhere is a slip.
_SEPARATORS = re.compile(r"(?<=\d)\s*[x×*]\s*(?=\d)|[\s,;]+")
_INT = re.compile(r"[+-]?\d+")


def ints(what: str, *, least: int | None = 0, most: int = LARGEST) -> Callable[[str], Ints]:
    """A reader of ints between least and most; `what` names them in messages.

    >>> size = ints("the size")
    >>> size("3,4"), size("(3, 4)"), size("[3 4]"), size("3x4"), size("()")
    ((3, 4), (3, 4), (3, 4), (3, 4), ())
    """

    def read(text: str) -> Ints:
        # A minus in print is another character than the one on the keyboard.
        plain = text.replace("−", "-").strip().strip("()[]{}").strip()
        if not plain:
            return ()
        parts = [part for part in _SEPARATORS.split(plain) if part]
        wrong = [part for part in parts if not _INT.fullmatch(part)]
        if wrong:
            kept = tuple(int(part) for part in parts if _INT.fullmatch(part) and len(part) < 20)
            raise MisreadError(
                Problem(
                    f"{what} {shorten(text)!r} cannot be read.",
                    f"{shorten(wrong[0])!r} is no whole number. Write numbers with commas or "
                    "spaces between them.",
                    spell(kept) if kept else "for instance 3, 4",
                )
            )
        if any(len(part) > 19 for part in parts):
            raise _out_of(what, text, f"a number here has at most {len(str(most))} digits.")
        numbers = tuple(int(part) for part in parts)
        if len(numbers) > MOST_DIMS:
            raise _out_of(
                what, text, f"an explorer shows at most {MOST_DIMS} dims, and these are "
                f"{len(numbers)}.", spell(numbers[:MOST_DIMS])
            )  # fmt: skip
        for number in numbers:
            if (least is not None and number < least) or abs(number) > most:
                low = "any number" if least is None else f"at least {least}"
                nearest = tuple(
                    min(max(each, -most if least is None else least), most) for each in numbers
                )
                raise _out_of(
                    what, text, f"each number is {low} and at most {most:,}, and {number:,} is "
                    "not.", spell(nearest)
                )  # fmt: skip
        return numbers

    return read


def whole(what: str, *, least: int | None = 0, most: int = LARGEST) -> Callable[[str], int]:
    """A reader of one int.

    >>> whole("the offset")(" 3 ")
    3
    """
    several = ints(what, least=least, most=most)

    def read(text: str) -> int:
        numbers = several(text)
        if len(numbers) != 1:
            raise _out_of(
                what,
                text,
                "one number is asked for.",
                str(numbers[0]) if numbers else str(least or 0),
            )
        return numbers[0]

    return read


def ints_field(
    name: str, label: str, *, least: int | None = 0, most: int = LARGEST, hint: str = ""
) -> Text:
    """A field for a size, a stride or an index."""
    return Text(name, label, ints(f"the {label}", least=least, most=most), spell, hint)


def whole_field(
    name: str, label: str, *, least: int | None = 0, most: int = LARGEST, hint: str = ""
) -> Text:
    """A field for one number."""
    return Text(name, label, whole(f"the {label}", least=least, most=most), str, hint)


def spell(numbers: Ints) -> str:
    """Numbers as they are typed.

    >>> spell((3, 4)), spell(())
    ('3, 4', '()')
    """
    return ", ".join(map(str, numbers)) if numbers else "()"


def shorten(text: str, most: int = 30) -> str:
    """Text of any length, short enough for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _out_of(what: str, text: str, why: str, nearest: str = "") -> MisreadError:
    return MisreadError(Problem(f"{what} {shorten(text)!r} does not fit.", why, nearest))
