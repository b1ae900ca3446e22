"""The course on how tensors lie in memory: what its notebooks ask, and what checks their answers.

- `check.isContiguous(your_function)`: whether a function of an exercise is right.
- `ask("03/columns-stride")`, `five(3)`, `answer(...)`: the questions in lessons.
- `my_progress()`: which lessons have been run, and which exercises pass.

The command `stridekit lab` opens the course. The library that it stands on is `stridekit`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stridekit_course.exercises import CheckFailed, check
    from stridekit_course.progress.widgets import ProgressBox
    from stridekit_course.questions import answer, ask, five

__version__ = "0.2.0"

__all__ = ["CheckFailed", "answer", "ask", "check", "five", "my_progress"]

# Loaded when they are asked for: a lesson needs no exercise, and a command needs none of these.
_LATER = {
    "CheckFailed": "stridekit_course.exercises",
    "answer": "stridekit_course.questions",
    "ask": "stridekit_course.questions",
    "check": "stridekit_course.exercises",
    "five": "stridekit_course.questions",
}


def my_progress() -> "ProgressBox":
    """Which lessons you have run, and which exercises pass: a widget, for a notebook of the course.

    A lesson has begun once one of its own questions was asked, and is run to its end once its
    last five were. An exercise passes once the test cell below it does, when it is run in the
    notebook. All of it stands in one hidden file, `.stridekit-progress.json`, in the folder of the
    course; the button *Clear* deletes that file. Elsewhere nothing is kept, and the widget says so.

    >>> my_progress().told()["summary"]
    'Lessons run to their end: 0 of 16. Exercises passing: 0 of 41.'
    """
    from stridekit_course.exercises import assignments
    from stridekit_course.progress.widgets import ProgressBox

    return ProgressBox(
        {psn: [each.name for each in exercises] for psn, exercises in assignments().items()}
    )


def __getattr__(name: str) -> Any:
    if name in _LATER:
        try:
            return getattr(import_module(_LATER[name]), name)
        except AttributeError as error:
            # As from a learner's own random.py. `from … import` would hide it.
            raise ImportError(f"{name} cannot be loaded: {error}") from error
    raise AttributeError(f"stridekit_course has no {name!r}. See dir(stridekit_course).")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
