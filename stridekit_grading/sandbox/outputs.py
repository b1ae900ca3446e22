"""Outputs as a notebook may hold them, and what a failing test may say there."""

import re
from typing import Any

from stridekit_course.checks.engine import CheckFailed
from stridekit_grading.sandbox.shell import Output

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
    outputs = []
    for each in told if type(told) is list else []:
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


def as_stopped(text: str) -> Output:
    """An output that gives no points, with a sentence for whoever reads the notebook."""
    return {"output_type": "error", "ename": "Stopped", "evalue": text, "traceback": [text]}


def as_printed(output: Output) -> Output:
    """Anything on stderr would cost a test all its points, be it a warning of right work."""
    if output["output_type"] == "stream":
        return {**output, "name": "stdout"}
    return output


# What a failing test may say in a learner's notebook: nothing of what is hidden in it.


_BEGIN, _END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


class Veil:
    """Keeps what a hidden test asks and expects out of the notebook."""

    def __init__(self, source: str) -> None:
        self._hidden = _hidden_lines(source)
        self.detail = ""
        self.finding: dict[str, str] | None = None
        self.misses = ""
        """The name that the test did not find."""

    @property
    def hides(self) -> bool:
        """Whether there is anything hidden."""
        return bool(self._hidden)

    def __call__(self, error: BaseException, lines: list[str]) -> list[str]:
        """The lines of a traceback that may be shown."""
        name = type(error).__name__
        if isinstance(error, CheckFailed):
            self.finding = error.finding
        if isinstance(error, NameError):
            self.misses = error.name or ""
        if isinstance(error, CheckFailed) and error.detail:
            self.detail = error.detail
            return lines
        if not self._hidden:
            return lines
        line = _line_in_cell(error)
        if line is None or line in self._hidden:
            self.detail = f"{name}: {error}"
            if isinstance(error, NameError) and error.name:
                return [f"{name}: name {error.name!r} is not defined"]
            return [f"{name}: a hidden test fails."]
        return [f"in line {line} of this cell", f"{name}: {error}"]


def _hidden_lines(source: str) -> frozenset[int]:
    hidden, inside = set(), False
    for number, line in enumerate(source.splitlines(), 1):
        if _BEGIN in line:
            inside = True
        if inside:
            hidden.add(number)
        if _END in line:
            inside = False
    return frozenset(hidden)


def _line_in_cell(error: BaseException) -> int | None:
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_name == "<module>" and trace.tb_frame.f_globals.get("__name__") == "__main__":
            return trace.tb_lineno
        trace = trace.tb_next
    return None
