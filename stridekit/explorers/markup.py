"""What an explorer in use shows: its message, its picture, the line that brings its state back."""

import asyncio
import html
import json
import re
from typing import Any

from stridekit.diagrams import Diagram, live
from stridekit.diagrams.pixel_diagram import PixelDiagram
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import Rows, State
from stridekit.explorers.fields import Choice

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
    said = controller.shows().summary
    if controller.predict and controller.prediction is not None and controller.shown.question:
        said = f"{_verdict(controller)} {said}"
    return f'<div class="sk-message">{_text(said)}</div>'


def page_html(controller: Controller[Any], *, narrow: bool = False) -> str:
    """The diagrams, facts and table of the last valid state; on a narrow page a tensor each."""
    shown = controller.shows()
    pictures: list[str] = []
    told: list[str] = []
    for diagram in shown.diagrams:
        if not isinstance(diagram, PixelDiagram):
            # Below the picture they are lines of the page, and wrap with it.
            told += diagram.scene.notes
            diagram = Diagram(diagram.scene._replace(notes=()))
        pictures += map(_picture, _apart(diagram) if narrow else (diagram,))
    facts = "".join(f"<li>{_text(fact)}</li>" for fact in (*told, *shown.facts))
    return f"{''.join(pictures)}{_table(shown.table)}{facts and f'<ul>{facts}</ul>'}"


def lead_html(controller: Controller[Any]) -> str:
    """What stands right below the fields: rows of cells, or lines of code."""
    lead = controller.shows().lead
    return f"<pre>{_text(lead)}</pre>" if isinstance(lead, str) else _table(lead)


def _apart(diagram: Diagram) -> list[Diagram]:
    """A picture for each tensor, to stand below each other, with the memory that it is on."""
    if isinstance(diagram, PixelDiagram):
        return [diagram]
    scene = diagram.scene
    return [
        Diagram(
            scene._replace(
                sections=(section._replace(grids=(grid,)),),
                alt=f"{grid.name or 'The tensor'}: {grid.header}.",
            )
        )
        for section in scene.sections
        for grid in section.grids
    ] or [diagram]


def _picture(diagram: Diagram) -> str:
    """A diagram. With images in it, it says what their names, rows and columns are."""
    images = ""
    if isinstance(diagram, PixelDiagram):
        shown = [
            (each.name, each.rows, each.columns) for each in diagram.scene.pictures if each.pixels
        ]
        images = f' data-images="{html.escape(json.dumps(shown))}"'
    return f'<div class="sk-diagram"{images}>{_STYLES.sub("", diagram.hosted_html())}</div>'


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
        self._outputs: list[Any] = []
        self._due: asyncio.TimerHandle | None = None

    def bundle(self) -> dict[str, str]:
        """What is said, and the figures, as images that are light or dark as the page is."""
        shown = self._controller.shows()
        said = html.escape(shown.summary, quote=False)
        figures = "".join(each.html() for each in shown.diagrams)
        told = f'<div class="sk-still stridekit"><p>{said}</p>{figures}</div>{live.STYLE}'
        return {"text/html": told}

    def show(self) -> None:
        """One more output."""
        from IPython.display import display

        output = display(self.bundle(), raw=True, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
        if output is not None:
            self._outputs = [*self._outputs, output][-MOST_OUTPUTS:]

    def renew_soon(self) -> None:
        """Make it anew once nothing more has happened for a while."""
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
        bundle = self.bundle() if self._outputs else {}
        for output in self._outputs:
            output.update(bundle, raw=True)


def recalling_line(state: State) -> str:
    """The shortest line of Python that opens the explorer in a state.

    What follows from the rest is left out. A preset may stand for fields, or they for it.

    >>> from stridekit.explorers import strides
    >>> recalling_line(strides(size=(2, 3), storage_length=6).state)
    'strides(size=(2, 3), storage_length=6)'
    >>> recalling_line(strides(preset="window").state)
    "strides(preset='window')"
    """
    settings = state.settings()
    told = {name: getattr(state, name) for name in settings}
    first = type(state)()
    for name in sorted(settings, key=lambda name: isinstance(settings[name], Choice)):
        fewer = {other: value for other, value in told.items() if other != name}
        if first.changed(fewer) == state:
            told = fewer
    spelled = (f"{name}={settings[name].told(value)!r}" for name, value in told.items())
    return f"{state.name}({', '.join(spelled)})"
