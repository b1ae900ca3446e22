"""The exercises and their checks: `check.isContiguous(my_function)`."""

from stridekit.errors import StridekitError
from stridekit.exercises import ps3
from stridekit.exercises.engine import CheckFailed, Exercise
from stridekit.exercises.engine import check as run_check
from stridekit.exercises.seam import Function

__all__ = ["CheckFailed", "check"]

EXERCISES = {exercise.name: exercise for exercise in (ps3.IS_CONTIGUOUS, ps3.CONTIGUOUS)}


class _Check:
    """One method per exercise, called with the learner's function.

    Silent but for one line when the function is right; otherwise CheckFailed, with the
    smallest counterexample.
    """

    def __call__(self, exercise: str, function: Function, *, hidden: bool = False) -> None:
        """The check of the exercise with that name."""
        run_check(self._exercise(exercise), function, hidden=hidden)

    def __getattr__(self, name: str) -> "_BoundCheck":
        if name.startswith("_"):
            raise AttributeError(name)
        return _BoundCheck(self._exercise(name))

    def __dir__(self) -> list[str]:
        return list(EXERCISES)

    def _exercise(self, name: str) -> Exercise:
        if name not in EXERCISES:
            raise UnknownExerciseError(
                f"there is no exercise {name!r}. There are: {', '.join(EXERCISES)}."
            )
        return EXERCISES[name]


class _BoundCheck:
    """The check of one exercise."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise

    def __call__(self, function: Function, *, hidden: bool = False) -> None:
        run_check(self._exercise, function, hidden=hidden)

    def __repr__(self) -> str:
        return f"check.{self._exercise.name}(your_function)"


class UnknownExerciseError(StridekitError, AttributeError):
    """A name that is no exercise."""


check = _Check()
