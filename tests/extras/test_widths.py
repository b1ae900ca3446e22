"""Pictures that are laid out for a width."""

import base64
import html
import json
import re
from math import prod

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stridekit import draw, draw_change
from stridekit.diagrams import live
from stridekit.diagrams.pages.placement import lay_out
from stridekit.errors import ArgumentError
from stridekit_grading import safe_html
from tests.extras.measure import collisions, overflowing
from tests.stridekit.diagrams.golden import drawn, gallery
from tests.stridekit.strategies import any_layouts, twins

PHONE = live.PHONE_COLUMN
OF_CELLS = [name for name in gallery().PICTURES if not name.startswith(("pixels", "warp"))]
x = torch.arange(12).view(3, 4)


@pytest.mark.parametrize("name", OF_CELLS)
def test_the_gallery_fits_a_phone(name):
    """Nothing is lost, and nothing runs into anything; a little wider at most."""
    scene = drawn(name).scene
    page = lay_out(scene, PHONE)
    assert page.width <= PHONE + 22
    assert [*collisions(page), *overflowing(page)] == []
    there = sum(len(placed.cells) for placed in lay_out(scene).places)
    assert sum(len(placed.cells) for placed in page.places) == there
    assert all(
        x >= 0 and x + width <= page.width
        for placed in page.places
        for x, _, width, _ in placed.boxes
    )


@settings(max_examples=30)
@given(any_layouts)
def test_no_labels_collide_on_a_phone(layout):
    """In any layout."""
    page = lay_out(draw(twins(layout)[1], title="x").scene, PHONE)
    assert [*collisions(page), *overflowing(page)] == []


@pytest.mark.parametrize("width", [PHONE, 600, 900])
@pytest.mark.parametrize("turned", [False, True])
@settings(max_examples=12)
@given(st.lists(st.integers(2, 6), min_size=3, max_size=6), st.data())
def test_no_hop_crosses_a_label(width, turned, size, data):
    """There and back, over several rows, however narrow these are."""
    while prod(size) > 4000:
        size = size[1:]
    x = np.arange(prod(size)).reshape(size).transpose(data.draw(st.permutations(range(len(size)))))
    x = x[tuple(slice(None, None, -1 if turned and dim % 2 else 1) for dim in range(x.ndim))]
    index = tuple(data.draw(st.integers(0, n - 1)) for n in x.shape)
    assert [*collisions(lay_out(draw(x, select=index).scene, width))] == []


def test_before_and_after_stand_below_each_other():
    """Side by side where there is room."""
    scene = draw_change(x.clone(), lambda t: t.mul_(2)).scene
    for width, beside in ((900, True), (PHONE, False)):
        tops = [
            placed.boxes[0][1]
            for placed in lay_out(scene, width).places
            if hasattr(placed.owner, "dims")
        ]
        assert (tops[0] == tops[1]) is beside


def test_svg_takes_a_width_and_refuses_what_is_none():
    """The widest is what it was."""
    diagram = draw({"x": x, "x.t()": x.t()})
    assert diagram.svg(width=900) == diagram.svg()
    assert int(re.search(r'width="(\d+)"', diagram.svg(width=PHONE))[1]) <= PHONE
    assert diagram.svg("dark", width=PHONE) != diagram.svg(width=PHONE)
    for width in (100, 2000, "narrow"):
        with pytest.raises(ArgumentError, match="Give 240 to 900 pixels"):
            diagram.svg(width=width)


def test_a_notebook_has_both_forms_of_a_wide_picture(monkeypatch):
    """The same in feedback is the plain one; a small picture has one."""
    monkeypatch.setattr(live, "is_live", lambda: True)
    assert "<picture>" not in draw(x)._repr_mimebundle_()["text/html"]
    diagram = draw({"it's": x, "x.t()": x.t()})
    page = diagram._repr_mimebundle_()["text/html"]
    start = r'<picture><source media="\(max-width: 560px\)" srcset="data:[^,]*,([^"]*)"><img alt='
    narrow = base64.b64decode(re.match(start, page)[1]).decode()
    named = diagram.svg("auto", width=PHONE).replace("<svg ", '<svg id="dark" ', 1)
    assert narrow == named
    data = json.loads(html.unescape(re.search("data-stridekit-narrow='([^']*)'", page)[1]))
    assert f'width="{data["width"]}"' in narrow
    assert len(page) < 2.5 * len(diagram.html())
    assert html.unescape(safe_html.clean_html(page)).replace(';"', '"') == html.unescape(
        diagram.html()
    )
    forged = page.replace("<source ", "<source onerror='x()' ")
    assert "onerror" not in safe_html.clean_html(forged)
