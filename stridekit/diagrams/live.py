"""Pictures in notebooks: how they follow the page's theme, and answer to the hand.

What a notebook keeps is an image, its text, and data; no script. The code that reads the data
comes from the kernel, once, by way of anywidget, and only while a page is looking on. Without it,
in a notebook that is not trusted, and in what is exported, the picture stands still.

The data say which cell is which slot of memory. `touch.js` looks up there what is pointed at, and
asks nobody.
"""

import html
import json
import os
import sys
from base64 import b64encode
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from stridekit.diagrams.pages.page import Box, Page
from stridekit.diagrams.scenes.scene import Cell, Grid, Mark, Marks, Scene, Slot, Strip

# On whichever page says that it is dark: JupyterLab, Notebook and what nbconvert makes; VS Code;
# Colab; sites of Sphinx. Printed pages are light.
_DARK = (
    '[data-jp-theme-light="false"]',
    'html[theme="dark"]',
    '[data-theme="dark"]',
    "body.vscode-dark",
    "body.vscode-high-contrast",
)
STYLE: Final = (
    "<style>.stridekit{color-scheme:light}@media screen{"
    + ",".join(f"{page} .stridekit" for page in _DARK)
    + "{color-scheme:dark}}</style>"
)
# The same where a host keeps its widgets in a shadow root. Browsers that cannot see out of it pass
# over this rule.
SHADOW_STYLE: Final = (
    f"@media screen{{:host-context(:is({','.join(_DARK)})) .stridekit{{color-scheme:dark}}}}"
)
# On a phone the line below a picture takes two.
ROOM_STYLE: Final = (
    "<style>.stridekit-room{height:20px}"
    "@media(max-width:440px){.stridekit-room{height:40px}}</style>"
)
# Where a Jupyter server has started the kernel for a notebook, there is a page. nbconvert and
# nbgrader start kernels too, and would keep the page's code in what they write.
_PAGE = "JPY_SESSION_NAME"


class _Switch:
    """Whether pictures may answer, and what carries the page's code to the page."""

    on = True
    carrier: Any = None


def set_live(on: bool) -> None:
    """Whether pictures that are shown from now on answer to mouse and keyboard. They do at first.

    >>> import stridekit as sk
    >>> sk.diagrams.set_live(False)
    >>> sk.diagrams.set_live(True)
    """
    _Switch.on = bool(on)


def is_on() -> bool:
    """Whether pictures may answer, where a page brings the code for it."""
    return _Switch.on


def is_live() -> bool:
    """Whether a page looks on, and has been given the code that lets pictures answer.

    The first call in a kernel sends it. False outside of notebooks, without anywidget, and after
    `set_live(False)`.
    """
    # The process of a kernel has IPython.
    known = sys.modules.get("IPython")
    shell = known.get_ipython() if known is not None else None
    if not _Switch.on or _PAGE not in os.environ or getattr(shell, "kernel", None) is None:
        return False
    if _Switch.carrier is None or _Switch.carrier.comm is None:
        _Switch.carrier = _sent()
    return _Switch.carrier is not None


def _sent() -> Any:
    """A widget that shows nothing, and brings the page its code. None without anywidget."""
    try:
        import anywidget
    except ImportError:
        return None

    class Touch(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """The page's code."""

        _esm = page_code()

    return Touch()


def page_code() -> str:
    """The code that lets pictures on a page answer, as a module for browsers."""
    return Path(__file__).with_name("touch.js").read_text("utf-8")


# On pages no wider than this a picture may have another form, laid out for a phone's column. A
# picture no wider than the third needs none.
PHONE, PHONE_COLUMN, FITS_PHONE = 560, 358, 400


def image_html(
    svg: str, alt: str, text: str, data: str | None = None, narrow: tuple[str, str] = ("", "")
) -> str:
    """A picture as an image, with its text form to unfold.

    With `data` it follows the page's theme and may be made to answer; `narrow` are SVG and data of
    its form for a phone. An image in a data address survives where inline SVG is stripped: in
    notebooks that are not trusted, in exported pages.
    """
    follows = "" if data is None else 'class="stridekit" '
    slim, slim_data = narrow
    image = (
        f'<img alt="{html.escape(alt)}" {follows}style="max-width: 100%" '
        f'src="{_address(svg)}"{_attribute(data or "")}{_attribute(slim_data, "-narrow")}>'
    )
    if slim:
        source = f'<source media="(max-width: {PHONE}px)" srcset="{_address(slim)}">'
        image = f"<picture>{source}{image}</picture>"
    unfolded = (
        '<details><summary>As text</summary><pre style="font-family: monospace">'
        f"{html.escape(text)}</pre></details>"
    )
    return f"{image}{unfolded}{STYLE if follows else ''}"


def _address(svg: str) -> str:
    """A picture as an address that holds all of it, and goes with #dark behind it, too."""
    svg = svg.replace("<svg ", '<svg id="dark" ', 1)
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def inline_html(svg: str, data: str) -> str:
    """A picture as inline SVG that can answer: for the value of a live widget.

    Give the SVG in the theme "auto". A line is kept free below it.
    """
    room = '<div class="stridekit-room"></div>' if data else ""
    return f"<div{_attribute(data)}>{svg}{room}</div>{STYLE}{ROOM_STYLE if data else ''}"


def _attribute(data: str, form: str = "") -> str:
    """The data of a form of a picture in an attribute; none where there is none."""
    if not data:
        return ""
    # In single quotes, for JSON is full of double ones.
    escaped = data.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
    return f" data-stridekit{form}='{escaped}'"


# Which cell of a picture is which slot of memory, as data for the page.


# Larger numbers are not whole in a browser, and are written as text.
WHOLE_MOST = 2**53
# States that are told with a cell. The others are seen at once.
_TOLD: dict[Mark, str] = {
    "outside": "outside of the storage",
    "unwritten": "not initialised",
    "written": "changed",
    "selected": "selected",
}


def touch_data(scene: Scene, page: Page) -> str:
    """The places of all cells and slots, as JSON: a part for each grid and each strip.

    A part has the number of its section `s` and its label `l`, its name `n`, its unit `u` in
    bytes, whether its texts are values in `v`, the memory `o` that it shows and from which byte
    on, the size of its cells `w` and `h` in pixels, and columns that run along the cells: left and
    upper sides `x` and `y`, addresses `a` in units, texts `t`. A grid has its indices one after
    another in `i`, `d` numbers each, and its strides `k`, in units, as text.
    `m` has words for some of the cells, by their number; `f` from which byte of the first section
    the element in each came, or null.
    """
    standing: dict[int, list[tuple[Cell | Slot, Box]]] = defaultdict(list)
    for placed in page.places:
        standing[id(placed.owner)] += zip(placed.cells, placed.boxes, strict=True)
    parts: list[dict[str, Any]] = []
    label, first_unit = "", scene.sections[0].strips[0].unit
    for number, section in enumerate(scene.sections):
        # What stands above the first of several is of all of them.
        label = section.label or label
        origins = dict(section.origins)
        for move in scene.moves:
            # From the first section to itself, and to the second.
            origins[move[number] * section.strips[0].unit] = move.start * first_unit
        owners: tuple[Grid | Strip, ...] = (*section.grids, *section.strips)
        for owner in owners:
            if not standing[id(owner)]:
                continue
            cells, boxes = zip(*standing[id(owner)], strict=True)
            xs, ys, (width, *_), (height, *_) = zip(*boxes, strict=True)
            addresses, unit = [cell.address for cell in cells], owner.unit
            part = {"s": number, "l": label, "n": "", "u": unit, "v": int(section.values)}
            part |= {"o": (section.memory, section.start), "x": xs, "y": ys, "a": addresses}
            part["t"] = [cell.text for cell in cells]
            if isinstance(owner, Grid):
                part |= {"n": owner.name, "d": len(owner.dims)}
                part["i"] = [i for cell in cells for i in cell.index]
                part["k"] = [str(dim.stride) for dim in owner.dims]
            part |= {"w": width, "h": height}
            words = {n: _words(cell.group, cell.marks) for n, cell in enumerate(cells)}
            if told := {n: text for n, text in words.items() if text}:
                part["m"] = told
            if origins:
                part["f"] = [origins.get(address * unit) for address in addresses]
            if any(abs(address) * unit >= WHOLE_MOST for address in addresses):
                part["a"] = [*map(str, addresses)]
            parts.append(part)
    data = {
        "width": page.width,
        "height": page.height,
        "parts": parts,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _words(group: int | None, marks: Marks) -> str:
    if group is None and not marks:
        return "no index leads here"
    return ", ".join(_TOLD[mark] for mark in marks if mark in _TOLD)
