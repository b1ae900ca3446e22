"""How one graded cell ended, in a learner's words, with nothing of what is hidden in it."""

import re
from collections.abc import Mapping
from typing import Any

from stridekit_grading import safe_html
from stridekit_grading.feedback_sections import (
    Mark,
    Verdict,
    WorkBlock,
    capital,
    number,
    of,
    sentence,
)
from stridekit_grading.plans import text_of

TEST = re.compile(r"test-(.+)-(visible|hidden)")
Cell = dict[str, Any]
_RIGHT = re.compile(r"right on (?:all ([\d,]+) cases|the one case)[^\n]*")
_SEED = re.compile(r"(?:[;,]\s*|\b)seed[ =]\s*-?\d+\b", re.IGNORECASE)
_PART = re.compile(r"  (rule|hint|try it): (.*)")
_COUNT = re.compile(r"  \((.*)\)")


def verdict_of(
    cell: Cell, name: str, mark: Mark, delimiters: tuple[str, str], language: str
) -> Verdict:
    """How a test ended, with nothing of what is hidden in it."""
    match = TEST.fullmatch(name)
    hidden = _hidden_lines(text_of(cell), *delimiters)
    kind = match[2] if match else ""
    verdict = Verdict(
        {"visible": "The test in your notebook", "hidden": "The hidden test"}.get(kind)
        or f"Test {name}",
        "?" if mark.needs_human else of(mark.score, mark.most),
        is_right=mark.score >= mark.most,
        is_hidden=kind == "hidden",
    )
    outputs = cell.get("outputs", [])
    errors = [each for each in outputs if each.get("output_type") == "error"]
    if mark.is_open:
        verdict.is_right = False
        verdict.sentence = "Needs a human: no machine could decide it."
        return verdict
    if errors:
        verdict.is_right = False
        _tell(verdict, errors[0], hidden)
    elif mark.is_by_hand:
        verdict.sentence = "Graded by hand."
    elif verdict.is_right:
        said = next((_RIGHT.search(each.get("text", "")) for each in outputs), None)
        verdict.sentence = f"Your function is {said[0]}" if said else "Passed."
    elif mark.score < mark.most:
        verdict.sentence = (
            f"It gives {number(mark.score)} of {number(mark.most)} points."
            if mark.score
            else "It gives no points."
        )
    if not verdict.is_right and not hidden:
        for each in outputs:
            shown = "" if each in errors else safe_html.output(each)
            if shown:
                verdict.blocks.append(WorkBlock(shown, 4 if "<img" in shown else 3))
    if not match and not verdict.is_right:
        source = without(text_of(cell), *delimiters).strip()
        if source:
            verdict.blocks.insert(0, WorkBlock(code_block(source, language), 3))
    return verdict


def _tell(verdict: Verdict, error: Mapping[str, Any], hidden: set[int]) -> None:
    """What a failing test says."""
    name, said = str(error.get("ename", "")), safe_html.plain(str(error.get("evalue", "")))
    if name == "CheckFailed":
        # What is hidden, it has veiled itself.
        _take_apart(verdict, said)
        verdict.is_unwritten = "is not written yet" in verdict.sentence
        return
    first = said.strip() or name
    if not first.startswith(name):
        first = f"{name}: {first}"
    verdict.is_unwritten = name == "NotImplementedError"
    if hidden:
        line = _line_of(error)
        verdict.sentence = "A hidden test fails."
        if line is not None and line not in hidden:
            verdict.sentence = first.split("\n")[0]
        elif re.fullmatch(r"NameError: name '\w+' is not defined", first):
            verdict.sentence = first
        return
    verdict.sentence = first.split("\n")[0]
    way = safe_html.trace(error)
    if way.strip() != first:
        verdict.blocks.append(WorkBlock(safe_html.text(way), 3))


def code_block(source: str, language: str) -> str:
    """Code as it is shown."""
    return f'<pre class="code" tabindex="0"><code>{safe_html.code(source, language)}</code></pre>'


def _take_apart(verdict: Verdict, said: str) -> None:
    """What a check says: the counterexample, the rule, a hint, how to try it, how often."""
    lines = said.split("\n")
    rest: list[str] = []
    verdict.sentence = _SEED.sub("", lines[0])
    for line in lines[1:]:
        part, count = _PART.fullmatch(line), _COUNT.fullmatch(line)
        if part and not rest:
            verdict.parts.append((part[1], part[2] if part[1] == "try it" else capital(part[2])))
        elif count and not rest:
            verdict.count = sentence(_SEED.sub("", count[1]))
        else:
            rest.append(line)
    verdict.rest = safe_html.shortened("\n".join(rest).strip("\n"), safe_html.TEXT_MOST, "this")


def _hidden_lines(source: str, begin: str, end: str) -> set[int]:
    """The numbers of the lines that learners must not see."""
    hidden, inside = set(), False
    for place, line in enumerate(source.split("\n"), 1):
        inside = inside or begin in line
        if inside:
            hidden.add(place)
        if end in line:
            # Without a beginning, too.
            hidden.add(place)
            inside = False
    return hidden


def without(source: str, begin: str, end: str) -> str:
    """A test without what is hidden in it."""
    hidden = _hidden_lines(source, begin, end)
    return "\n".join(
        line for place, line in enumerate(source.split("\n"), 1) if place not in hidden
    )


def without_scheme(source: str) -> str:
    """A task without the notes for those who grade it."""
    return without(source, "BEGIN MARK SCHEME", "END MARK SCHEME")


def _line_of(error: Mapping[str, Any]) -> int | None:
    """The line of the test cell that failed, as this engine tells it, or as a kernel does."""
    told = safe_html.plain("\n".join(map(str, error.get("traceback", []))))
    found = re.search(r"^in line (\d+) of this cell", told) or re.search(
        r"^(?:Cell )?In ?\[\d+\](?:, line |:)(\d+)", told, re.MULTILINE
    )
    return int(found[1]) if found else None
