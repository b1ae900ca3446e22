"""A question, and what is said to an answer."""

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from stridekit.layouts.layout import Ints

YES, NO = "yes", "no"
_CODE = re.compile(r"`([^`]+)`")
_CALL = re.compile(r"\w[(\[]")
_NUMBER = re.compile(r"[+-]?\d{1,18}")
# One number may be written in groups of three; several stand between brackets and commas.
_ONE = re.compile(r"[+-]?\d{1,3}(?:[,_\s'’]\d{3})+")
_UNIT = re.compile(r"(?<=\d)\s*(?:byte|element|slot|number|token)s?$", re.IGNORECASE)
_AROUND = re.compile(r"(?:torch\.)?size|[\s,;()\[\]{}x×，、（）]", re.IGNORECASE)


class Spot(NamedTuple):
    """A yes or no, and the number of the place where; `asks` is what is asked for then.

    With a `rank` the place is a dim of so many, and may be counted from either end.
    """

    is_so: bool
    where: int
    asks: str = "At which dim?"
    rank: int = 0


Answer = bool | int | Ints | str | Spot


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, the right answer, and the words for right and wrong ones.

    The type of the answer says how one answers: a bool by yes or no, an int by a number, a tuple
    by numbers, a text by a choice of `options`, a Spot by yes or no and a number. `mistakes` have
    a hint of their own; `hint` is for all other wrong answers. `code` are lines of Python that
    show the answer: the last one is an expression that gives it, in torch or NumPy. Where that
    takes many lines, `shown` are few that make one see it, and they stand on the page in place
    of them. In texts, code stands between backticks.

    Raises ValueError for what nobody could answer rightly.
    """

    text: str
    answer: Answer
    reason: str
    hint: str
    code: str
    options: tuple[str, ...] = ()
    mistakes: Mapping[Hashable, str] = field(default_factory=dict)
    shown: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.answer, str) != bool(self.options):
            raise ValueError("options are for answers that are texts, and those need them.")
        if self.options and self.options.count(self.answer) != 1:
            raise ValueError(f"{self.answer!r} stands not once among the options.")
        if self.answer in self.mistakes:
            raise ValueError(f"{self.answer!r} is the answer, and so it is not a mistake.")

    @property
    def choices(self) -> tuple[str, ...]:
        """What one chooses from; nothing where one writes."""
        return (YES, NO) if isinstance(self.answer, bool | Spot) else self.options

    @property
    def field(self) -> str:
        """The name of the field to write in; nothing where one only chooses."""
        if isinstance(self.answer, Spot):
            return self.answer.asks
        if isinstance(self.answer, bool | str):
            return ""
        return "A number" if isinstance(self.answer, int) else "Numbers, such as 4, 1"


class Told(NamedTuple):
    """What is said to an answer. `right` is None where it could not be read."""

    right: bool | None
    words: str
    code: str = ""


def judge(question: Question, chosen: str = "", written: str = "") -> Told:
    """What is said to an answer: what was chosen, and what was written.

    >>> q = Question("2 + 2?", 4, "it is.", "Count.", "2 + 2", mistakes={22: "Add numbers."})
    >>> judge(q, written="4").words
    'Right: 4. It is.'
    >>> judge(q, written="22").words
    '22 is not it. Add numbers.'
    """
    answer = question.answer
    if question.choices and chosen not in question.choices:
        return Told(None, "Choose one first.")
    given = _read(question, chosen, written)
    if given is None:
        one = isinstance(answer, int | Spot)
        asked = "one whole number" if one else "whole numbers with commas between them"
        return Told(None, f"Write {asked} first, such as {'12' if one else '4, 1'}.")
    if _from_the_left(given) == _from_the_left(answer):
        return Told(
            True,
            f"Right: {_named(answer)}. {_capital(question.reason)}",
            question.shown or question.code,
        )
    if isinstance(given, Spot) and isinstance(answer, Spot) and given.is_so == answer.is_so:
        is_so = spelled(given.is_so).capitalize()
        return Told(False, f'"{is_so}" is right, but the number is not. {question.hint}')
    words = _capital(_named(given))
    if isinstance(given, bool):
        words = f'"{words}"'  # or it reads as "no, it is not"
    return Told(False, f"{words} is not it. {question.mistakes.get(given, question.hint)}")


def resolved(question: Question) -> str:
    """The answer and its reason, for somebody who does not want to try."""
    return f"{_capital(_named(question.answer))}. {_capital(question.reason)}"


def spelled(answer: Answer) -> str:
    """An answer in words.

    >>> spelled(True), spelled((4, 1)), spelled(Spot(False, 1)), spelled(1_000_000)
    ('yes', '(4, 1)', 'no, 1', '1,000,000')
    """
    if isinstance(answer, bool):
        return YES if answer else NO
    if isinstance(answer, Spot):
        return f"{spelled(answer.is_so)}, {answer.where}"
    if isinstance(answer, int):
        return f"{answer:,}" if abs(answer) >= 10_000 else str(answer)
    return answer if isinstance(answer, str) else str(tuple(answer))


def is_code(option: str) -> bool:
    """Whether what one may choose is a line of code.

    >>> is_code("x.t()"), is_code("grid[1]"), is_code("row after row"), is_code("1, 2, 3")
    (True, True, False, False)
    """
    return _CALL.search(option) is not None


def _named(answer: Answer) -> str:
    """An answer in a sentence: what was chosen stands as it is, as code or in quotes."""
    if not isinstance(answer, str):
        return spelled(answer)
    return f"`{answer}`" if is_code(answer) else f'"{answer}"'


def _from_the_left(answer: Answer) -> Answer:
    if isinstance(answer, Spot) and -answer.rank <= answer.where < 0:
        return answer._replace(where=answer.where + answer.rank)
    return answer


def in_parts(text: str) -> list[tuple[bool, str]]:
    """A text in parts, each with whether it is code.

    >>> in_parts("Is `x.t()` contiguous?")
    [(False, 'Is '), (True, 'x.t()'), (False, ' contiguous?')]
    """
    return [(bool(i % 2), part) for i, part in enumerate(_CODE.split(text)) if part]


def _read(question: Question, chosen: str, written: str) -> Answer | None:
    """The answer that was given, or None if it cannot be read."""
    answer = question.answer
    if isinstance(answer, bool):
        return chosen == YES
    if isinstance(answer, str):
        return chosen
    # A minus in print is not the character on the keyboard.
    plain = _UNIT.sub("", written.strip().replace("−", "-"))
    if isinstance(answer, Spot):
        number = _one(plain)
        return None if number is None else Spot(chosen == YES, number, answer.asks, answer.rank)
    return _one(plain) if isinstance(answer, int) else _several(plain)


def _one(text: str) -> int | None:
    if _ONE.fullmatch(text):
        text = re.sub(r"[^\d+-]", "", text)
    numbers = _several(text)
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


def _several(text: str) -> Ints | None:
    if not re.search(r"[\d()\[\]]", text) or _AROUND.sub("", _NUMBER.sub("", text)):
        return None
    return tuple(map(int, _NUMBER.findall(text)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
