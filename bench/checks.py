"""How long the checks take, and how many cases a second that is.

    python -m bench.checks

Each check runs over the model solution of its notebook: visible, then hidden, the best of
three. An assignment's tests are all its test cells, one after another.
"""

import contextlib
import io
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stridekit import check
from stridekit.checks.exercise import SEED
from stridekit.exercises import ASSIGNMENTS, EXERCISES

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from mutants import solutions

VISIBLE, HIDDEN, ASSIGNMENT = 0.5, 5.0, 20.0


def seconds(function: Callable[[], object]) -> float:
    """The time of one call, in seconds."""
    began = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        function()
    return time.perf_counter() - began


def main() -> None:
    import torch

    print(f"Python {platform.python_version()}, torch {torch.__version__}\n")
    print(f"{'':<22}{'visible':>26}{'hidden':>26}{'cases/s':>10}")
    known = solutions()
    slow = []
    for name, exercises in ASSIGNMENTS.items():
        total = 0.0
        for exercise in exercises:
            before, solution = known[exercise.name]
            names: dict[str, Any] = {"__name__": "solution"}
            exec(f"{before}\n{solution}", names)
            function = names[exercise.name]
            row, rate = f"{exercise.name:<22}", 0.0
            for hidden, most in ((False, VISIBLE), (True, HIDDEN)):
                count = len(EXERCISES[exercise.name].all_cases(hidden=hidden, seed=SEED))
                # A seed of its own each time, so that making the cases counts too.
                took = min(
                    seconds(lambda: check(exercise.name, function, hidden=hidden, seed=seed))  # noqa: B023
                    for seed in range(3)
                )
                total += took
                rate = count / took
                row += f"{count:>9,} cases {took * 1000:>7,.0f} ms"
                if took > most:
                    slow.append(f"{exercise.name}: {took:.2f} s, and {most} s were wanted")
            print(f"{row}{rate:>10,.0f}")
        print(f"{name}: all tests in {total:.2f} s (wanted: {ASSIGNMENT:.0f})\n")
        if total > ASSIGNMENT:
            slow.append(f"{name}: {total:.2f} s")
    print("\n".join(slow) or "All within what was wanted.")


if __name__ == "__main__":
    main()
