"""Cells of a notebook as HTML that can only be looked at: it runs nothing, and loads nothing.

Pages of feedback and Formgrader show notebooks as HTML, with the rights of their reader. What a
learner has written or shown there must be looked at only.
"""

import base64
import html
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from stridekit_grading import safe_html

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
        return {**cell, "source": clean_markdown(cell["source"]), **attachments}
    return {**cell, "outputs": [_output(each) for each in cell["outputs"]]}


def clean_markdown(text: str) -> str:
    """Notes of a learner's, with no HTML but the plainest, and no links that run something.

    >>> clean_markdown("a<b, <b>bold</b> <script>x</script>")
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
        data["text/html"] = clean_html(_joined(data["text/html"]))
    for kind in ("text/markdown", "text/latex"):
        if kind in data:
            data[kind] = clean_markdown(_joined(data[kind]))
    return {**output, "data": data or {"text/plain": "(a script, which is not shown)"}}


def is_diagram(text: str) -> bool:
    """Whether it is a diagram of our own as HTML, and nothing else."""
    return bool(_DIAGRAM.fullmatch(text))


@lru_cache(maxsize=256)
def clean_html(text: str) -> str:
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


# As HTML.


# Of one cell, and of one output: what is longer, nobody reads on a page.
CODE_MOST = 12_000
TEXT_MOST = 4_000
# Colours take ten times the room of what they are on.
COLOURED_MOST = 30_000
_ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def escaped(text: str) -> str:
    """Text as text."""
    return html.escape(plain(text))


def plain(text: str) -> str:
    r"""Text without what only a terminal reads.

    >>> plain("\x1b[31mred\x1b[0m")
    'red'
    """
    return _CONTROLS.sub("", _ANSI.sub("", text.replace("\r\n", "\n")))


def shortened(text: str, most: int, what: str) -> str:
    """Text that is not too long; what is cut is told."""
    text = plain(text)
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}\n[cut: {what} has {len(text):,} characters]"


def markdown(text: str, attachments: Mapping[str, Any] | None = None) -> str:
    """Markdown, of whoever it is. A formula is shown as it was written.

    >>> markdown("**so** $x_1$ <script>alert(1)</script>").strip()
    '<p><strong>so</strong> <code>$x_1$</code> alert(1)</p>'
    """
    text = shortened(text, CODE_MOST, "this text")
    for name, forms in (attachments or {}).items():
        for kind, data in forms.items():
            if kind in _PICTURES:
                text = text.replace(f"attachment:{name}", f"data:{kind};base64,{_joined(data)}")
    return _markdown(text)


@lru_cache(maxsize=512)
def _markdown(text: str) -> str:
    reader = _reader()
    reader.renderer.last = 2
    return _with_texts(safe_html.clean_html(str(reader(text))))


@cache
def _reader() -> Any:
    import mistune
    from mistune.plugins.math import math
    from mistune.plugins.table import table

    class Renderer(mistune.HTMLRenderer):
        """Headings below those of the page; formulas as code, since nothing here can set them."""

        last = 2

        def heading(self, text: str, level: int, **attributes: Any) -> str:
            # No level is left out: who listens finds the way by them.
            self.last = max(3, min(level + 1, self.last + 1, 6))
            return super().heading(text, self.last, **attributes)

    def inline_math(_renderer: Any, text: str) -> str:
        return f"<code>${html.escape(text)}$</code>"

    def block_math(_renderer: Any, text: str) -> str:
        return f"<pre><code>{html.escape(text.strip())}</code></pre>\n"

    reader = mistune.create_markdown(
        renderer=Renderer(escape=False), plugins=["strikethrough", table, math]
    )
    reader.renderer.register("inline_math", inline_math)  # type: ignore[union-attr]
    reader.renderer.register("block_math", block_math)  # type: ignore[union-attr]
    return reader


def code(text: str, language: str = "python") -> str:
    """Source code in colours, without the frame round it."""
    from pygments import highlight

    lexer, formatter = _pygments(language)
    text = shortened(text, CODE_MOST, "this cell").strip("\n")
    coloured = str(highlight(text, lexer, formatter)).rstrip("\n")
    return coloured if len(coloured) <= COLOURED_MOST else html.escape(text)


@cache
def _pygments(language: str) -> tuple[Any, Any]:
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import TextLexer, get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language or "python", stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    return lexer, HtmlFormatter(nowrap=True)


def output(shown: Mapping[str, Any]) -> str:
    """An output, as the best of its forms that can only be looked at."""
    kind = shown.get("output_type")
    if kind == "stream":
        return text(_joined(shown.get("text", "")))
    if kind == "error":
        return text(trace(shown))
    data = shown.get("data", {})
    if "text/html" in data or "image/svg+xml" in data:
        # Scripts become pictures, or go; see there.
        cell = {"cell_type": "code", "outputs": [{"data": dict(data)}]}
        (clean,) = safe_html.cleaned(cell, is_course=False)["outputs"]
        if "text/html" in clean["data"]:
            return f'<div class="theirs">{_with_texts(_joined(clean["data"]["text/html"]))}</div>'
    for form in _PICTURES:
        if form in data:
            encoded = re.sub(r"[^A-Za-z0-9+/=]", "", _joined(data[form]))
            said = _joined(data.get("text/plain", "")).strip()[:200]
            alt = html.escape(said if said and not said.startswith("<") else "a picture")
            return f'<img class="picture" alt="{alt}" src="data:{form};base64,{encoded}">'
    for form in ("text/markdown", "text/latex"):
        if form in data:
            return f'<div class="theirs">{markdown(_joined(data[form]))}</div>'
    return text(_joined(data.get("text/plain", "")))


def text(content: str) -> str:
    """Text in a frame of its own; nothing where there is none."""
    content = shortened(content, TEXT_MOST, "this output").strip("\n")
    return f'<pre class="out">{html.escape(content)}</pre>' if content.strip() else ""


def trace(error: Mapping[str, Any]) -> str:
    """What an exception says, with the end of the way to it."""
    lines = plain("\n".join(map(str, error.get("traceback", [])))).split("\n")
    said = f"{error.get('ename', '')}: {error.get('evalue', '')}"
    lines = [line for line in lines if not re.fullmatch(r"-{20,}", line)]
    return "\n".join(lines[-30:]) if any(map(str.strip, lines)) else said


def _with_texts(markup: str) -> str:
    """Every picture with a text in its place; one from elsewhere is not asked for."""
    markup = re.sub(r"<img(?![^>]*\bsrc=)[^>]*>", "<em>(a picture that is not shown)</em>", markup)
    return re.sub(r"<img(?![^>]*\balt=)", '<img alt="a picture"', markup)


def _joined(content: Any) -> str:
    return "".join(map(str, content)) if isinstance(content, list) else str(content)
