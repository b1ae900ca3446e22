"""What the course loads, and when."""

import subprocess
import sys

import stridekit_course
from tests.stridekit.test_imports import loaded_after


def test_all_exercises_load_no_third_party_package():
    """For the browser's Python has none of them."""
    loading = "from stridekit_course.exercises import EXERCISES"
    assert loaded_after(f"{loading}; [each.mistakes for each in EXERCISES.values()]") == set()


def test_every_public_name_is_there():
    """What `__all__` promises, and dir() shows."""
    for name in stridekit_course.__all__:
        assert getattr(stridekit_course, name) is not None
        assert name in dir(stridekit_course)


def test_a_check_loads_the_exercise_that_is_asked_for_and_no_other():
    """Nor an assignment, when `check` is only imported."""
    code = (
        "import sys; from stridekit_course import check; loaded = lambda: sorted(name for name in "
        "sys.modules if name.startswith('stridekit_course.exercises.ps')); print(*loaded()); "
        "check.isContiguous; print(*loaded())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert before == ""
    home = "stridekit_course.exercises.ps3"
    assert set(after.split()) == {home, f"{home}.is_contiguous"}
