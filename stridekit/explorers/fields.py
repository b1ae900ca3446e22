"""What can be set in an explorer: fields to type in, choices and buttons; and how text is read.

Text is read leniently: `3,4`, `(3, 4)`, `[3 4]` are all the size (3, 4). A value from a program
goes the same way, so that the same is refused.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from stridekit.diagrams.scenes.captions import cut
from stridekit.errors import StridekitError, quoted
from stridekit.layouts.layout import Ints

MOST_DIMS = 6
# A stride times a step stays in the 64 bits that torch has for it.
LARGEST = 10**9
# Enough to be past 64 bits. Python reads no int of some thousand digits.
DIGITS = 20
# 3x4 is a size; an x elsewhere is a slip.
_SEPARATORS = re.compile(r"(?<=\d)\s*(?:[x×*]|by)\s*(?=\d)|[\s,;，、]+")
_SIZE = re.compile(r"(torch\.)?size\b", re.IGNORECASE)
_INT = re.compile(r"([+-]?)0*(\d+)")
# What stands before a point is near to what was meant.
_NEARLY = re.compile(r"([+-]?)0*(\d+)[.]\d*")
_THOUSANDS = re.compile(r"\s*[+-]?[0-9]{1,3}(,[0-9]{3})+\s*")


class MisreadError(StridekitError, ValueError):
    """Text that a field cannot read, or a state that cannot be shown: what is wrong, and why.

    `changes` lead to the nearest state that works, and `nearest` says which that is, where naming
    the changes would say it less well. Where there are no changes, or they are not enough, the
    controller finds some: at worst, those that lead back to what is shown.
    """

    def __init__(
        self, what: str, why: str, changes: Mapping[str, Any] | None = None, nearest: str = ""
    ) -> None:
        super().__init__(f"{what} {why}{f' Works: {nearest}.' if nearest else ''}")
        self.what, self.why, self.nearest = what, why, nearest
        self.changes: Mapping[str, Any] = changes or {}


@dataclass(frozen=True)
class TextField(ABC):
    """A field to type in.

    Only programs can set one that is `hidden`; one that is `folded` is out of sight until somebody
    asks for more. Law: `read(spell(value)) == value`. No number in it is less than `least`.
    """

    name: str
    label: str
    hint: str = ""
    least: int | None = None
    hidden: bool = False
    folded: bool = False

    def read(self, value: Any) -> Any:
        """What text says, or a program's value. Raises MisreadError."""
        return self.parse(self.text(value))

    def text(self, value: Any) -> str:
        """A value as text that may be read; text stays as it is."""
        if isinstance(value, str):
            return value
        try:
            # Arrays and tensors have numbers that say more of themselves.
            return self.spell(value.tolist() if hasattr(value, "tolist") else value)
        except (AttributeError, TypeError, ValueError, RuntimeError):
            return quoted(value)

    @abstractmethod
    def parse(self, text: str) -> Any:
        """What text says. Raises MisreadError, with the nearest that can be read."""

    @abstractmethod
    def spell(self, value: Any) -> str:
        """A value as it is typed."""


@dataclass(frozen=True)
class IntsField(TextField):
    """A field for a size, a stride or an index. `because` says why no number is less than `least`.

    One that is optional is None where it is empty.

    >>> size = IntsField("size", "size")
    >>> size.read("3,4"), size.read("[3 4]"), size.read("3x4"), size.read([3, 4]), size.read("()")
    ((3, 4), (3, 4), (3, 4), (3, 4), ())
    """

    least: int | None = 0
    most: int = LARGEST
    because: str = ""
    optional: bool = False
    _ASKED: ClassVar[str] = "Write numbers with commas or spaces between them."

    def parse(self, text: str) -> Any:
        """Whole numbers between least and most."""
        if self.optional and not text.strip():
            return None
        parts = _parts(text)
        found = [_INT.fullmatch(part) or _NEARLY.fullmatch(part) for part in parts]
        # What is not a number stands for a 1, so that the others keep their places.
        numbers = tuple(int(one[1] + one[2][:DIGITS]) if one else 1 for one in found)
        verdict, nearest, why = "cannot be used", "", self._unfit(parts, numbers)
        if wrong := [part for part in parts if not _INT.fullmatch(part)]:
            why = f"{cut(wrong[0])!r} is not a whole number. {self._ASKED}"
            verdict = "cannot be read"
            if not any(found):
                numbers, nearest = (3, 4), "for instance "
        if not why:
            return self._value(numbers)
        low = -self.most if self.least is None else self.least
        value = self._value(tuple(min(max(n, low), self.most) for n in numbers[:MOST_DIMS]))
        said = f"{cut(text)!r} {verdict}" if text.strip() else "is empty"
        what = f"The {self.label} {said}."
        raise MisreadError(what, why, {self.name: value}, nearest + self.spell(value))

    def spell(self, value: Any) -> str:
        """Numbers with commas."""
        if value is None and self.optional:
            return ""
        return ", ".join(map(str, value)) if len(value) else "()"

    def _unfit(self, parts: Sequence[str], numbers: Ints) -> str:
        """Why numbers that can be read do not fit; nothing where they do."""
        if len(numbers) > MOST_DIMS:
            return f"An explorer shows at most {MOST_DIMS} dims, and these are {len(numbers)}."
        for part, number in zip(parts, numbers, strict=True):
            bound = ""
            if self.least is not None and number < self.least:
                if self.because:
                    return self.because
                bound = f"at least {self.least:,}"
            elif abs(number) > self.most:
                # The other way round is as far.
                bound = f"at most {self.most:,}" if number > 0 else f"at least {-self.most:,}"
            if bound:
                return f"Each number is {bound}, and {cut(part)} is not."
        return ""

    def _value(self, numbers: Ints) -> Any:
        return numbers


@dataclass(frozen=True)
class IntField(IntsField):
    """A field for one whole number.

    >>> IntField("offset", "offset").read(" 3 "), IntField("offset", "offset").read("1,000")
    (3, 1000)
    """

    _ASKED = "One number is asked for."

    def parse(self, text: str) -> Any:
        """One number between least and most."""
        return super().parse(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)

    def spell(self, value: Any) -> str:
        """The number."""
        return str(value)

    def _unfit(self, parts: Sequence[str], numbers: Ints) -> str:
        one = len(numbers) == 1
        return super()._unfit(parts, numbers) if one else self._ASKED

    def _value(self, numbers: Ints) -> int:
        return numbers[0] if numbers else max(self.least or 0, 0)


def _parts(text: str) -> list[str]:
    # A minus in print is not the character on the keyboard.
    plain = _SIZE.sub("", text.replace("−", "-"), count=1).strip().strip("()[]{}（）").strip()
    return [part for part in _SEPARATORS.split(plain) if part]


OWN = "your own"


@dataclass(frozen=True)
class Choice:
    """One of several, by name.

    An option may stand for values of other fields, as presets do: these are then set with it, and
    where the fields have other values, it is `OWN` that is chosen.
    """

    name: str
    label: str
    options: tuple[str, ...]
    stands_for: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    folded: bool = False

    def read(self, value: Any) -> Any:
        """The option, or the one that a number is written as. Raises MisreadError for what is none.

        >>> Choice("line", "bytes in a line", ("32", "64")).read(64)
        '64'
        """
        text = value if isinstance(value, str) else quoted(value)
        if text in self.options:
            return text
        what = f"{self.label[0].upper()}{self.label[1:]}: there is no {quoted(value)}."
        raise MisreadError(what, f"There are: {'; '.join(self.options)}.")

    def text(self, value: Any) -> str:
        """The option itself."""
        return str(value)


def presets(
    name: str, label: str, fields: Sequence[str], table: Mapping[str, Sequence[Any]]
) -> Choice:
    """A choice of what stands in some fields: their values for each option."""
    values = {option: dict(zip(fields, row, strict=True)) for option, row in table.items()}
    return Choice(name, label, (*table, OWN), values)


@dataclass(frozen=True)
class Button:
    """A button: a method of the state with its name gives the state that it makes.

    One with `every` starts something that goes on: the page presses it again and again, after so
    many seconds, until nothing changes or something else is done. Its method is told whether it
    begins.
    """

    name: str
    label: str
    every: float | None = None


Setting = TextField | Choice
Control = Setting | Button


def as_sentence(error: Exception) -> str:
    """A reason as a sentence of its own.

    >>> as_sentence(ValueError("index 7 is outside")), as_sentence(ValueError("x is not a view."))
    ('Index 7 is outside.', 'x is not a view.')
    """
    text = str(error)
    # A name stays as it is written: x, t(), storage_offset.
    is_word = re.match(r"[a-z]{2,}[ ,]", text)
    return (text[0].upper() + text[1:] if is_word else text) + ("" if text.endswith(".") else ".")
