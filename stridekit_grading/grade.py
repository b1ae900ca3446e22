"""Grades a class: reads what was handed in, has it run, and enters what came of it."""

import base64
import os
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError, told
from stridekit_course.checks.callee import printable
from stridekit_grading.class_results import GradedSubmission, submission_as_entered
from stridekit_grading.course import Course
from stridekit_grading.gradebook import GradebookWriter, Submission
from stridekit_grading.plans import NotebookPlan, notebook_at, text_of
from stridekit_grading.results import Store, key_of, take
from stridekit_grading.runners import Cluster, Machine, Ran
from stridekit_grading.submissions import (
    NotebookResult,
    UnreadableError,
    doubts_about,
    extra_files,
    notebook_in,
    parse,
    put_in_order,
    steps_of,
    timestamp_in,
)

# How often somebody looks who has fallen asleep, in seconds.
_LOOK = 0.5
# What notebooks of the course import.
_IMPORTS = re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.MULTILINE)


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
        if scheduler is not None and jobs:
            raise CommandError(
                "--jobs is for one machine. On a cluster, each thread of a worker runs one "
                "notebook at a time: start workers with --nthreads N."
            )
        self.again, self.trust = again, trust
        self._levels: set[str] = set()
        # To read a course takes as long as to start a server, which comes first where it can.
        usual = root / "source" / assignment
        source = usual if usual.is_dir() else Course(root, app).folder("source", ".", assignment)
        self._imports = _imported_in(source)
        self._runner: Machine | Cluster
        if scheduler is not None:
            self._runner = Cluster(scheduler)
        else:
            cores = len(os.sched_getaffinity(0))
            self._runner = Machine(self._imports, jobs=max(1, jobs or cores), trust=trust)
        with ExitStack() as opened:
            opened.callback(self._runner.close)
            self.course = Course(root, app)
            self.store = Store(self.course.root, is_shared=self.course.is_shared)
            opened.enter_context(self.store.locked())
            self.plan = self.course.plan(assignment)
            self._open = opened.pop_all()
        self.budgets = {**self.course.budgets(), **(budgets or {})}
        self._submitted = self.course.folders("submitted", assignment)
        self._is_prepared = False

    def close(self) -> None:
        """End what was started."""
        self._open.close()

    @property
    def level(self) -> str:
        """How well notebooks were shut in, in words, once one was run. Workers may differ."""
        return "; ".join(sorted(self._levels))

    def learners(self, only: Iterable[str] = ()) -> list[str]:
        """Who is to be graded. Raises CommandError."""
        if not self._submitted:
            folder = self.course.folder("submitted", "NAME", self.plan.name)
            raise CommandError(f"nobody has handed in {self.plan.name}: there is no {folder}.")
        return self.course.chosen(only, self._submitted, f"has handed in no {self.plan.name}")

    def grade(self, learners: Iterable[str]) -> Iterator[GradedSubmission]:
        """Grade them; each outcome comes when it has been entered."""
        with self.course.gradebook() as gradebook:
            recorder = GradebookWriter(self.course, self.plan, gradebook)
            for submission in self._all_run(learners):
                yield self._enter(recorder, gradebook, submission)

    # What is run, and in what order.

    def _prepare(self) -> None:
        """Have ready what runs notebooks, and see what is reached from inside.

        Raises CommandError.
        """
        if self._is_prepared:
            return
        self._is_prepared = True
        plan = {
            "imports": self._imports,
            "secret": self.store.secret.hex(),
            "files": _in_base64(self.plan.files),
            "checks": [check for each in self.plan.notebooks for check in each.checks],
            "budgets": self.budgets,
            "trust": self.trust,
        }
        self._runner.prepare(plan, self.store.folder)

    def _all_run(self, learners: Iterable[str]) -> Iterator[Submission]:
        """Every submission, once all of its notebooks have a result."""
        suspects: list[Submission] = []
        yield from self._run(map(self._read, learners), suspects)
        # What ran them has ended, and perhaps not because of them. So nothing runs beside each now.
        for each in suspects:
            yield from self._run(iter([each]), None)

    def _run(
        self, todo: Iterator[Submission], suspects: list[Submission] | None
    ) -> Iterator[Submission]:
        """Have them run. Those that cannot be are suspects; without a list for these, given up.

        No more is read than can be run: a class may be large.
        """
        running: dict[Future[Ran], Submission] = {}
        ended: list[Submission] = []
        while True:
            while len(running) < self._runner.places and (each := next(todo, None)) is not None:
                if each.to_run:
                    self._prepare()
                    running[self._runner.submit(self._job(each))] = each
                else:
                    yield each
            # The next one runs while this one is entered.
            yield from ended
            if not running:
                return
            done = wait(running, _LOOK, FIRST_COMPLETED).done
            self._runner.look()
            ended = []
            # One at a time: where something ends it all, what was run before is entered.
            for future in [*done][:1]:
                submission = running.pop(future)
                ran = self._runner.result(future)
                if suspects is not None and any(each["broken"] for each in ran):
                    suspects.append(submission)
                    continue
                every = chain(ran, repeat(ran[-1]))
                for (plan, notebook), came in zip(submission.to_run, every, strict=False):
                    self._take(notebook, plan, came)
                    submission.results[plan.name] = notebook
                ended = [submission]

    def _job(self, submission: Submission) -> dict[str, Any]:
        return {
            "folder": self.plan.name,
            "files": _in_base64(submission.files),
            "budgets": self.budgets,
            "notebooks": [
                {"steps": steps_of(notebook.cells, plan), "solutions": sorted(plan.solutions)}
                for plan, notebook in submission.to_run
            ],
        }

    def _take(self, notebook: NotebookResult, plan: NotebookPlan, came: dict[str, Any]) -> None:
        if came["broken"]:
            # Next time it is run again, and entered anew.
            notebook.give_up(came["broken"], f"not run: {notebook.key}")
        else:
            take(notebook, plan, came)
            self._levels.add(came["isolation"])
            self.store.put(notebook)

    def _read(self, learner: str) -> Submission:
        """What somebody has handed in; what cannot be read, a human finds in its place."""
        submission = Submission(learner)
        try:
            self._read_folder(submission)
        except Exception as error:  # noqa: BLE001 - a stranger's file must not stop the class
            submission = Submission(learner)
            for plan in self.plan.notebooks:
                self._give_up(submission, plan, f"it cannot be read: {error}")
        return submission

    def _read_folder(self, submission: Submission) -> None:
        """Read a submission as it lies there, and see what of it is to be run."""
        folder = self._submitted[submission.learner]
        doubts = doubts_about(folder, self.course.root)
        notebooks, contents = [], {}
        if not doubts:
            submission.files = extra_files(folder, self.plan, doubts)
            submission.timestamp = timestamp_in(folder, doubts)
        for plan in self.plan.notebooks:
            try:
                content, renamed = notebook_in(folder, plan.name, self.plan, doubts)
                notebook = put_in_order(parse(content), plan)
            except UnreadableError as error:
                self._give_up(submission, plan, str(error))
                continue
            notebook.doubts += [*doubts, *renamed]
            notebooks.append((plan, notebook))
            contents[f"{plan.name}.ipynb"] = content
        files = {**self.plan.files, **submission.files, **contents}
        for plan, notebook in notebooks:
            rest = self.plan.digest(), plan.name, self.budgets, notebook.doubts, self.trust
            key = notebook.key = key_of(self.store.secret, files, *rest)
            if not self.again and (known := self.store.get(key)) is not None:
                submission.results[plan.name] = known
        # One that is known is run all the same, for what it leaves to others.
        if len(submission.results) < len(self.plan.notebooks):
            submission.to_run = notebooks

    def _give_up(self, submission: Submission, plan: NotebookPlan, reason: str) -> None:
        """Have a notebook stand in for one that cannot be read, so that a human finds it."""
        said = (
            f"**This notebook could not be graded: {reason}.** A human must look at it. What "
            "follows is the notebook as it was released."
        )
        notebook = put_in_order([], plan)
        note = {"cell_type": "markdown", "id": "not-graded", "metadata": {}, "source": said}
        notebook.cells.insert(0, note)
        notebook.give_up(reason, f"unreadable: {reason}")
        submission.results[plan.name] = notebook

    def _enter(
        self, recorder: GradebookWriter, gradebook: Any, submission: Submission
    ) -> GradedSubmission:
        from sqlalchemy.exc import SQLAlchemyError

        learner = submission.learner
        try:
            known = not self.again and recorder.is_recorded(submission)
            if not known:
                recorder.record(submission)
        except (CommandError, SQLAlchemyError):
            raise
        except Exception as error:  # noqa: BLE001 - one submission must not stop the class
            results = submission.results.values()
            reasons = [printable(reason) for each in results for reason in each.reasons]
            why = told(error) if isinstance(error, OSError) else error
            reasons.append(f"it could not be entered: {why}")
            return GradedSubmission(learner, reasons=reasons)
        outcome = submission_as_entered(learner, self.course, self.plan, gradebook, self.store)
        outcome.was_known = known
        return outcome


def _in_base64(files: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode("ascii") for name, content in files.items()}


def _imported_in(folder: Path) -> list[str]:
    """What the notebooks of an assignment import."""
    cells = [cell for path in sorted(folder.glob("*.ipynb")) for cell in notebook_at(path)["cells"]]
    text = "\n".join(text_of(cell) for cell in cells if cell.get("cell_type") == "code")
    return sorted({*_IMPORTS.findall(text)})
