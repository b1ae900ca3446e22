"""Pictures that matplotlib paints, and files of them."""

import subprocess
import sys
from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from PIL import Image

import stridekit as sk
from stridekit import draw, draw_change, draw_pixels
from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import FILLS
from stridekit.diagrams.renderers.themes import DARK_CARD, TEXT, on_card
from stridekit.errors import ArgumentError
from tests.extras.measure import collisions, overflowing, text_boxes
from tests.stridekit.diagrams.golden import drawn, gallery
from tests.stridekit.diagrams.picture_files import svg_texts

grid = torch.arange(12).view(3, 4)


def test_the_figure_is_a_figure_of_its_own():
    """Not one of pyplot's, whose state is the learner's."""
    before = plt.get_fignums()
    figure = draw(grid).figure()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == before


def test_a_map_of_a_large_tensor_is_an_image():
    """As it is in the SVG."""
    (axes,) = draw(torch.randn(40, 40), stats=True).figure().axes
    assert axes.images
    assert not draw(torch.randn(40, 40)).figure().axes[0].images


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


def colours_on(ax):
    """Of boxes and of text."""
    fills = {
        to_hex(colour).upper()
        for each in ax.collections
        if isinstance(each, PolyCollection)
        for colour in each.get_facecolor()
    }
    inks = {to_hex(p.get_facecolor()).upper() for p in ax.patches if isinstance(p, PathPatch)}
    return fills, inks


def test_a_figure_is_light_unless_it_is_asked_to_be_dark():
    """Whatever the style of pyplot is."""
    with plt.style.context("dark_background"):
        light = draw(grid).figure()
    assert to_hex(light.get_facecolor()).upper() == colours.CARD
    dark = draw(grid).figure(theme="dark")
    assert to_hex(dark.get_facecolor()).upper() == DARK_CARD
    fills, inks = colours_on(dark.axes[0])
    assert set(colours.FILLS[:3]) <= fills
    assert on_card(colours.INK, TEXT) in inks


@pytest.mark.parametrize(
    "settings",
    [
        {"savefig.transparent": True},
        {"savefig.facecolor": "red"},
        {"savefig.bbox": "tight"},
        {"figure.frameon": False},
        {"path.sketch": (1, 100, 2)},
        {"patch.antialiased": False},
        {"font.size": 30, "lines.linewidth": 9, "figure.dpi": 300, "savefig.dpi": 30},
    ],
)
def test_a_file_is_the_same_whatever_matplotlib_is_told(tmp_path, settings):
    """The card is opaque, and its own; so it is in what a notebook keeps."""
    diagrams = draw(grid), draw_pixels(sk.face())

    def files():
        saved = [each.save(tmp_path / "x.png").read_bytes() for each in diagrams]
        return saved + [each._repr_png_() for each in diagrams]

    before = files()
    with plt.rc_context(settings):
        assert files() == before


@pytest.mark.parametrize(("colour", "ink"), [("#1E1E1E", "#EAEAEA"), ("white", "#1A1A1A")])
def test_given_axes_decide_by_the_colour_of_their_figure(colour, ink):
    """So that nothing dark stands on a dark figure."""
    figure, ax = plt.subplots(facecolor=colour)
    try:
        draw(grid, ax=ax)
        assert ink in colours_on(ax)[1]
        draw(grid).figure(ax, theme="dark")
        assert "#EAEAEA" in colours_on(ax)[1]
    finally:
        plt.close(figure)


def test_saving_in_a_theme(tmp_path):
    """Files are light unless they are asked to be dark."""
    assert draw(grid).save(tmp_path / "a.svg", theme="dark").read_text() == (
        draw(grid).svg("dark") + "\n"
    )
    assert "light-dark(" in draw(grid).save(tmp_path / "a.svg", theme="auto").read_text()
    light = draw(grid).save(tmp_path / "a.png").read_bytes()
    assert draw(grid).save(tmp_path / "a.png", theme="dark").read_bytes() != light
    assert draw(grid).save(tmp_path / "a.txt", theme="dark").read_text() == draw(grid).text() + "\n"


@pytest.mark.parametrize("name", gallery().PICTURES)
def test_nothing_in_the_gallery_runs_into_anything(name):
    """Measured on the outlines."""
    page = drawn(name)._page
    assert [*collisions(page), *overflowing(page)] == []
    assert page.width <= 930


def test_axes_are_matplotlibs():
    """And nothing else is."""
    with pytest.raises(ArgumentError, match="ax is matplotlib's Axes, and this is of type int"):
        draw(grid, ax=5)


def test_axes_stand_still():
    """And say so, before anything is done."""
    done = []
    with pytest.raises(ArgumentError, match=r"draw_change: axes stand still\. Leave out motion"):
        draw_change(torch.zeros(2), done.append, motion=True, ax=Figure().add_subplot())
    assert done == []


def test_a_figure_of_what_moves_is_the_still_one():
    """Artist by artist."""
    painted = [
        draw_change(sk.arange(12).view(3, 4).t(), lambda t: t.contiguous(), motion=motion)
        .figure()
        .axes[0]
        .get_children()
        for motion in (True, False)
    ]
    assert len(painted[0]) == len(painted[1])
