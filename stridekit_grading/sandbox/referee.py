"""Runs one notebook: its cells in a learner's process, and the checks that judge them here.

Of a check, the names of functions, cases and outcomes cross between the two processes, and the
verdict is formed in this one. Any other test is a cell like all others, and its outputs decide.

What is hidden reaches no page: a notebook is run twice. First as learners have it, which is what
pages show; then, in a process of its own, once more for hidden checks and for tests with a hidden
part, and of this run nothing but points is kept.

A notebook whose process ends is run again without the cell that ended it.
"""

import json
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from stridekit.layouts.whole_numbers import article
from stridekit_course.checks import wire
from stridekit_course.checks.callee import BatchOutcomes, Callee, Case, Outcome, SourceCall, Watch
from stridekit_course.checks.engine import WIDTH, CheckFailed
from stridekit_grading.sandbox.guard import discard
from stridekit_grading.sandbox.outputs import (
    Judgement,
    Output,
    as_failed,
    as_printed,
    as_stopped,
    error_in,
    hidden_failure,
    in_words,
    outputs_of,
    shortened,
    without_what_is_hidden,
)
from stridekit_grading.sandbox.shell import Shell
from stridekit_grading.sandbox.supervision import Budgets, DeathError, Supervised

# A notebook may end so many processes; what is left then is not run.
DEATHS_MOST = 30
# Of all that its cells show, in characters of JSON: with it, a result is a message.
NOTEBOOK_MOST = 24_000_000
# Seconds that a call may sleep; and where one was stopped for that.
_WALL, _WALL_AGAIN = 15.0, 5.0
Step = dict[str, Any]


@dataclass
class Result:
    """What came of a notebook: plain data, for JSON. All by the places of cells."""

    cells: dict[int, list[Output]] = field(default_factory=dict)
    tests: dict[int, Judgement] = field(default_factory=dict)
    stopped: dict[int, str] = field(default_factory=dict)
    """Cells that took too long, or ended their process, and why."""
    broken: str = ""
    """Why nothing could be run at all; that is no learner's fault."""


class Referee:
    """For one notebook."""

    def __init__(
        self,
        shell: Shell,
        requests: Any,
        job: dict[str, Any],
        tell: Callable[[bool], None],
        begins_with: int | None,
    ) -> None:
        """`tell` is called when the notebook falls asleep, and when it wakes.

        `begins_with` is the open folder of the notebook before it, if there is one. What this one
        leaves for the next lies in `folder`, when it has been run.
        """
        self._shell = shell
        self._steps: list[Step] = job["steps"]
        self._begins_with = begins_with
        self.folder: int | None = None
        # What lies there already, also of the course's, is as it was left.
        files = job["files"] if begins_with is None else {}
        self._begin = {"do": "begin", "folder": job["folder"], "files": files}
        self._is_followed: bool = job["is_followed"]
        self._solutions = frozenset(job["solutions"])
        self._supervised = partial(Supervised, requests, Budgets(**job["budgets"]), tell)
        self._learner = self._supervised()
        self._result = Result()
        # Whether pages show what comes of this run.
        self._is_shown = True
        self._shown = 0
        self._dead: set[int] = set()
        self._was_killed = False
        # Functions that were stopped, in which cell, and why.
        self._stuck: dict[str, tuple[int, str]] = {}
        self._gave_up = False

    def run(self) -> dict[str, Any]:
        """Run the notebook."""
        self._to_its_end()
        hidden = [place for place, step in enumerate(self._steps, 1) if step.get("hides")]
        if hidden:
            before, self._learner = self._learner, self._supervised()
            self._learner.was_asleep = before.was_asleep
            self._is_shown, self._steps = False, self._steps[: hidden[-1]]
            self._to_its_end()
        return asdict(self._result)

    def _to_its_end(self) -> None:
        while not (self._result.broken or self._gave_up):
            try:
                self._attempt()
            except DeathError as death:
                if death.ends_all or len(self._dead) >= DEATHS_MOST:
                    self._give_up(death.reason if death.ends_all else "too many cells ended it")
                    return
                continue
            finally:
                if self._learner.folder is not None:
                    self._learner.close()
                    self._leave()
            return

    def _leave(self) -> None:
        """What was written where hidden tests are asked may tell of them, and is left to nobody."""
        left, self._learner.folder = self._learner.folder, None
        if self._is_shown and self._is_followed:
            left, self.folder = self.folder, left
        if left is not None:
            discard(left)

    def _attempt(self) -> None:
        now, self._shown = -1, 0
        result, learner = self._result, self._learner
        try:
            learner.start(self._begins_with)
            begin = {**self._begin, "is_shown": self._is_shown}
            if problem := learner.ask(begin).get("problem"):
                # With the rest of them, right work might fail.
                result.broken = f"the files beside it cannot be laid out ({problem})"
                return
            for step in self._steps:
                now = step["cell"]
                if now in self._dead:
                    continue
                is_check = step["kind"] == "check"
                learner.begin_step(is_check=is_check, was_stopped=now in result.stopped)
                if not is_check:
                    self._cell(step)
                # What was decided before its process ended stays so.
                elif step["hides"] != self._is_shown and now not in result.tests:
                    self._check(step)
            if self._is_followed and self._is_shown:
                # As a kernel ends, which writes what waits in files that are open.
                with suppress(DeathError):
                    learner.begin_step(was_stopped=True)
                    learner.ask({"do": "end"})
        except DeathError as death:
            if death.is_killed and not self._was_killed:
                # Once it may have been somebody else. Whoever kills himself does so again.
                self._was_killed = True
            elif now < 0 and not death.ends_all:
                result.broken = death.reason
            elif now >= 0:
                self._dead.add(now)
                self._stop(now, death.reason)
            raise

    def _stop(self, cell: int, reason: str) -> None:
        """Note that a cell was stopped, or ended its process."""
        step = next(each for each in self._steps if each["cell"] == cell)
        if not self._is_shown:
            # Who knows what is hidden by now says nothing more, not by the way of ending.
            if not step.get("hides"):
                return
            reason = reason.partition(" (")[0]
        # What was stopped before has less time, and the same reason.
        reason = self._result.stopped.setdefault(cell, reason)
        self._result.cells[cell] = [as_stopped(f"This cell was stopped: {reason}.")]
        if step["kind"] != "cell":
            self._result.tests[cell] = Judgement(loss=reason)
            self._stuck |= dict.fromkeys(step.get("names", ()), (cell, reason))

    def _give_up(self, reason: str) -> None:
        """What is left to be tested has no chance any more."""
        self._gave_up = True
        for step in self._steps:
            cell = step["cell"]
            if step["kind"] != "cell" and cell not in self._result.tests:
                self._result.tests[cell] = Judgement(loss=reason)
                self._result.cells[cell] = [as_stopped(f"This cell was not run: {reason}.")]

    # Cells, and tests that are cells.

    def _cell(self, step: Step) -> None:
        cell, is_test = step["cell"], step["kind"] == "test"
        hides = is_test and step["hides"]
        part = "open" if hides and self._is_shown else "source"
        answer = self._learner.ask({"do": "cell", "source": step[part]})
        if answer.get("quit") is True:
            raise DeathError("it ended its own process (quit() or exit())")
        outputs = outputs_of(answer.get("outputs"))
        self._shown += len(json.dumps(outputs))
        if self._shown > NOTEBOOK_MOST:
            outputs = shortened(outputs)
        if is_test:
            outputs = [*map(as_printed, outputs)]
        result = self._result
        if self._is_shown:
            result.cells[cell] = outputs
            if is_test and not hides:
                result.tests[cell] = Judgement()
        elif hides and cell not in result.tests:
            failed = error_in(outputs)
            detail = in_words(failed["ename"], failed["evalue"]) if failed else ""
            result.tests[cell] = Judgement(detail=detail)
            shown = result.cells[cell]
            result.cells[cell] = without_what_is_hidden(shown, outputs, self._solutions)
        if answer.get("stopped"):
            self._stop(cell, answer["stopped"])

    # Checks.

    def _check(self, step: Step) -> None:
        shell, cell, names = self._shell, step["cell"], step["names"]
        stuck = {name: why for name in names if (why := self._is_stuck(name, cell)) is not None}
        if any(stuck.values()):
            self._stop(cell, max(stuck.values()))
            return
        before = dict(shell.user_ns)
        wall = _WALL_AGAIN if self._stuck or self._learner.was_asleep else _WALL
        try:
            for name in names:
                shell.user_ns.pop(name, None)
                told = self.ask({"do": "look", "name": name, "wall": wall})
                if told.get("is"):
                    told["stuck"], told["hides"] = name in stuck, step["hides"]
                    shell.user_ns[name] = RemoteFunction(self, name, told)
            outputs = [*map(as_printed, shell.run(step["source"]))]
        except _HurriedError as error:
            shell.error = error
        shell.user_ns.clear()
        shell.user_ns.update(before)
        if isinstance(shell.error, _HurriedError):
            self._stop(cell, shell.error.reason)
            return
        if isinstance(shell.error, DeathError):
            raise shell.error
        result = self._result.tests[cell] = Judgement()
        if isinstance(shell.error, CheckFailed):
            result.finding = shell.error.finding
            if result.finding and result.finding["kind"] == "does not return":
                self._stuck |= dict.fromkeys(names, (cell, ""))
        if step["hides"] and shell.error is not None:
            said, result.detail = self._veiled(shell.error)
            outputs = [said]
        self._result.cells[cell] = outputs

    def _is_stuck(self, name: str, cell: int) -> str | None:
        """Why a function is not tried again: no cell since then can have changed it."""
        where, why = self._stuck.get(name, (-1, ""))
        between = (step for step in self._steps if where < step["cell"] < cell)
        changed = any(step["kind"] == "cell" for step in between)
        return None if changed or not 0 <= where < cell else why

    def _veiled(self, error: BaseException) -> tuple[Output, str]:
        """What may be said of a hidden check that fails; and what may not, for the instructor."""
        name, said = type(error).__name__, str(error)
        if isinstance(error, CheckFailed) and (error.detail or not error.is_of_an_attempt):
            # It has veiled itself, or has nothing to veil.
            line = said.partition("\n")[0]
            wrapped = textwrap.fill(f"{name}: {line}", WIDTH, subsequent_indent="    ")
            return as_failed(name, line, wrapped), error.detail
        return hidden_failure(name, said, self._solutions), in_words(name, said)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Ask the learner's process, while a check runs. Raises DeathError."""
        answer = self._learner.ask(message)
        if answer.get("stopped"):
            raise _HurriedError(answer["stopped"])
        return answer


class _HurriedError(DeathError):
    """It was interrupted, and goes on."""


class RemoteFunction(Callee):
    """What has a name in a learner's process, for a check that runs it there."""

    __slots__ = ("_name", "_referee", "_told")

    def __init__(self, referee: Referee, name: str, told: dict[str, Any]) -> None:
        self._referee, self._name, self._told = referee, name, told

    def read(self) -> Sequence[SourceCall]:
        """See Callee. Raises CheckFailed for what is not a function."""
        if self._told.get("called") is not True:
            # Who says what it is may know by then what other hidden checks ask.
            kind = "not a function" if self._told["hides"] else article(str(self._told["is"])[:60])
            raise CheckFailed(
                f"{self._name} is {kind}, and a function is asked for. "
                "Did a later cell give the name to something else?"
            )
        calls = self._heard(self._told)
        if type(calls) is not tuple or {*map(type, calls)} - {SourceCall}:
            raise wire.WireError("an answer that is not a list of calls.")
        return calls

    def run(self, cases: Sequence[Case], watch: Watch, *, closely: bool = False) -> BatchOutcomes:
        """See Callee."""
        if self._told["stuck"]:
            return BatchOutcomes((Outcome("stopped", raised="call"),))
        asked = {"do": "run", "cases": wire.encode_cases(cases), "watch": watch, "closely": closely}
        run = self._heard(self._referee.ask(asked))
        # Of more than was asked for, a hidden check would say how many: any number.
        if type(run) is not BatchOutcomes or len(run.outcomes) > len(cases):
            raise wire.WireError("an answer that is not a run of a batch.")
        stopped = run.outcomes and run.outcomes[-1].kind == "stopped"
        if len(run.outcomes) < len(cases) and not stopped:
            # Whoever skips the rest has not come to it.
            return run._replace(outcomes=(*run.outcomes, Outcome("stopped", raised="all")))
        return run

    def _heard(self, answer: dict[str, Any]) -> Any:
        if "told" not in answer:
            raise CheckFailed(
                f"what {self._name} returns cannot be told: it is too much, or of an odd kind."
            )
        return wire.heard(answer["told"])
