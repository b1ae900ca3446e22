"""A diagram: one scene, and the ways to look at it."""

from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stridekit.diagrams import live
from stridekit.diagrams.pages.page import WIDEST, Page
from stridekit.diagrams.pages.placement import lay_out
from stridekit.diagrams.renderers.svg import to_svg
from stridekit.diagrams.renderers.text import to_text
from stridekit.diagrams.renderers.themes import THEMES, Theme, checked
from stridekit.diagrams.scenes.colouring import Palette
from stridekit.diagrams.scenes.scene import Scene
from stridekit.errors import ArgumentError, needing, quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Nothing is laid out for less, in pixels.
LEAST = 240
# Twice as fine as a screen's pixels, for print and for fine screens.
FINE = 192
# A theme that is both is for pages that tell which.
ONE = ("light", "dark")


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
        # By their width: what is painted and what answers to the hand are of one page.
        self._pages: dict[int, Page] = {}
        if ax is not None:
            self.figure(ax)

    @property
    def alt(self) -> str:
        """The picture in words."""
        return self.scene.alt

    @property
    def palette(self) -> Palette:
        """Its fills, to be handed on: `draw(y, palette=picture)`, or `palette=picture.palette`."""
        return self.scene.palette

    @property
    def _page(self) -> Page:
        return self._page_in(WIDEST)

    def _page_in(self, width: int) -> Page:
        if width not in self._pages:
            self._pages[width] = self._laid_out(width)
        return self._pages[width]

    def _laid_out(self, width: int) -> Page:
        """The page of a picture that is to be no wider."""
        return lay_out(self.scene, width)

    def text(self) -> str:
        """The diagram as text."""
        return to_text(self.scene)

    def svg(self, theme: Theme = "light", *, width: int = WIDEST) -> str:
        """The diagram as SVG, on a white card or a dark one.

        With the theme "auto" it follows CSS's `color-scheme` where it stands. It is no wider than
        `width` pixels, 900 unless it is said, where its cells can be made to fit: before and after
        stand below each other, blocks, strips and words go on in the next line. Pictures of pixels
        and of warps have one width. Raises ArgumentError for another theme, and for a width in
        which nothing fits.

        >>> import stridekit as sk
        >>> 'fill="#111111"' in sk.draw(sk.arange(4)).svg("dark")
        True
        """
        checked("svg", theme)
        if not isinstance(width, int) or not LEAST <= width <= WIDEST:
            raise ArgumentError(
                f"svg: width={quoted(width)} is not a width of a picture. Give {LEAST} to {WIDEST} "
                "pixels."
            )
        return to_svg(self._page_in(width), self.alt, theme)

    def html(self, *, narrow: bool = False) -> str:
        """The diagram as an image in HTML, with its text form to unfold: nothing runs, or loads.

        It is light or dark as CSS's `color-scheme` is on the page. With `narrow`, a wide one has a
        form for a phone beside.
        """
        return self._image_html(None, narrow=narrow)

    def _image_html(self, data: str | None, *, narrow: bool) -> str:
        """It as an image, with data to answer, or "" for none but the page's theme."""
        column, slim = live.PHONE_COLUMN, ("", "")
        # What is laid out for a phone pays where it is narrower.
        if narrow and self._page.width > max(live.FITS_PHONE, self._page_in(column).width):
            slim = self.svg("auto", width=column), self._touch_data(column) if data else ""
        return live.image_html(self.svg("auto"), self.alt, self.text(), data, slim)

    def live_html(self, *, hosted: bool = False, width: int = WIDEST) -> str:
        """The diagram as HTML for the value of a live widget: inline, answering to the hand.

        It follows the page's theme. It stands still outside of a live notebook, unless it is
        `hosted` by a widget whose own code lets pictures answer, as an explorer's does; and after
        `set_live(False)` it always does. It is as wide as `svg` makes it.
        """
        answers = live.is_on() if hosted else live.is_live()
        svg = self.svg("auto", width=width)
        return live.inline_html(svg, self._touch_data(width) if answers else "")

    def figure(self, ax: "Axes | None" = None, *, theme: Theme | None = None) -> "Figure":
        """The diagram as a new matplotlib figure; with `ax`, drawn on those axes.

        One that was drawn on axes by `draw(..., ax=ax)` gives their figure. A new figure is light
        unless `theme` is "dark", whatever `plt.style` says; on given axes, the colour of their
        figure decides. Raises ArgumentError when `ax` is not an Axes, and for another theme.
        """
        if theme is not None:
            checked("figure", theme, ONE)
        with needing("figure()", "matplotlib", "stridekit-library[figures]"):
            from matplotlib.axes import Axes

            from stridekit.diagrams.renderers import mpl

        where = ax if ax is not None else self._ax
        if where is None:
            return mpl.to_figure(self._page, theme or "light")
        if not isinstance(where, Axes):
            raise ArgumentError(
                f"ax is matplotlib's Axes, and this is of type {type(where).__name__}. "
                "figure, ax = plt.subplots() makes one."
            )
        if ax is not None:
            mpl.paint(self._page, where, theme or mpl.theme_of(where))
        figure: Any = where.get_figure(root=True)
        return figure  # type: ignore[no-any-return]

    def save(self, path: str | Path, *, theme: Theme = "light") -> Path:
        """Write the diagram to a file: .svg, .png, .pdf, or .txt for the text form.

        The theme is "light" or "dark"; of an .svg also "auto". Raises ArgumentError for another
        ending or theme, or a folder that does not exist.
        """
        target = Path(path)
        kind = target.suffix.lower()
        if kind not in (".svg", ".txt", ".png", ".pdf"):
            raise ArgumentError(
                f"save: {kind or 'a name without an ending'} is not a kind of picture. End the "
                "name in .svg, .png, .pdf or .txt."
            )
        checked("save", theme, ONE if kind in (".png", ".pdf") else THEMES)
        if not target.parent.is_dir():
            raise ArgumentError(
                f"save: there is no folder {target.parent}, so {target.name} was not written. "
                "Make the folder first."
            )
        if kind == ".svg":
            target.write_text(self.svg(theme) + "\n", encoding="utf-8")
        elif kind == ".txt":
            target.write_text(self.text() + "\n", encoding="utf-8")
        else:
            # Without the date of the day, so that the same picture is the same file.
            undated = {"CreationDate": None} if kind == ".pdf" else {"Software": None}
            figure = self.figure(theme=theme)
            from stridekit.diagrams.renderers import mpl

            # On somebody's axes it is saved as their figure is.
            with mpl.plainly() if self._ax is None else nullcontext():
                figure.savefig(target, dpi=FINE, metadata=undated)
        return target

    def __repr__(self) -> str:
        return self.text() if self._ax is None else f"Diagram on axes: {self.alt}"

    def _repr_html_(self) -> str | None:
        # What is drawn on axes is shown by their figure.
        if self._ax is not None:
            return None
        return live.image_html(self.svg(), self.alt, self.text())

    def _repr_mimebundle_(self, **_asked: Any) -> dict[str, str] | None:
        # In a notebook it follows the theme, and answers where somebody looks on.
        if self._ax is not None:
            return None
        page = self._image_html(self._touch_data() if live.is_live() else "", narrow=True)
        return {"text/html": page, "text/plain": self.text()}

    def _touch_data(self, width: int = WIDEST) -> str:
        """What a page needs to answer."""
        return live.touch_data(self.scene, self._page_in(width))

    def _repr_png_(self) -> bytes | None:
        # For what shows no HTML: a PDF made by LaTeX, a console with pictures.
        if self._ax is not None or find_spec("matplotlib") is None:
            return None
        from stridekit.diagrams.renderers import mpl

        return mpl.small_png(self._page)
