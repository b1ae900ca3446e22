"""Grade a small class with `stridekit grade`, in a temporary course, and print who got what.

    python demo/demo.py [--into FOLDER] [--learners NAME,NAME] [ASSIGNMENT ...]

The class hands in what a class hands in, from the bank of solutions in tests/bank: right work
in different styles, right work that prints, warns and logs, the usual mistakes, other mistakes,
work that was left half done, and notebooks that nobody touched.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.bank import solutions  # noqa: E402 - it lies beside

NBGRADER = [sys.executable, "-m", "nbgrader"]
STRIDEKIT = [sys.executable, "-m", "stridekit"]
ASSIGNMENTS = {path.parent.name: path.stem for path in sorted((ROOT / "source").glob("*/*.ipynb"))}

LOUD = """
import logging
import warnings

logging.basicConfig(level=logging.INFO)
answer_{name} = {name}
asked_{name} = []


def {name}(*arguments):
    if len(asked_{name}) < 20:
        asked_{name}.append(arguments)
        logging.getLogger("{name}").warning("asked about %s", arguments)
        warnings.warn("not sure about this one")
        print("the arguments are", arguments)
    return answer_{name}(*arguments)
"""


def bank(assignment: str, function: str, kind: str) -> list[str]:
    """The cells of whose heading that is the beginning."""
    return [
        each.code.strip()
        for each in solutions(assignment, function)
        if f"{each.kind}: {each.title}".startswith(kind)
    ]


def slow(assignment: str, function: str) -> list[str]:
    """Right work that goes the long way."""
    return bank(assignment, function, "right: slow")


def right(assignment: str, function: str, place: int) -> str:  # noqa: ARG001
    """Right work."""
    return bank(assignment, function, "right")[0]


def loud(assignment: str, function: str, place: int) -> str:  # noqa: ARG001
    """Right work in another style, that prints, warns and logs."""
    quick = [
        each
        for each in bank(assignment, function, "right")
        if each not in slow(assignment, function)
    ]
    return quick[-1] + "\n" + LOUD.format(name=function)


def usual(assignment: str, function: str, place: int) -> str:  # noqa: ARG001
    """The usual mistake."""
    return bank(assignment, function, "wrong, usual")[0]


def odd(assignment: str, function: str, place: int) -> str:
    """Another mistake."""
    others = bank(assignment, function, "wrong: ")
    return others[place % len(others)]


def half(assignment: str, function: str, place: int) -> str | None:
    """The first three, and then there was no time left."""
    return right(assignment, function, place) if place < 3 else None


def untouched(assignment: str, function: str, place: int) -> None:
    """The notebook as it was released."""


Learner = Callable[[str, str, int], str | None]
"""The cell that a learner hands in for a function of an assignment, at its place there."""
CLASS: dict[str, Learner] = {
    "ada": right,
    "chen": loud,
    "dora": usual,
    "emil": odd,
    "fatima": half,
    "hana": untouched,
}


def main() -> int:
    """Grade, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--into", type=Path, help="the folder for the course (a temporary one, if not given)"
    )
    parser.add_argument(
        "--learners",
        type=lambda names: names.split(","),
        default=[*CLASS],
        help=f"who is in the class (all: {','.join(CLASS)})",
    )
    parser.add_argument("assignments", nargs="*", metavar="ASSIGNMENT", help="ps1 to ps6 (all)")
    given = parser.parse_args()
    unknown = [name for name in given.assignments if name not in ASSIGNMENTS]
    if unknown:
        return refuse(
            f"there is no assignment {unknown[0]!r}. There are: {', '.join(ASSIGNMENTS)}."
        )
    strangers = [name for name in given.learners if name not in CLASS]
    if strangers:
        return refuse(f"there is no learner {strangers[0]!r}. There are: {', '.join(CLASS)}.")
    if given.into and given.into.exists() and any(given.into.iterdir()):
        return refuse(f"{given.into} is not empty, and nothing in it is overwritten. "
                      "Name a new folder.")  # fmt: skip
    course = (given.into or Path(tempfile.mkdtemp(prefix="stridekit-demo-"))).resolve()
    for assignment in given.assignments or ASSIGNMENTS:
        notebook = ASSIGNMENTS[assignment]
        make_course(course, assignment)
        hand_in(course, assignment, notebook, given.learners)
        print(f"Grading {len(given.learners)} notebooks of {assignment} ...", flush=True)
        status = subprocess.run([*STRIDEKIT, "grade", assignment], cwd=course).returncode
        if status:
            return status
        nbgrader(course, "generate_feedback", assignment)
        pages = course / "feedback" / "<learner>" / assignment / f"{notebook}.html"
        print(f"\nFeedback pages: {pages}\n", flush=True)
    return 0


def refuse(sentence: str) -> int:
    """Say what is wrong, and give the exit status."""
    print(f"demo: {sentence}", file=sys.stderr)
    return 1


def make_course(course: Path, assignment: str) -> None:
    """A course with this assignment, generated."""
    course.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", course / "nbgrader_config.py")
    shutil.copytree(ROOT / "source" / assignment, course / "source" / assignment)
    nbgrader(course, "generate_assignment", assignment)


def hand_in(course: Path, assignment: str, notebook: str, learners: list[str]) -> None:
    """Put each learner's work into a copy of the released notebook, and submit it."""
    released = (course / "release" / assignment / f"{notebook}.ipynb").read_text("utf-8")
    for learner in learners:
        work_of = CLASS[learner]
        work = json.loads(released)
        solutions = [
            (cell, cell["metadata"]["nbgrader"]["grade_id"])
            for cell in work["cells"]
            if cell["metadata"].get("nbgrader", {}).get("solution")
        ]
        for place, (cell, function) in enumerate(solutions):
            written = work_of(assignment, function, place)
            if written is not None:
                cell["source"] = written
        folder = course / "submitted" / learner / assignment
        folder.mkdir(parents=True)
        (folder / f"{notebook}.ipynb").write_text(json.dumps(work), "utf-8")


def nbgrader(course: Path, *arguments: str) -> None:
    """Run an nbgrader command in the course. What it says is shown only if it fails."""
    done = subprocess.run(
        [*NBGRADER, *arguments],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"demo: nbgrader {' '.join(arguments)} failed in {course}; see above.")


if __name__ == "__main__":
    sys.exit(main())
