"""Memory diagrams: a tensor's grid above, its storage strip below.

`draw(x)` takes a stridekit tensor, a torch tensor or a NumPy array and gives a `Diagram`,
which shows itself in a notebook and can be had as a matplotlib figure, SVG or text.
"""

import base64
import html
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stridekit.diagrams.scene import Scene, compose
from stridekit.diagrams.sheet import Sheet, lay_out
from stridekit.diagrams.svg import to_svg
from stridekit.diagrams.text import to_text
from stridekit.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Diagram", "draw"]


def draw(x: object, *, title: str | None = None, values: bool = True) -> "Diagram":
    """A diagram of a tensor of rank 0 to 2: its grid, and its storage below.

    The fill of a cell depends on its address alone, so a transpose or a slice shows the same
    fills in other places. With `values=False` the cells show their addresses.
    Raises ArgumentError for what is no such tensor, InteropError for one that has no memory
    to look at.

    >>> print(sk.draw(sk.arange(6).view(2, 3).t()).text())
    size (3, 2) · stride (1, 3) · offset 0 · int64
    <BLANKLINE>
                                dim 1 · size 2 · stride 3
                              │ 0  3
    dim 0 · size 3 · stride 1 │ 1  4
                              │ 2  5
    <BLANKLINE>
    storage · 6 elements of 8 bytes
    position 0  1  2  3  4  5
    value    0  1  2  3  4  5
    """
    return Diagram(compose("draw", x, title=title, values=values))


class Diagram:
    """A picture of tensors in memory: `.figure()`, `.svg()`, `.text()`, `.alt`, `.save(path)`."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @property
    def alt(self) -> str:
        """The picture in one sentence."""
        return self.scene.alt

    @cached_property
    def _sheet(self) -> Sheet:
        return lay_out(self.scene)

    def text(self) -> str:
        """The diagram as text."""
        return to_text(self.scene)

    def figure(self, ax: "Axes | None" = None) -> "Figure":
        """The diagram as a matplotlib figure; with `ax`, drawn on those axes."""
        from stridekit.diagrams import mpl

        if ax is None:
            return mpl.to_figure(self._sheet)
        mpl.paint(self._sheet, ax)
        figure: Any = ax.get_figure(root=True)
        return figure  # type: ignore[no-any-return]

    def svg(self) -> str:
        """The diagram as SVG."""
        return to_svg(self._sheet, self.alt)

    def save(self, path: str | Path) -> Path:
        """Write the diagram to a file: .svg, .png, .pdf, or .txt for the text form.

        Raises ArgumentError for another ending.
        """
        target = Path(path)
        if target.suffix == ".svg":
            target.write_text(self.svg(), encoding="utf-8")
        elif target.suffix == ".txt":
            target.write_text(self.text() + "\n", encoding="utf-8")
        elif target.suffix in (".png", ".pdf"):
            self.figure().savefig(target, dpi=192)
        else:
            raise ArgumentError(
                f"save: {target.suffix or 'no ending'} is no kind of picture. "
                "End the name in .svg, .png, .pdf or .txt."
            )
        return target

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        # An image in a data address survives where inline SVG is stripped: in notebooks that
        # are not trusted yet, and in exported pages.
        picture = base64.b64encode(self.svg().encode()).decode()
        return (
            f'<img alt="{html.escape(self.alt)}" style="max-width: 100%" '
            f'src="data:image/svg+xml;base64,{picture}">'
            f"<details><summary>As text</summary><pre>{html.escape(self.text())}</pre></details>"
        )
