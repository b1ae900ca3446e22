"""The last touch to what Sphinx and the theme write: what a screen reader would stumble over."""

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
    return text.replace(SEARCH, f"<h1>Search</h1>\n{SEARCH}")
