"""What becomes of a notebook on its way to a page."""

import html
import json
import re
from itertools import islice
from typing import Any

import nbformat

from stridekit_course.questions import by_name, some
from stridekit_course.questions.question import Question, Spot, judge, resolved, spelled
from stridekit_course.questions.widgets import QuestionsBox

WIDGET = "application/vnd.jupyter.widget-view+json"
STATES = "application/vnd.jupyter.widget-state+json"
# Cells that ask. Five questions are drawn anew in a notebook; here from so many draws.
ASKS = re.compile(r'ask\("([^"]+)"\)|five\(([0-9]+)\)')
DRAWS = 6


def slug(title: str) -> str:
    """JupyterLab's name for a heading.

    >>> slug("view and reshape")
    'view-and-reshape'
    """
    return title.replace(" ", "-")


def dressed(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """A notebook for the site: folded as in JupyterLab, widgets are what they are without one."""
    states = notebook.metadata.pop("widgets", {}).get(STATES, {}).get("state", {})
    for cell in notebook.cells:
        # Attachments and names of cells are for JupyterLab.
        if cell.cell_type != "code":
            continue
        tags = cell.metadata.setdefault("tags", [])
        if "held" in tags or cell.metadata.get("jupyter", {}).get("source_hidden"):
            tags.append("hide-input")
            said = "What holds here, as asserts" if "held" in tags else "The code"
            cell.metadata["mystnb"] = {"code_prompt_show": said, "code_prompt_hide": said}
        asks = ASKS.fullmatch(cell.source)
        if asks:
            tags.append("remove-input")
            one, lesson = asks.groups()
            draws = [[by_name(one)]] if one else [*islice(some(int(lesson), 5, seed=1), DRAWS)]
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": asked(draws)})]
            continue
        tries = [_button(each, states) for each in cell.outputs if WIDGET in each.get("data", {})]
        cell.outputs = [each for each in cell.outputs if _stays(each)] + [
            nbformat.v4.new_output("display_data", {"text/html": button})
            for button in tries
            if button
        ]
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    href = f"../notebooks/{name}.ipynb"
    link = f'<p class="sk-notebook"><a href="{href}" download>Download as a notebook</a></p>'
    first.source = f"{title}\n\n{link}\n{rest}"
    return notebook


def asked(draws: list[list[Question]]) -> str:
    """Questions that `answers.js` judges: all draws as data, and the first one with closed answers.

    These are what is there where no script runs.
    """
    boxes = [QuestionsBox(lambda questions=each: questions) for each in draws]
    data = [
        [_judged(*pair) for pair in zip(box.questions, box.asked, strict=True)] for box in boxes
    ]
    bundle = boxes[0]._repr_mimebundle_()  # as IPython asks for it
    closed = (bundle[0] if isinstance(bundle, tuple) else bundle)["text/html"]
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div class="sk-asked"><script type="application/json">{written}</script>{closed}</div>'


def _judged(question: Question, asked: object) -> dict[str, object]:
    """What a page has to know of a question to judge answers as Python does."""
    answer = question.answer
    is_spot = isinstance(answer, Spot)
    chosen, written = (answer.is_so, answer.where) if is_spot else (answer, answer)
    right = judge(question, spelled(chosen), spelled(written))
    unread = judge(question, spelled(chosen)).words if question.field else ""
    return {
        "asked": asked, "kind": type(answer).__name__, "rank": getattr(answer, "rank", 0),
        "right": _name(answer), "said": (right.words, right.code),
        "shown": (resolved(question), question.code), "hint": question.hint,
        "mistakes": {_name(wrong): hint for wrong, hint in question.mistakes.items()},
        "unchosen": judge(question).words, "unread": unread,
    }  # fmt: skip


def _name(answer: object) -> str:
    """An answer as `answers.js` names it.

    >>> _name((4, -1)), _name(12), _name(True), _name(Spot(False, -1, rank=3))
    ('4,-1', '12', 'yes', 'no 2')
    """
    if isinstance(answer, Spot):
        where = answer.where + answer.rank * (-answer.rank <= answer.where < 0)
        return f"{spelled(answer.is_so)} {where}"
    if isinstance(answer, bool):
        return spelled(answer)
    return ",".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)


def _stays(output: Any) -> bool:
    """Whether an output is shown; a widget is taken out of those that have another form."""
    data = output.get("data", {})
    if WIDGET not in data:
        return True
    del data[WIDGET]
    return "text/html" in data


def _button(output: Any, states: dict[str, Any]) -> str:
    """What opens an explorer where it stands, in the state that is shown; nothing for others."""
    state = states.get(output["data"][WIDGET]["model_id"], {}).get("state", {})
    line = state.get("answer", {}).get("line", "")
    if not line:
        return ""
    name = line.partition("(")[0]
    code = html.escape(f"from stridekit.explorers import {name}\n{line}").replace("\n", "&#10;")
    return (
        f'<p><button type="button" class="sk-try" data-code="{code}" '
        f'data-title="Explorer: {name}">Try it here</button></p>'
    )
