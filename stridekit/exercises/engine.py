"""The check of one function: its cases, its verdict, and the message that teaches.

A check compares outcomes, which are plain data, with what the specification expects. It
reports the first case that differs; cases come smallest first, so that is the smallest
counterexample.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stridekit.diagrams import draw
from stridekit.dtypes import as_dtype
from stridekit.exercises.seam import Function, Outcome, TensorData, run
from stridekit.storage import Storage
from stridekit.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong way: what it does, and the hint for somebody who did the same."""

    function: Function
    hint: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """What one exercise asks.

    `cases(hidden)` gives the arguments, smallest first. `complaint` says what is wrong with
    an outcome, or None. `rule` is the rule that a case turns on. `may_call` answers for the
    name of each torch function that was used, and `forbidden` says why not.
    """

    name: str
    cases: Callable[[bool], Iterable[TensorData]]
    complaint: Callable[[TensorData, Outcome], str | None]
    rule: Callable[[TensorData], str]
    may_call: Callable[[str], bool]
    forbidden: str
    mistakes: tuple[Mistake, ...] = ()


class CheckFailed(AssertionError):  # noqa: N818 - it is read by learners, as a sentence
    """A check that found a counterexample. The message is for the learner."""

    def _render_traceback_(self) -> list[str]:
        # IPython shows these lines in place of a traceback through the check's own code.
        return [f"CheckFailed: {self}"]


def check(exercise: Exercise, function: Function, *, hidden: bool = False) -> None:
    """Run the exercise's cases through a learner's function.

    Prints one line when all is right, raises CheckFailed with the smallest counterexample
    otherwise. `hidden` takes the larger scope.
    """
    if not callable(function):
        raise CheckFailed(
            f"{exercise.name} is a {type(function).__name__}, and a function is asked for. "
            "Did a later cell give the name to something else?"
        )
    cases = list(exercise.cases(hidden))
    talkative = False
    for number, (case, outcome) in enumerate(zip(cases, run(function, cases), strict=True)):
        problem = _problem(exercise, case, outcome)
        if problem:
            message = _message(exercise, function, cases[: number + 1], problem)
            raise CheckFailed("\n".join([message, *_printed(outcome)]))
        talkative = talkative or bool(outcome.printed)
    aside = " (What it printed is not shown.)" if talkative else ""
    print(f"{exercise.name}: right on all {len(cases):,} cases.{aside}")  # noqa: T201 - the one line of success


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is wrong with an outcome. `about_layout` means: the answer, not the manners."""

    sentence: str
    about_layout: bool = False


def _problem(exercise: Exercise, case: TensorData, outcome: Outcome) -> _Problem | None:
    if outcome.kind == "raised" and outcome.type == "NotImplementedError":
        return _Problem(f"{exercise.name} is not written yet: it raises NotImplementedError.")
    call = f"{exercise.name}(t), with t of {_header(case)},"
    not_allowed = [name for name in outcome.calls if not exercise.may_call(name)]
    if not_allowed:
        return _Problem(f"{call} called {not_allowed[0]}. {exercise.forbidden}")
    if outcome.kind == "raised":
        said = f": {outcome.raised}" if outcome.raised else ""
        return _Problem(f"{call} raised {outcome.type}{said}.", about_layout=True)
    if outcome.mutated:
        return _Problem(f"{call} changed t itself. Leave the argument as it was given.")
    complaint = exercise.complaint(case, outcome)
    return None if complaint is None else _Problem(f"{call} {complaint}", about_layout=True)


def _message(
    exercise: Exercise, function: Function, cases: Sequence[TensorData], problem: _Problem
) -> str:
    if not problem.about_layout:
        return problem.sentence
    case = cases[-1]
    lines = [problem.sentence, f"  rule: {exercise.rule(case)}"]
    hint = _hint(exercise, function, cases)
    if hint:
        lines.append(f"  hint: {hint}")
    lines.append(f"  try it: {_recipe(case)}")
    picture = _picture(case)
    if not _shown_in_notebook(picture):
        lines += ["", picture.text()]
    return "\n".join(lines)


def _printed(outcome: Outcome) -> list[str]:
    """What the function printed on the case that failed: somebody may be looking for it."""
    if not outcome.printed:
        return []
    return ["", "what it printed on this case:", *outcome.printed.rstrip().split("\n")]


def _hint(exercise: Exercise, function: Function, cases: Sequence[TensorData]) -> str | None:
    """The hint of a mistake that gives the same outcomes on every case so far."""
    for mistake in exercise.mistakes:
        theirs, known = run(function, cases), run(mistake.function, cases)
        if all(_same(a, b) for a, b in zip(theirs, known, strict=True)):
            return mistake.hint
    return None


def _same(a: Outcome, b: Outcome) -> bool:
    return (a.kind, a.type, a.value, a.tensor, a.is_argument, a.shares_storage) == (
        b.kind,
        b.type,
        b.value,
        b.tensor,
        b.is_argument,
        b.shares_storage,
    )


def _picture(case: TensorData) -> Any:
    return draw(Tensor(case.layout, Storage.wrap(case.storage), as_dtype(case.dtype)), title="t")


def _shown_in_notebook(picture: Any) -> bool:
    """Show the picture if this is a notebook, and say whether it was."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return False
    from IPython.display import display

    display(picture)  # type: ignore[no-untyped-call]
    return True


def _header(case: TensorData) -> str:
    offset = f", storage_offset {case.storage_offset}" if case.storage_offset else ""
    of = " (a stridekit tensor)" if case.library == "stridekit" else ""
    return f"size {case.size}, stride {case.stride}{offset}{of}"


def _recipe(case: TensorData) -> str:
    length = len(case.storage) // as_dtype(case.dtype).itemsize
    offset = f", {case.storage_offset}" if case.storage_offset else ""
    return f"t = torch.arange({length}).as_strided({case.size}, {case.stride}{offset})"
