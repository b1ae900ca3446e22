"""Grades a class: reads what was handed in, has it run, and enters what came of it."""

import base64
import dataclasses
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_course.checks.callee import printable
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_grading.class_results import GradedSubmission, add_points
from stridekit_grading.course import Course
from stridekit_grading.machine import Answer, Machine, Runner
from stridekit_grading.plans import NotebookPlan, attributes_in, cells_of, imported_by, text_of
from stridekit_grading.results import NotebookResult, Status, Store, key_of, result_of
from stridekit_grading.submissions import (
    OrderedNotebook,
    UnreadableError,
    anybody_names,
    doubts_about,
    extra_files,
    notebook_in,
    parse,
    put_in_order,
    timestamp_in,
)

# A referee that is gone without a word is tried once more.
TRIES = 2
# Once a machine may end for another reason than what a learner does; then he is tried alone.
LOSSES = 2
# So many that are the same to the letter wait for one of them at the same time.
ALIKE_MOST = 64
LINUX_ONLY = (
    "grading needs Linux: the parts that shut learners' code in are Linux's. On this system, write "
    "and try assignments, generate releases, and read what was graded; grade on a Linux machine, "
    "in a container, or in WSL 2."
)


@dataclass
class _Task:
    """A notebook of a submission that is to be run."""

    submission: "_Submission"
    plan: NotebookPlan
    reading: OrderedNotebook
    key: str
    tries: int = 0
    losses: int = 0
    """Machines that ended while they ran it."""
    alone: bool = False


@dataclass
class _Submission:
    learner: str
    files: dict[str, bytes] = field(default_factory=dict)
    timestamp: str | None = None
    results: dict[str, NotebookResult] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    waiting: int = 0


@dataclass
class RunStatistics:
    """What a bench wants to know of a run."""

    level: str = ""
    server_seconds: float = 0.0
    ran: int = 0
    peak: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    """On the wall, by what they went to."""
    inside: dict[str, float] = field(default_factory=dict)
    """On the wall of each notebook that was run, by what they went to; the sum of all."""

    @contextmanager
    def took(self, what: str) -> Iterator[None]:
        """Count the time of a part."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[what] = self.seconds.get(what, 0.0) + time.perf_counter() - began


class Grader:
    """Grades one assignment of a course."""

    def __init__(
        self,
        root: Path,
        assignment: str,
        *,
        jobs: int | None = None,
        again: bool = False,
        trust: bool = False,
        budgets: dict[str, float] | None = None,
        app: Any = None,
        scheduler: str | None = None,
    ) -> None:
        """Start what takes long to start. Raises CommandError.

        `scheduler` is the address of a Dask cluster, which runs notebooks in place of this
        machine. `app` is what has read the course's configuration, where that is done already.
        """
        if not sys.platform.startswith("linux"):
            raise CommandError(LINUX_ONLY)
        from stridekit_grading.sandbox.supervision import Budgets

        if scheduler is not None and jobs:
            raise CommandError(
                "--jobs is for one machine. On a cluster, each thread of a worker runs one "
                "notebook at a time: start workers with --nthreads N."
            )
        self.again, self.trust = again, trust
        self._budgets = dataclasses.asdict(Budgets(**(budgets or {})))  # type: ignore[arg-type]
        self.facts = RunStatistics()
        imports, attributes = _imported_and_named(root / "source" / assignment)
        for name, module in (("matplotlib", "matplotlib.pyplot"), ("torch", "torch")):
            if anybody_names(name.encode(), root / "submitted", assignment):
                imports.append(module)
        self._imports = imports, attributes
        self._runner: Runner
        if scheduler is not None:
            from stridekit_grading.cluster import Cluster

            self._runner = Cluster(scheduler)
        else:
            cores = len(os.sched_getaffinity(0))
            self._runner = Machine(*self._imports, jobs=max(1, jobs or cores), trust=trust)
        try:
            with without_full_collections():
                self.course = Course(root, app)
            self.plan = self.course.plan(assignment)
            self.store = Store(self.course.root)
        except BaseException:
            self.close()
            raise
        self._is_prepared = False
        self._drawn: set[str] = set()
        # Keys of what this command itself has run.
        self._fresh: set[str] = set()

    def close(self) -> None:
        """End what was started."""
        self._runner.close()

    def learners(self, only: Iterable[str] = ()) -> list[str]:
        """Who is to be graded. Raises CommandError."""
        there = self.course.learners(self.plan.name)
        strangers = [each for each in only if each not in there]
        if strangers:
            raise CommandError(
                f"{strangers[0]} has handed in no {self.plan.name}. There are: "
                f"{', '.join(there) or 'no submissions at all'}."
            )
        if not there:
            folder = self.course.folder("submitted", "NAME", self.plan.name)
            raise CommandError(f"nobody has handed in {self.plan.name}: there is no {folder}.")
        return [*only] or there

    def grade(
        self, learners: Iterable[str], tell: Callable[[GradedSubmission], None] = lambda _: None
    ) -> Iterator[GradedSubmission]:
        """Grade them; each outcome comes when it has been entered."""
        from stridekit_grading.gradebook import GradebookWriter

        with self.course.gradebook() as gradebook:
            recorder = GradebookWriter(self.course, self.plan, gradebook)
            for submission in self._all_run(learners):
                with self.facts.took("entering results"):
                    outcome = self._enter(recorder, gradebook, submission)
                tell(outcome)
                yield outcome

    # What is run, and in what order.

    def _prepare(self) -> None:
        """Have ready what runs notebooks, and see what is reached from inside.

        Raises CommandError.
        """
        if self._is_prepared:
            return
        self._is_prepared = True
        imports, attributes = self._imports
        plan = {
            "imports": imports,
            "attributes": attributes,
            "secret": self.store.secret.hex(),
            "files": _in_base64(self.plan.files),
            "setup": [line for each in self.plan.notebooks for line in each.setup],
            "tests": [test for each in self.plan.notebooks for test in each.tests],
            "budgets": self._budgets,
            "trust": self.trust,
        }
        self.facts.server_seconds = self._runner.prepare(plan, self.store.folder)

    def _all_run(self, learners: Iterable[str]) -> Iterator[_Submission]:
        """Every submission, once all of its notebooks have a result."""
        queue: deque[_Task] = deque()
        slow: deque[_Task] = deque()
        # By key: who handed in the same to the letter, and waits for what comes of it.
        alike: dict[str, list[_Task]] = {}
        runner = self._runner
        todo = iter(learners)
        is_over = False
        while True:
            # No more is read than can be run soon: a class may be large.
            while (
                not is_over
                and len(queue) < 2 * runner.width
                and sum(map(len, alike.values())) < ALIKE_MOST
            ):
                learner = next(todo, None)
                if learner is None:
                    is_over = True
                    break
                with self.facts.took("reading submissions"):
                    submission, tasks = self._read_surely(learner)
                if tasks:
                    with self.facts.took("waiting for the server, trying the isolation"):
                        self._prepare()
                    for task in tasks:
                        if task.key in alike:
                            alike[task.key].append(task)
                        else:
                            alike[task.key] = []
                            queue.append(task)
                else:
                    yield submission
            if queue:
                for _ in range(min(runner.room, len(queue))):
                    self._begin(queue.popleft())
            elif slow and not runner.active and runner.room > 0:
                # Once more, with nobody beside it.
                self._begin(slow.popleft())
            if not (queue or slow or runner.active):
                if is_over:
                    self.facts.level = runner.level
                    return
                continue
            with self.facts.took("waiting for notebooks"):
                ended = [*runner.ended()]
            for task, answer in ended:
                again = self._collect(task, answer)
                if again is not None:
                    (slow if again.alone else queue).append(again)
                    continue
                done = [task]
                is_kept = task.submission.keys[task.plan.name] == task.key
                for other in alike.pop(task.key):
                    if is_kept and self._is_known(other):
                        done.append(other)
                    elif other.key in alike:
                        alike[other.key].append(other)
                    else:
                        alike[other.key] = []
                        queue.append(other)
                for each in done:
                    if not each.submission.waiting:
                        yield each.submission

    def _is_known(self, task: _Task) -> bool:
        """Whether there is a result by now; then it is taken."""
        known = self.store.get(task.key)
        if known is None:
            return False
        task.submission.results[task.plan.name] = known
        task.submission.waiting -= 1
        return True

    def _begin(self, task: _Task) -> None:
        self._runner.begin(
            task,
            {
                "steps": task.reading.steps,
                "files": _in_base64(task.submission.files),
                "theirs": sorted(task.plan.theirs),
                "classes": task.plan.asks_for_classes,
                "budgets": self._budgets,
            },
        )

    def _collect(self, task: _Task, answer: Answer) -> _Task | None:
        """Take a result, or say what to do once more."""
        told = answer.told
        broken = "its tests never came to an end, or took what no test may take"
        if answer.is_lost:
            task.losses += 1
            task.alone = True
            if task.losses < LOSSES:
                return task
            broken = f"{LOSSES} workers of the cluster ended while they ran it"
        else:
            task.tries += 1
            if told is not None and told["broken"]:
                broken, told = f"its process could not be started: {told['broken']}", None
            if told is None and task.tries < TRIES:
                return task
            if told is not None and told["starved"] and not task.alone:
                task.alone = True
                return task
        submission, name = task.submission, task.plan.name
        if told is None:
            result = NotebookResult(name, task.reading.cells, is_readable=False)
            result.doubts = [broken]
            # Next time it is run again, and entered anew.
            submission.keys[name] = f"not run: {task.key}"
        else:
            result = result_of(task.plan, task.reading, told, answer.isolation)
            self.facts.ran += 1
            for part, seconds in told["took"].items():
                self.facts.inside[part] = self.facts.inside.get(part, 0.0) + seconds
            self.facts.peak = max(self.facts.peak, result.peak)
            self._keep(task.key, result)
        submission.results[name] = result
        submission.waiting -= 1
        return None

    def _keep(self, key: str, result: NotebookResult) -> None:
        try:
            self.store.put(key, result)
            self._fresh.add(key)
        except OSError as error:
            raise CommandError(
                f"{self.store.folder} cannot be written ({error.strerror}). Make room, then run "
                "the same command again: what was graded is kept."
            ) from error

    def _read_surely(self, learner: str) -> tuple[_Submission, list[_Task]]:
        """What one learner handed in must not stop the class."""
        try:
            return self._read(learner)
        except CommandError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a stranger's file brings about
            submission = _Submission(learner)
            for plan in self.plan.notebooks:
                reason = f"it cannot be read: {error}"
                submission.results[plan.name] = self._unreadable(plan, reason)
                submission.keys[plan.name] = f"unreadable: {error}"
            return submission, []

    def _read(self, learner: str) -> tuple[_Submission, list[_Task]]:
        """A submission as it lies there, and what of it is to be run."""
        submission = _Submission(learner)
        folder = self.course.folder("submitted", learner, self.plan.name)
        doubts = doubts_about(folder, self.course.root)
        tasks = []
        if not doubts:
            submission.files, left_out = extra_files(folder)
            doubts += left_out
            submission.timestamp, problem = timestamp_in(folder)
            doubts += problem
        for plan in self.plan.notebooks:
            try:
                content, renamed = notebook_in(folder, plan.name, self.plan, doubts)
                reading = put_in_order(parse(content), plan)
            except UnreadableError as error:
                submission.results[plan.name] = self._unreadable(plan, str(error))
                submission.keys[plan.name] = f"unreadable: {error}"
                continue
            reading.doubts += [*doubts, *renamed]
            rest = {
                "notebook": plan.name,
                "budgets": self._budgets,
                "secret": _fingerprint(self.store.secret),
                "doubts": reading.doubts,
                "trust": self.trust,
            }
            files = {**submission.files, **self.plan.files}
            key = key_of(content, files, self.plan.digest(), rest)
            submission.keys[plan.name] = key
            known = self.store.get(key) if not self.again or key in self._fresh else None
            if known is not None:
                submission.results[plan.name] = known
            else:
                submission.waiting += 1
                tasks.append(_Task(submission, plan, reading, key))
        return submission, tasks

    def _unreadable(self, plan: NotebookPlan, reason: str) -> NotebookResult:
        """A notebook that stands in for one that cannot be read, so that a human finds it."""
        said = (
            f"**This notebook could not be graded: {reason}.** A human must look at it. What "
            "follows is the notebook as it was released."
        )
        empty = put_in_order([], plan)
        note = {"cell_type": "markdown", "id": "not-graded", "metadata": {}, "source": said}
        result = NotebookResult(plan.name, [note, *empty.cells], is_readable=False)
        result.doubts = [reason]
        return result

    def _enter(self, recorder: Any, gradebook: Any, submission: _Submission) -> GradedSubmission:
        outcome = GradedSubmission(submission.learner)
        results = [submission.results[each.name] for each in self.plan.notebooks]
        worst: list[Status] = ["graded", "partly graded", "needs a human"]
        outcome.status = max((each.status for each in results), key=worst.index)
        outcome.reasons = [printable(reason) for each in results for reason in each.reasons]
        for each in results:
            outcome.take(each, self.plan, self._drawn)
        keys = {
            name: f"{key} {submission.timestamp or ''}".strip()
            for name, key in submission.keys.items()
        }
        learner = submission.learner
        try:
            known = not self.again and all(
                recorder.is_recorded(learner, name, key) for name, key in keys.items()
            )
            if not known:
                recorder.record(
                    learner, submission.results, keys, submission.files, submission.timestamp
                )
        except Exception as error:  # noqa: BLE001 - one submission must not stop the class
            outcome.status = "needs a human"
            outcome.reasons.append(f"it could not be entered: {error}")
            return outcome
        outcome.is_recorded, outcome.was_known = True, known
        add_points(outcome, gradebook, self.plan)
        return outcome


def _in_base64(files: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode("ascii") for name, content in files.items()}


def _imported_and_named(folder: Path) -> tuple[list[str], list[str]]:
    """What the notebooks of an assignment import, and the attributes that they name."""
    modules: set[str] = set()
    attributes: set[str] = set()
    for path in sorted(folder.glob("*.ipynb")):
        for cell in cells_of(path):
            if cell.get("cell_type") == "code":
                modules |= imported_by(text_of(cell))
                attributes |= attributes_in(text_of(cell))
    return sorted(modules), sorted(attributes)


def _fingerprint(secret: bytes) -> str:
    import hashlib

    return hashlib.sha256(b"fingerprint" + secret).hexdigest()[:16]
