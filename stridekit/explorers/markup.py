"""What an explorer in use shows, as HTML: its message, its page, its lines of code."""

import html
import json
import re
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.diagrams.pixels import PixelDiagram
from stridekit.explorers.controller import Controller
from stridekit.explorers.predictions import answers

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
    said = controller.said()
    if controller.predict and controller.prediction is not None and controller.shown.question:
        said = f"{_verdict(controller)} {said}"
    return f'<div class="sk-message">{_text(said)}</div>'


def page_html(controller: Controller[Any]) -> str:
    """The diagrams, facts and table of the last valid state."""
    shown = controller.shown
    parts = [_picture(each) for each in controller.pictures()]
    if not controller.is_hidden:
        parts.append(_table(shown.table))
        facts = "".join(f"<li>{_text(fact)}</li>" for fact in shown.facts)
        parts.append(f"<ul>{facts}</ul>" if facts else "")
    return "".join(parts)


def _picture(diagram: Diagram) -> str:
    """A diagram. With images in it, it says what their names, rows and columns are."""
    images = ""
    if isinstance(diagram, PixelDiagram):
        shown = [
            (each.name, each.rows, each.columns) for each in diagram.scene.pictures if each.pixels
        ]
        images = f' data-images="{html.escape(json.dumps(shown))}"'
    return f'<div class="sk-diagram"{images}>{_STYLES.sub("", diagram.hosted_html())}</div>'


def code_text(controller: Controller[Any]) -> str:
    """The torch lines that make what is shown.

    They often tell the answer, so they wait with it.
    """
    return "" if controller.is_hidden else controller.explorer.code(controller.state)


def _verdict(controller: Controller[Any]) -> str:
    shown, said = controller.shown, controller.prediction or ""
    if answers(said, shown.truth):
        return f"Right: {shown.truth}."
    told = next((told for slip, told in shown.slips if answers(said, slip)), "")
    return " ".join(filter(None, (f"You said {said}; it is {shown.truth}.", told, shown.why)))


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    if not rows:
        return ""
    # A size stays in one line.
    head, *body = ([_text(cell).replace(", ", ",&nbsp;") for cell in row] for row in rows)
    first = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
    rest = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td>{cell}</td>" for cell in row[1:])
        + "</tr>"
        for row in body
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>"
