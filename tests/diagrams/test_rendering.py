"""The three renderers, and how a diagram shows itself."""

import base64
import re
import xml.etree.ElementTree as ET

import matplotlib.pyplot as plt
import pytest
import torch
from hypothesis import given, settings
from matplotlib.figure import Figure

import stridekit as sk
from stridekit import draw
from stridekit.diagrams.scene import compose
from stridekit.diagrams.sheet import Text, lay_out, width_of
from stridekit.errors import ArgumentError
from tests.strategies import layouts, twins

grid = torch.arange(12).view(3, 4)


def boxes_of(texts):
    """The rectangle that each text fills: left, right, top, bottom."""
    for text in texts:
        width = width_of(text)
        left = text.x - width * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
        half = text.size * 0.5
        yield text, left, left + width, text.y - half, text.y + half


def collisions(sheet):
    """Pairs of texts that run into each other, and texts that leave the page."""
    boxes = list(boxes_of(sheet.texts))
    for i, (text, left, right, top, bottom) in enumerate(boxes):
        if left < 0 or top < 0 or right > sheet.width + 0.5 or bottom > sheet.height + 0.5:
            yield text, "the page"
        for other, left2, right2, top2, bottom2 in boxes[:i]:
            if left < right2 - 0.5 and left2 < right - 0.5 and top < bottom2 and top2 < bottom:
                yield text, other


@settings(max_examples=100)
@given(layouts.filter(lambda layout: layout.ndim <= 2))
def test_no_labels_collide(layout):
    """In any layout, and within the page."""
    ours, _ = twins(layout)
    assert list(collisions(lay_out(compose("draw", ours)))) == []


@pytest.mark.parametrize("x", [torch.zeros(1000, 1000), torch.rand(30, 2) * 1e9, torch.ones(0)])
def test_no_labels_collide_where_much_is_left_out(x):
    """Breaks, wide values, nothing at all."""
    assert list(collisions(lay_out(compose("draw", x, title="x")))) == []


def test_the_collision_test_can_fail():
    """Two texts on one spot are seen."""
    sheet = lay_out(compose("draw", grid))
    sheet.texts.append(Text(*_first_middle(sheet), "99", 13, "middle", mono=True))
    assert list(collisions(sheet))


def _first_middle(sheet):
    text = next(text for text in sheet.texts if text.mono)
    return text.x, text.y


def test_the_svg_is_well_formed_and_says_what_it_shows():
    """One rectangle per cell, and the alt text as its title."""
    root = ET.fromstring(draw(grid.t(), title="a<b").svg())
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}rect")) == 1 + 12 + 12
    assert root.find(f"{name}title").text.startswith("Tensor a<b, size (4, 3)")


def test_the_svg_is_always_the_same():
    """So that pictures in git change only when they change."""
    assert draw(grid).svg() == draw(grid).svg()


def test_the_figure_is_a_figure_of_its_own():
    """Not one of pyplot's, whose state is the learner's."""
    before = plt.get_fignums()
    figure = draw(grid).figure()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == before


def test_the_figure_can_be_drawn_on_given_axes():
    """And the learner may go on drawing there."""
    figure, (left, right) = plt.subplots(1, 2)
    try:
        assert draw(grid).figure(left) is figure
        assert len(left.collections) >= 2
        assert not right.collections
    finally:
        plt.close(figure)


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.png", b"\x89PNG"), ("a.svg", b"<svg"), ("a.pdf", b"%PDF"), ("a.txt", b"size (3, 4)")],
)
def test_saving(tmp_path, name, start):
    """The ending says the kind."""
    path = draw(grid).save(tmp_path / name)
    assert path.read_bytes().startswith(start)


def test_saving_an_unknown_kind_is_refused(tmp_path):
    """And nothing is written."""
    with pytest.raises(ArgumentError, match=r"\.gif is no kind of picture"):
        draw(grid).save(tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_in_a_notebook_it_is_an_image_with_alt_text():
    """As an image in a data address, with the text form to unfold."""
    diagram = draw(grid.t(), title='"t"')
    page = diagram._repr_html_()
    pattern = r'<img alt="([^"]*)".*?src="data:image/svg\+xml;base64,(.*?)"'
    alt, source = re.match(pattern, page).groups()
    assert alt == diagram.alt.replace('"', "&quot;")
    assert base64.b64decode(source).decode() == diagram.svg()
    assert "<details><summary>As text</summary><pre>" in page


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
        "value    [0]  1  2  [3]  [4]  5  6  [7]"
    )
