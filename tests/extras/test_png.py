"""Pixels as PNG files, and painted by each renderer."""

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from PIL import Image

import stridekit as sk
from stridekit import draw_pixels
from stridekit.diagrams.pixel_diagram import lay_out_pixels
from stridekit.diagrams.renderers.svg import to_png
from tests.extras.measure import collisions, overflowing

FACE = np.array(sk.face().tolist(), dtype=np.uint8)


@given(
    rows=st.integers(1, 9),
    columns=st.integers(1, 9),
    channels=st.sampled_from([1, 3, 4]),
    data=st.data(),
)
def test_another_program_reads_the_same_pixels(rows, columns, channels, data):
    """Pillow, of any size and kind."""
    count = rows * columns * channels
    pixels = data.draw(st.binary(min_size=count, max_size=count))
    image = Image.open(BytesIO(to_png(columns, rows, channels, pixels)))
    image.verify()
    image = Image.open(BytesIO(to_png(columns, rows, channels, pixels)))
    assert (image.width, image.height) == (columns, rows)
    assert image.mode == {1: "L", 3: "RGB", 4: "RGBA"}[channels]
    assert image.tobytes() == pixels


def test_the_svg_holds_the_pixels_and_scales_them_unsmoothed():
    """As one image, three pixels a pixel at least."""
    svg = draw_pixels([sk.face(), sk.face("HW")]).svg()
    images = re.findall(r"<image [^>]+>", svg)
    assert len(images) == 2
    for image, expected in zip(images, (FACE, None), strict=True):
        assert "image-rendering:pixelated" in image
        assert 'width="288" height="192"' in image
        png = Image.open(BytesIO(b64decode(re.search('base64,([^"]+)', image)[1])))
        assert expected is None or (np.asarray(png) == expected).all()


@pytest.mark.parametrize("dims", ["HWC", "HW"])
def test_the_figure_shows_the_pixels_at_their_places(dims):
    """Painted on axes of the page, a rectangle of one colour for each."""
    d = draw_pixels(sk.face(dims))
    drawn = BytesIO()
    d.figure().savefig(drawn, format="png", dpi=96)
    seen = np.asarray(Image.open(drawn).convert("RGB"))
    ((x, y, width, height), columns, rows, channels, pixels) = d._page.images[0]
    side = width / columns
    middles = np.ix_(
        (y + side * (np.arange(rows) + 0.5)).astype(int),
        (x + side * (np.arange(columns) + 0.5)).astype(int),
    )
    expected = np.frombuffer(pixels, np.uint8).reshape(rows, columns, channels)
    assert height == rows * side
    # matplotlib blends in whole steps.
    assert np.abs(seen[middles].astype(int) - expected).max() <= 1


def test_on_somebodys_axes():
    """Drawn there, and shown by their figure alone."""
    ax = Figure().add_subplot()
    d = draw_pixels(sk.face(), ax=ax)
    (painted,) = (artist for artist in ax.get_children() if isinstance(artist, AxesImage))
    assert (painted.get_array() == FACE).all()
    assert d.figure() is ax.figure
    assert d._repr_html_() is None
    assert d._repr_png_() is None


def test_what_a_notebook_shows(tmp_path):
    """An image with words, and files of each kind."""
    d = draw_pixels({"a & b": sk.face("HW")})
    assert 'alt="Picture a &amp; b, 64 rows of 96 pixels in grey' in d._repr_html_()
    assert Image.open(BytesIO(d._repr_png_())).width > 400
    for ending in ("svg", "png", "pdf", "txt"):
        assert d.save(tmp_path / f"face.{ending}").stat().st_size > 1000


@pytest.mark.parametrize("side", [1, 2, 5, 17, 60, 96, 200, 256, 1000])
@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_pages_hold_their_pictures(side, number):
    """Nothing collides, no picture leaves the page or is smaller than three pixels a pixel."""
    x = sk.zeros(side, side // 2 + 1, dtype="uint8")
    page = lay_out_pixels(draw_pixels([x] * number, select=(0, 0)).scene)
    assert [*collisions(page), *overflowing(page)] == []
    assert page.width <= 930
    for image in page.images:
        left, top, width, height = image.box
        assert left + width <= page.width
        assert top + height <= page.height
        assert width == image.columns * (width // image.columns)
        assert width / image.columns == height / image.rows >= 3


def test_a_dark_page_shows_the_same_pixels():
    """Pixels mean what they show."""
    d = draw_pixels(sk.face())
    images = [re.findall(r"<image [^>]+>", d.svg(theme)) for theme in ("light", "dark", "auto")]
    assert images[0] == images[1] == images[2] != []


@pytest.mark.parametrize("noise", [True, False])
def test_a_large_picture_is_packed_where_that_helps(noise):
    """And read as the same pixels either way."""
    drawn = np.random.default_rng(1).integers(256, size=250 * 188 * 3, dtype=np.uint8)
    pixels = drawn.tobytes() if noise else bytes(range(250)) * 564
    packed = to_png(250, 188, 3, pixels)
    assert Image.open(BytesIO(packed)).tobytes() == pixels
    assert (len(packed) > len(pixels)) is noise


@pytest.mark.parametrize("size", [(0, 4), (0, 0), (3, 0)])
def test_the_box_of_an_empty_picture_is_on_its_page(size):
    """Also where its header is shorter than it."""
    page = lay_out_pixels(draw_pixels(sk.zeros(*size), dims="HW").scene)
    ((x, y, width, height),) = (box for boxes in page.boxes.values() for box in boxes)
    assert x + width < page.width
    assert y + height < page.height
