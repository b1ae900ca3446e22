"""What was in this package before 0.2, and where it is now: for notebooks that people keep."""

import sys
from typing import Any
from warnings import warn

from stridekit.errors import StridekitError

_PLACES = {
    **{
        f"stridekit.{name}": f"stridekit_course.{name}"
        for name in ("checks", "doctor", "exercises", "exporting", "progress", "questions")
    },
    "stridekit.exercises.quiz": "stridekit_course",
    "stridekit.grading": "stridekit_grading",
    "stridekit.grading.autograde": "stridekit_grading.nbgrader_apps",
    "stridekit.grading.lateness": "stridekit_grading.plugins",
    "stridekit.records": "stridekit_course.progress",
    "stridekit.workfolder": "stridekit_course.workfolder",
}
# What a notebook of the course asks for, the course has in its front room.
_NAMES = ("CheckFailed", "answer", "ask", "check", "five", "my_progress")


class MovedError(StridekitError, ImportError):
    """An import from a place that is no more."""


def place_now(name: str) -> str:
    """Where a name or a module is now that was here before; empty for everything else.

    >>> place_now("stridekit.check"), place_now("stridekit.grading.lateness.StartedDays")
    ('stridekit_course.check', 'stridekit_grading.plugins.StartedDays')
    >>> place_now("stridekit.draw")
    ''
    """
    home, _, last = name.rpartition(".")
    if last in _NAMES and (home in _PLACES or name in ("stridekit.check", "stridekit.my_progress")):
        return f"stridekit_course.{last}"
    for old in sorted(_PLACES, key=len, reverse=True):
        if name == old or name.startswith(f"{old}."):
            return _PLACES[old] + name.removeprefix(old)
    return ""


def where_now(name: str) -> str:
    r"""The same as a sentence.

    >>> print(where_now("stridekit.check").replace(": ", ":\n"))
    stridekit.check is stridekit_course.check now:
    import it from there (pip install stridekit-course).
    """
    now = place_now(name)
    if not now:
        return ""
    package = now.partition(".")[0].replace("_", "-")
    return f"{name} is {now} now: import it from there (pip install {package})."


class _OldPlaces:
    """Asked last by Python, when it finds no module: says where one of ours is now."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> None:
        """Nothing. Raises MovedError."""
        sentence = where_now(name)
        if name.startswith("stridekit.grading"):
            # Settings of nbgrader make do without it, and would grade unsealed.
            warn(sentence, FutureWarning, stacklevel=2)
        if sentence:
            raise MovedError(sentence)


def answer_for_old_places() -> None:
    """From now on `from stridekit import check`, and its like, say what to write instead."""
    if _OldPlaces not in sys.meta_path:
        sys.meta_path.append(_OldPlaces)
