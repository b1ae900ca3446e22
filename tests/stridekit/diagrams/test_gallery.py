"""The gallery is what the code draws today: pictures, page and texts."""

import re
from base64 import b64decode

import pytest

from tests.stridekit.diagrams.golden import GALLERY, GOLDEN, drawn, gallery
from tests.stridekit.diagrams.picture_files import png_rows

GALLERY_PICTURES = gallery().PICTURES
pictures = pytest.mark.parametrize("name", GALLERY_PICTURES)
WAY = "Look at what has changed, then run: make gallery"

# What must be drawable, and the pictures that show it.
MUST = {
    "row-major and column-major": ["row-and-column-major"],
    "slices, steps, unreached storage": ["slices", "unreached-storage"],
    "transpose and permute beside the source": ["transpose", "permute"],
    "several tensors on one storage, with a write": ["aliases-and-a-write", "write-in-place"],
    "stride 0": ["expand"],
    "overlap": ["windows"],
    "out of bounds": ["out-of-bounds"],
    "resize_": ["resize-grows", "resize-keeps"],
    "contiguous": ["contiguous"],
    "channels_last": ["channels-last", "channels-last-beside-contiguous"],
    "an impossible view": ["impossible-view", "impossible-view-of-a-slice"],
    "traversal": ["traversal-by-rows", "traversal-by-columns"],
    "NumPy and torch on the same bytes": ["numpy-and-torch"],
    "dtype views": ["dtype-view"],
    "ten trillion": ["ten-trillion"],
    "pixels": [
        "pixels-of-a-face",
        "pixels-one-too-far",
        "pixels-transposed",
        "pixels-of-channels",
        "pixels-of-channels-last",
        "pixels-stepped-and-repeated",
        "pixels-of-bgr",
    ],
    "chains of operations": ["steps-of-attention", "steps-that-end"],
    "warps": ["warp-along-rows", "warp-along-columns"],
    "motion": [
        "contiguous-in-motion",
        "permute-in-motion",
        "resize-in-motion",
        "write-in-motion",
    ],
}


def test_all_that_must_be_drawable_is_there():
    """Nineteen kinds, each in a picture at least."""
    assert len(MUST) == 19
    assert {name for names in MUST.values() for name in names} <= set(GALLERY_PICTURES)


@pictures
def test_the_picture_is_the_one_in_the_gallery(name):
    """Its SVG, line by line."""
    svg = (GALLERY / f"{name}.svg").read_text("utf-8")
    assert unpacked(gallery().svg_of(name, drawn(name)) + "\n") == unpacked(svg), WAY


@pictures
def test_the_text_is_golden(name):
    """To be read in review."""
    text = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert drawn(name).text() + "\n" == text, WAY


def unpacked(svg):
    """An SVG with its PNGs unpacked: how well they are packed depends on the zlib there is."""
    return re.sub(r'(?<=base64,)[^"]+', lambda png: png_rows(b64decode(png[0])).hex(), svg)


def test_nothing_lies_about():
    """A picture that is gone is gone from the folders."""
    assert {path.stem for path in GALLERY.glob("*.svg")} == set(GALLERY_PICTURES)
    assert {path.stem for path in GALLERY.glob("dark/*.svg")} == set(gallery().DARK)
    assert {path.stem for path in GOLDEN.iterdir()} == set(GALLERY_PICTURES)


def test_the_page_shows_every_picture_with_its_code():
    """And the code, run as it stands there, makes the picture."""
    page = (GALLERY / "README.md").read_text("utf-8")
    assert gallery().page() == page, WAY
    setup, *codes = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)
    assert len(codes) == len(GALLERY_PICTURES)
    for name, code in zip(GALLERY_PICTURES, codes, strict=True):
        *statements, last = code.split("\ndraw")
        names: dict[str, object] = {}
        exec(setup + "\n" + "\ndraw".join(statements) + f"\npicture = draw{last}" if statements
             else f"{setup}\npicture = {code}", names)  # fmt: skip
        assert names["picture"].svg() == drawn(name).svg(), name
