"""Ungraded questions in the lessons: an answer, and instant feedback."""

from types import EllipsisType


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
        given, wanted = type(yours).__name__, type(truth).__name__
        print(
            f"Not yet: {yours!r} is not it. "
            f"(Your answer is {_article(given)}, and this one is {_article(wanted)}.)"
        )
    elif yours == truth:
        print(f"Right: {because}" if because else "Right.")
    else:
        print(f"Not yet: {yours!r} is not it. Think again, or look at the tensor with draw().")


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
