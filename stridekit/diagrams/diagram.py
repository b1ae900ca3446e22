"""A diagram: one scene, and the ways to look at it."""

import base64
import html
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stridekit.diagrams.pages.page import Page
from stridekit.diagrams.pages.placement import lay_out
from stridekit.diagrams.renderers.svg import to_svg
from stridekit.diagrams.renderers.text import to_text
from stridekit.diagrams.scenes.scene import Scene
from stridekit.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Twice as fine as a screen's pixels, for print and for fine screens.
FINE = 192


class Diagram:
    """A picture of tensors in memory: `.figure()`, `.svg()`, `.text()`, `.alt`, `.save(path)`.

    It shows the tensors as they were when it was made.

    >>> import stridekit as sk
    >>> picture = sk.draw(sk.arange(4).view(2, 2), title="x")
    >>> picture.alt.split("; ")[1]
    'reading order visits positions 0, 1, 2, 3.'
    """

    def __init__(self, scene: Scene, ax: "Axes | None" = None) -> None:
        self.scene = scene
        self._ax = ax
        if ax is not None:
            self.figure(ax)

    @property
    def alt(self) -> str:
        """The picture in words."""
        return self.scene.alt

    @cached_property
    def _page(self) -> Page:
        return lay_out(self.scene)

    def text(self) -> str:
        """The diagram as text."""
        return to_text(self.scene)

    @property
    def height(self) -> float:
        """How high the picture is laid out, in pixels."""
        return self._page.height

    def svg(self) -> str:
        """The diagram as SVG."""
        return to_svg(self._page, self.alt)

    def figure(self, ax: "Axes | None" = None) -> "Figure":
        """The diagram as a new matplotlib figure; with `ax`, drawn on those axes.

        One that was drawn on axes by `draw(..., ax=ax)` gives their figure.
        Raises ArgumentError when `ax` is no Axes.
        """
        from matplotlib.axes import Axes

        from stridekit.diagrams.renderers import mpl

        where = ax if ax is not None else self._ax
        if where is None:
            return mpl.to_figure(self._page)
        if not isinstance(where, Axes):
            raise ArgumentError(
                f"ax is matplotlib's Axes, and this is of type {type(where).__name__}. "
                "figure, ax = plt.subplots() makes one."
            )
        if ax is not None:
            mpl.paint(self._page, where)
        figure: Any = where.get_figure(root=True)
        return figure  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> Path:
        """Write the diagram to a file: .svg, .png, .pdf, or .txt for the text form.

        Raises ArgumentError for another ending, or a folder that does not exist.
        """
        target = Path(path)
        if target.suffix not in (".svg", ".txt", ".png", ".pdf"):
            raise ArgumentError(
                f"save: {target.suffix or 'no ending'} is no kind of picture. "
                "End the name in .svg, .png, .pdf or .txt."
            )
        if not target.parent.is_dir():
            raise ArgumentError(
                f"save: there is no folder {target.parent}, so {target.name} was not written. "
                "Make the folder first."
            )
        if target.suffix == ".svg":
            target.write_text(self.svg() + "\n", encoding="utf-8")
        elif target.suffix == ".txt":
            target.write_text(self.text() + "\n", encoding="utf-8")
        else:
            # Without the date of the day, so that the same picture is the same file.
            undated = {"CreationDate": None} if target.suffix == ".pdf" else {"Software": None}
            self.figure().savefig(target, dpi=FINE, metadata=undated)
        return target

    def __repr__(self) -> str:
        return self.text() if self._ax is None else f"Diagram on axes: {self.alt}"

    def _repr_html_(self) -> str | None:
        # What is drawn on axes is shown by their figure.
        if self._ax is not None:
            return None
        # An image in a data address survives where inline SVG is stripped: in notebooks that
        # are not trusted yet, and in exported pages.
        picture = base64.b64encode(self.svg().encode()).decode()
        return (
            f'<img alt="{html.escape(self.alt)}" style="max-width: 100%" '
            f'src="data:image/svg+xml;base64,{picture}">'
            '<details><summary>As text</summary><pre style="font-family: monospace">'
            f"{html.escape(self.text())}</pre></details>"
        )

    def _repr_png_(self) -> bytes | None:
        # For what shows no HTML: a PDF made by LaTeX, a console with pictures.
        if self._ax is not None or find_spec("matplotlib") is None:
            return None
        from stridekit.diagrams.renderers import mpl

        return mpl.small_png(self._page)
