"""The last touch to what Sphinx and the theme write: what a screen reader would stumble over.

And each picture says how wide it is, so that the style sheet can have it fit a phone.
"""

import re
from base64 import b64decode
from pathlib import Path

# What is written, and what is meant.
MENDED = (
    # A caption that is a heading says of which level.
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    # Two parts of one kind have names.
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="This page">'),
    # A table without a heading has none.
    ('<th class="head"><p></p></th>', "<td></td>"),
    ('<th class="head"></th>', "<td></td>"),
)
# The theme writes this page by a script, and gives it no heading.
SEARCH = '<div id="search-results"></div>'
# A picture, by what its SVG begins with: its size is there.
PICTURE = re.compile(
    r'<img ([^>]*?)style="max-width: 100%"([^>]*src="data:image/svg\+xml;base64,)([^"]{4,1024})'
)


def all_of(root: Path) -> None:
    """Mend every page of a site, and tell GitHub that it is one already."""
    for path in root.rglob("*.html"):
        text = path.read_text("utf-8")
        path.write_text(mended(text), encoding="utf-8")
    (root / ".nojekyll").touch()


def mended(text: str) -> str:
    """A page without what a screen reader would stumble over.

    >>> mended('<aside class="toc-drawer">')
    '<aside class="toc-drawer" aria-label="This page">'
    """
    for written, meant in MENDED:
        text = text.replace(written, meant)
    return sized(text).replace(SEARCH, f"<h1>Search</h1>\n{SEARCH}")


def sized(text: str) -> str:
    """Pictures with their own width, in pixels, beside their style."""
    return PICTURE.sub(_sized, text)


def _sized(picture: re.Match[str]) -> str:
    before, between, data = picture.groups()
    head = b64decode(data[: len(data) // 4 * 4])
    found = re.search(rb'<svg [^>]*?width="([\d.]+)(pt)?"', head)
    if found is None:
        return picture[0]
    width = round(float(found[1]) * (4 / 3 if found[2] else 1))
    known = "" if 'class="stridekit"' in before else 'class="stridekit" '
    return f'<img {known}{before}style="max-width: 100%; --width: {width}px"{between}{data}'
