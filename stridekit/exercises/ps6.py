"""Assignment ps6."""

from stridekit.exercises.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
