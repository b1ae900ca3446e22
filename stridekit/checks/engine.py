"""The check of one function: its cases, its verdict, and the message that teaches.

A check compares outcomes, which are plain data, with what the specification expects. It
reports the first case that differs. Cases come smallest first, and of small ones those last in
which different mistakes look alike, so that is a small counterexample, and a telling one.
"""

import contextlib
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from stridekit.checks.calling import Local
from stridekit.checks.exercise import SEED, Exercise, raised
from stridekit.checks.returns import shown
from stridekit.checks.rules import Rules
from stridekit.checks.seam import Callee, Case, Function, Outcome, SourceCall, TensorData
from stridekit.tensors.dtypes import as_dtype

# So many characters of a message stand in a line.
WIDTH = 96


class CheckFailed(AssertionError):  # noqa: N818 - it is read by learners, as a sentence
    """A check that found a counterexample. The message is for the learner."""

    def _render_traceback_(self) -> list[str]:
        # IPython shows these lines in place of a traceback through the check's own code. Pages
        # of feedback do not wrap them. What follows the first empty line is a picture.
        said, *picture = f"CheckFailed: {self}".split("\n\n", 1)
        lines = [
            part
            for line in said.split("\n")
            for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        ]
        return ["\n".join(lines), *(f"\n{each}" for each in picture)]


def check(
    exercise: Exercise,
    function: Function | Callee,
    *,
    hidden: bool = False,
    seed: int = SEED,
) -> None:
    """Run the exercise's cases through a learner's function.

    Prints one line when all is right, raises CheckFailed with a small counterexample
    otherwise. `hidden` takes the larger scope, `seed` makes the random cases. `function` may
    live elsewhere: see `seam.Callee`.
    """
    callee = _callee(exercise, function)
    written = [call for call in callee.read() if exercise.rules.forbids_written(call)]
    cases = _cases(exercise, hidden, seed)
    outcomes: list[Outcome] = []
    problem = None
    running = callee.run(cases, exercise.rules.watch)
    with contextlib.closing(running):
        for case, outcome in zip(cases, running, strict=False):
            outcomes.append(outcome)
            problem = _problem(exercise, case, outcome)
            if written and not (problem and problem.is_final):
                problem = _in_source(exercise, written[0])
            if problem:
                break
    if problem:
        where = f"case {len(outcomes):,} of {len(cases):,}, seed {seed}"
        raise CheckFailed(_message(exercise, cases, outcomes, problem, where))
    if len(outcomes) < len(cases):
        raise CheckFailed(
            f"{exercise.name} gave {len(outcomes):,} answers to {len(cases):,} calls."
        )
    talkative = any(outcome.printed for outcome in outcomes)
    aside = " (What it printed is not shown.)" if talkative else ""
    print(f"{exercise.name}: right on all {len(cases):,} cases.{aside}")  # noqa: T201 - the one line of success


def _callee(exercise: Exercise, function: Function | Callee) -> Callee:
    if isinstance(function, Callee):
        return function
    if not callable(function):
        raise CheckFailed(
            f"{exercise.name} is a {type(function).__name__}, and a function is asked for. "
            "Did a later cell give the name to something else?"
        )
    return Local(function)


@lru_cache(maxsize=8)
def _cases(exercise: Exercise, hidden: bool, seed: int) -> list[Case]:
    return exercise.all_cases(hidden=hidden, seed=seed)


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is wrong with an outcome.

    `about_layout` means: the answer, not the manners. `is_final` means: nothing else is worth
    saying.
    """

    sentence: str
    about_layout: bool = False
    is_final: bool = False


def _problem(exercise: Exercise, case: Case, outcome: Outcome) -> _Problem | None:
    if outcome.kind == "raised" and outcome.bases[0] == "NotImplementedError":
        return _Problem(
            f"{exercise.name} is not written yet: it raises NotImplementedError.", is_final=True
        )
    call = call_of(exercise, case)
    if outcome.kind == "stopped" and outcome.raised == "all":
        return _Problem(
            f"{exercise.name} computes for too long: all calls together were stopped, when "
            f"{call} was next. Does it do the same work again and again?"
        )
    if outcome.kind == "stopped":
        return _Problem(
            f"{call} does not return: it was stopped after several seconds. "
            "Look for a loop or a search that never ends.",
            is_final=True,
        )
    seen = _forbidden(exercise.rules, outcome)
    if seen:
        return _Problem(f"{call} called {seen}. {exercise.rules.why}")
    if outcome.kind == "raised" and "RecursionError" in outcome.bases:
        return _Problem(
            f"{call} calls itself without end, until Python gives up. "
            "Which case is small enough to answer directly?"
        )
    if outcome.changed is not None:
        name = exercise.parameters[outcome.changed]
        return _Problem(f"{call} changed {name} itself. Leave the argument as it was given.")
    complaint = exercise.complaint(case, outcome)
    return None if complaint is None else _Problem(f"{call} {complaint}", about_layout=True)


def _in_source(exercise: Exercise, call: SourceCall) -> _Problem:
    line = f" in line {call.line} of its source" if call.line else ""
    return _Problem(f"{exercise.name} calls {call.name.lstrip('.')}{line}. {exercise.rules.why}")


def _forbidden(rules: Rules, outcome: Outcome) -> str | None:
    return next((name for name in outcome.calls if rules.forbids_seen(name)), None)


def _message(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    problem: _Problem,
    where: str,
) -> str:
    case, outcome = cases[len(outcomes) - 1], outcomes[-1]
    lines = [problem.sentence]
    picture = None
    if problem.about_layout:
        lines.append(f"  rule: {exercise.rule(*case.arguments)}")
        hint = _hint(exercise, cases, outcomes)
        if hint:
            lines.append(f"  hint: {hint}")
        lines += (f"  try it: {recipe}" for recipe in _recipes(exercise, case))
        lines.append(f"  ({where})")
        picture = exercise.picture(case, outcome)
    if picture is not None and not _shown_in_notebook(picture):
        lines += ["", picture.text()]
    if outcome.printed:
        # Somebody who debugs by printing looks for it.
        lines += ["", "what it printed on this case:", *outcome.printed.rstrip().split("\n")]
    return "\n".join(lines)


def _hint(exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> str | None:
    """The hint of a mistake that is right wherever the function was, and then wrong alike."""
    for mistake in exercise.mistakes:
        known = Local(mistake.function).run(cases[: len(outcomes)], "tensors")
        with contextlib.closing(known):
            alike = all(
                theirs.answer == own.answer
                or (theirs is not outcomes[-1] and exercise.complaint(case, own) is None)
                for case, theirs, own in zip(cases, outcomes, known, strict=False)
            )
            if alike:
                return mistake.hint
    return None


def call_of(exercise: Exercise, case: Case) -> str:
    """The call as a learner would write it, and what its tensors are.

    With more than two arguments, each has its name.
    """
    named = len(case.arguments) > 2 and len(exercise.parameters) == len(case.arguments)
    written = [
        name if isinstance(each, TensorData) else f"{name}={shown(each)}" if named else shown(each)
        for name, each in zip(_names(exercise, case), case.arguments, strict=True)
    ]
    tensors = [
        f"{name} {_header(each)}"
        for name, each in zip(_names(exercise, case), case.arguments, strict=True)
        if isinstance(each, TensorData)
    ]
    call = f"{exercise.name}({', '.join(written)})"
    return f"{call}, with {' and '.join(tensors)}," if tensors else call


def _names(exercise: Exercise, case: Case) -> Sequence[str]:
    if len(exercise.parameters) == len(case.arguments):
        return exercise.parameters
    # A function of any number of arguments, such as broadcast_sizes(*sizes).
    return [f"argument {number}" for number in range(len(case.arguments))]


def _header(data: TensorData) -> str:
    kind = {"torch": "", "stridekit": "a stridekit tensor ", "numpy": "an array "}[data.library]
    offset = f", storage_offset {data.storage_offset}" if data.storage_offset else ""
    words = ("shape", "element strides") if data.library == "numpy" else ("size", "stride")
    dtype = f", {data.dtype}" if data.dtype != "int64" else ""
    read_only = ", read-only" if data.read_only else ""
    return f"{kind}of {words[0]} {data.size}, {words[1]} {data.stride}{offset}{dtype}{read_only}"


def _recipes(exercise: Exercise, case: Case) -> list[str]:
    """How to make the tensors of a case oneself."""
    shared: dict[int, str] = {}
    recipes = []
    memories = [each.memory for each in case.tensors]
    for name, data in zip(_names(exercise, case), case.arguments, strict=True):
        if not isinstance(data, TensorData):
            continue
        itemsize = as_dtype(data.dtype).itemsize
        length = len(data.storage) // itemsize
        if data.library == "numpy":
            bytes_offset = f", offset={data.storage_offset}" if data.storage_offset else ""
            recipes.append(
                f"{name} = np.ndarray({data.size}, np.{data.dtype}, bytearray(range(256)) * "
                f"{-(-len(data.storage) // 256)}{bytes_offset}, strides={data.stride})"
            )
            continue
        module = "stridekit" if data.library == "stridekit" else "torch"
        offset = f", {data.storage_offset}" if data.storage_offset else ""
        of = "" if data.dtype == "int64" else f", dtype={module}.{data.dtype}"
        made = f"{module}.arange({length}{of})"
        if memories.count(data.memory) > 1:
            # as_strided would begin at another view's own offset, and keep its dtype.
            if data.memory not in shared:
                recipes.append(f"memory = {made}")
            first = shared.setdefault(data.memory, data.dtype)
            made = "memory" if data.dtype == first else f"memory.view({module}.{data.dtype})"
        recipes.append(f"{name} = {made}.as_strided({data.size}, {data.stride}{offset})")
    return recipes


def _shown_in_notebook(picture: Any) -> bool:
    """Show the picture if this is a notebook, and say whether it was."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return False
    from IPython.display import display

    display(picture)  # type: ignore[no-untyped-call]
    return True


__all__ = ["CheckFailed", "call_of", "check", "raised"]
