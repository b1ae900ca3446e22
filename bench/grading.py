"""How fast a class is graded: stock nbgrader and `stridekit grade`, whole commands, side by side.

    python -m bench.grading [--learners 24] [--stock 6] [--rounds 3]
    python -m bench.grading --cluster [--learners 96] [--empty 20000]

The class hands in ps3 as the class of the demo does: right, wrong, loud, half-done and untouched
work, each learner with other solutions of the bank. Who has written nothing hands in what others
do, to the letter; `stridekit grade` runs that once, and how many are different is printed. Twice
the class is measured with nobody's like anybody's. Stock nbgrader takes its notebooks one after
another, so it may grade only some of them (`--stock`); what counts is notebooks a second.

With `--cluster`: a Dask cluster on this machine with one worker and with two, each of which has one
processor, and a class so large that what comes before the first notebook counts little; and what a
scheduler costs by itself, measured with submissions that nobody has to run.
"""

import argparse
import compileall
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from math import inf
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "demo"))
import demo  # noqa: E402 - it lies in a folder of its own

WANTED = 25
WANTED_OF_TWO, WANTED_EMPTY = 1.8, 0.003
ASSIGNMENT, NOTEBOOK = "ps3", "contiguity"


def class_of(course: Path, count: int) -> list[str]:
    """Hand in the work of so many learners; gives their names."""
    kinds = [*demo.CLASS]
    names = [f"{kinds[n % len(kinds)]}{n // len(kinds) + 1}" for n in range(count)]
    released = (course / "release" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").read_text("utf-8")
    for number, name in enumerate(names):
        work = json.loads(released)
        place = 0
        for cell in work["cells"]:
            said = cell["metadata"].get("nbgrader", {})
            if not said.get("solution"):
                continue
            kind, turn = kinds[number % len(kinds)], number // len(kinds)
            written = work_of(kind, said["grade_id"], place, turn)
            if written is not None:
                cell["source"] = written
            place += 1
        folder = course / "submitted" / name / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / f"{NOTEBOOK}.ipynb").write_text(json.dumps(work), "utf-8")
    return names


def work_of(kind: str, function: str, place: int, turn: int) -> str | None:
    """What the demo's learner of that kind writes, or somebody like him: at each turn another."""
    written: str | None = demo.CLASS[kind](ASSIGNMENT, function, place)
    if kind == "emil":
        return str(demo.CLASS[kind](ASSIGNMENT, function, place + turn))
    if written is None:
        return None
    sort = "wrong, usual" if kind == "dora" else "right"
    choice = demo.bank(ASSIGNMENT, function, sort)
    other = str(choice[turn % len(choice)])
    return f"{other}\n{demo.LOUD.format(name=function)}" if kind == "chen" else other


def timed(command: list[str], course: Path) -> tuple[float, float, int]:
    """Seconds on the wall and of processor time, and the most memory of one process, in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, seconds, after.ru_maxrss // 1024


def fresh(course: Path, kept: Path) -> None:
    """The course as it was before anything was graded."""
    shutil.rmtree(course, ignore_errors=True)
    shutil.copytree(kept, course)


def stock(kept: Path, course: Path, names: list[str]) -> float:
    """Seconds a notebook with nbgrader alone."""
    fresh(course, kept)
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    own = config.index("# `nbgrader autograde` and Formgrader's button")
    (course / "nbgrader_config.py").write_text(config[:own], "utf-8")
    for each in sorted((course / "submitted").iterdir()):
        if each.name not in names:
            shutil.rmtree(each)
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT]
    wall, seconds, memory = timed(command, course)
    print(
        f"stock nbgrader autograde   {len(names):3} notebooks  {wall:7.2f} s  "
        f"{wall / len(names):6.3f} s each  {seconds:7.2f} s of processor time  {memory:5} MiB"
    )
    return wall / len(names)


def ours(kept: Path, course: Path, count: int, jobs: int) -> float:
    """Seconds a notebook with `stridekit grade`."""
    fresh(course, kept)
    command = [sys.executable, "-m", "stridekit", "grade", ASSIGNMENT, "--jobs", str(jobs)]
    wall, seconds, memory = timed(command, course)
    print(
        f"stridekit grade --jobs {jobs}   {count:3} notebooks  {wall:7.2f} s  "
        f"{wall / count:6.3f} s each  {seconds:7.2f} s of processor time  {memory:5} MiB  "
        f"{count / wall:5.2f} a second"
    )
    return wall / count


def on_cluster(kept: Path, course: Path, count: int, workers: int) -> float:
    """Seconds a notebook with so many workers, whose servers are warm."""
    from bench.cluster import cluster

    with cluster(workers) as address:
        command = [sys.executable, "-m", "stridekit", "grade", ASSIGNMENT, "--scheduler", address]
        fresh(course, kept)
        cold, _, _ = timed(command, course)
        # The same secret, so that workers know the plan, and a gradebook that is empty again.
        secret = (course / ".grading" / "secret").read_text("ascii")
        fresh(course, kept)
        (course / ".grading").mkdir(mode=0o700)
        (course / ".grading" / "secret").write_text(secret, "ascii")
        wall, seconds, memory = timed(command, course)
    print(
        f"cluster, {workers} worker{'s' if workers > 1 else ' '}         {count:3} notebooks  "
        f"{wall:7.2f} s  {wall / count:6.3f} s each  {seconds:7.2f} s of processor time here  "
        f"{memory:5} MiB  ({cold:.2f} s with cold servers)"
    )
    return wall / count


def of_a_cluster(kept: Path, course: Path, count: int, submissions: int) -> None:
    """Two workers against one, and empty submissions."""
    from bench.cluster import empty

    ratio = on_cluster(kept, course, count, 1) / on_cluster(kept, course, count, 2)
    verdict = "" if ratio >= WANTED_OF_TWO else "   not reached"
    print(f"\n{ratio:.2f} times the throughput (wanted: {WANTED_OF_TWO}){verdict}")
    seconds, spent = empty(submissions)
    verdict = "" if seconds <= WANTED_EMPTY else "   not reached"
    print(
        f"{submissions:,} empty submissions: {1000 * seconds:.2f} ms each "
        f"(wanted: {1000 * WANTED_EMPTY:g} at most){verdict}, {1000 * spent:.2f} ms of processor "
        "time in all processes"
    )


def main() -> None:
    """Grade, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--learners", type=int, help="how many (24; for a cluster 96)")
    parser.add_argument("--stock", type=int, default=6, help="how many of them stock grades")
    parser.add_argument("--rounds", type=int, default=3, help="how often, turn by turn")
    parser.add_argument("--cluster", action="store_true", help="measure a Dask cluster instead")
    parser.add_argument("--empty", type=int, default=20000, help="how many empty submissions")
    given = parser.parse_args()
    learners = given.learners or (96 if given.cluster else 24)
    # As pip has compiled nbgrader, and `make` ours: sources may have changed since.
    for package in ("stridekit", "stridekit_course", "stridekit_grading"):
        compileall.compile_dir(ROOT / package, quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        kept, course = Path(folder) / "kept", Path(folder) / "course"
        demo.make_course(kept, ASSIGNMENT)
        names = class_of(kept, learners)
        if given.cluster:
            of_a_cluster(kept, course, len(names), given.empty)
            return
        cores = len(os.sched_getaffinity(0))
        theirs, best = inf, inf
        # Turn by turn, and the best of each: a machine has neighbours.
        print(f"{len(names)} notebooks are handed in, {different(kept)} of them different")
        for _ in range(given.rounds):
            theirs = min(theirs, stock(kept, course, names[: given.stock]))
            best = min(best, ours(kept, course, len(names), cores))
        others = {1, 2 * cores} - {cores}
        best = min(best, *(ours(kept, course, len(names), jobs) for jobs in sorted(others)))
        ratio = theirs / best
        verdict = "" if ratio >= WANTED else "   not reached"
        print(f"\n{ratio:.1f} times the throughput (wanted: {WANTED}){verdict}")
        double(kept, names)
        print(f"\n{2 * len(names)} notebooks are handed in, {different(kept)} of them different")
        large = ours(kept, course, 2 * len(names), cores)
        print(f"twice the class: {theirs / large:.1f} times the throughput")


def different(course: Path) -> int:
    """How many notebooks no other is like, to the letter."""
    paths = course.glob(f"submitted/*/{ASSIGNMENT}/{NOTEBOOK}.ipynb")
    return len({path.read_bytes() for path in paths})


def double(kept: Path, names: list[str]) -> None:
    """Everybody once more, under another name; each says whose it is, so that none is another's."""
    for name in names:
        again = kept / "submitted" / f"{name}-again"
        shutil.copytree(kept / "submitted" / name, again)
        for folder in (kept / "submitted" / name, again):
            notebook = folder / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
            work = json.loads(notebook.read_text("utf-8"))
            note = {"cell_type": "markdown", "id": "name", "metadata": {}, "source": folder.name}
            work["cells"].append(note)
            notebook.write_text(json.dumps(work), "utf-8")


if __name__ == "__main__":
    main()
