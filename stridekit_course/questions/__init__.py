"""Questions that answer back: a try first, then the hint or the reason.

- `ask("03/columns-stride")`: one question of the lessons, by its name.
- `five(3)`: five questions drawn from lesson 3's bank, different ones each time.
- `answer(yours, truth)`: whether an answer that stands in a cell is right.

No answer is graded or kept. That questions were asked is: in a notebook of the course they tell
`my_progress` how far somebody has come in a lesson.
"""

import random
from collections.abc import Iterator
from types import EllipsisType
from typing import TYPE_CHECKING

from stridekit.errors import ArgumentError
from stridekit.layouts.whole_numbers import a_type
from stridekit_course.progress.file import note_stop
from stridekit_course.questions import bank
from stridekit_course.questions.question import Question

if TYPE_CHECKING:
    from stridekit_course.questions.widgets import QuestionsBox

LESSONS = range(1, 17)


def some(lesson: int, count: int, seed: int | None = None) -> Iterator[list[Question]]:
    """So many questions of a lesson, again and again; no two of one kind at once.

    Raises ArgumentError for a lesson that there is not.
    """
    if not isinstance(lesson, int) or lesson not in LESSONS:
        raise ArgumentError(
            f"five: there is no lesson {lesson!r}. Lessons are numbered from {LESSONS[0]} to "
            f"{LESSONS[-1]}."
        )
    chance = random.Random(seed)
    # What leaves nothing to chance is asked in the lesson itself.
    known = [name for name in bank.names(lesson) if bank.is_drawn(lesson, name)]

    def draws() -> Iterator[list[Question]]:
        while True:
            chosen = chance.sample(known, min(count, len(known)))
            yield [bank.made(lesson, name, chance) for name in chosen]

    return draws()


def by_name(name: str) -> Question:
    """A question, such as "03/columns-stride": the same one each time. Raises ArgumentError."""
    lesson, _, known = str(name).partition("/")
    there = bank.names(int(lesson)) if lesson.isdecimal() and int(lesson) in LESSONS else []
    if known not in there:
        names = ", ".join(f"{lesson}/{each}" for each in there)
        raise ArgumentError(
            f"ask: there is no question {name!r}. "
            + (f"Lesson {lesson} has {names}." if names else "A name is such as 03/first-five.")
        )
    return bank.made(int(lesson), known, random.Random(name))


__all__ = ["ask", "five"]


def ask(name: str) -> "QuestionsBox":
    """The question of this name, to be answered before one reads on.

    Raises ArgumentError for a name that there is not.

    >>> ask("03/columns-stride").questions[0].answer
    (1, 3)
    """
    from stridekit_course.questions.widgets import QuestionsBox

    question = by_name(name)
    note_stop(int(name.partition("/")[0]), "begun")
    return QuestionsBox(lambda: [question])


def five(lesson: int, seed: int | None = None) -> "QuestionsBox":
    """Five questions from a lesson's bank; a button draws others.

    With a `seed` the first five are always the same. Raises ArgumentError for a lesson that
    there is not.

    >>> len(five(3).questions)
    5
    """
    from stridekit_course.questions.widgets import QuestionsBox

    drawn = some(lesson, 5, seed)
    note_stop(lesson, "end")
    return QuestionsBox(lambda: next(drawn), others=True)


# An answer that stands in a cell.


def answer(yours: object | EllipsisType, truth: object, because: str = "") -> None:
    """Say whether an answer is right. `...` is the answer not yet given.

    >>> answer(..., True)
    Not answered yet: write your answer in place of the dots, and run the cell again.
    >>> answer(True, True, "every stride is as expected.")
    Right: every stride is as expected.
    >>> answer(1, True)
    Not yet: 1 is not it. (Your answer is an int, and this one is a bool.)
    """
    if isinstance(yours, EllipsisType):
        print("Not answered yet: write your answer in place of the dots, and run the cell again.")
    elif type(yours) is not type(truth):
        print(
            f"Not yet: {yours!r} is not it. "
            f"(Your answer is {a_type(yours)}, and this one is {a_type(truth)}.)"
        )
    elif yours == truth:
        print(f"Right: {because}" if because else "Right.")
    else:
        print(f"Not yet: {yours!r} is not it. Think again, or look at the tensor with draw().")
