"""The line from a selected cell to its slot."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import draw, draw_steps
from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.page import text_width
from stridekit.diagrams.scenes.captions import number_text
from tests.stridekit.strategies import any_layouts, twins

SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def lines_of(page):
    """The line's pieces, as boxes: left, upper, right, lower."""
    return [(*piece[0], *piece[2]) for piece in page.shapes[colours.CORNER]]


@given(any_layouts, st.data())
def test_it_leads_from_the_cell_to_its_slot_and_over_no_text(layout, data):
    """From a side of the cell to a side of the slot, with the sum at it."""
    x = twins(layout)[1]
    if not layout.numel:
        return
    index = tuple(data.draw(st.integers(0, n - 1)) for n in layout.size)
    page = draw(x, select=index)._page
    pieces = lines_of(page)
    cell, *_, slot = (
        box
        for placed in page.places
        for each, box in zip(placed.cells, placed.boxes, strict=True)
        if "selected" in each.marks
    )
    left, lower = cell[0], cell[1] + cell[3]
    assert any(
        abs(up - lower) < 1 and min(abs(x0 + 0.9 - side) for side in (left, left + cell[2])) < 0.1
        for x0, up, _, _ in pieces
    )
    assert any(abs(low - slot[1]) < 1 and abs(x0 + 0.9 - slot[0]) < 0.1 for x0, _, _, low in pieces)
    words = [text for runs in page.texts.values() for _, _, text, _ in runs]
    assert (
        sum(text.startswith(f"position {number_text(layout.position(index))} =") for text in words)
        == 1
    )
    for font, runs in page.texts.items():
        for at, y, text, _ in runs:
            width = text_width(text, font.size, mono=font.mono, bold=font.bold)
            start = at - width * SHARE[font.anchor]
            for x0, y0, x1, y1 in pieces:
                beside = x1 <= start or x0 >= start + width
                assert beside or y1 <= y - font.size / 2 or y0 >= y + font.size / 2, text


def test_each_row_of_a_chain_has_its_own():
    """And a picture without a selected element has none."""
    x = torch.arange(6).view(2, 3)
    steps = draw_steps(x, "t()", "contiguous()", select=(1, 2))
    assert [section.way for section in steps.scene.sections] == [
        "position 5 = offset 0 + 1×3 + 2×1",
        "position 5 = offset 0 + 2×1 + 1×3",
        "position 5 = offset 0 + 2×2 + 1×1",
    ]
    assert len(lines_of(steps._page)) >= 3 * 2
    assert lines_of(draw(x)._page) == []
