"""How long the checks take: all of them from nothing, and with their cases made.

    python -m bench.checks [ps3 ...]

One process, as a learner's or a grader's: every check of every assignment runs once over the
model solution of its notebook, visible and then hidden, first calls included. Then all of them
run again, with the cases and what they expect made already. Times are processor time.
"""

import contextlib
import io
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from mutants import solutions

ALL, ASSIGNMENT, MADE, VISIBLE = 4.5, 0.9, 3.0, 0.1

# What a learner's kernel has done when the first test cell runs.
FIRST = """
import time
import torch
from stridekit import draw
from stridekit_course import check
{before}
{solution}
began = time.process_time()
check.{name}({name})
print(time.process_time() - began)
"""


def seconds(function: Callable[[], object]) -> float:
    """The processor time of one call, in seconds."""
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        function()
    return time.process_time() - began


def first_call(name: str, before: str, solution: str) -> float:
    """The time of a visible check that is the first thing a fresh kernel runs."""
    code = FIRST.format(name=name, before=before, solution=solution)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    import torch

    torch.set_num_threads(1)
    began = time.process_time()
    from stridekit_course import check
    from stridekit_course.exercises import ASSIGNMENTS, all_exercises

    known = solutions()
    functions = {}
    for name, (before, solution) in known.items():
        names: dict[str, Any] = {"__name__": "solution"}
        exec(f"{before}\n{solution}", names)
        functions[name] = names[name]
    loading = time.process_time() - began
    print(f"Python {platform.python_version()}, torch {torch.__version__}")
    print(f"Loading the exercises and the model solutions: {loading:.2f} s\n")
    print(f"{'':<22}{'visible':>20}{'hidden':>22}{'made':>10}{'us a case':>12}{'first':>10}")
    slow = []
    every = every_made = 0.0
    asked = sys.argv[1:] or [*ASSIGNMENTS]
    for psn, exercises in ASSIGNMENTS.items():
        if psn not in asked:
            continue
        total = 0.0
        for exercise in exercises:
            name, function = exercise.name, functions[exercise.name]
            row, cases, took_again = f"{name:<22}", 0, 0.0
            for hidden in (False, True):

                def run() -> None:
                    check(name, function, hidden=hidden, seed=1)  # noqa: B023

                took = seconds(run)
                took_again += seconds(run)
                count = exercise.batch(hidden=hidden, seed=1).distinct
                cases += count
                total += took
                row += f"{count:>7,} cases {took * 1000:>5,.0f} ms"
            every_made += took_again
            first = first_call(name, *known[name])
            if first > VISIBLE:
                slow.append(f"{name}: the first visible check takes {first * 1000:.0f} ms")
            row += f"{took_again * 1000:>7,.0f} ms{took_again / cases * 1e6:>12,.1f}"
            print(f"{row}{first * 1000:>7,.0f} ms")
        every += total
        print(f"{psn}: {total:.2f} s (wanted: {ASSIGNMENT})\n")
        if total > ASSIGNMENT:
            slow.append(f"{psn}: {total:.2f} s")
    whose = f"all {len(all_exercises())}" if len(asked) == len(ASSIGNMENTS) else " and ".join(asked)
    print(f"{whose}: {every:.2f} s (wanted: {ALL} for all)")
    print(f"with the cases made: {every_made:.2f} s (wanted: {MADE} for all)")
    if every > ALL or every_made > MADE:
        slow.append("all together")
    print("\n".join(slow) or "All within what was wanted.")


if __name__ == "__main__":
    main()
