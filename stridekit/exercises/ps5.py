"""Assignment ps5."""

from stridekit.exercises.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
