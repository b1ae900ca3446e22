"""A class too large to look at: graded with the grader killed on the way, and undisturbed.

    python -m bench.class_of 1126 [--assignment ps3] [--jobs N]

Everybody hands in another mixture of the bank's right and wrong work, of cells left as they were,
and now and then a notebook that is broken, ends its process, or has another name. One course is
graded with three kill -9 of the grader and one of a learner's process, at moments drawn by chance,
the other in one go. Both must have the same gradebook; what it took is printed.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "demo"))
import demo  # noqa: E402 - it lies in a folder of its own

KILLS = 3
# One in so many is odd in each of these ways.
ODD = {"no JSON": 90, "another name": 110, "ends its process": 60, "late": 12}


def hand_in(course: Path, assignment: str, count: int) -> None:
    """The work of so many learners, each another."""
    chance = random.Random(count)
    released = [*(course / "release" / assignment).glob("*.ipynb")]
    contents = {path.name: path.read_text("utf-8") for path in released}
    for number in range(1, count + 1):
        folder = course / "submitted" / f"learner{number:04}" / assignment
        folder.mkdir(parents=True)
        odd = {kind for kind, often in ODD.items() if chance.randrange(often) == 0}
        for name, content in contents.items():
            work = json.loads(content)
            skill = chance.random()
            for cell in work["cells"]:
                said = cell["metadata"].get("nbgrader", {})
                if said.get("solution"):
                    written = solution_of(assignment, said["grade_id"], skill, chance)
                    cell["source"] = cell["source"] if written is None else written
            if "ends its process" in odd:
                work["cells"][-2]["source"] += "\nimport os\nos._exit(1)"
            text = json.dumps(work)
            if "another name" in odd:
                name = f"copy of {name}"
            (folder / name).write_text(text[:-9] if "no JSON" in odd else text, "utf-8")
        if "late" in odd:
            (folder / "timestamp.txt").write_text("2026-11-03 12:00:00 UTC")


def solution_of(assignment: str, function: str, skill: float, chance: random.Random) -> str | None:
    """What somebody of that skill, from 0 to 1, writes; None where the cell stays as it was."""
    drawn = chance.random()
    if drawn < 0.08:
        return None
    kind = "right" if drawn < 0.3 + 0.65 * skill else "wrong"
    cell = str(chance.choice(demo.bank(assignment, function, kind)))
    # Not the same to the letter: that would be known from somebody else.
    return f"# {chance.getrandbits(60):x}\n{cell}"


def command(assignment: str, jobs: int | None) -> list[str]:
    """The command that grades."""
    given = [] if jobs is None else ["--jobs", str(jobs)]
    return [sys.executable, "-m", "stridekit", "grade", assignment, "--json", *given]


def processes() -> dict[int, tuple[int, int, int]]:
    """Of every process its parent, when it began, and the memory that is its own, in bytes."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                pages = (entry / "statm").read_text("ascii").split()
            except OSError:
                continue
            own = (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
            found[int(entry.name)] = int(stat[1]), int(stat[19]), own
    return found


def below(process: int) -> dict[int, tuple[int, int, int]]:
    """A process and all that it has started."""
    known = processes()
    found = {process} & {*known}
    while more := {each for each, facts in known.items() if facts[0] in found} - found:
        found |= more
    return {each: known[each] for each in found}


class Peak:
    """Looks at the memory of a command while it runs."""

    def __init__(self, process: int) -> None:
        self.grader = self.all = 0
        self._process, self._is_over = process, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._is_over.wait(1):
            those = below(self._process)
            if self._process in those:
                self.grader = max(self.grader, those[self._process][2])
            self.all = max(self.all, sum(each[2] for each in those.values()))

    def end(self) -> None:
        """Look no more."""
        self._is_over.set()
        self._thread.join()


def finished(course: Path) -> int:
    """How many notebooks have a result."""
    return sum(1 for _ in course.glob(".grading/results/[!.]*"))


def disturbed(course: Path, assignment: str, count: int, jobs: int | None) -> float:
    """Grade with kills; gives the seconds of all runs together."""
    chance = random.Random()
    moments = sorted(chance.uniform(0.05, 0.9) for _ in range(KILLS))
    of_a_worker = chance.uniform(0.05, 0.9)
    seconds = 0.0
    for moment in (*moments, None):
        began = time.perf_counter()
        run = subprocess.Popen(
            command(assignment, jobs), cwd=course, stdout=subprocess.DEVNULL, stderr=sys.stderr
        )
        while run.poll() is None:
            time.sleep(0.2)
            if of_a_worker is not None and finished(course) >= of_a_worker * count:
                those = below(run.pid)
                youngest = max(those, key=lambda each: those[each][1])
                os.kill(youngest, signal.SIGKILL)
                print(f"  kill -9 of a learner's process after {finished(course)} notebooks")
                of_a_worker = None
            if moment is not None and finished(course) >= moment * count:
                run.kill()
                print(f"  kill -9 of the grader after {finished(course)} notebooks")
                break
        run.wait()
        seconds += time.perf_counter() - began
    if run.returncode:
        raise SystemExit(f"the last run ended with exit status {run.returncode}")
    return seconds


def rows(course: Path) -> Iterator[tuple[object, ...]]:
    """The gradebook of a course: who has how many points for what, and what a human must see."""
    base = sqlite3.connect(course / "gradebook.db")
    yield from base.execute(
        """SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score,
            grade.manual_score, grade.needs_manual_grade,
            submitted_notebook.late_submission_penalty, submitted_assignment.timestamp
        FROM grade JOIN base_cell ON base_cell.id = grade.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
        ORDER BY 1, 2"""
    )
    base.close()


def main() -> None:
    """Grade twice, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--assignment", default="ps3")
    parser.add_argument("--jobs", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "disturbed", Path(folder) / "undisturbed"
        demo.make_course(one, given.assignment)
        hand_in(one, given.assignment, given.count)
        # The same secret, or hidden tests would ask other things.
        (one / ".grading").mkdir(mode=0o700)
        (one / ".grading" / "secret").write_text("5" * 64)
        shutil.copytree(one, other)
        print(f"{given.count} submissions of {given.assignment}, three kills of the grader:")
        seconds = disturbed(one, given.assignment, given.count, given.jobs)
        print(f"  {seconds:.0f} s in all runs together")
        began = time.perf_counter()
        with subprocess.Popen(
            command(given.assignment, given.jobs), cwd=other, stdout=subprocess.PIPE, text=True
        ) as run:
            peak = Peak(run.pid)
            told, _ = run.communicate()
            peak.end()
        seconds = time.perf_counter() - began
        if run.returncode:
            raise SystemExit(f"the undisturbed run ended with exit status {run.returncode}")
        statuses = [each["status"] for each in json.loads(told)]
        counts = {each: statuses.count(each) for each in dict.fromkeys(statuses)}
        print(
            f"undisturbed: {seconds:.0f} s, {given.count / seconds:.2f} notebooks a second; "
            f"{', '.join(f'{count} {status}' for status, count in counts.items())}"
        )
        print(
            f"  peak memory: {peak.grader / 2**20:.0f} MiB of the grader's own, "
            f"{peak.all / 2**20:.0f} MiB of all its processes' own"
        )
        size = (other / "gradebook.db").stat().st_size
        print(f"  gradebook: {size / 2**20:.1f} MiB")
        same = [*rows(one)] == [*rows(other)]
        people = len({row[0] for row in rows(one)})
        print(f"  {people} learners in it; equal to the one with kills: {same}")
        if not same or people != given.count:
            raise SystemExit("the gradebooks differ")


if __name__ == "__main__":
    main()
