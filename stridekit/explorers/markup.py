"""HTML of an explorer in use: its message, what stands right below its fields, its picture."""

import html
import json
import re
from typing import Any

from stridekit.diagrams import Diagram, live
from stridekit.diagrams.pages.page import WIDEST
from stridekit.diagrams.pixel_diagram import PixelDiagram
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import Rows

_BETWEEN = re.compile(r"(?<=\d)\s*[x×*]\s*(?=-?\d)")
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(,\d{3})+(?![\d,])")
_WORD = re.compile(r"-?\d+(?:[./]\d+)*|[^\W\d]+")
_YES_OR_NO = {
    "yes": re.compile(r"y(es)?(\W+it (can|is)( be)?( possible)?)?\W*"),
    "no": re.compile(r"no?(\W+it (can(no|['’])t|can not|is (not possible|impossible)))?\W*"),
}
# Words around an answer that change nothing about it.
_AROUND = frozenset((
    "a", "an", "and", "at", "both", "by", "byte", "bytes", "element", "elements", "index", "is",
    "it", "line", "only", "position", "shape", "size", "slots", "stride", "strides", "switch",
    "switches", "the", "time", "times", "torch",
))  # fmt: skip


def answers(prediction: str, truth: str) -> bool:
    """Whether a prediction says what is true, in whatever spelling.

    >>> answers("torch.Size([3, 2])", "(3, 2)"), answers("at position 2,004", "2004")
    (True, True)
    >>> answers("y and x", "x, y"), answers("No, it cannot", "no"), answers("3.2", "(3, 2)")
    (True, True, False)
    """
    if truth in _YES_OR_NO:
        return bool(_YES_OR_NO[truth].fullmatch(prediction.strip().lower()))
    if truth.lstrip("-").isdecimal():
        prediction = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), prediction)
    return _plain(prediction) == _plain(truth)


def _plain(text: str) -> tuple[str, ...]:
    """An answer without what does not matter: signs and words around it, the order of names."""
    spaced = _BETWEEN.sub(" ", text.lower().replace("−", "-"))
    words = [word for word in _WORD.findall(spaced) if word not in _AROUND]
    if not words:
        # The size of rank 0, which has brackets and nothing in them.
        return ("()",) if re.search(r"[(\[]\s*[)\]]", text) else (text,)
    if any(word.lstrip("-").isdecimal() for word in words):
        return tuple(word.lstrip("0") or "0" for word in words)
    return tuple(sorted(words))


# The width of a narrow explorer, in pixels: page.js has it, too.
NARROW = 520
# A page takes long over style sheets that come and go, so an explorer has these rules in its own.
_STYLES = re.compile(r"<style>[^<]*</style>")


def message_html(controller: Controller[Any]) -> str:
    """What is wrong, announced at once; or the state in a sentence, announced politely."""
    if controller.problem is not None:
        each = controller.problem
        nearest = f"<br><b>Works:</b> {_text(each.nearest)}" if each.nearest else ""
        return (
            f'<div class="sk-message sk-problem" role="alert"><b>{_text(each.what)}</b> '
            f"{_text(each.why)}{nearest}</div>"
        )
    said = controller.shows().summary
    if controller.predict and controller.prediction is not None and controller.shown.question:
        said = f"{_verdict(controller)} {said}"
    return f'<div class="sk-message">{_text(said)}</div>'


def page_html(controller: Controller[Any], *, narrow: bool = False) -> str:
    """The diagram, facts and table of the last valid state, on a page that may be narrow."""
    shown = controller.shows()
    diagram, told, picture = shown.diagram, shown.facts, ""
    if diagram is not None:
        if not isinstance(diagram, PixelDiagram):
            # Below the picture they are lines of the page, and wrap with it.
            told = (*diagram.scene.notes, *told)
            diagram = Diagram(diagram.scene._replace(notes=()))
        picture = _picture(diagram, NARROW if narrow else WIDEST)
    facts = "".join(f"<li>{_text(fact)}</li>" for fact in told)
    return f"{picture}{_table(shown.table)}{facts and f'<ul>{facts}</ul>'}"


def still_html(controller: Controller[Any]) -> str:
    """What stays in a saved notebook: what is said, and the figure, light or dark as the page."""
    shown = controller.shows()
    figure = shown.diagram.html(narrow=True) if shown.diagram else ""
    said = f"<p>{html.escape(shown.summary, quote=False)}</p>"
    return f'<div class="sk-still stridekit">{said}{figure}</div>{live.STYLE}'


def lead_html(controller: Controller[Any]) -> str:
    """What stands right below the fields: rows of cells, or lines of code."""
    lead = controller.shows().lead
    return f"<pre>{_text(lead)}</pre>" if isinstance(lead, str) else _table(lead)


def _picture(diagram: Diagram, width: int) -> str:
    """A diagram. Of an image, it says what the name, the rows and the columns of the first are."""
    image = ""
    if isinstance(diagram, PixelDiagram):
        first = diagram.scene.pictures[0]
        told = json.dumps((first.name, first.rows, first.columns))
        image = f' data-image="{html.escape(told)}"'
    picture = _STYLES.sub("", diagram.live_html(hosted=True, width=width))
    return f'<div class="sk-diagram"{image}>{picture}</div>'


def _verdict(controller: Controller[Any]) -> str:
    shown, said = controller.shown, controller.prediction or ""
    if answers(said, shown.truth):
        return f"Right: {shown.truth}."
    told = next((told for told, slip in shown.slips.items() if answers(said, str(slip))), "")
    return " ".join(filter(None, (f"You said {said}; it is {shown.truth}.", told, shown.why)))


def _cell(text: str) -> str:
    """A cell of a table; what becomes something else in it is boxed."""
    return f'<td class="sk-becomes">{text}</td>' if "→" in text else f"<td>{text}</td>"


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _table(rows: Rows) -> str:
    if not rows:
        return ""
    # A size stays in one line.
    head, *body = ([_text(cell).replace(", ", ",&nbsp;") for cell in row] for row in rows)
    first = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
    rest = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(map(_cell, row[1:]))}</tr>' for row in body
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>"
