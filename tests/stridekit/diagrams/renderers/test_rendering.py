"""The three renderers, and how a diagram shows itself."""

import base64
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import torch
from hypothesis import given, settings

import stridekit as sk
from stridekit import draw
from stridekit.diagrams.pages.colours import FILLS
from stridekit.diagrams.pages.page import DIGIT_HEIGHT, text_width
from stridekit.errors import ArgumentError
from tests.stridekit.diagrams.picture_files import SVG, svg_texts
from tests.stridekit.strategies import any_layouts, twins

grid = torch.arange(12).view(3, 4)


# SVG


@settings(max_examples=30)
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


def test_texts_in_cells_are_no_markup():
    """Tokens, say: numbers never need to be escaped, and they do."""
    tokens = ["<pad>", "a&b", "it's"]
    texts = [text for text, _, _ in svg_texts(draw(np.array(tokens)).svg())]
    for token in tokens:
        assert texts.count(repr(token)) == 2


def test_wide_characters_are_not_placed_one_by_one():
    """They take more room than a digit, and a browser knows how much."""
    root = ET.fromstring(draw(np.array([["日本", "🙂"], ["a", "bc"]])).svg())
    places = {each.text: each.get("x").split() for each in root.iter(f"{SVG}text")}
    for text, count in (("'日本'", 1), ("'🙂'", 1), ("'a''bc'", 7)):
        assert len(places[text]) == count


def test_cells_of_one_look_are_one_path():
    """So that a picture is small. One rectangle is the card."""
    root = ET.fromstring(draw(grid.t()).svg())
    assert len(root.findall(f"{SVG}rect")) == 1
    fills = {path.get("fill"): path.get("d").count("M") for path in root.findall(f"{SVG}path")}
    assert [fills[fill] for fill in FILLS[:3]] == [8 + 1, 8 + 1, 8 + 1]
    assert len(draw(torch.arange(64).view(8, 8)).svg()) < 16_000


def test_the_numbers_of_a_line_are_one_element():
    """So that a browser is quick with it; and each number still stands in its own cell."""
    diagram = draw(torch.arange(64).view(8, 8))
    assert diagram.svg().count("<text") < 40
    written = svg_texts(diagram.svg())
    for font, runs in diagram._page.texts.items():
        for x, y, text, _ in runs:
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


# Files


def test_saving_what_cannot_be_saved(tmp_path):
    """An unknown kind, a folder that is not there: nothing is written."""
    with pytest.raises(ArgumentError, match=r"\.gif is not a kind of picture"):
        draw(grid).save(tmp_path / "a.GIF")
    with pytest.raises(ArgumentError, match="a name without an ending is not a kind of picture"):
        draw(grid).save(tmp_path / "a")
    with pytest.raises(ArgumentError, match=r"there is no folder .*nowhere, so a.png was not"):
        draw(grid).save(tmp_path / "nowhere" / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_an_ending_may_stand_in_capitals(tmp_path):
    """As some cameras and systems write it."""
    for ending in ("SVG", "Txt", "PNG"):
        assert draw(grid).save(tmp_path / f"a.{ending}").stat().st_size


# Notebooks


def test_in_a_notebook_it_is_an_image_with_alt_text():
    """As an image in a data address, with the text form to unfold."""
    diagram = draw(grid.t(), title='"t"')
    page = diagram._repr_html_()
    pattern = r'<img alt="([^"]*)".*?src="data:image/svg\+xml;base64,(.*?)"'
    alt, source = re.match(pattern, page).groups()
    assert alt == diagram.alt.replace('"', "&quot;")
    named = diagram.svg().replace("<svg ", '<svg id="dark" ', 1)
    assert base64.b64decode(source).decode() == named
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
    # A position is not called a value.
    hidden = draw(torch.tensor([7, 8]), values=False).text()
    assert hidden.endswith("position 0  1\nslot     0  1")
