"""What a page is told of a picture's cells: it is what the picture shows, and what torch says."""

import json
import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from stridekit import draw, draw_as_strided, draw_change, draw_warp
from stridekit.diagrams.live import touch_data
from tests.stridekit.diagrams.golden import drawn, gallery
from tests.stridekit.strategies import any_layouts, twins

# Pictures of pixels have no cells.
PICTURES = {name: make for name, make in gallery().PICTURES.items() if "pixels" not in name}
COLUMNS = "xyat"


def told(diagram):
    """The data of a diagram."""
    return json.loads(touch_data(diagram.scene, diagram._page))


def indices(part):
    """The indices of a grid's cells."""
    d = part["d"]
    return [tuple(part["i"][n * d : (n + 1) * d]) for n in range(len(part["a"]))]


@pytest.mark.parametrize("name", PICTURES)
def test_each_cell_is_told_where_it_is_painted(name):
    """All cells and slots of the scene, and on each of them its text."""
    diagram = drawn(name)
    data, page = told(diagram), diagram._page
    sections = diagram.scene.sections
    shown = [
        [(cell.address, cell.text) for cell in grid.cells]
        for section in sections
        for grid in section.grids
    ] + [
        [(slot.address, slot.text) for slot in strip.slots]
        for section in sections
        for strip in section.strips
    ]
    assert sorted(sorted(zip(p["a"], p["t"], strict=True)) for p in data["parts"]) == sorted(
        sorted(each) for each in shown if each
    )
    boxes = {box for look in page.boxes.values() for box in look}
    written = {(x, text) for runs in page.texts.values() for x, _, text, _ in runs}
    for part in data["parts"]:
        assert {len(part[column]) for column in COLUMNS} == {len(part["a"])}
        for x, y, text in zip(part["x"], part["y"], part["t"], strict=True):
            assert (x, y, part["w"], part["h"]) in boxes
            assert (x + part["w"] / 2, text) in written
            assert 0 <= x <= data["width"] - part["w"]
            assert 0 <= y <= data["height"] - part["h"]


@settings(max_examples=60)
@given(any_layouts)
def test_an_index_is_told_with_the_position_that_torch_gives_it(layout):
    """And each position of the grid is one of the strip."""
    own, theirs = twins(layout)
    data = told(draw(own))
    grids = [part for part in data["parts"] if "i" in part]
    for part in grids:
        (strip,) = (other for other in data["parts"] if "i" not in other)
        for index, position in zip(indices(part), part["a"], strict=True):
            assert position == layout.position(index)
            assert theirs[index].storage_offset() == position
            assert position in strip["a"]
    assert bool(grids) == (layout.numel > 0)


def test_parts_say_whose_they_are():
    """Names, units, labels, and the section that says which memory it is."""
    x = torch.arange(4)
    data = told(draw({"x": x, "bytes": x.view(torch.uint8), "y": x.clone()}))
    named = [(part["s"], part["n"], part["u"]) for part in data["parts"]]
    assert named == [(0, "x", 8), (0, "bytes", 1), (0, "", 8), (0, "", 1), (1, "y", 8), (1, "", 8)]
    change = told(draw_change({"t": x.view(2, 2).t()}, lambda t: t.contiguous()))
    assert {part["l"] for part in change["parts"]} == {"before", "after"}
    strips = [part for part in change["parts"] if "i" not in part]
    assert [part["f"] for part in strips] == [[0, 8, 16, 24], [0, 16, 8, 24]]


def test_before_and_after_know_that_they_are_one_memory():
    """After a write, where a storage grew, and in the middle of one; not after a copy."""

    def memories(diagram):
        return [part["o"] for part in told(diagram)["parts"] if "i" in part]

    x = np.arange(6)
    assert memories(draw_change(torch.arange(4), lambda t: t.mul_(2))) == [[0, 0], [0, 0]]
    assert memories(draw_change(torch.arange(4), lambda t: t.resize_(99))) == [[0, 0], [0, 0]]
    assert memories(draw_change(torch.arange(4), lambda t: t.clone())) == [[0, 0], [1, 0]]
    several = {"x": torch.arange(4), "y": torch.arange(3)}
    written = told(draw_change(several, lambda x, y: (x, y.zero_())[2:] or None))["parts"]
    assert [(p["l"], p["o"][0]) for p in written if "i" in p] == [
        ("before", 0), ("before", 1), ("after", 0), ("after", 1)
    ]  # fmt: skip
    odd = [x.view("u1")[3:11].view("i4"), x]
    assert memories(draw(*odd)) == [[0, 0], [0, 0]]


def test_states_are_told():
    """In words, as they are seen."""
    x = torch.arange(6)
    words = told(draw(x[1:3], written=(0,), select=(1,)))["parts"]
    assert words[0]["m"] == {"0": "changed", "1": "selected"}
    assert words[1]["m"]["0"] == "no index leads here"
    outside = told(draw_as_strided(x, (2, 4), (4, 1)))["parts"][0]
    assert outside["m"] == {"6": "outside of the storage", "7": "outside of the storage"}


def test_texts_that_are_no_values_are_not_told_as_such():
    """Of a picture without values."""
    x = torch.tensor([7, 8])
    assert {part["v"] for part in told(draw(x))["parts"]} == {1}
    for picture in (
        draw(x, values=False),
        draw_change(x, lambda t: t.mul_(2), values=False),
        draw_change(x, lambda t: t.clone(), values=False),
        # There they are numbers of threads.
        draw_warp(x, along=0),
    ):
        assert {part["v"] for part in told(picture)["parts"]} == {0}


@pytest.mark.parametrize("order", [1, -1])
def test_beside_a_tensor_without_memory_the_other_has_its_values(order):
    """Each memory says for itself whether its texts are values."""
    both = {"header": torch.empty(2, device="meta"), "x": torch.tensor([7, 8])}
    picture = draw(dict([*both.items()][::order]))
    values = {(part["n"], part["v"]) for part in told(picture)["parts"] if part["n"]}
    assert values == {("header", 0), ("x", 1)}
    rows = re.findall(r"^(slot|value) +(\d)  (\d)$", picture.text(), re.M)
    assert rows == [("slot", "0", "1"), ("value", "7", "8")][::order]


def test_positions_that_a_browser_cannot_count_are_text():
    """They are not rounded."""
    x = torch.arange(2)
    data = told(draw_as_strided(x, (2,), (2**60 + 1,)))
    assert data["parts"][0]["a"] == ["0", str(2**60 + 1)]
    assert data["parts"][0]["m"]["1"] == "outside of the storage"


def test_what_is_told_grows_with_what_is_shown():
    """Never with the tensor."""
    vast = draw(torch.arange(6).view(1, 3, 2).expand(10_000_000_000_000, 3, 2))
    assert len(touch_data(vast.scene, vast._page)) < 12_000
    small = draw(torch.arange(12).view(3, 4))
    assert len(touch_data(small.scene, small._page)) < 700


def test_no_elements():
    """No cells, and nothing to point at but the storage."""
    (strip,) = told(draw(torch.arange(3)[3:]))["parts"]
    assert "i" not in strip
    assert told(draw(torch.empty(0)))["parts"] == []
