"""Which questions there are, and drawing some."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature

from stridekit.errors import ArgumentError
from stridekit.questions.question import Question

LESSONS = range(1, 15)
Maker = Callable[[random.Random], Question]


def makers(lesson: int) -> dict[str, Maker]:
    """What makes the questions of a lesson, by name. Raises ArgumentError for no lesson."""
    if lesson not in LESSONS:
        raise ArgumentError(
            f"five: there is no lesson {lesson!r}. Lessons are numbered from {LESSONS[0]} to "
            f"{LESSONS[-1]}."
        )
    bank = import_module(f"stridekit.questions.bank.lesson_{lesson:02}")
    return {
        name.replace("_", "-"): made
        for name, made in vars(bank).items()
        if getattr(made, "__module__", "") == bank.__name__ and not name.startswith("_")
    }


def some(lesson: int, count: int, seed: int | None = None) -> Iterator[list[Question]]:
    """So many questions of a lesson, again and again; no two of one kind at once."""
    chance = random.Random(seed)
    # What leaves nothing to chance is asked in the lesson itself.
    known = [make for make in makers(lesson).values() if "chance" in signature(make).parameters]

    def draws() -> Iterator[list[Question]]:
        while True:
            chosen = chance.sample(known, min(count, len(known)))
            yield [make(chance) for make in chosen]

    return draws()


def lesson_of(name: str) -> int:
    """The lesson of the question with that name.

    >>> lesson_of("03/columns-stride")
    3
    """
    return int(name.partition("/")[0])


def by_name(name: str) -> Question:
    """A question, such as "03/columns-stride": the same one each time. Raises ArgumentError."""
    lesson, _, known = name.partition("/")
    there = makers(int(lesson)) if lesson.isdecimal() and int(lesson) in LESSONS else {}
    if known not in there:
        names = ", ".join(f"{lesson}/{each}" for each in there)
        raise ArgumentError(
            f"ask: there is no question {name!r}. "
            + (f"Lesson {lesson} has {names}." if names else "A name is such as 03/first-five.")
        )
    return there[known](random.Random(name))
