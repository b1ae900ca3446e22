"""The exercises and their checks: `check.isContiguous(my_function)`.

One module for each exercise, one folder for each assignment. An exercise is loaded when it is
asked for.
"""

from typing import TYPE_CHECKING, Any

from stridekit.checks.collecting import without_full_collections
from stridekit.checks.engine import CheckFailed
from stridekit.checks.engine import check as run_check
from stridekit.checks.exercise import SEED, Exercise
from stridekit.checks.seam import Callee, Function
from stridekit.errors import ArgumentError, StridekitError
from stridekit.exercises.registry import all_exercises, assignments, find
from stridekit.records import note_check

__all__ = ["ASSIGNMENTS", "EXERCISES", "CheckFailed", "check"]

# What stands for a function that was forgotten. None may be what a learner's name holds.
NOT_GIVEN: Any = object()

if TYPE_CHECKING:
    ASSIGNMENTS: dict[str, tuple[Exercise, ...]]
    EXERCISES: dict[str, Exercise]


def __getattr__(name: str) -> Any:
    if name == "ASSIGNMENTS":
        return assignments()
    if name == "EXERCISES":
        return all_exercises()
    raise AttributeError(f"stridekit.exercises has no {name!r}.")


def _run(exercise: Exercise, function: Function | Callee, *, hidden: bool, seed: int) -> None:
    """The check, and a note of how it ended where a learner sees to it: see `stridekit.records`."""
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

    def _exercise(self, name: str) -> Exercise:
        with without_full_collections():
            found = find(name) if isinstance(name, str) else None
        if found is None:
            raise UnknownExerciseError(
                f"there is no exercise {name!r}. There are: {', '.join(all_exercises())}."
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
    """A name that is no exercise."""


check = _Check()
