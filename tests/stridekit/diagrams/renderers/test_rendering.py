"""The three renderers, and how a diagram shows itself."""

import base64
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from matplotlib.figure import Figure
from PIL import Image

import stridekit as sk
from stridekit import draw
from stridekit.diagrams.pages.page import DIGIT_HEIGHT, text_width
from stridekit.diagrams.pages.palette import FILLS
from stridekit.errors import ArgumentError
from tests.stridekit.diagrams.measure import SVG, svg_texts, text_boxes
from tests.stridekit.strategies import any_layouts, twins

grid = torch.arange(12).view(3, 4)


# SVG


@settings(max_examples=60, deadline=None)
@given(any_layouts)
def test_the_svg_shows_every_text_of_the_scene(layout):
    """Well-formed, with the alt text as its title, and all that the cells say."""
    diagram = draw(twins(layout)[0], title="a<b")
    root = ET.fromstring(diagram.svg())
    assert root.find(f"{SVG}title").text == diagram.alt
    texts = [text for text, _, _ in svg_texts(diagram.svg())]
    (section,) = diagram.scene.sections
    for cell in section.grids[0].cells:
        assert cell.text in texts
    assert texts.count("a<b") == 1


def test_cells_of_one_look_are_one_path():
    """So that a picture is small. One rectangle is the card."""
    root = ET.fromstring(draw(grid.t()).svg())
    assert len(root.findall(f"{SVG}rect")) == 1
    fills = {path.get("fill"): path.get("d").count("M") for path in root.findall(f"{SVG}path")}
    assert [fills[fill] for fill in FILLS[:3]] == [8 + 1, 8 + 1, 8]
    assert len(draw(torch.arange(64).view(8, 8)).svg()) < 16_000


def test_the_numbers_of_a_line_are_one_element():
    """So that a browser is quick with it; and each number still stands in its own cell."""
    diagram = draw(torch.arange(64).view(8, 8))
    assert diagram.svg().count("<text") < 40
    written = svg_texts(diagram.svg())
    for font, runs in diagram._page.texts.items():
        for x, y, text in runs:
            width = 0 if font.fitted else text_width(text[1:], font.size, mono=True)
            left = x - width * {"start": 0, "middle": 0.5, "end": 1}[font.anchor]
            foot = y + font.size * DIGIT_HEIGHT / 2
            assert any(
                text == word and abs(left - at) < 0.1 and line == float(f"{foot:.1f}")
                for word, at, line in written
            ), (text, x, y)


def test_a_text_is_placed_without_a_transform():
    """A browser takes longer over each frame of a page for every one that there is."""
    assert "transform=" not in draw(torch.arange(64).view(8, 8)).svg()


def test_the_svg_is_always_the_same():
    """So that pictures in git change only when they change."""
    assert draw(grid).svg() == draw(grid).svg()


def test_the_card_is_opaque_and_white():
    """Whatever page it stands on."""
    root = ET.fromstring(draw(grid).svg())
    card = root.find(f"{SVG}rect")
    assert card.get("fill") == "#FFFFFF"
    assert (card.get("width"), card.get("height")) == (root.get("width"), root.get("height"))


def test_the_rules_of_an_inline_picture_stay_inside_it():
    """A style page in a page holds for the whole page."""
    style = ET.fromstring(draw(grid).svg()).find(f"{SVG}style").text
    rules = [rule for rule in style.split("}") if rule]
    assert all(rule.startswith(".stridekit ") for rule in rules)


# matplotlib


def test_the_figure_is_a_figure_of_its_own():
    """Not one of pyplot's, whose state is the learner's."""
    before = plt.get_fignums()
    figure = draw(grid).figure()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == before


def test_drawing_leaves_the_backend_alone():
    """A notebook's later inline plots would vanish otherwise."""
    code = (
        "import matplotlib; before = matplotlib.rcParams._get('backend');"
        "import stridekit as sk; d = sk.draw(sk.arange(3)); d.figure(); d._repr_png_();"
        "assert matplotlib.rcParams._get('backend') == before;"
        "import sys; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_figure_can_be_drawn_on_given_axes():
    """And the learner may go on drawing there."""
    figure, (left, right) = plt.subplots(1, 2)
    try:
        diagram = draw(grid, ax=left)
        assert diagram.figure() is figure
        assert len(left.collections) >= 2
        assert not right.collections
        assert diagram.figure(right) is figure
        assert len(right.collections) >= 2
        # What stands on axes is shown by their figure, and not once more by the diagram.
        assert diagram._repr_html_() is None
        assert diagram._repr_png_() is None
        assert repr(diagram).startswith("Diagram on axes: Tensor, size (3, 4)")
    finally:
        plt.close(figure)


def test_axes_are_scaled_and_never_stretched():
    """Cells keep their proportions on axes of any shape."""
    figure, ax = plt.subplots(figsize=(9, 2))
    try:
        draw(grid, ax=ax)
        figure.canvas.draw()
        x0, y0 = ax.transData.transform((0, 0))
        x1, y1 = ax.transData.transform((100, 100))
        assert abs(x1 - x0) == pytest.approx(abs(y1 - y0))
    finally:
        plt.close(figure)


def test_both_renderers_put_the_same_texts_at_the_same_places():
    """One page, two painters: matplotlib's outlines lie where SVG's texts stand."""
    diagram = draw(grid, select=(1, 2), title="x")
    written = {}
    for text, x, y in svg_texts(diagram.svg()):
        written.setdefault(text, []).append((x, y))
    for text, left, right, top, bottom in text_boxes(diagram._page):
        assert any(
            left - 30 <= x <= right + 30 and top <= y <= bottom + 10 for x, y in written[text]
        ), (text, top, bottom, written[text])


def test_colours_reach_the_pixels():
    """Each fill covers its cells, in PNG."""
    picture = Image.open(BytesIO(draw(grid)._repr_png_())).convert("RGB")
    pixels = np.asarray(picture).reshape(-1, 3)
    for fill in FILLS[:3]:
        colour = [int(fill[i : i + 2], 16) for i in (1, 3, 5)]
        share = (abs(pixels - np.array(colour)) <= 1).all(axis=1).mean()
        assert share > 0.03, fill
    assert (pixels[0] == 255).all()


# Files


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.png", b"\x89PNG"), ("a.svg", b"<svg"), ("a.pdf", b"%PDF"), ("a.txt", b"size (3, 4)")],
)
def test_saving(tmp_path, name, start):
    """The ending says the kind, and the same picture is the same file."""
    path = draw(grid).save(tmp_path / name)
    content = path.read_bytes()
    assert content.startswith(start)
    assert draw(grid).save(path).read_bytes() == content


def test_saving_what_cannot_be_saved(tmp_path):
    """An unknown kind, a folder that is not there: nothing is written."""
    with pytest.raises(ArgumentError, match=r"\.gif is no kind of picture"):
        draw(grid).save(tmp_path / "a.gif")
    with pytest.raises(ArgumentError, match=r"there is no folder .*nowhere, so a.png was not"):
        draw(grid).save(tmp_path / "nowhere" / "a.png")
    assert list(tmp_path.iterdir()) == []


# Notebooks


def test_in_a_notebook_it_is_an_image_with_alt_text():
    """As an image in a data address, with the text form to unfold."""
    diagram = draw(grid.t(), title='"t"')
    page = diagram._repr_html_()
    pattern = r'<img alt="([^"]*)".*?src="data:image/svg\+xml;base64,(.*?)"'
    alt, source = re.match(pattern, page).groups()
    assert alt == diagram.alt.replace('"', "&quot;")
    assert base64.b64decode(source).decode() == diagram.svg()
    assert "<details><summary>As text</summary><pre style=" in page


def test_without_matplotlib_there_is_no_png(monkeypatch):
    """And everything else is as it was."""
    monkeypatch.setattr("stridekit.diagrams.diagram.find_spec", lambda name: None)
    assert draw(grid)._repr_png_() is None
    assert draw(grid)._repr_html_()


# Text


def test_the_text_form():
    """What a terminal and a screen reader get. Brackets mark what is not reached."""
    assert repr(draw(sk.arange(8).view(2, 4)[:, 1:3])) == (
        "size (2, 2) · stride (4, 1) · offset 1 · int64\n"
        "\n"
        "                            dim 1 · size 2 · stride 1\n"
        "dim 0 · size 2 · stride 4 │ 1  2\n"
        "                          │ 5  6\n"
        "\n"
        "storage · 8 elements of 8 bytes\n"
        "position   0  1  2    3    4  5  6    7\n"
        "value    [0]  1  2  [3]  [4]  5  6  [7]\n"
        "\n"
        "[n] no index leads there"
    )


def test_the_text_form_tells_what_the_picture_does():
    """Hops, moves, lanes, shared slots, visits, seams."""
    x = torch.arange(4)
    assert "hops     0 → 0 (offset 0), 0 → 2 (+2×1)" in draw(x, select=(2,)).text()
    change = sk.draw_change(torch.arange(4).view(2, 2).t(), lambda t: t.contiguous()).text()
    assert "moves    0 → 0, 2 → 1, 1 → 2, 3 → 3" in change
    lanes = draw({"x": x, "tail": x[2:]}).text()
    assert re.search(r"^x +■  ■  ■  ■\ntail +·  ·  ■  ■$", lanes, re.MULTILINE)
    expanded = draw(x.expand(2, 4)).text()
    assert "(0)  (1)  (2)  (3)" in expanded
    assert re.search(r"^shared +×2 +×2 +×2 +×2$", expanded, re.MULTILINE)
    visited = draw(x.view(2, 2), traverse=(1, 0), line=16).text()
    assert "0!: 0  2!: 1" in visited
    assert "dim 0 · size 2 · stride 1 (seam)" in sk.draw_view(x.view(2, 2).t(), 4).text()
    assert "⋯ 9,990 more ⋯" in draw(torch.arange(10_000)).text()
