"""The exercises and their checks: `check.isContiguous(my_function)`.

One module for each exercise, one folder for each assignment: `psN/is_contiguous.py` holds
isContiguous. A module that has an EXERCISE is one; `shared` holds what those of an assignment
share. An exercise is loaded when it is asked for. Those in `optional` belong to no assignment.
"""

import re
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from stridekit.errors import ArgumentError, StridekitError
from stridekit_course.checks.callee import Callee, Function
from stridekit_course.checks.engine import CheckFailed
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.exercise import SEED, Exercise
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_course.progress.file import note_check

if TYPE_CHECKING:
    ASSIGNMENTS: dict[str, tuple[Exercise, ...]]
    EXERCISES: dict[str, Exercise]

FOLDER = Path(__file__).parent


@cache
def assignments() -> dict[str, tuple[Exercise, ...]]:
    """The exercises of every assignment, in the order of their notebook.

    >>> [each.name for each in assignments()["ps1"]][:3]
    ['c_strides', 'f_strides', 'position']
    """
    found = {psn: [_in_module(psn, module) for module in _modules(psn)] for psn in _names()}
    return {
        psn: tuple(sorted((each for each in those if each), key=lambda exercise: exercise.place))
        for psn, those in found.items()
    }


@cache
def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, assignment by assignment."""
    return {each.name: each for those in assignments().values() for each in those}


def find(name: str) -> Exercise | None:
    """The exercise of that name. Loads nothing of the others.

    >>> find("isContiguous").parameters
    ('tensor',)
    """
    module = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for psn in _names():
        if module in _modules(psn):
            exercise = _in_module(psn, module)
            if exercise is not None and exercise.name == name:
                return exercise
    from stridekit_course.exercises.optional import OPTIONAL

    return OPTIONAL.get(name)


def _in_module(psn: str, module: str) -> Exercise | None:
    found = getattr(import_module(f"{__name__}.{psn}.{module}"), "EXERCISE", None)
    return found if isinstance(found, Exercise) else None


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(each.name for each in iter_modules([str(FOLDER)]) if each.ispkg))


@cache
def _modules(psn: str) -> frozenset[str]:
    return frozenset(each.name for each in iter_modules([str(FOLDER / psn)]))


# Their checks.


__all__ = ["ASSIGNMENTS", "EXERCISES", "CheckFailed", "check"]

# What stands for a function that was forgotten. None may be what a learner's name holds.
NOT_GIVEN: Any = object()


def __getattr__(name: str) -> Any:
    if name == "ASSIGNMENTS":
        return assignments()
    if name == "EXERCISES":
        return all_exercises()
    raise AttributeError(f"stridekit_course.exercises has no {name!r}.")


def _run(exercise: Exercise, function: Function | Callee, *, hidden: bool, seed: int) -> None:
    """The check, and a note of how it ended where a learner sees to it: see `progress`."""
    try:
        run_check(exercise, function, hidden=hidden, seed=seed)
    except CheckFailed as failed:
        if not hidden and failed.is_of_an_attempt:
            note_check(exercise.name, passes=False)
        raise
    if not hidden:
        note_check(exercise.name, passes=True)


class _Check:
    """One method per exercise, called with the learner's function.

    Silent but for one line when the function is right; otherwise CheckFailed, with the
    first counterexample, a small one.
    """

    def __call__(
        self,
        exercise: str,
        function: Function | Callee = NOT_GIVEN,
        *,
        hidden: bool = False,
        seed: int = SEED,
    ) -> None:
        """The check of the exercise with that name."""
        if function is NOT_GIVEN:
            name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", "")
            raise ArgumentError(
                f"check needs an exercise and a function: check.{name or 'isContiguous'}"
                "(your_function)."
            )
        _run(self._exercise(exercise), function, hidden=hidden, seed=seed)

    def __getattr__(self, name: str) -> "_BoundCheck":
        if name.startswith("_"):
            raise AttributeError(name)
        return _BoundCheck(self._exercise(name))

    def __dir__(self) -> list[str]:
        return list(all_exercises())

    def __repr__(self) -> str:
        return "check.NAME(your_function), where NAME is that of the exercise"

    def _exercise(self, name: str) -> Exercise:
        with without_full_collections():
            found = find(name) if isinstance(name, str) else None
        if found is None:
            letters = {each.replace("_", "").lower(): each for each in all_exercises()}
            meant = get_close_matches(str(name).replace("_", "").lower(), letters, 1)
            raise UnknownExerciseError(
                f"there is no exercise {name!r}. "
                f"{f'Did you mean {letters[meant[0]]}? ' if meant else ''}"
                f"There are: {', '.join(all_exercises())}."
            )
        return found


class _BoundCheck:
    """The check of one exercise."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise

    def __call__(
        self, function: Function | Callee = NOT_GIVEN, *, hidden: bool = False, seed: int = SEED
    ) -> None:
        if function is NOT_GIVEN:
            raise ArgumentError(f"{self._exercise.name}: no function is given. Write {self!r}.")
        _run(self._exercise, function, hidden=hidden, seed=seed)

    def __repr__(self) -> str:
        return f"check.{self._exercise.name}(your_function)"


class UnknownExerciseError(StridekitError, AttributeError):
    """A name that is not an exercise."""


check = _Check()
