"""What an explorer in use shows, as HTML: its message, its page, its lines of code."""

import html
from typing import Any

from stridekit.explorers.controller import Controller
from stridekit.explorers.predictions import answers


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
    parts = [f'<div class="sk-diagram">{each.svg()}</div>' for each in controller.pictures()]
    if not controller.is_hidden:
        parts.append(_table(shown.table))
        facts = "".join(f"<li>{_text(fact)}</li>" for fact in shown.facts)
        parts.append(f"<ul>{facts}</ul>" if facts else "")
    page = "".join(parts)
    if controller.problem is None:
        return f'<div class="sk-page">{page}</div>'
    return (
        '<div class="sk-label">last valid</div>'
        f'<div class="sk-page sk-stale" role="group" aria-label="last valid">{page}</div>'
    )


def code_html(controller: Controller[Any]) -> str:
    """The torch lines that make what is shown.

    They often tell the answer, so they wait with it.
    """
    if controller.is_hidden:
        return ""
    # Line ends stay, for Copy code takes the text as it is.
    lines = html.escape(controller.explorer.code(controller.state), quote=False)
    return f'<pre class="sk-code">{lines}</pre>'


def _verdict(controller: Controller[Any]) -> str:
    if answers(controller.prediction or "", controller.shown.truth):
        return f"Right: {controller.shown.truth}."
    return f"You said {controller.prediction}; it is {controller.shown.truth}."


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    if not rows:
        return ""
    head, *body = rows
    first = "".join(f'<th scope="col">{_text(cell)}</th>' if cell else "<td></td>" for cell in head)
    rest = "".join(
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in body
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>"
