"""On the page nothing runs into anything: measured on the outlines that are painted."""

from math import prod

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw, draw_as_strided, draw_change, draw_resize, draw_view
from stridekit.diagrams.pages import colours, strips
from stridekit.diagrams.pages.grid_frames import LABEL, TICK, TICK_END
from stridekit.diagrams.pages.grids import plan_grid
from stridekit.diagrams.pages.page import WIDEST, Font, Page, text_width
from stridekit.diagrams.pages.placement import lay_out
from stridekit.diagrams.renderers.mpl import placed
from stridekit.diagrams.renderers.themes import themed
from stridekit.errors import StridekitError
from tests.extras.measure import collisions, overflowing, text_boxes
from tests.stridekit.strategies import any_layouts, twins


def wrong_on(diagram):
    """What runs into what on a diagram's page."""
    page = lay_out(diagram.scene)
    too_wide = [f"{page.width} px"] if page.width > WIDEST else []
    return [*collisions(page), *overflowing(page), *too_wide, *hanging_out(page)]


def hanging_out(page):
    """Labels of dims that run across which are wider than the bracket below them."""
    brackets = [
        (line[1][0], line[2][0], line[1][1])
        for lines in page.lines.values()
        for line in lines
        if len(line) == 4 and line[1][1] == line[2][1] < line[0][1]
    ]
    for font, runs in page.texts.items():
        if font.size != LABEL.size or font.anchor != "middle" or font.mono:
            continue
        for x, y, text, _ in runs:
            for left, right, top in brackets:
                half = text_width(text, font.size, bold=font.bold) / 2
                over = x == (left + right) / 2 and top - 60 < y < top
                if over and (x - half < left - 0.01 or x + half > right + 0.01):
                    yield f"{text} hangs out"


@settings(max_examples=60)
@given(any_layouts, st.booleans())
def test_no_labels_collide(layout, values):
    """In any layout: offset, stride 0, windows, any rank, empty, cut short."""
    _, theirs = twins(layout)
    assert wrong_on(draw(theirs, title="x", values=values)) == []


@settings(max_examples=40)
@given(any_layouts, st.data())
def test_no_arrows_cross_a_label(layout, data):
    """Hops of a selected element, whichever way they go, visit numbers, bytes."""
    ours, _ = twins(layout)
    if not layout.numel:
        return
    index = tuple(data.draw(st.integers(0, n - 1)) for n in layout.size)
    order = data.draw(st.permutations(range(layout.ndim)))
    assert wrong_on(draw(ours, select=index)) == []
    assert wrong_on(draw(ours, traverse=tuple(order))) == []
    assert wrong_on(draw(ours, bytes=True, written=index)) == []


@settings(max_examples=60)
@given(st.lists(any_layouts, min_size=2, max_size=6))
def test_several_tensors_keep_apart(layouts):
    """On one storage with their lanes, and on several."""
    whole = torch.arange(400)
    views = []
    for layout in layouts:
        try:
            views.append(whole.as_strided(layout.size, layout.stride, layout.storage_offset))
        except RuntimeError:
            views.append(twins(layout)[1])
    assert wrong_on(draw(*views)) == []
    named = {f"a long name for number {n}": x for n, x in enumerate(views)}
    assert wrong_on(draw(named, title="several")) == []


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(-4, 6)), max_size=4),
    st.integers(-3, 20),
    st.booleans(),
)
def test_headers_that_leave_their_storage(dims, offset, in_bytes):
    """Negative strides and positions, with the way to the last element, there and back."""
    size, stride = [n for n, _ in dims], [step for _, step in dims]
    last = tuple(n - 1 for n in size)
    for library in (torch.arange(20), np.arange(20)):
        diagram = draw_as_strided(library, size, stride, offset, select=last, bytes=in_bytes)
        assert wrong_on(diagram) == []


@settings(max_examples=40)
@given(any_layouts, st.integers(1, 3))
def test_changes_and_views(layout, parts):
    """Copies with their arrows, resizes, views that are possible or not."""
    ours, theirs = twins(layout)
    if layout.numel > 2000:
        return
    assert wrong_on(draw_change(ours, lambda t: t.contiguous())) == []
    assert wrong_on(draw_change(ours, lambda t: t.clone())) == []
    # Positions and bytes, two lines of labels.
    assert wrong_on(draw_change(theirs.numpy(), lambda a: np.array(a, order="C"))) == []
    if layout.numel % parts == 0:
        assert wrong_on(draw_view(ours, parts, -1) if layout.numel else draw(ours)) == []
    try:
        assert wrong_on(draw_resize(ours.clone(), parts, 5)) == []
    except StridekitError as refusal:
        raise AssertionError("a clone may always grow") from refusal


@pytest.mark.parametrize(
    "x",
    [
        torch.zeros(1000, 1000),
        torch.rand(30, 2) * 1e9,
        torch.ones(0),
        torch.ones(0, 3, 0, 2, 1, 4),
        torch.arange(64),
        torch.arange(300),
        torch.arange(64).view(2, 32),
        torch.ones(3, dtype=torch.complex128) * (1e-200 + 1e200j),
        torch.tensor([[float("nan"), float("-inf")]]),
        torch.ones(1).expand(10**13),
        torch.ones(2, 2, 2, 2, 2, 2, 2, 2),
        torch.zeros(10**6)[::99_999],
        np.arange(6).reshape(2, 3)[::-1, ::-1],
        np.array(["한국어 텐서", "日本語", "😀😀"], dtype=object),
    ],
)
def test_odd_ones(x):
    """Breaks, wide values, many dims, nothing at all."""
    for options in ({}, {"values": False}, {"bytes": True}, {"traverse": True}):
        assert wrong_on(draw(x, title="x", **options)) == []


@given(st.integers(1, 12), st.integers(-4, 30), st.sampled_from(["int16", "int32", "complex128"]))
def test_bytes_stand_under_their_elements(length, offset, dtype):
    """Also where slots before the storage, or beyond its end, have no bytes to show."""
    x = torch.zeros(length, dtype=getattr(torch, dtype))
    diagram = draw_as_strided(x, (2, 3), (7, -2), offset, bytes=True)
    elements, bare = diagram.scene.sections[0].strips
    placed = {
        strip.title: {
            cell.address: box
            for each in diagram._page.places
            if each.owner is strip
            for cell, box in zip(each.cells, each.boxes, strict=True)
        }
        for strip in (elements, bare)
    }
    above, below = placed.values()
    for address, (left, upper, width, _) in below.items():
        start, top, whole, height = above[address // elements.unit]
        assert start <= left < left + width <= start + whole
        # In the same row: a strip's rows are further apart than an element and its bytes.
        assert top + height < upper <= top + 3 * height
    assert len(below) == len(bare.slots)


FRACTIONS = torch.rand(8, generator=torch.Generator().manual_seed(0))
LONG = "WWWWWWWWWWWWWWWW_and_so_on_" * 4
# What is drawn of a tensor of any rank: kinds of pictures, and what makes them wide.
KINDS = {
    "draw": lambda x, index: draw(x, title=LONG, dims=[f"W{d}{LONG}" for d in range(x.dim())]),
    "in bytes": lambda x, _: draw(x, bytes=True, all=True),
    "traversal": lambda x, _: draw(x, traverse=True, dims=[f"{d}{LONG}" for d in range(x.dim())]),
    "backwards": lambda x, index: draw(x, traverse=range(x.dim())[::-1], written=index),
    "the way": lambda x, index: draw(x, select=index),
    "broadcast": lambda x, _: draw({LONG: x, "e": x.expand(10**9, *x.shape)}),
    "many": lambda x, _: draw(
        {f"{n}{LONG}": x.unsqueeze(0)[..., :n] for n in range(1, 12)}, all=True
    ),
    "a few storages": lambda x, _: draw([x, x.clone(), torch.zeros(3, 4)], title=LONG),
    "a copy": lambda x, _: draw_change({LONG: x}, lambda t: t.clone()),
    "motion": lambda x, _: draw_change(x, lambda t: t.reshape(-1), motion=True, bytes=True),
    "a write": lambda x, _: draw_change(x, lambda t: t.add_(1e5)),
    "a view": lambda x, _: draw_view(x, -1),
    "resize_": lambda x, _: draw_resize(x, *[n + 1 for n in x.shape]),
    "far out": lambda x, _: draw_as_strided(x, x.shape, [10**13] * x.dim(), 10**14),
    "sparse": lambda x, _: draw(x.to_sparse(), title=LONG),
    "moments": lambda x, _: draw(x.numpy().astype("M8[ns]"), title=LONG),
    "words": lambda x, _: draw(np.full(x.shape, LONG)),
    "records": lambda x, _: draw(np.zeros(x.shape[:4], dtype=[(LONG, "U9"), ("b", "<f8")])),
    "masked": lambda x, _: draw(np.ma.masked_array(x.numpy(), mask=x.numpy() > 1)),
    "meta": lambda x, _: draw(x.to("meta"), title=LONG),
    "a parameter": lambda x, _: draw(torch.nn.Parameter(x) * 2, title=LONG),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(st.lists(st.sampled_from((1, 2, 3, 3, 5, 12, 40)), max_size=8), st.data())
def test_no_page_is_wider_than_a_notebook(kind, size, data):
    """Any rank, wide values, names and dtypes, many dims, several storages, before and after."""
    while prod(size) > 100_000:
        size = size[1:]
    # Of few values: to measure a text for the first time takes long.
    values = FRACTIONS * data.draw(st.sampled_from((1, -1e-7)))
    x = values[torch.arange(prod(size)) % len(values)].view(size)
    x = x.permute(data.draw(st.permutations(range(len(size)))))
    index = tuple(data.draw(st.integers(0, n - 1)) for n in x.shape)
    try:
        diagram = KINDS[kind](x, index)
    except StridekitError:
        # What cannot be changed so is refused, and not drawn.
        return
    assert wrong_on(diagram) == []


def test_vast_tensors_fit_a_notebook():
    """Numbers of visits of twelve digits, in nine columns."""
    x = torch.zeros(1, dtype=torch.complex128).expand(40, 40, 40, 40, 40, 3, 40, 3)
    for options in (
        {},
        {"traverse": True},
        {"values": False},
        {"dims": [str(n) + "W" * 16 for n in range(8)]},
    ):
        assert lay_out(draw(x, **options).scene).width <= WIDEST


@pytest.mark.parametrize("size", [(2, 4, 5, 8), (2, 16, 2, 2), (7, 7, 7, 7), (8, 40), (256,)])
def test_wide_tensors_fit_a_notebook(size):
    """With all that may stand beside them."""
    for x in (torch.rand(size), torch.rand(size) * -1e6, torch.zeros(size).numpy()):
        for options in ({}, {"traverse": True}, {"bytes": True}, {"dims": "abcdefg"[: len(size)]}):
            assert wrong_on(draw(x, **options)) == []


def test_before_and_after_stand_side_by_side():
    """Where they fit: the classic copy, and an image."""
    for x in (torch.zeros(3, 4).t(), torch.zeros(1, 3, 2, 2)):
        page = draw_change(x, lambda t: t.clone(memory_format=torch.contiguous_format))._page
        heads = {
            text: y
            for runs in page.texts.values()
            for _, y, text, _ in runs
            if text in ("before", "after")
        }
        assert heads["before"] == heads["after"]


def test_blocks_of_two_leading_dims_stand_as_a_grid_does():
    """Two by two, and three by two."""
    for leading, per_row in (((2, 2), 2), ((3, 2), 2), ((2, 3), 3), ((4,), 4), ((1, 5), 5)):
        (grid,) = draw(torch.zeros(*leading, 1, 1, 2, 2)).scene.sections[0].grids
        assert plan_grid(grid).blocks == per_row


@pytest.mark.parametrize("leading", [(2, 3), (3, 2), (1, 6), (2, 2)])
@pytest.mark.parametrize("inner", [(2, 3, 2, 2), (2, 2, 2, 5), (1, 4, 1, 4)])
def test_no_row_of_blocks_mixes_leading_indices(leading, inner):
    """Smaller, if that lets them stand side by side; else in whole parts of a row."""
    (grid,) = draw(torch.rand(*leading, *inner) * -1e-7).scene.sections[0].grids
    assert leading[1] % plan_grid(grid).blocks == 0


def test_a_strip_of_many_rows_names_its_lanes_in_each():
    """Nobody has to look up, or to count lines, to know whose a line is."""
    x = torch.rand(2, 16, 4)
    diagram = draw({"cache": x, "part": x[:, :5]})
    (section,) = diagram.scene.sections
    rows = len(strips.StripPlan(section).rows)
    texts = [text for runs in diagram._page.texts.values() for _, _, text, _ in runs]
    assert rows > 1
    # The grid's, and those of the lanes.
    assert texts.count("part") == 1 + rows


@settings(max_examples=15)
@given(st.lists(st.integers(2, 5), min_size=2, max_size=3), st.data())
def test_a_hop_to_another_row_leaves_and_comes_in(size, data):
    """Over the end of its own row, and from beyond the other's: never an arrow from nowhere."""
    size = (*size, 12)
    x = np.arange(prod(size)).reshape(size)[tuple(slice(None, None, w) for w in data.draw(
        st.tuples(*[st.sampled_from((1, -1))] * len(size))
    ))]  # fmt: skip
    index = tuple(data.draw(st.integers(0, n - 1)) for n in size)
    diagram = draw(x, select=index)
    (section,) = diagram.scene.sections
    planned = strips.StripPlan(section)
    rows = {at: number for number, row in enumerate(planned.rows) for at in row.bands[0].middles}
    across = [hop for hop in section.hops if rows[hop.start] != rows[hop.end]]
    texts = [text for runs in diagram._page.texts.values() for _, _, text, _ in runs]
    for hop in across:
        assert texts.count(f"{hop.label} …") == texts.count(f"… {hop.label}") >= 1
    curves = [curve for curves in diagram._page.curves.values() for curve in curves]
    halves = [c for c in curves if c.pull[1] == c.start[1] or c.pull_back[1] == c.end[1]]
    # A bend, where an arc would run through a label.
    below = [line for lines in diagram._page.lines.values() for line in lines if len(line) == 3]
    assert len(halves) + len(below) == 2 * len(across)


def test_a_long_header_keeps_clear_of_the_letter_and_of_the_name():
    """In one line or in several, with a name or without one; no word of it is lost."""
    x = torch.zeros(2, 2, 2, 2, 2, 2, dtype=torch.complex64, requires_grad=True).transpose(0, 1)
    for name in ("", "n", "a name that takes most of the line that the header would stand in too"):
        for first in (x, x.detach().resolve_conj().numpy()):
            page = draw({name: first, "b": torch.zeros(2)}, title="t")._page
            letters = [
                box for look, boxes in page.over.items() if look.fill == "#1A1A1A" for box in boxes
            ]
            assert letters
            header = [
                (x0, y, text)
                for font, runs in page.texts.items()
                if font.size == 12 and font.ink == "#595959"
                for x0, y, text, _ in runs
            ]
            for x0, y, _ in header:
                for left, top, width, height in letters:
                    assert not (left <= x0 < left + width and top - 6 < y < top + height + 6)
            told = " · ".join(text for *_, text in header)
            (grid, *_), *_ = (section.grids for section in draw({name: first}).scene.sections)
            assert grid.header in told.replace(" · · ", " · ")


def test_what_is_needed_is_no_box_of_what_is_outside():
    """An impossible view has no cell beyond the end, and says what its corners mean."""
    for x in (torch.arange(12).view(3, 4).t(), torch.arange(12).view(3, 4)[:, :2]):
        diagram = draw_view(x, x.numel())
        page = diagram._page
        assert not [look for look in (*page.boxes, *page.over) if look.stroke == colours.ALERT]
        slot = next(
            slot for slot in diagram.scene.sections[0].strips[0].slots if "needed" in slot.marks
        )
        (place,) = (
            box
            for each in page.places
            for cell, box in zip(each.cells, each.boxes, strict=True)
            if cell is slot
        )
        left, top, width, height = place
        corners = [shape for shape in page.shapes[colours.CORNER] if len(shape) == 6]
        mine = [shape for shape in corners if left <= shape[0][0] <= left + width
                and top <= shape[0][1] <= top + height]  # fmt: skip
        assert len(mine) == 4
        # And the swatch.
        assert len(corners) == 8


def test_a_written_bar_lies_inside_of_its_cell_on_any_card():
    """Dark with a light rim, so that the cell is never cut off by it."""
    diagram = draw(torch.arange(24).view(6, 4), written=(0, 1))
    for page in (diagram._page, themed(diagram._page, "dark")):
        boxes = [box for boxes in page.boxes.values() for box in boxes]
        for colour in (colours.CORNER, colours.CORNER_RIM):
            assert len(page.shapes[colour]) == 3
            for shape in page.shapes[colour]:
                assert any(
                    all(x < px < x + w and y < py < y + h for px, py in shape)
                    for x, y, w, h in boxes
                )


def test_after_begins_a_row_where_there_are_more_than_two():
    """Its parts do not run on behind those before."""
    tensors = {"a": torch.zeros(3), "b": torch.zeros(2), "c": torch.zeros(4)}
    page = draw_change(tensors, lambda _a, _b, c: c.fill_(1) is None or None)._page
    texts = [run for runs in page.texts.values() for run in runs]
    assert next(x for x, _, text, _ in texts if text == "after") == next(
        x for x, _, text, _ in texts if text == "before"
    )


def test_what_stands_beside_before_stands_as_high():
    """Only the first storage of each time has its name above it."""
    tensors = {"a": torch.zeros(3, 4), "b": torch.zeros(3, 4)}
    page = draw_change(tensors, lambda a, _b: a.fill_(1) is None or None)._page
    grids = [placed.boxes[0][1] for placed in page.places if len({*_tops(placed)}) > 1]
    assert len(grids) == 4
    assert grids[0] == grids[1] < grids[2] == grids[3]


def _tops(placed):
    return (top for _, top, *_ in placed.boxes)


@pytest.mark.parametrize(("size", "width"), [((10, 6), 900), ((4, 6), 358)])
def test_without_arrows_after_begins_with_its_heading(size, width):
    """As before does: strips stand face to face for arrows alone, which want one row of each."""
    x = torch.zeros(size).t()
    diagram = draw_change(x, lambda x: x.contiguous())
    assert diagram.scene.moves
    page = diagram._page_in(width)
    (heading,) = (y for runs in page.texts.values() for _, y, text, _ in runs if text == "after")
    (grid,) = diagram.scene.sections[1].grids
    after = page.places[len(page.places) // 2 :]
    tops = {placed.owner == grid: placed.boxes[0][1] for placed in reversed(after)}
    assert heading < tops[True] < tops[False]


def test_ticks_are_the_indices():
    """Of the rows and the columns that are shown, each in its middle."""
    page = draw(torch.zeros(1000, 3))._page
    rows = page.texts[TICK_END]
    assert [text for _, _, text, _ in rows] == [*"01234", *map(str, range(995, 1000))]
    assert len({x for x, _, _, _ in rows}) == 1
    # Addresses look the same, and come after them.
    assert [text for _, _, text, _ in page.texts[TICK][:4]] == ["0", "1", "2", "0"]
    (grid,) = draw(torch.zeros(1, 1)).scene.sections[0].grids
    page = Page()
    plan_grid(grid).paint(page, 0, 0, 0)
    assert not page.texts[TICK]
    assert not page.texts[TICK_END]


def test_the_collision_test_can_fail():
    """Two texts on one spot, a text off the page, a line through a text, a text too wide."""
    page = lay_out(draw(torch.arange(12).view(3, 4)).scene)
    assert [*collisions(page)] == []
    font = next(font for font in page.texts if font.mono and font.size == 13)
    x, y, _, _ = page.texts[font][0]
    page.write(font, x, y, "99")
    page.texts[font].append((page.width, 20, "5", ""))
    pen = next(iter(page.lines))
    page.lines[pen].append(((x - 20, y), (x + 20, y)))
    assert {kind for _, kind in collisions(page)} >= {"99", "the page", "a line"}
    page.write(font, x, y, "0000000")
    assert "0000000" in [*overflowing(page)]
    page.shapes[colours.CORNER_RIM].append(((x, y), (x + 9, y), (x + 9, y + 2), (x, y + 2)))
    assert "0000000 is touched" in [*under_a_bar(page)]


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30), st.booleans())
def test_texts_are_as_wide_as_they_were_laid_out(text, bold):
    """The table of widths is DejaVu's: outlines never reach past it."""
    verts, _ = placed(Font(12, bold=bold), 0, 0, f"|{text}|")
    width = text_width(f"|{text}|", 12, bold=bold)
    # Some pairs of letters stand nearer to each other than their widths say.
    assert 0.7 * width <= verts[:, 0].max() <= width


def test_names_are_made_to_fit():
    """Line breaks, controls, mathematics, other scripts, and far too long."""
    for name in ("a\nb\tc", "x" * 500, "$\\alpha$ for $5", "数 🎉 é", "<b>&\x00\ud800"):
        diagram = draw({name: sk.arange(3), "y": sk.arange(2)}, title=name)
        assert wrong_on(diagram) == []
        diagram.svg().encode()


def under_a_bar(page):
    """Values that a written cell's bar, or its rim, touches."""
    bars = [points for points in page.shapes.get(colours.CORNER_RIM, []) if len(points) == 4]
    for text, left, right, top, bottom in text_boxes(page):
        for (start, upper), _, (end, lower), _ in bars:
            if left < end and start < right and top < lower and upper < bottom:
                yield f"{text} is touched"


VALUES = (7, 42, 123, -999, 1234, -12345)


@pytest.mark.parametrize("value", [*VALUES, -1.5, 123.25, -2718.2818, 1e-7])
@pytest.mark.parametrize("size", [(3, 4), (2, 12), (2, 24)])
def test_no_written_bar_touches_a_value(value, size):
    """Whole numbers and floats of any sign; in strips, grids roomy and compact, and in frames."""
    x = torch.full(size, 100).to(torch.float32 if isinstance(value, float) else torch.int64)
    tensors = {"x": x, "row": x[1], "block": x[1:, 1:3], "t": x.t()}
    drawn = draw_change(tensors, lambda x, *_: x.fill_(value))
    page = lay_out(drawn.scene)
    assert page.shapes[colours.CORNER_RIM]
    assert [*under_a_bar(page)] == []
    assert wrong_on(drawn) == []


@pytest.mark.parametrize("names", [None, ("batch", "height", "width")])
@pytest.mark.parametrize(
    "size", [(2, 1, 3), (1, 2, 2), (2, 3, 2), (2, 2, 3), (3, 2, 4), (2, 2, 16)]
)
def test_both_dims_that_cannot_merge_say_so(size, names):
    """However few columns there are, or rows."""
    x = torch.arange(1000).as_strided(size, (400, 30, 1))
    drawn = draw_view(x, (prod(size),), dims=names)
    said = [
        text
        for font, runs in lay_out(drawn.scene).texts.items()
        if font.ink == colours.ALERT and font.bold
        for _, _, text, _ in runs
        if "cannot merge" in text
    ]
    assert len(said) == 2
    assert wrong_on(drawn) == []
