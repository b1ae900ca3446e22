"""Cells of a notebook as HTML that can only be looked at: it runs nothing, and loads nothing.

Pages of feedback and Formgrader show notebooks as HTML, with the rights of their reader. What a
learner has written or shown there must be looked at only.
"""

import base64
import html
import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from threading import current_thread, main_thread
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from stridekit_grading.plans import Cell, joined
from stridekit_grading.submissions import BYTES_MOST

# What notes are written with. With attributes a tag may do more than look.
_TAGS = (
    "a|b|br|code|dd|del|details|dl|dt|em|hr|i|kbd|li|mark|ol|p|pre|s|strong|sub|summary|sup|u|ul"
)
_OPENS = re.compile(rf"<(?!/?(?:{_TAGS})\s*/?>)(?=[a-zA-Z/!?])")
# A link in Markdown, but for one that leads to a page, or says no more than a name: what else it
# says may be spelt in many ways, and may run.
_LINKS = re.compile(
    r"(?<=\])(?=[(:])(?!.\s*+(?:https?://|mailto:|attachment:|data:image/|[\w./#-]*[)\s]))"
)
# A picture in Markdown, but for one that comes along.
# (Nothing here may look far ahead from each of many places: somebody would make a class wait.)
_NAME = r"(?:[^()\[\]\s]|\([^()\[\]\s]*\))*"
_IMAGES = re.compile(rf"!(?=\[)(?!\[[^\[\]\n]*\]\((?:attachment:|data:image/){_NAME}\))")
_ATTACHED = re.compile(rf"!(?=\[[^\[\]\n]*\]\(attachment:({_NAME})\))")
# What links spell as it is; with an apostrophe in notebooks, and without one for nbconvert.
_IN_LINKS = ":/?#@!$&()*+,;="
_SHOWN = (
    *("a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl"),
    *("dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img"),
    *("kbd", "li", "mark", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "summary"),
    *("sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var"),
)
_ATTRIBUTES = ("alt", "style", "title", "width", "height", "open", "colspan", "rowspan", "border")
_STYLES = (
    *("color", "background-color", "font-family", "font-size", "font-weight", "font-style"),
    *("text-align", "vertical-align", "white-space", "max-width", "width", "height", "margin"),
    *("padding", "border", "border-collapse", "display"),
)
# Of processor time, for all cells of a notebook: right work takes a hundredth of a second.
SECONDS_MOST = 10.0
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_WORDS = ("text/markdown", "text/latex")


class TooMuchError(Exception):
    """Who looks at it would make a class wait: HTML may be short to write, and long to read."""


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Raises TooMuchError when so much is computed, where there is a clock that says so."""

    def stop(*_: object) -> None:
        raise TooMuchError("it takes too long to look at")

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    # Again and again, for somebody may have caught it.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def all_cleaned(cells: Sequence[Cell], of_course: Callable[[Cell], bool]) -> list[Cell]:
    """Cells that can be looked at; where that takes too long, with nothing but plain text."""
    try:
        with in_time(SECONDS_MOST):
            return [cleaned(each, is_course=of_course(each)) for each in cells]
    except TooMuchError:
        return [cleaned(each, is_course=of_course(each), is_plain=True) for each in cells]


def cleaned(cell: Cell, *, is_course: bool, is_plain: bool = False) -> Cell:
    """A cell that can be looked at. The course's own text stays, but for pictures that are gone."""
    if cell["cell_type"] == "code":
        return {**cell, "outputs": [_output(each, is_plain=is_plain) for each in cell["outputs"]]}
    if is_plain and not is_course:
        said = "(A text that is not shown here: it takes too long to look through.)"
        return {**{part: cell[part] for part in cell if part != "attachments"}, "source": said}
    attachments = cell.get("attachments", {})
    source = cell["source"] if is_course else clean_markdown(cell["source"])
    kept = {**(attachments if is_course else {}), **_attached(source, attachments, BYTES_MOST)}

    def if_there(found: re.Match[str]) -> str:
        # Where nbconvert, which spells it anew, finds none, it shows nothing of the notebook.
        spelt = quote(html.unescape(found[1]).replace("\\", ""), safe=f"{_IN_LINKS}%")
        return "!" if kept.keys() >= {found[1], spelt} else "!\\"

    clean = {**cell, "source": _ATTACHED.sub(if_there, source)}
    return {**clean, "attachments": kept} if "attachments" in cell else clean


def clean_markdown(text: str) -> str:
    """Notes of a learner's, with the plainest HTML alone: nothing runs, or comes from elsewhere.

    >>> clean_markdown("a<b, <b>bold</b> <script>x</script>")
    'a&lt;b, <b>bold</b> &lt;script>x&lt;/script>'
    """
    # Formulas are left: Formgrader's MathJax is told to be safe.
    text = _IMAGES.sub(r"!\\", text)
    return _LINKS.sub(r"\\", _OPENS.sub("&lt;", text))


def _pictures_of(forms: Mapping[str, Any]) -> dict[str, str]:
    """Of all forms of something those that are pictures, and hold nothing but base64."""
    return {
        kind: re.sub(r"[^A-Za-z0-9+/=]", "", joined(data))
        for kind, data in forms.items()
        if kind in PICTURES
    }


def _attached(text: str, attachments: Mapping[str, Any], most: int) -> dict[str, dict[str, str]]:
    """The pictures of a note, by their names as they are and as links spell them.

    Each is there as often as the note asks for it; what is more than `most` characters stays out.
    """
    kept: dict[str, dict[str, str]] = {}
    for name, forms in attachments.items():
        spelt = {name, quote(name, safe=_IN_LINKS), quote(name, safe=f"{_IN_LINKS}'")}
        pictures = _pictures_of(forms)
        places = sum(text.count(f"attachment:{each}") for each in spelt)
        size = places * sum(map(len, pictures.values()))
        if pictures and size <= most:
            most -= size
            kept |= dict.fromkeys(spelt, pictures)
    return kept


def _output(output: dict[str, Any], *, is_plain: bool = False) -> dict[str, Any]:
    """An output in the forms that can be looked at, and without all that says how.

    A plain one is without what has to be looked through.
    """
    if "data" not in output:
        return output
    given = {k: form for k, form in output["data"].items() if not is_plain or k == "text/plain"}
    data: dict[str, Any] = _pictures_of(given)
    if "image/svg+xml" in given and "text/html" not in given:
        # As an image it is looked at; as part of a page it could run.
        drawn = joined(given["image/svg+xml"]).encode("utf-8", "replace")
        picture = base64.b64encode(drawn).decode("ascii")
        data["text/html"] = f'<img alt="a picture" src="data:image/svg+xml;base64,{picture}">'
    if "text/html" in given:
        data["text/html"] = clean_html(joined(given["text/html"]))
    data |= {kind: clean_markdown(joined(given[kind])) for kind in _WORDS if kind in given}
    if "text/plain" in given:
        data["text/plain"] = joined(given["text/plain"])
    data = data or {"text/plain": "(something that is not shown)"}
    return {**output, "data": data, "metadata": {}}


@lru_cache(maxsize=256)
def clean_html(text: str) -> str:
    """HTML without anything that runs, or loads something from elsewhere."""
    # Whoever begins to grade waits for what these import.
    import bleach
    from bleach.css_sanitizer import CSSSanitizer

    from stridekit.diagrams.live import STYLE

    return str(
        bleach.clean(
            text.removesuffix(STYLE),
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
    # Of a style bleach leaves what loads nothing.
    return name in _ATTRIBUTES


# As HTML.


# Of one cell, and of one output: what is longer, nobody reads on a page.
CODE_MOST = 12_000
TEXT_MOST = 4_000
# Of the pictures of a note, together: what is more has no room on a page.
PICTURES_MOST = 150_000
# Colours take ten times the room of what they are on.
COLOURED_MOST = 30_000
_ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07\x1b]*\x07")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


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


def markdown(text: str, attachments: Mapping[str, Any] | None = None) -> Markup:
    """Markdown, of whoever it is. A formula is shown as it was written.

    >>> print(markdown("**so** $x_1$ <script>alert(1)</script>"))
    <p><strong>so</strong> <code>$x_1$</code> alert(1)</p>
    <BLANKLINE>
    """
    text = shortened(text, CODE_MOST, "this text")
    pictures = _attached(text, attachments or {}, PICTURES_MOST)
    # One's name may begin with another's.
    for name in sorted(pictures, key=len, reverse=True):
        kind, data = next(iter(pictures[name].items()))
        text = text.replace(f"attachment:{name}", f"data:{kind};base64,{data}")
    return _markdown(text)


@lru_cache(maxsize=512)
def _markdown(text: str) -> Markup:
    reader = _reader()
    reader.renderer.last = 2
    return Markup(_with_texts(clean_html(str(reader(text)))))


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

        def inline_math(self, text: str) -> str:
            return f"<code>${html.escape(text)}$</code>"

        def block_math(self, text: str) -> str:
            return f"<pre><code>{html.escape(text.strip())}</code></pre>\n"

    plugins: Any = ["strikethrough", table, math]
    return mistune.create_markdown(renderer=Renderer(escape=False), plugins=plugins)


def code(text: str) -> Markup:
    """Python in colours, in a frame of its own."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    text = shortened(text, CODE_MOST, "this cell").strip("\n")
    lexer, formatter = PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)
    coloured = str(highlight(text, lexer, formatter)).rstrip("\n")
    shown = coloured if len(coloured) <= COLOURED_MOST else html.escape(text)
    return Markup(f'<pre class="code" tabindex="0"><code>{shown}</code></pre>')


def output(shown: Mapping[str, Any]) -> str:
    """An output, as the best of its forms that can only be looked at."""
    kind = shown.get("output_type")
    if kind == "stream":
        return text(joined(shown.get("text", "")))
    if kind == "error":
        return text(trace(shown))
    data = _output({"data": shown.get("data", {})})["data"]
    if "text/html" in data:
        return f'<div class="theirs">{_with_texts(data["text/html"])}</div>'
    for form in PICTURES:
        if form in data:
            said = joined(data.get("text/plain", "")).strip()[:200]
            alt = html.escape(said if said and not said.startswith("<") else "a picture")
            return f'<img class="picture" alt="{alt}" src="data:{form};base64,{data[form]}">'
    for form in _WORDS:
        if form in data:
            return f'<div class="theirs">{markdown(data[form])}</div>'
    return text(data.get("text/plain", ""))


def text(content: str) -> Markup:
    """Text in a frame of its own; nothing where there is none."""
    content = shortened(content, TEXT_MOST, "this output").strip("\n")
    shown = f'<pre class="out">{html.escape(content)}</pre>'
    return Markup(shown if content.strip() else "")


def trace(error: Mapping[str, Any]) -> str:
    """What an exception says, with the end of the way to it."""
    lines = plain("\n".join(map(str, error.get("traceback", [])))).split("\n")
    said = f"{error.get('ename', '')}: {error.get('evalue', '')}"
    lines = [line for line in lines if not re.fullmatch(r"-{20,}", line)]
    return "\n".join(lines[-30:]) if any(map(str.strip, lines)) else said


def _with_texts(markup: str) -> str:
    """Every picture with a text in its place; one from elsewhere is not asked for."""
    return re.sub(r'<img(?:[^">]|"[^"]*")*>', _with_text, markup)


def _with_text(image: re.Match[str]) -> str:
    # What is said in quotes may look like anything.
    names = re.sub('"[^"]*"', "", image[0])
    if " src=" not in names:
        return "<em>(a picture that is not shown)</em>"
    return image[0] if " alt=" in names else f'<img alt="a picture"{image[0][4:]}'
