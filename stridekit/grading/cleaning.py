"""Takes out of a graded notebook what would run in the browser of whoever reads it.

Pages of feedback and Formgrader show notebooks as HTML, with the rights of their reader. What a
learner has written or shown there must be looked at only.
"""

import base64
import re
from functools import lru_cache
from typing import Any

# What notes are written with. With attributes a tag may do more than look.
_TAGS = (
    "a|b|br|code|dd|del|details|dl|dt|em|hr|i|kbd|li|mark|ol|p|pre|s|strong|sub|summary|sup|u|ul"
)
_OPENS = re.compile(rf"<(?!/?(?:{_TAGS})\s*/?>)(?=[a-zA-Z/!?])")
_LINKS = re.compile(r"(\(|\]:|\{)(\s*)(javascript|vbscript|data(?!:image/))(\s*):", re.IGNORECASE)
_SHOWN = (
    *("a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl"),
    *("dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img"),
    *("kbd", "li", "mark", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "summary"),
    *("sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var"),
)
_ATTRIBUTES = ("alt", "title", "width", "height", "style", "open", "colspan", "rowspan", "border")
_STYLES = (
    *("color", "background-color", "font-family", "font-size", "font-weight", "font-style"),
    *("text-align", "vertical-align", "white-space", "max-width", "width", "height", "margin"),
    *("padding", "border", "border-collapse", "display"),
)
# A diagram of our own: a picture, and its text. Nothing else fits in there.
_DIAGRAM = re.compile(
    r'<img alt="[^"<>]*" style="max-width: 100%" src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]*">'
    r'<details><summary>As text</summary><pre style="font-family: monospace">[^<>]*</pre></details>'
)
# In a notebook it may have a class, and data for a page that answers.
_IN_NOTEBOOK = re.compile(
    r'(<img alt="[^"<>]*" )class="stridekit" (style="max-width: 100%" src="[^"<>]*")'
    r"(?: data-stridekit='[^'<]*')?>"
)
Cell = dict[str, Any]
_NEVER = ("application/javascript", "text/javascript", "application/x-javascript")


def cleaned(cell: Cell, *, is_course: bool) -> Cell:
    """A cell that can be looked at. The course's own text stays as it is."""
    if cell["cell_type"] != "code":
        if is_course:
            return cell
        attachments: Cell = {"attachments": {}} if "attachments" in cell else {}
        kept = _pictures_in(cell.get("attachments") or {})
        attachments = {"attachments": kept} if kept else attachments
        return {**cell, "source": markdown(cell["source"]), **attachments}
    return {**cell, "outputs": [_output(each) for each in cell["outputs"]]}


def markdown(text: str) -> str:
    """Notes of a learner's, with no HTML but the plainest, and no links that run something.

    >>> markdown("a<b, <b>bold</b> <script>x</script>")
    'a&lt;b, <b>bold</b> &lt;script>x&lt;/script>'
    """
    return _LINKS.sub(r"\1\2\3\4 :", _OPENS.sub("&lt;", text))


def _pictures_in(attachments: dict[str, Any]) -> dict[str, Any]:
    plain = re.compile(r"image/(png|jpeg|gif|webp)")
    kept = {
        name: {kind: data for kind, data in each.items() if plain.fullmatch(kind)}
        for name, each in attachments.items()
    }
    return {name: each for name, each in kept.items() if each}


def _output(output: dict[str, Any]) -> dict[str, Any]:
    if "data" not in output:
        return output
    data = {kind: content for kind, content in output["data"].items() if kind not in _NEVER}
    svg = data.pop("image/svg+xml", None)
    if svg is not None and "text/html" not in data:
        # As an image it is looked at; as part of a page it could run.
        picture = base64.b64encode(_joined(svg).encode("utf-8", "replace")).decode("ascii")
        data["text/html"] = f'<img alt="a picture" src="data:image/svg+xml;base64,{picture}">'
    if "text/html" in data:
        data["text/html"] = html(_joined(data["text/html"]))
    for kind in ("text/markdown", "text/latex"):
        if kind in data:
            data[kind] = markdown(_joined(data[kind]))
    return {**output, "data": data or {"text/plain": "(a script, which is not shown)"}}


def _joined(content: Any) -> str:
    return "".join(content) if isinstance(content, list) else str(content)


def is_diagram(text: str) -> bool:
    """Whether it is a diagram of our own as HTML, and nothing else."""
    return bool(_DIAGRAM.fullmatch(text))


@lru_cache(maxsize=256)
def html(text: str) -> str:
    """HTML without anything that runs, or loads something from elsewhere."""
    # Whoever begins to grade waits for what this imports.
    from stridekit.diagrams.live import STYLE

    plain = _IN_NOTEBOOK.sub(r"\1\2>", text.removesuffix(STYLE), count=1)
    if is_diagram(plain):
        return plain
    import bleach
    from bleach.css_sanitizer import CSSSanitizer

    return str(
        bleach.clean(
            text,
            tags=_SHOWN,
            attributes=_may_stay,
            protocols=["http", "https", "mailto", "data"],
            css_sanitizer=CSSSanitizer(allowed_css_properties=_STYLES),
            strip=True,
        )
    )


def _may_stay(_tag: str, name: str, value: str) -> bool:
    if name == "src":
        return value.startswith("data:image/")
    if name == "href":
        return value.startswith(("http://", "https://", "mailto:", "#"))
    return name in _ATTRIBUTES
