"""The ungraded questions."""

import numpy as np
import pytest

from stridekit_course.questions import answer


@pytest.mark.parametrize(
    ("yours", "truth", "start"),
    [
        (..., True, "Not answered yet"),
        (True, True, "Right"),
        (False, True, "Not yet: False is not it. Think again"),
        (1, True, "Not yet: 1 is not it. (Your answer is an int, and this one is a bool.)"),
        ((3, 1), (3, 1), "Right"),
        (np.uint8(1), True, "Not yet: np.uint8(1) is not it. (Your answer is a uint8, and"),
        ([3, 1], (3, 1), "Not yet: [3, 1] is not it. (Your answer is a list"),
    ],
)
def test_feedback(yours, truth, start, capsys):
    """Instant, and one line."""
    answer(yours, truth)
    printed = capsys.readouterr().out
    assert printed.startswith(start)
    assert printed.count("\n") == 1
