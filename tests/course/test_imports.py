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


def test_a_file_that_is_called_as_what_is_needed_is_named(tmp_path):
    """Not `cannot import name 'check'`."""
    (tmp_path / "random.py").write_text("")
    code = "from stridekit_course import check"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert "ImportError: check cannot be loaded: module 'random' has no" in done.stderr


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
