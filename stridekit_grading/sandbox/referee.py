"""Runs one notebook: its cells in a learner's process, and the cells that judge them here.

What a test cell takes from the learner comes as data, or as a proxy; the verdict is formed in
this process. A notebook whose process dies is run again without the cell that ended it.
"""

import ast
import builtins
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

from stridekit_course.checks import wire
from stridekit_course.checks.callee import Case, Watch
from stridekit_grading.sandbox import learner as learners
from stridekit_grading.sandbox.crossing import Border, CannotCrossError, CrossingError, Sent
from stridekit_grading.sandbox.known_outcomes import Answered
from stridekit_grading.sandbox.outputs import Veil, as_printed, as_stopped, outputs_of
from stridekit_grading.sandbox.proxies import TYPE_OF, TYPE_OF_IN_TESTS, Proxies, number_of, type_of
from stridekit_grading.sandbox.shell import Output, Shell, Stream
from stridekit_grading.sandbox.supervision import Budgets, DeathError, Supervised

# What leaves a learner's names and functions as they were, but for what a checked one does.
_LEAVES_ALL = frozenset(("pull", "read", "run"))
# A notebook may end so many processes; what is left then is not run.
DEATHS_MOST = 8
# What a test asks of a kernel that it does not find here: files, and the notebook itself.
_OF_A_KERNEL = frozenset(
    (
        *("open", "os", "pathlib", "Path", "glob", "shutil", "subprocess", "inspect", "getsource"),
        *("globals", "locals", "vars", "dir", "eval", "exec", "get_ipython", "In", "Out", "sys"),
        *("gc", "pickle", "tempfile"),
    )
)


@dataclass
class Result:
    """What came of a notebook: plain data, for JSON."""

    cells: dict[int, list[Output]] = field(default_factory=dict)
    tests: dict[int, str] = field(default_factory=dict)
    """By the place of the test cell: decided, died, or cannot (a human must look)."""
    reasons: dict[int, str] = field(default_factory=dict)
    details: dict[int, str] = field(default_factory=dict)
    """What a hidden check would have said, for the instructor alone."""
    findings: dict[int, dict[str, str]] = field(default_factory=dict)
    """What a check has found wrong, for the instructor alone: see `messages.finding_of`."""
    deaths: list[tuple[int, str]] = field(default_factory=list)
    starved: bool = False
    broken: str = ""
    """Why nothing could be run at all; that is no learner's fault."""
    namespaces: bool = False
    seconds: float = 0.0
    peak: int = 0
    took: dict[str, float] = field(default_factory=dict)
    """Seconds on the wall, by what they went to."""


class Referee:
    """For one notebook."""

    def __init__(self, shell: Shell, requests: socket.socket, job: dict[str, Any]) -> None:
        self._shell, self._requests, self._job = shell, requests, job
        self._steps: list[dict[str, Any]] = job["steps"]
        self._budgets = Budgets(**job["budgets"])
        self._theirs = frozenset(job["theirs"])
        self.asks_for_classes: bool = job["classes"]
        self.mentioned: frozenset[str] = frozenset()
        self.answered = Answered()
        self._shows_prints = True
        shell.ast_transformers.append(TYPE_OF_IN_TESTS)
        shell.user_ns[TYPE_OF] = type_of
        self._result = Result()
        self._dead: set[int] = set()
        self._learner: Supervised | None = None
        self._cannot: list[str] = []
        self._border = Border(self._no_stand_in, number_of)
        self._was_killed = False
        self._chances = False
        self._last_chances: object = None
        self._seeded = 0
        self._died: DeathError | None = None
        """How the learner's process ended, while a test was asking something of it."""

    def run(self) -> Result:
        """Run the notebook."""
        result = self._result
        while True:
            try:
                self._attempt()
            except DeathError as death:
                if result.broken:
                    return result
                result.starved = result.starved or death.starved
                if len(result.deaths) >= DEATHS_MOST:
                    self._give_up(f"the notebook ended {DEATHS_MOST} processes")
                    return result
                if death.reason.startswith("the notebook"):
                    self._give_up(death.reason)
                    return result
                continue
            finally:
                self._end_learner()
            return result

    def _attempt(self) -> None:
        result = self._result
        now = -1
        try:
            with self._counted("forks and namespaces"):
                self._learner = Supervised(
                    self._requests, self._budgets, result.seconds, self._answer_to
                )
            result.namespaces = self._learner.namespaces
            self._border = Border(Proxies(self).stand_in, number_of)
            # Numbers begin anew, and mean other functions.
            self.answered.forget()
            with self._counted("folders, Landlock and limits"):
                self._learner.ask({"do": "begin", "files": self._job["files"]})
            for step in self._steps:
                now = step["cell"]
                if now in self._dead:
                    continue
                self._learner.begin_step()
                is_test = step["kind"] == "test"
                if is_test and now in result.tests:
                    continue
                with self._counted("checks" if is_test else "cells"):
                    (self._test if is_test else self._cell)(step)
        except DeathError as death:
            if death.is_killed and not self._was_killed:
                # Once it may have been somebody else. Whoever kills himself does so again.
                self._was_killed = True
            else:
                self._note_death(now, death)
            raise

    @contextmanager
    def _counted(self, what: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            took = self._result.took
            took[what] = took.get(what, 0.0) + time.perf_counter() - began

    def _note_death(self, cell: int, death: DeathError) -> None:
        result = self._result
        if cell < 0:
            result.broken = death.reason
            return
        self._dead.add(cell)
        result.deaths.append((cell, death.reason))
        result.cells[cell] = [as_stopped(f"This cell was stopped: {death.reason}.")]
        kind = next((each["kind"] for each in self._steps if each["cell"] == cell), "")
        if kind == "test":
            result.tests[cell] = "died"
            result.reasons[cell] = death.reason

    def _give_up(self, reason: str) -> None:
        """What is left to be tested has no chance any more."""
        for step in self._steps:
            cell = step["cell"]
            if step["kind"] == "test" and cell not in self._result.tests:
                self._result.tests[cell] = "died"
                self._result.reasons[cell] = reason
                self._result.cells[cell] = [as_stopped(f"This cell was not run: {reason}.")]

    def _end_learner(self) -> None:
        if self._learner is not None:
            self._learner.close()
            self._result.seconds += self._learner.seconds
            self._result.peak = max(self._result.peak, self._learner.peak)
            self._learner = None

    def _cell(self, step: dict[str, Any]) -> None:
        answer = self._ask({"do": "cell", "source": step["source"]})
        self._result.cells[step["cell"]] = outputs_of(answer.get("outputs"))
        if answer.get("quit") is True:
            raise DeathError("it ended its own process (quit() or exit())")

    def _test(self, step: dict[str, Any]) -> None:
        result, cell, source = self._result, step["cell"], step["source"]
        self._cannot = []
        names, self.mentioned = _names_in(self._shell, source)
        self._chances, self._last_chances = "seed" in source, None
        veil = self._shell.veil = Veil(source)
        # What a function prints may be what a hidden test gave it.
        self._shows_prints = not veil.hides
        before = dict(self._shell.user_ns)
        try:
            self._pull(names)
            with self._clock(), self._seeding():
                outputs = self._shell.run(source)
        finally:
            self._shell.veil = None
        if self._died is not None:
            died, self._died = self._died, None
            raise died
        outputs = [as_printed(each) for each in outputs]
        failed = any(each["output_type"] == "error" for each in outputs)
        asks = [] if veil.misses in self._theirs else sorted(names & _OF_A_KERNEL)
        if self._cannot:
            result.tests[cell] = "cannot"
            result.reasons[cell] = self._cannot[0]
        elif failed and asks:
            result.tests[cell] = "cannot"
            result.reasons[cell] = (
                f"the test uses {', '.join(asks)}, and fails; files and the notebook's own process "
                "are not to be seen where it runs"
            )
        else:
            result.tests[cell] = "decided"
        if result.tests[cell] == "cannot":
            outputs = [as_stopped(f"A human must look at this test: {result.reasons[cell]}.")]
        if veil.detail:
            result.details[cell] = veil.detail
        if veil.finding is not None:
            result.findings[cell] = veil.finding
        result.cells[cell] = outputs
        self._push(step, before)

    @contextmanager
    def _clock(self) -> Iterator[None]:
        """A test may look for ever at something that is endless."""

        def stop(_number: int, _frame: Any) -> None:
            self.refuse(f"the test itself computes for more than {self._budgets.cell:.0f} s")

        before = signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, self._budgets.cell)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    def _pull(self, names: Iterable[str]) -> None:
        """Have what the test takes from the learner under its name."""
        space = self._shell.user_ns
        wanted = [
            name
            for name in names
            if name in self._theirs or (name not in space and not hasattr(builtins, name))
        ]
        if not wanted:
            return
        for name in wanted:
            space.pop(name, None)
        graphs = self._ask({"do": "pull", "names": wanted}).get("graphs")
        if type(graphs) is not dict:
            return
        for name in wanted:
            if name in graphs:
                try:
                    space[name] = self._border.unpack(graphs[name])
                except (CannotCrossError, CrossingError) as error:
                    self._cannot.append(f"{name} cannot cross: {error}")

    def _push(self, step: dict[str, Any], before: dict[str, Any]) -> None:
        """What a test cell defines is there in the cells that come after it."""
        graphs = {}
        for name in step["later"]:
            space = self._shell.user_ns
            if name in space and space[name] is not before.get(name, _ABSENT):
                try:
                    graphs[name] = self._border.pack(space[name])
                except CannotCrossError:
                    continue
        if graphs:
            self._ask({"do": "push", "graphs": graphs})

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._learner is not None
        if message["do"] not in _LEAVES_ALL:
            self.answered.forget()
        return self._learner.ask(message)

    # What proxies ask for. In here, a test cell is running.

    def _of_the_test(self, message: dict[str, Any]) -> dict[str, Any]:
        if self._died is not None:
            raise _StoppedError
        try:
            answer = self._ask(message)
        except DeathError as death:
            self._died = death
            raise _StoppedError from death
        if type(answer.get("cannot")) is str:
            self.refuse(answer["cannot"][:300])
        return answer

    def refuse(self, why: str) -> NoReturn:
        """Say that the test asks for what cannot cross, and stop it. Raises CannotCrossError."""
        self._cannot.append(why)
        raise CannotCrossError(why)

    def read(self, number: int) -> Any:
        """See Link."""
        return self._of_the_test({"do": "read", "function": number}).get("told")

    def run_batch(self, number: int, cases: Sequence[Case], watch: Watch, *, closely: bool) -> Any:
        """See Link."""
        asked = {"do": "run", "function": number, "watch": watch, "closely": closely}
        return self._of_the_test({**asked, "cases": encoded(cases)}).get("told")

    def apply(self, operation: str, /, *arguments: Any, **names: Any) -> Any:
        """See Link."""
        sent = Sent()
        try:
            graph = self._border.pack((arguments, names), sent)
            chances = self._border.pack(self._new_chances()) if self._chances else None
        except CannotCrossError as error:
            self._cannot.append(str(error))
            raise
        answer = self._of_the_test(
            {"do": "apply", "operation": operation, "graph": graph, "chances": chances}
        )
        for each in outputs_of(answer.get("outputs")):
            if each["output_type"] == "stream":
                self._print(each["name"], each["text"])
            elif each["output_type"] == "display_data" and self._shows_prints:
                self._shell.outputs.show(each["data"], each["metadata"])
        try:
            if "raised" in answer:
                kind, parts = self._border.unpack(answer["raised"], None, sent)
                thrown = _error(kind, parts)
            else:
                result, _ = self._border.unpack(answer["graph"], None, sent)
                return result
        except CannotCrossError as refusal:
            self._cannot.append(str(refusal))
            raise
        except Exception as refusal:  # noqa: BLE001 - whatever a stranger's graph brings about
            self.refuse(f"what came back is no value: {refusal}")
        raise thrown

    def _new_chances(self) -> tuple[Any, ...] | None:
        """The state that a test has given its random numbers, where it has done so anew.

        Only that way: whoever gave it back would choose what a test asks next.
        """
        now = learners.chances()
        python, numpy, torch = now
        of_torch = b"" if torch is None else torch.numpy().tobytes()
        told = self._seeded, python, numpy[1].tobytes(), numpy[2:], of_torch
        if told == self._last_chances:
            return None
        self._last_chances = told
        return now

    @contextmanager
    def _seeding(self) -> Iterator[None]:
        """Notice when a test seeds: with the same seed, its random numbers begin anew too."""
        if not self._chances:
            yield
            return
        before = [(home, name, getattr(home, name)) for home, name in _seeds()]

        def noticing(seed: Callable[..., Any]) -> Callable[..., Any]:
            def seeding(*arguments: Any, **names: Any) -> Any:
                self._seeded += 1
                return seed(*arguments, **names)

            return seeding

        for home, name, seed in before:
            setattr(home, name, noticing(seed))
        try:
            yield
        finally:
            for home, name, seed in before:
                setattr(home, name, seed)

    def _print(self, name: str, text: str) -> None:
        """What a learner's function prints; a test may have redirected it to look at it."""
        stream = sys.stderr if name == "stderr" else sys.stdout
        if self._shows_prints or type(stream) is not Stream:
            stream.write(text)

    def _answer_to(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A learner's function calls one of the test's own, which it was given."""
        try:
            function = self._border.kept(asked["callback"])
            arguments, names = self._border.unpack(asked["graph"])
            return {"graph": self._border.pack(function(*arguments, **names))}
        except (CannotCrossError, CrossingError, KeyError, ValueError) as error:
            if isinstance(error, KeyError | ValueError):
                return {"raised": self._border.pack((type(error), (str(error),)))}
            return {"cannot": str(error)}
        except Exception as error:  # noqa: BLE001 - it goes back to whoever called
            return {"raised": self._border.pack((_plain_class(error), (str(error),)))}

    def _no_stand_in(self, *_: object) -> Any:
        raise CrossingError("nobody is there")


def _seeds() -> list[tuple[Any, str]]:
    """Where a test may seed."""
    import numpy as np

    seeds = [
        (random, "seed"),
        (random, "setstate"),
        (np.random, "seed"),
        (np.random, "set_state"),
    ]
    if "torch" in sys.modules:
        import torch

        seeds += [
            (torch, "manual_seed"),
            (torch, "set_rng_state"),
            (torch.random, "manual_seed"),
        ]
    return seeds


class _StoppedError(BaseException):
    """The learner's process is gone, and the test cannot go on."""


_ABSENT = object()


_encoded: dict[int, tuple[Sequence[Case], str]] = {}


def encoded(cases: Sequence[Case]) -> str:
    """The cases as a line; that of a whole batch is made once."""
    known = _encoded.get(id(cases))
    if known is not None and known[0] is cases:
        return known[1]
    text = wire.encode_cases(cases)
    if len(cases) > 1:
        take_encoded(cases, text)
    return text


def take_encoded(cases: Sequence[Case], text: str) -> None:
    """Keep the line of a whole batch."""
    _encoded[id(cases)] = cases, text


def make_ready(shell: Shell, source: str) -> None:
    """What each fork would find out anew of a test."""
    shell.make_ready(source)
    _names_in(shell, source)


@cache
def _names_in(shell: Shell, source: str) -> tuple[frozenset[str], frozenset[str]]:
    """All names that a cell mentions, and does not only bind; and all attributes."""
    try:
        tree = ast.parse(shell.transformed(source))
    except (SyntaxError, ValueError):
        return frozenset(), frozenset()
    names, attributes = set(), set()
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store):
            names.add(each.id)
        elif isinstance(each, ast.Attribute):
            attributes.add(each.attr)
    return frozenset(names), frozenset(attributes)


def _error(kind: Any, parts: Any) -> BaseException:
    """The exception that a learner's function raised."""
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        raise CannotCrossError(f"the function raised {getattr(kind, '__name__', kind)}")
    try:
        return kind(*parts)
    except Exception:  # noqa: BLE001 - a class that wants something else
        error: BaseException = kind.__new__(kind)
        error.args = tuple(parts)
        return error


def _plain_class(error: BaseException) -> type:
    return next(each for each in type(error).__mro__ if each.__module__ == "builtins")
