"""Motion: what travels comes from where it was, and the still picture is whole beneath it.

Where only a header is new nothing travels: cells are read, each from its slot.
"""

import re
import xml.etree.ElementTree as ET
from math import dist

import pytest
import torch

import stridekit as sk
from stridekit import draw_change
from stridekit.diagrams.motion import TRAVELS_MOST, movers_of, travels_of
from stridekit.diagrams.pages.placement import lay_out

SVG = "{http://www.w3.org/2000/svg}"


def grid(*size):
    """A new stridekit tensor of 0, 1, 2 and so on."""
    n = 1
    for each in size:
        n *= each
    return sk.arange(n).view(size)


# What is done to which tensors; what it is; how many elements travel.
CHANGES = {
    "contiguous": (lambda: {"x": grid(3, 4).t()}, lambda t: t.contiguous(), "copy", 12),
    "clone of a slice": (lambda: {"x": grid(4, 5)[1:3, 1:4]}, lambda t: t.clone(), "copy", 6),
    "reshape": (lambda: {"x": grid(3, 4).t()}, lambda t: t.reshape(12), "copy", 12),
    "expanded": (lambda: {"x": grid(1, 3).expand(2, 3)}, lambda t: t.contiguous(), "copy", 6),
    "transpose": (lambda: {"x": grid(3, 4)}, lambda t: t.t(), "header", 12),
    "permute": (lambda: {"x": grid(2, 3, 4)}, lambda t: t.permute(1, 0, 2), "header", 24),
    "expand": (lambda: {"x": grid(1, 3)}, lambda t: t.expand(4, 3), "header", 12),
    "as_strided": (lambda: {"x": grid(12)[:3]}, lambda t: t.as_strided((2, 2), (4, 1), 5),
                   "header", 4),
    "resize_ to less": (lambda: {"x": grid(3, 4)}, lambda t: t.resize_(2, 3), "header", 6),
    "resize_ to more": (lambda: {"x": grid(3, 4)}, lambda t: t.resize_(3, 5), "resize", 15),
    "fill_": (lambda: {"x": grid(3, 4)}, lambda t: t.fill_(99), "write", 12),
}  # fmt: skip
changes = pytest.mark.parametrize("name", CHANGES)


def made(name, motion=True):
    make, act, *_ = CHANGES[name]
    return draw_change(make(), act, motion=motion)


@changes
def test_what_was_done_and_how_many_travel(name):
    """By the scene alone."""
    _, _, change, number = CHANGES[name]
    scene = made(name).scene
    assert scene.change == change
    assert len(travels_of(scene)) == number


@changes
def test_elements_come_from_where_they_were(name):
    """The value that arrives is that of the place it comes from, and of no other."""
    scene = made(name).scene
    for source, target, old in travels_of(scene):
        assert source.text == target.text
        if scene.change != "copy":
            assert source.address == target.address
        if scene.change == "write":
            assert old == str(target.index[0] * 4 + target.index[1])
        else:
            assert old is None


@changes
def test_movers_begin_and_end_where_cells_stand(name):
    """In pixels: each box is one that is painted, and so is the place that it comes from."""
    scene = made(name).scene
    page = lay_out(scene)
    boxes = {box for boxes in page.boxes.values() for box in boxes}
    middles = {(x + width / 2, y + height / 2) for x, y, width, height in boxes}
    movers = movers_of(scene, page)
    assert len(movers) == len(travels_of(scene))
    for mover in movers:
        _, y, _, height = mover.box
        assert mover.box in boxes
        assert mover.start in boxes
        assert mover.read == (scene.change in ("header", "resize"))
        if mover.read:
            assert mover.start[1] > y + height
    # The last mover is the first one in the SVG.
    ways = re.findall(r"--x:([-.\de+]+)px;--y:([-.\de+]+)px", made(name).svg())
    travelling = [mover.box for mover in reversed(movers) if not mover.read]
    for (x, y, width, height), (dx, dy) in zip(travelling, ways, strict=True):
        begins = x + width / 2 + float(dx), y + height / 2 + float(dy)
        assert any(dist(begins, middle) < 0.2 for middle in middles)


@changes
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_still_picture_is_whole(name, theme):
    """What moves is added at the end, hidden from whoever does not play it, and read by nobody."""
    moving, still = made(name), made(name, motion=False)
    svg = moving.svg(theme)
    assert svg.startswith(still.svg(theme).removesuffix("</svg>"))
    root = ET.fromstring(svg)
    stage = root[-1]
    assert stage.get("opacity") == "0"
    assert stage.get("aria-hidden") == "true"
    style = root[-2].text
    assert "@media print,(prefers-reduced-motion:reduce){.stridekit .stage{display:none}" in style
    assert "infinite" not in style
    assert "<script" not in svg
    _, _, change, number = CHANGES[name]
    kinds = [each.get("class") for each in stage.findall(f"{SVG}g")]
    if change in ("header", "resize"):
        # Nothing leaves its place: a cell appears while its slot is pointed at.
        assert kinds == ["read", "point"] * number
        assert "translate" not in ET.tostring(stage, "unicode")
    else:
        assert kinds == ["travel"] * number
    assert moving.text() == still.text()
    assert moving.alt == still.alt


@changes
def test_it_ends_in_time(name):
    """All have come before the stage closes, and nobody waits longer than five seconds."""
    svg = made(name).svg()
    whole = float(re.search(r"stridekit-stage ([\d.]+)s", svg)[1])
    way = float(re.search(r"stridekit-(?:point|travel) ([\d.]+)s", svg)[1])
    delays = [float(delay) for delay in re.findall(r"--d:([\d.]+)s", svg)]
    assert max(delays) + way <= whole <= 5


def test_a_write_spreads_to_all_aliases_at_once():
    """From one slot, at one time, to every grid that shows it."""
    x = grid(3, 4)
    tensors = {"x": x, "row": x[1], "t": x.t()}
    d = draw_change(tensors, lambda _x, row, _t: row.fill_(7), motion=True)
    travels = travels_of(d.scene)
    assert len(travels) == 9  # x[1, 3] was 7 before
    movers = movers_of(d.scene, d._page)
    for start in {travel.start for travel in travels}:
        mine = [m for t, m in zip(travels, movers, strict=True) if t.start == start]
        assert len(mine) == 3
        assert len({mover.delay for mover in mine}) == 1
    assert {mover.old for mover in movers} == {"4", "5", "6"}


def test_no_more_than_so_many_travel_and_a_note_says_so():
    """In the picture, and in words."""
    d = draw_change(torch.arange(256).view(16, 16), lambda t: t.t(), motion=True)
    assert d.svg().count('class="read"') == TRAVELS_MOST
    assert d.scene.notes[-1] == "In motion: the first 200 of 256 elements shown."
    assert "In motion" in d.text()
    assert "In motion" in d.alt
    assert len(d.svg()) < 200_000


@pytest.mark.parametrize(
    "act",
    [lambda t: t, lambda t: None, lambda t: t.to(torch.float32), lambda t: (t, t.t())],
    ids=["the same", "nothing", "other numbers", "two results"],
)
def test_where_nothing_travels_the_picture_is_still(act):
    """It is as it would be without motion."""
    x = torch.arange(6).view(2, 3)
    assert draw_change(x, act, motion=True).svg() == draw_change(x, act).svg()


def test_strips_that_share_their_rows_are_no_trouble():
    """Bytes below elements, and tensors of two dtypes on one memory."""
    x = torch.arange(4, dtype=torch.int32)
    d = draw_change(x, lambda t: t.flip(0), bytes=True, motion=True)
    ET.fromstring(d.svg())
    y = draw_change({"x": x, "y": x.view(torch.int16)}, lambda x, _y: x.fill_(1), motion=True)
    ET.fromstring(y.svg())
