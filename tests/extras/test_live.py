"""How a picture shows itself in a notebook: what is kept, and when it answers."""

import base64
import html
import json
import re
import subprocess
import sys
from types import SimpleNamespace

import IPython
import pytest
import torch

import stridekit as sk
from stridekit.diagrams import live
from stridekit_grading import safe_html

x = torch.arange(6).view(2, 3)
SENT = live._sent
IMAGE = r'<img alt="[^"]*" class="stridekit" style="max-width: 100%" src="([^"]*)"( [^>]*)?>'


@pytest.fixture
def watched(monkeypatch):
    """A kernel that a page looks at; gives what was sent to it."""
    sent = []

    def send():
        sent.append(SimpleNamespace(comm="there"))
        return sent[-1]

    monkeypatch.setenv("JPY_SESSION_NAME", "a.ipynb")
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel="there"))
    monkeypatch.setattr(live, "_sent", send)
    monkeypatch.setattr(live._Switch, "carrier", None)
    return sent


def shown(diagram):
    """What a notebook keeps of it."""
    return diagram._repr_mimebundle_()["text/html"]


def data_of(page):
    """The data in a page; None where there is none."""
    found = re.search(r"data-stridekit='([^']*)'", page)
    return None if found is None else json.loads(html.unescape(found[1]))


def test_where_nobody_looks_on_it_is_an_image_that_follows_the_theme():
    """No data, no script, and nothing is loaded."""
    diagram = sk.draw(x, title='"t"')
    page = shown(diagram)
    source, rest = re.match(IMAGE, page).groups()
    assert rest is None
    named = diagram.svg("auto").replace("<svg ", '<svg id="dark" ', 1)
    assert base64.b64decode(source.split(",")[1]).decode() == named
    assert "<details><summary>As text</summary><pre" in page
    assert page.endswith(live.STYLE)
    assert "<script" not in page
    assert diagram._repr_mimebundle_()["text/plain"] == diagram.text()


def test_where_a_page_looks_on_it_has_data(watched):
    """And the page's code is sent once, for all pictures."""
    page = shown(sk.draw({"it's <b>": x, "&amp;": x.t()}))
    names = [part["n"] for part in data_of(page)["parts"]]
    assert names == ["it's <b>", "&amp;", ""]
    assert "<script" not in page
    assert "<b>" not in page.split("<details>")[0].split("data-stridekit")[1]
    assert data_of(shown(sk.draw(x))) is not None
    assert len(watched) == 1


def test_a_carrier_that_was_closed_is_sent_anew(watched):
    """As `Widget.close_all()` does."""
    shown(sk.draw(x))
    watched[0].comm = None
    shown(sk.draw(x))
    assert len(watched) == 2


def test_it_can_be_switched_off(watched):
    """Then nothing is sent at all."""
    sk.diagrams.set_live(False)
    try:
        assert data_of(shown(sk.draw(x))) is None
        assert watched == []
    finally:
        sk.diagrams.set_live(True)
    assert data_of(shown(sk.draw(x))) is not None


@pytest.mark.parametrize("missing", ["page", "kernel", "anywidget"])
def test_without_what_it_takes_it_stands_still(watched, monkeypatch, missing):
    """nbconvert has no page, a terminal no kernel, a small installation no anywidget."""
    if missing == "page":
        monkeypatch.delenv("JPY_SESSION_NAME")
    elif missing == "kernel":
        monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    else:
        monkeypatch.setattr(live, "_sent", SENT)
        monkeypatch.setitem(sys.modules, "anywidget", None)
    assert data_of(shown(sk.draw(x))) is None
    assert watched == []


def test_plain_html_is_as_it_always_was():
    """Light, without data, for whoever asks for it."""
    diagram = sk.draw(x)
    page = diagram._repr_html_()
    assert page == live.image_html(diagram.svg(), diagram.alt, diagram.text())
    assert page.startswith('<img alt="')
    assert "stridekit=" not in page
    assert diagram.html() == live.image_html(diagram.svg("auto"), diagram.alt, diagram.text())


def test_inline_for_widgets(watched):
    """The SVG itself, with data round it."""
    page = sk.draw(x).live_html()
    assert re.fullmatch(
        r"<div data-stridekit='[^']*'><svg.*</svg><div class=.*></div></div><style>.*</style>",
        page,
        re.S,
    )
    assert data_of(page)["parts"]
    sk.diagrams.set_live(False)
    try:
        assert sk.draw(x).live_html().startswith("<div><svg")
    finally:
        sk.diagrams.set_live(True)


def test_what_is_drawn_on_axes_is_shown_by_their_figure():
    """And not once more."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    try:
        assert sk.draw(x, ax=ax)._repr_mimebundle_() is None
    finally:
        plt.close(figure)


def test_ipython_shows_these_forms():
    """HTML and text from the bundle, PNG beside them for what shows no HTML."""
    from IPython.core.interactiveshell import InteractiveShell

    data, _ = InteractiveShell.instance().display_formatter.format(sk.draw(x))
    InteractiveShell.clear_instance()
    assert data["text/html"].startswith('<img alt="')
    assert {"text/plain", "image/png"} <= set(data)
    assert not {"application/vnd.jupyter.widget-view+json", "application/javascript"} & set(data)


def test_a_page_of_feedback_has_the_plain_form(watched):
    """Whether the picture answered or not: class, data and style are for notebooks."""
    diagram = sk.draw({"it's": x})
    live_one = shown(diagram)
    assert "data-stridekit" in live_one
    assert html.unescape(safe_html.clean_html(live_one)).replace(';"', '"') == html.unescape(
        diagram.html()
    )
    plain = diagram._repr_html_()
    assert html.unescape(safe_html.clean_html(plain)).replace(';"', '"') == html.unescape(plain)
    forged = live_one.replace('class="stridekit"', 'class="stridekit" onload="x()"')
    assert "onload" not in safe_html.clean_html(forged)
    forged = live_one.replace("data-stridekit='", "data-stridekit='' onload='")
    assert "onload" not in safe_html.clean_html(forged)


def test_drawing_and_showing_load_no_widgets():
    """Where nobody looks on."""
    code = (
        "import sys; from stridekit import arange, draw; d = draw(arange(4)); d.html();"
        "d._repr_mimebundle_(); d.live_html();"
        "assert not {'anywidget', 'ipywidgets', 'IPython'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
