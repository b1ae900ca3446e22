"""Grading: a class's notebooks, run apart from what judges them, and entered with nbgrader."""
