"""A failed check in a notebook: what is wrong is marked; then the hint, the rule, the picture."""

import os
import re
import sys
from html import escape
from typing import Any

from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.messages import Failure, call_of, message, notes
from stridekit_course.checks.returns import shown

# More than its colour tells of a number that is marked.
_MARK = '<mark style="text-decoration: underline">'
_TITLES = {"hint": "Hint", "rule": "The rule"}


def shell() -> Any:
    """The IPython of a notebook; None elsewhere. A grader's has no kernel, and keeps pictures."""
    ipython = sys.modules.get("IPython")
    here = ipython.get_ipython() if ipython is not None else None
    return here if hasattr(here, "kernel") or hasattr(here, "keeps_pictures") else None


def show(exercise: Exercise, failure: Failure) -> bool:
    """Show a failure where this is a notebook. Whether somebody sees all of it by that."""
    here = shell()
    if here is None or failure.case is None:
        return False
    from IPython.display import display

    if not hasattr(here, "kernel"):
        # A page of feedback says the rest.
        if failure.picture is not None:
            display(failure.picture)  # type: ignore[no-untyped-call]
        return False
    bundle = {"text/html": card(exercise, failure), "text/plain": message(exercise, failure)}
    display(bundle, raw=True)  # type: ignore[no-untyped-call]
    # nbconvert and nbgrader have kernels, too, and nobody looks on.
    return "JPY_SESSION_NAME" in os.environ or sys.platform == "emscripten"


def card(exercise: Exercise, failure: Failure) -> str:
    """What is said of a case that fails, as HTML."""
    told = notes(exercise, failure)
    parts = [f"<p>{_sentence(exercise, failure)}</p>"]
    for kind, said in told:
        if kind in _TITLES:
            # A name of the code stays as it is: a tensor's, channels_last, torch.
            word = re.match(r"(?!torch\b)[a-z]+\b(?!\[)", said)
            if word and (len(word[0]) > 1 or word[0] not in exercise.parameters):
                said = said[:1].upper() + said[1:]
            parts.append(f"<p><strong>{_TITLES[kind]}.</strong> {_in_prose(said)}</p>")
    if failure.picture is not None:
        parts.append((failure.picture._repr_mimebundle_() or {}).get("text/html", ""))
    recipes = "<br>".join(f"<code>{escape(said)}</code>" for kind, said in told if kind == "try it")
    if recipes:
        parts.append(f"<p>Try it: {recipes}</p>")
    if failure.printed:
        printed = f"<pre>{escape(failure.printed.rstrip())}</pre>"
        parts.append(f"<details><summary>What it printed on this case</summary>{printed}</details>")
    return f'<div style="max-width: 64em">{"".join(parts)}</div>'


def _sentence(exercise: Exercise, failure: Failure) -> str:
    """What was called, what came with what is wrong in it marked, and what was expected."""
    assert failure.case is not None
    called = call_of(exercise, failure.case)
    complaint = failure.sentence.removeprefix(called)
    made, with_, tensors = called.partition(", with ")
    call = f"<code>{escape(made)}</code>{escape(with_ + tensors)}"
    other, _, rest = complaint.partition(" returned ")
    if other:
        return f"{call}{_in_prose(complaint)}"
    came, semicolon, expected = rest.partition("; expected ")
    if not semicolon:
        came, semicolon, expected = rest.partition(". Return ")
    outcome, wanted = failure.outcome, shown(failure.expected)
    value = outcome.value if outcome is not None else None
    marked = f"{_MARK}{_in_prose(came)}</mark>"
    if came == shown(value) and semicolon.startswith(";"):
        marked = f"<code>{_marked(value, failure.expected)}</code>"
    if expected.startswith(wanted):
        expected = f"<code>{escape(wanted)}</code>{_in_prose(expected[len(wanted) :])}"
    else:
        expected = _in_prose(expected)
    return f"{call} returned {marked}{semicolon}{expected}"


def _marked(value: Plain, expected: Plain) -> str:
    """A value as it would be written, with marks where it is not as expected."""
    kind = type(value)
    if value == expected and kind is type(expected):
        return escape(shown(value))
    if kind is not type(expected) or kind not in (tuple, list) or len(value) != len(expected):
        return f"{_MARK}{escape(shown(value))}</mark>"
    items = ", ".join(map(_marked, value, expected))
    if kind is list:
        return f"[{items}]"
    return f"({items},)" if len(value) == 1 else f"({items})"


def _in_prose(said: str) -> str:
    """Words, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(said, quote=False))
