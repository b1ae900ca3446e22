"""Cells of a notebook as HTML that can only be looked at: it runs nothing, and loads nothing."""

import html
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from stridekit.grading import cleaning

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
    return _with_texts(cleaning.html(str(reader(text))))


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
        (clean,) = cleaning.cleaned(cell, is_course=False)["outputs"]
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
