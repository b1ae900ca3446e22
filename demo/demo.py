"""Grade a small class with nbgrader itself, in a temporary course, and print who got what.

The class hands in what a class hands in: right work in different styles, right work that
prints and logs, four different mistakes, and one notebook that nobody touched.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLASS = Path(__file__).resolve().parent / "class"
ASSIGNMENTS = {"ps3": "contiguity"}


@dataclass
class Result:
    """What one learner got in one assignment: points and maximum per function, and why."""

    learner: str
    points: dict[str, float] = field(default_factory=dict)
    most: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> str:
        return f"{sum(self.points.values()):g}/{sum(self.most.values()):g}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--into", type=Path, help="the folder for the course (a temporary one, if not given)"
    )
    given = parser.parse_args()
    if given.into and given.into.exists() and any(given.into.iterdir()):
        print(f"demo: {given.into} is not empty, and nothing in it is overwritten. "
              "Name a new folder.", file=sys.stderr)  # fmt: skip
        return 1
    course = (given.into or Path(tempfile.mkdtemp(prefix="stridekit-demo-"))).resolve()
    for assignment, notebook in ASSIGNMENTS.items():
        make_course(course, assignment)
        learners = hand_in(course, assignment, notebook)
        print(f"Grading {len(learners)} notebooks of {assignment} with nbgrader ...", flush=True)
        nbgrader(course, "autograde", assignment)
        nbgrader(course, "generate_feedback", assignment)
        results = read_results(course, assignment, notebook)
        print(table(assignment, results))
        pages = course / "feedback" / "<learner>" / assignment / f"{notebook}.html"
        print(f"\nFeedback pages: {pages}")
    return 0


def make_course(course: Path, assignment: str, *, config: Path | None = None) -> None:
    """A course with this one assignment, generated."""
    course.mkdir(parents=True, exist_ok=True)
    shutil.copy(config or ROOT / "nbgrader_config.py", course / "nbgrader_config.py")
    shutil.copytree(ROOT / "source" / assignment, course / "source" / assignment)
    nbgrader(course, "generate_assignment", assignment)


def hand_in(course: Path, assignment: str, notebook: str) -> list[str]:
    """Put each learner's solutions into a copy of the released notebook, and submit it."""
    released = json.loads(
        (course / "release" / assignment / f"{notebook}.ipynb").read_text("utf-8")
    )
    learners = sorted((CLASS / assignment).glob("*.py"))
    for path in learners:
        work = json.loads(json.dumps(released))
        solutions = read_solutions(path)
        for cell in work["cells"]:
            grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if grade_id in solutions:
                cell["source"] = solutions.pop(grade_id)
        if solutions:
            raise SystemExit(f"demo: {path} answers {', '.join(solutions)}, which nobody asked.")
        folder = course / "submitted" / path.stem / assignment
        folder.mkdir(parents=True)
        (folder / f"{notebook}.ipynb").write_text(json.dumps(work), "utf-8")
    return [path.stem for path in learners]


def read_solutions(path: Path) -> dict[str, str]:
    """The cells of a solution file: each begins with a line `# %% grade_id`."""
    _, *cells = path.read_text("utf-8").split("# %% ")
    pairs = (cell.split("\n", 1) for cell in cells)
    return {name.strip(): source.strip() for name, source in pairs}


def nbgrader(course: Path, *arguments: str) -> None:
    """Run an nbgrader command in the course. What it says is shown only if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"demo: nbgrader {' '.join(arguments)} failed in {course}; see above.")


def read_results(course: Path, assignment: str, notebook: str) -> list[Result]:
    """Points from nbgrader's gradebook, reasons from the graded notebooks."""
    from nbgrader.api import Gradebook

    results = []
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            result = Result(submission.student.id)
            for grade in submission.notebooks[0].grades:
                function = grade.cell.name.split("-")[1]
                result.points[function] = result.points.get(function, 0) + (grade.score or 0)
                result.most[function] = result.most.get(function, 0) + grade.max_score
            graded = course / "autograded" / result.learner / assignment / f"{notebook}.ipynb"
            result.reasons = read_reasons(graded)
            results.append(result)
    return sorted(results, key=lambda result: result.learner)


def read_reasons(graded: Path) -> dict[str, str]:
    """The first line of the first failure per function."""
    reasons: dict[str, str] = {}
    for cell in json.loads(graded.read_text("utf-8"))["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        for output in cell.get("outputs", []):
            if grade_id.startswith("test-") and output["output_type"] == "error":
                reasons.setdefault(grade_id.split("-")[1], output["evalue"].split("\n")[0])
    return reasons


def table(assignment: str, results: list[Result]) -> str:
    """Who got what, and why."""
    functions = list(results[0].most) if results else []
    widths = [max(len(result.learner) for result in results), *map(len, functions), 6]
    head = ["", *functions, "total"]
    lines = ["", f"{assignment}:", "  ".join(w.rjust(n) for w, n in zip(head, widths, strict=True))]
    for result in results:
        cells = [
            result.learner.ljust(widths[0]),
            *(f"{result.points[f]:g}/{result.most[f]:g}".rjust(len(f)) for f in functions),
            result.total.rjust(widths[-1]),
        ]
        lines.append("  ".join(cells))
        for reason in result.reasons.values():
            lines += textwrap.wrap(reason, 96, initial_indent="    - ", subsequent_indent="      ")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
