"""Assignment ps2."""

from stridekit.exercises.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
