"""A reason: why something failed, in a sentence and a picture. Shown under the traceback."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import cut

# As wide is a text.
WIDTH = 88


@dataclass(frozen=True)
class Reason:
    """Why an expression failed: `sentence` says it, `diagram` shows it.

    A notebook shows both, the picture with its alt text and as text below; a terminal shows
    the text. What is pasted in its place is `instead`, or before it `first`.
    """

    expression: str
    sentence: str
    diagram: Diagram | None = None
    instead: str = ""
    first: str = ""

    @property
    def _way_out(self) -> tuple[str, str]:
        return ("Instead: ", self.instead) if self.instead else ("Before it: ", self.first)

    def __repr__(self) -> str:
        said = filled(self.sentence)
        label, way = self._way_out
        said += f"\n{label}{way}" if way else ""
        picture = "" if self.diagram is None else f"\n\n{self.diagram.text()}"
        return f"Why, in memory: {cut(self.expression, 60)}\n{said}{picture}"

    def _repr_html_(self) -> str:
        picture: Any = None if self.diagram is None else self.diagram._repr_html_()
        label, way = self._way_out
        shown = f"<p>{label}<code>{html.escape(way)}</code></p>" if way else ""
        return (
            '<div class="stridekit-reason"><p><strong>Why, in memory:</strong> '
            f"<code>{html.escape(cut(self.expression, 60))}</code></p>"
            f"<p>{html.escape(self.sentence)}</p>{shown}{picture or ''}</div>"
        )


def times(n: int) -> str:
    """How often something was, where that is more than once."""
    return f" ×{n}" if n > 1 else ""


def filled(text: str, indent: int = 0) -> str:
    """A text broken where a terminal's line ends."""
    space = " " * indent
    return fill(
        text,
        WIDTH,
        initial_indent=space,
        subsequent_indent=space,
        break_long_words=False,
        break_on_hyphens=False,
    )


def html_table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    # As in JupyterLab: other hosts, such as marimo, leave no room between the cells of a table.
    left = 'style="text-align: left; vertical-align: top; padding: 0.5em"'
    head = "".join(f'<th scope="col" {left}>{name}</th>' for name in heads)
    body = (f"<tr>{''.join(f'<td {left}>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"<table><caption {left}>{caption}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )
