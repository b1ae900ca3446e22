"""What an explorer in use shows: its message, its picture, the line that brings its state back."""

import asyncio
import html
import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from stridekit.diagrams import Diagram, live
from stridekit.diagrams.pixel_diagram import PixelDiagram
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import Button, Choice, Explorer, MisreadError, read
from stridekit.explorers.header_state import torch_source
from stridekit.layouts.layout import Layout

_BETWEEN = re.compile(r"(?<=\d)\s*[x×*]\s*(?=-?\d)")
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(,\d{3})+(?![\d,])")
_WORD = re.compile(r"-?\d+(?:[./]\d+)*|[^\W\d]+")
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
    if truth in ("yes", "no"):
        return _yes_or_no(prediction) == truth
    if truth.lstrip("-").isdecimal():
        prediction = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), prediction)
    return _plain(prediction) == _plain(truth)


def _yes_or_no(text: str) -> str:
    """The answer at the beginning, if nothing speaks against it."""
    first, *rest = _WORD.findall(text.lower()) or [""]
    said, denials = {*rest} - {"it", "can", "is", "be", "possible"}, {"cannot", "not", "t"}
    if first in ("yes", "y") and not said:
        return "yes"
    if first in ("no", "n") and (not rest or said) and said <= denials | {"impossible"}:
        return "no"
    return ""


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


# The picture that stays in a saved notebook, and on a page that is made of it.


# So many seconds after the last key it is made anew: a hand that types does not wait for it.
AFTER = 1.0
# So many outputs of one explorer are kept up to date: the latest ones.
MOST_OUTPUTS = 8


class Still:
    """The last picture of an explorer, as an output beside the widget.

    The page hides it while the widget is there. It is an output of its own, for an output that is
    made anew takes a widget's fields from under the hands.
    """

    def __init__(self, controller: Controller[Any]) -> None:
        self._controller = controller
        self._handles: list[Any] = []
        self._due: asyncio.TimerHandle | None = None

    def bundle(self) -> dict[str, str]:
        """What is said, and the figures, as images that are light or dark as the page is."""
        said = html.escape(self._controller.said(), quote=False)
        figures = "".join(each.html() for each in self._controller.pictures())
        shown = f'<div class="sk-still stridekit"><p>{said}</p>{figures}</div>{live.STYLE}'
        return {"text/html": shown}

    def show_under(self, widget: dict[str, Any], metadata: dict[str, Any]) -> None:
        """Show a widget in the notebook, by its bundle, and this as one more output."""
        from IPython.display import display

        display(widget, raw=True, metadata=metadata)  # type: ignore[no-untyped-call, unused-ignore]
        handle = display(self.bundle(), raw=True, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
        if handle is not None:
            self._handles = [*self._handles, handle][-MOST_OUTPUTS:]

    def renew_soon(self) -> None:
        """Make it anew once nothing more has happened for a while."""
        if not self._handles:
            return
        if self._due is not None:
            self._due.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # Nothing runs that could come back to it.
            self.renew()
        else:
            self._due = loop.call_later(AFTER, self.renew)

    def renew(self) -> None:
        """Make it anew, in all outputs."""
        self._due = None
        bundle = self.bundle()
        for handle in self._handles:
            handle.update(bundle, raw=True)


# The line of code that brings a state back.


S = TypeVar("S")


def recalling_line(explorer: Explorer[S], state: S) -> str:
    """The call that opens an explorer in a state: what differs from its first state, by name.

    Law: what the line opens has that state.

    >>> from stridekit.explorers import EXPLORERS, strides
    >>> recalling_line(EXPLORERS["strides"], strides(preset="window").state)
    "strides(preset='window')"
    """
    layout = explorer.begins(state)
    given = [] if layout is None else [torch_source(layout)]
    named = {
        each.name: getattr(state, each.name)
        for each in explorer.controls
        if not isinstance(each, Button)
    }
    named |= {name: getattr(state, name) for name in explorer.extras}
    start = _given(explorer, layout)
    first = read(explorer, explorer.initial, start)
    told = {name: value for name, value in named.items() if value != getattr(first, name)}
    if not _leads_to(explorer, start, told, state):
        return _call(explorer, given, named)
    # What follows from the others is left out. A preset may stand for fields, or they for it.
    choices = {each.name for each in explorer.controls if isinstance(each, Choice)}
    for name in sorted(told, key=choices.__contains__):
        fewer = {other: value for other, value in told.items() if other != name}
        if _leads_to(explorer, start, fewer, state):
            told = fewer
    return _call(explorer, given, told)


def _given(explorer: Explorer[S], layout: Layout | None) -> Mapping[str, Any]:
    if layout is None:
        return {}
    reach = layout.reach
    return explorer.from_layout(layout, 0 if reach is None else reach[1] + 1)


def _leads_to(
    explorer: Explorer[S], start: Mapping[str, Any], changes: Mapping[str, Any], state: S
) -> bool:
    # Values of a valid state are valid, so they need not be read again.
    try:
        return explorer.change(explorer.initial, {**start, **changes}) == state
    except MisreadError:
        return False


def _call(explorer: Explorer[S], given: list[str], changes: Mapping[str, Any]) -> str:
    extras = explorer.extras
    told = {name: extras[name].tell(value) if name in extras else value
            for name, value in changes.items()}  # fmt: skip
    return f"{explorer.name}({', '.join([*given, *(f'{n}={v!r}' for n, v in told.items())])})"
