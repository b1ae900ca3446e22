"""Outputs as a notebook may hold them, what a test says, and what of a hidden one is shown."""

import re
from dataclasses import dataclass
from typing import Any

Output = dict[str, Any]


@dataclass
class Judgement:
    """What came of one test, from its referee to the report on a class.

    Its points stand in the gradebook. What is empty is not so.
    """

    failure: str = ""
    """The first line of what it says where it fails."""
    loss: str = ""
    """Why it got nothing, where its answer is not wrong: its cell was stopped, or is not there."""
    detail: str = ""
    """What a hidden test that fails would have said, for the instructor alone."""
    finding: dict[str, str] | None = None
    """What a check has found wrong, for the instructor alone: see `messages.finding_of`."""


A_HIDDEN_TEST_FAILS = "a hidden test fails."
# Of what decides on points so many characters are kept, where a notebook shows too much.
_SHORT = 1_000
# What is shown may be nested so deep.
_DEPTH_MOST = 50
_OUTPUTS: dict[str, dict[str, type]] = {
    "stream": {"name": str, "text": str},
    "display_data": {"data": dict, "metadata": dict},
    "execute_result": {"data": dict, "metadata": dict, "execution_count": int},
    "error": {"ename": str, "evalue": str, "traceback": list},
}


def outputs_of(told: Any) -> list[Output]:
    """Outputs as a notebook may hold them; whatever is none is left out."""
    if type(told) is not list:
        # A test that shows nothing would have passed.
        return [as_stopped("What this cell shows cannot be told: it is too much, or odd.")]
    outputs = []
    for each in told:
        kind = each.get("output_type") if type(each) is dict else None
        form = _OUTPUTS.get(kind) if type(kind) is str else None
        if form is None or any(type(each.get(part)) is not type_ for part, type_ in form.items()):
            continue
        if kind == "error" and {*map(type, each["traceback"])} - {str}:
            continue
        if "data" in form and not all(_is_mime(*item) for item in each["data"].items()):
            continue
        if _is_deep(each):
            continue
        outputs.append({"output_type": kind, **{part: each[part] for part in form}})
    return outputs


def shortened(outputs: list[Output]) -> list[Output]:
    """What decides on points, and that there was more: a notebook holds only so much."""
    said = "[Left out here: this shows more than a notebook keeps.]\n"
    short: list[Output] = [{"output_type": "stream", "name": "stdout", "text": said}]
    for each in outputs:
        text = each["data"].get("text/plain") if "data" in each else ""
        if each["output_type"] == "error":
            cut = {part: each[part][:_SHORT] for part in ("ename", "evalue")}
            short.append({**each, **cut, "traceback": []})
        elif each["output_type"] == "execute_result" and type(text) is str:
            short.append({**each, "data": {"text/plain": text[:_SHORT]}, "metadata": {}})
    return short


def _is_deep(thing: Any, depth: int = 0) -> bool:
    """Whether it is nested so deep that whoever reads the notebook may fail."""
    if depth > _DEPTH_MOST:
        return True
    parts = thing.values() if type(thing) is dict else thing if type(thing) is list else ()
    return any(_is_deep(each, depth + 1) for each in parts)


def _is_mime(name: str, content: Any) -> bool:
    is_json = re.fullmatch(r"application/(.*\+)?json", name) is not None
    lines = type(content) is list and {*map(type, content)} <= {str}
    return bool(re.fullmatch(r"[\w.+-]+/[\w.+-]+", name)) and (
        is_json or type(content) is str or lines
    )


def as_failed(name: str, said: str, *trace: str) -> Output:
    """The output of a cell that fails."""
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [*trace]}


def as_stopped(text: str) -> Output:
    """An output that gives no points, with a sentence for whoever reads the notebook."""
    return as_failed("Stopped", text, text)


def as_printed(output: Output) -> Output:
    """Anything on stderr would cost a test all its points, be it a warning of right work."""
    if output["output_type"] == "stream":
        return {**output, "name": "stdout"}
    return output


def error_in(outputs: list[Output]) -> Output | None:
    """What failed in a cell, if anything did."""
    return next((each for each in outputs if each["output_type"] == "error"), None)


def in_words(name: str, said: str) -> str:
    """An exception, which may say nothing."""
    return f"{name}: {said}" if said else name


def why_not_run(error: Output) -> str:
    """Why the cell of a solution fails, in a line."""
    # Behind it comes IPython's name for the cell's code, which nobody else knows.
    said = str(error.get("evalue", "")).split("\n")[0].partition(" (<")[0]
    return f"did not run: {in_words(str(error.get('ename')), said)}"


def hidden_failure(name: str, said: str, solutions: frozenset[str]) -> Output:
    """That a hidden test fails; and which function is missing, since that is not a secret."""
    missing = re.fullmatch(r"name '(\w+)' is not defined", said)
    if name == "NameError" and missing and missing[1] in solutions:
        return as_failed(name, said, said)
    return as_failed(
        "AssertionError", A_HIDDEN_TEST_FAILS, f"AssertionError: {A_HIDDEN_TEST_FAILS}"
    )


def without_what_is_hidden(
    shown: list[Output], decided: list[Output], solutions: frozenset[str]
) -> list[Output]:
    """The outputs of a test that hides a part: points as decided, words as shown without it.

    `shown` is what came of the test as learners have it, `decided` what came of all of it.
    """
    openly = error_in(shown)
    kept = [each for each in shown if each["output_type"] in ("stream", "display_data")]
    for each in decided:
        # What comes first decides.
        if each["output_type"] == "error":
            return [*kept, openly or hidden_failure(each["ename"], each["evalue"], solutions)]
        # nbgrader takes the first value for points, if it is a number.
        if each["output_type"] == "execute_result":
            text = each["data"].get("text/plain")
            try:
                number = float(text if isinstance(text, str) else "")
            except ValueError:
                return kept
            return [*kept, {**each, "data": {"text/plain": repr(number)}, "metadata": {}}]
    return kept
