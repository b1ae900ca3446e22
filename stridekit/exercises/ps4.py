"""Assignment ps4."""

from stridekit.exercises.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
