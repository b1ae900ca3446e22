"""Colours show what happened, belong to addresses, and can be asked for or handed on."""

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw, draw_as_strided, draw_change, draw_resize, draw_steps, draw_view
from stridekit.diagrams.pages.legend import entries_of
from stridekit.errors import ArgumentError, DimError
from tests.stridekit.strategies import any_layouts, layouts, twins

FAMILY = {
    "draw": draw,
    "draw_change": lambda x, **options: draw_change(x, lambda t: t, **options),
    "draw_resize": lambda x, **options: draw_resize(x, 2, **options),
    "draw_view": lambda x, **options: draw_view(x, -1, **options),
    "draw_as_strided": lambda x, **options: draw_as_strided(
        x, x.size(), x.stride(), **options
    ),
}  # fmt: skip
family = pytest.mark.parametrize("call", FAMILY)


def fills(diagram, grid=0, section=0):
    """The fill of each index that a grid shows."""
    return {cell.index: cell.group for cell in diagram.scene.sections[section].grids[grid].cells}


def slot_fills(section):
    """The fill of each slot, by address."""
    slots = section.strips[0].slots
    return {slot.address: slot.group for slot in slots}


# By themselves


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.arange(320).view(2, 4, 5, 8),
        lambda: torch.zeros(2, 4, 5, 8),
        lambda: torch.zeros(2, 5, 32).view(2, 5, 4, 8).transpose(1, 2),
    ],
)
def test_heads_and_positions_are_seen(make):
    """The fill is one of the two dims that attention swaps, whichever lies outside in memory."""
    x = make()
    swapped = x.transpose(1, 2)
    dim = 1 if x.stride(1) > x.stride(2) else 2
    for diagram, grid in ((draw(x, swapped), 0), (draw(x), 0)):
        assert all(group == index[dim] for index, group in fills(diagram, grid).items())
    for diagram, grid in ((draw(x, swapped), 1), (draw(swapped), 0)):
        assert all(group == index[3 - dim] for index, group in fills(diagram, grid).items())


@pytest.mark.parametrize("size", [(1, 3, 2, 2), (1, 3, 3, 4), (2, 3, 3, 4), (1, 4, 2, 5)])
def test_a_pixel_of_a_channels_last_image_has_a_fill(size):
    """The same in all its channels; within an image no two pixels share one."""
    numbers = torch.arange(torch.Size(size).numel()).view(size)
    image = numbers.contiguous(memory_format=torch.channels_last)
    shown = fills(draw(image))
    by_pixel = {}
    for (n, _, h, w), group in shown.items():
        by_pixel.setdefault((n, h, w), set()).add(group)
    assert all(len(groups) == 1 for groups in by_pixel.values())
    first = [groups for (n, _, _), groups in by_pixel.items() if n == 0]
    assert len(set(map(frozenset, first))) == len(first)


@pytest.mark.parametrize("size", [(1, 3, 4, 4), (2, 3, 4, 4), (1, 4, 3, 5), (2, 2, 5, 5)])
def test_more_pixels_than_fills_go_by_channel(size):
    """Colours that come round again after twelve pixels would say nothing."""
    numbers = torch.arange(torch.Size(size).numel()).view(size)
    diagram = draw(numbers.contiguous(memory_format=torch.channels_last))
    assert all(group == index[1] for index, group in fills(diagram).items())
    assert entries_of(diagram.scene)[0].words == "each colour: one index of dim 1"


@pytest.mark.parametrize("size", [(1, 3, 2, 2), (2, 3, 4, 4), (1, 3, 40, 40)])
@pytest.mark.parametrize("turned", [False, True])
def test_two_layouts_of_the_same_elements_have_equal_grids(size, turned):
    """What differs is the strip; whichever comes first."""
    numbers = torch.arange(torch.Size(size).numel()).view(size)
    other = numbers.contiguous(memory_format=torch.channels_last)
    pair = (other, numbers) if turned else (numbers, other)
    diagram = draw(*pair)
    assert fills(diagram, 0) == fills(diagram, 0, 1)
    assert len([entry for entry in entries_of(diagram.scene) if entry.others]) == 1


def test_other_values_bring_no_fills():
    """Of two tensors of one size that hold other elements, each has its own."""
    numbers = torch.arange(12).view(1, 3, 2, 2)
    other = (numbers + 1).contiguous(memory_format=torch.channels_last)
    assert fills(draw(numbers, other), 0) != fills(draw(numbers, other), 0, 1)


@settings(max_examples=50)
@given(any_layouts)
def test_there_are_enough_fills_where_there_is_enough_to_tell(layout):
    """A tensor of three dims and more that has three slices anywhere outside shows three fills."""
    sizes = [n for n in layout.size if n > 1]
    _, theirs = twins(layout)
    whole = torch.zeros(layout.size)
    if len(sizes) < 3 or not 0 < layout.numel <= 256:
        return
    groups = set(fills(draw(whole)).values())
    assert len(groups) >= 3
    # And one function of the address, for whatever looks at it.
    (section,) = draw(theirs, theirs[:1]).scene.sections
    known = slot_fills(section)
    assert all(known.get(cell.address, cell.group) == cell.group for grid in section.grids
               for cell in grid.cells)  # fmt: skip


@settings(max_examples=50)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=5), st.data())
def test_a_permuted_view_shows_its_base_s_fills_in_other_places(size, data):
    """Together with its base: at each address the same one."""
    base = torch.zeros(size)
    assume(base.numel() <= 256)
    view = base.permute(data.draw(st.permutations(range(len(size)))))
    (section,) = draw(base, view).scene.sections
    by_address = [{cell.address: cell.group for cell in grid.cells} for grid in section.grids]
    assert all(by_address[1][address] == group for address, group in by_address[0].items()
               if address in by_address[1])  # fmt: skip


def test_slices_that_are_smaller_than_another_tensor_s_elements():
    """Both lie on one memory, and the dims of both are turned there."""
    memory = torch.arange(192, dtype=torch.uint8).untyped_storage()
    pair = (torch.empty(0, dtype=dtype) for dtype in (torch.uint8, torch.complex128))
    diagram = draw(*(each.set_(memory, 0, (2, 3, 2), (1, 2, 6)) for each in pair))
    assert len({*fills(diagram, 0).values()}) > 1


@pytest.mark.parametrize("size", [(3, 4), (2, 3), (4, 5), (7, 2)])
def test_small_grids_keep_a_fill_for_each_row(size):
    """Also transposed: what is a row in memory has one."""
    x = torch.zeros(size)
    assert all(group == i for (i, _), group in fills(draw(x)).items())
    assert all(group == j for (_, j), group in fills(draw(x.t())).items())


# Asked for


@settings(max_examples=50)
@given(layouts, st.data())
def test_colours_by_a_dim(layout, data):
    """Where each address has one index, its fill is that index."""
    ours, theirs = twins(layout)
    if not layout.ndim or layout.numel > 256:
        return
    dim = data.draw(st.integers(-layout.ndim, layout.ndim - 1))
    for x in (ours, theirs):
        for index, group in fills(draw(x, color_by=dim)).items():
            if not layout.has_overlap:
                assert group == index[dim]
        (section,) = draw(x, x, color_by=dim).scene.sections
        known = slot_fills(section)
        for cell in section.grids[1].cells:
            assert known.get(cell.address, cell.group) == cell.group


@settings(max_examples=50)
@given(any_layouts)
def test_colours_by_element(layout):
    """Two addresses have two fills."""
    _, theirs = twins(layout)
    cells = draw(theirs, color_by="element").scene.sections[0].grids[0].cells
    assert len({cell.group for cell in cells}) == len({cell.address for cell in cells})


def test_colours_by_a_dim_reach_views_beyond_it():
    """A slice is drawn first, and what it does not reach goes on as its dim does."""
    x = torch.arange(20).view(4, 5)
    (section,) = draw(x[1:3], x, color_by=0).scene.sections
    assert {cell.group for cell in section.grids[0].cells} == {0, 1}
    by_row = {(cell.index[0], cell.group) for cell in section.grids[1].cells}
    assert by_row == {(0, -1), (1, 0), (2, 1), (3, 2)}


@family
@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"color_by": 2},
            DimError,
            "color_by=2 is not a dim of the tensor. Give a dim from -2 to 1 or 'element'",
        ),
        ({"color_by": "Q"}, ArgumentError, "color_by='Q' is not a dim of the tensor"),
        (
            {"color_by": "Q", "dims": "HW"},
            ArgumentError,
            "Give 'H', 'W', a dim from -2 to 1 or 'element'",
        ),
        ({"color_by": 1.0}, ArgumentError, "color_by=1.0 is not a dim"),
        ({"color_by": True}, ArgumentError, "color_by=True is not a dim"),
        ({"color_by": torch.zeros(2)}, ArgumentError, "color_by=tensor([0., "),
        ({"palette": 3}, ArgumentError, "palette is an earlier diagram, or its .palette, and not"),
        (
            {"palette": draw(sk.arange(2)), "color_by": 0},
            ArgumentError,
            "color_by and palette both say which colours to use",
        ),
    ],
)
def test_what_cannot_be_coloured(call, options, error, words):
    """The call, the facts, the way out."""
    with pytest.raises(error) as refusal:
        FAMILY[call](torch.zeros(2, 3), **options)
    assert str(refusal.value).startswith(f"{call}: ")
    assert words in str(refusal.value)


@family
def test_the_whole_family_takes_colours_and_names(call):
    """And shows them."""
    x = torch.arange(6).view(2, 3)
    diagram = FAMILY[call](x, dims="HW", color_by="W")
    assert all(group == index[1] for index, group in fills(diagram).items())
    assert "dim 1 W · size 3" in diagram.text()
    assert "dims H, W" in diagram.alt
    words = [entry.words for entry in entries_of(diagram.scene)]
    assert any(word.startswith("each colour: one index of dim 1 (W)") for word in words)
    plain = FAMILY[call](x)
    again = FAMILY[call](x, palette=diagram)
    assert fills(again) == fills(diagram) != fills(plain)


# Handed on


@settings(max_examples=50)
@given(layouts, st.data())
def test_an_element_keeps_its_fill_when_it_is_copied(layout, data):
    """By draw_change, and by a palette that is handed on, as a diagram or by itself."""
    _, theirs = twins(layout)
    if not 1 < layout.numel <= 256 or layout.has_overlap:
        return
    permuted = theirs.permute(data.draw(st.permutations(range(layout.ndim))))
    copy = permuted.clone(memory_format=torch.contiguous_format)
    earlier = draw(theirs, permuted)
    before = fills(earlier, 1)
    for palette in (earlier, earlier.palette):
        assert fills(draw({"b": copy}, palette=palette)) == before
    change = draw_change(permuted, lambda t: t.clone(memory_format=torch.contiguous_format))
    assert fills(change, section=1) == fills(change)
    assert fills(draw(copy, palette=change)) == fills(change)


def test_an_address_keeps_its_fill():
    """Another view of the memory that the palette knows, and a part of it seen by NumPy."""
    x = torch.arange(24).view(2, 3, 4)
    earlier = draw(x, color_by=2)
    (section,) = draw(x[1].t(), palette=earlier).scene.sections
    assert all(cell.group == cell.address % 4 for cell in section.grids[0].cells)
    (section,) = draw(x.reshape(-1)[5:11].numpy(), palette=earlier).scene.sections
    assert [cell.group for cell in section.grids[0].cells] == [1, 2, 3, 0, 1, 2]


def test_palettes_go_on_from_picture_to_picture():
    """The third one still knows the first; one that fits nothing changes nothing."""
    x, y = torch.arange(6).view(2, 3), torch.arange(4)
    first = draw({"x": x}, color_by=1)
    second = draw({"y": y}, palette=first)
    assert fills(second) == fills(draw(y))
    assert fills(draw({"x": x.clone()}, palette=second)) == fills(first)


def test_drawing_keeps_no_tensor_alive():
    """A palette knows where they lay, and not them."""
    import gc
    import weakref

    x = torch.arange(6)
    seen, palette = weakref.ref(x), draw(x).palette
    del x
    gc.collect()
    assert palette.known
    assert seen() is None


@settings(max_examples=60)
@given(layouts, st.data())
def test_by_element_a_copy_is_filled_as_its_source(layout, data):
    """Whatever order it was copied in: equal fills are equal elements, in every storage."""
    if not 1 < layout.numel <= 60 or layout.has_overlap:
        return
    x = torch.arange(layout.numel).view(layout.size)
    permuted = x.permute(data.draw(st.permutations(range(layout.ndim))))
    scene = draw([x, permuted.reshape(-1), permuted.clone()], color_by="element").scene
    for section in scene.sections:
        cells = section.grids[0].cells
        assert [cell.group for cell in cells] == [int(cell.text) for cell in cells]


# What fills mean


@pytest.mark.parametrize(
    ("diagram", "words"),
    [
        (lambda: draw(torch.zeros(3, 4)), "each colour: 4 neighbouring slots"),
        (
            lambda: draw(torch.zeros(2, 4, 5, 8)),
            "each colour: 40 neighbouring slots, the same again every 160",
        ),
        (lambda: draw(torch.zeros(3, 4), color_by="element"), "each colour: one element"),
        (
            lambda: draw_change(torch.zeros(3, 4).t(), lambda t: t.contiguous()),
            "an element keeps its colour",
        ),
        # Of several results, too, what was worked out brought no fills along.
        (
            lambda: draw_change(torch.arange(6).view(3, 2), lambda t: (t.t().contiguous(), t * 2)),
            "a value keeps its colour, in storage B",
        ),
        (
            lambda: draw_change(torch.tensor([3, 1, 2]), lambda t: t.sort()),
            "a value keeps its colour",
        ),
        (
            lambda: draw_change(torch.arange(6).view(3, 2), lambda t: (t * 2, t + 9)),
            "each colour: 2 neighbouring slots",
        ),
        (
            lambda: draw(
                [each for x in (torch.zeros(3, 4), torch.ones(3, 4)) for each in (x, x.t())],
                color_by=0,
            ),
            "each colour: one index of dim 0 of c, in storage B",
        ),
        (
            lambda: draw(torch.zeros(3, 4), torch.arange(5), color_by=1),
            "each colour: 1 slot, in storage B",
        ),
        (lambda: draw(torch.zeros(16, 2)), "the colours come round again after 12"),
        # What has one fill alone may have more neighbours than are said of the others.
        (
            lambda: draw(torch.zeros(3, 4), torch.zeros(400)),
            "each colour: neighbouring slots, in each storage for itself",
        ),
        (lambda: draw(torch.zeros(3, 4), torch.zeros(())), "each colour: 4 neighbouring slots"),
        (
            lambda: draw_steps(torch.zeros(2, 3), "t()", "contiguous()", "repeat(2, 1)"),
            "each colour: 2 neighbouring slots, in storage C",
        ),
    ],
)
def test_the_legend_says_what_a_fill_is(diagram, words):
    """As it was asked for, or as it came."""
    entries = {entry.words: entry for entry in entries_of(diagram().scene)}
    # Beside one swatch the words would be read as about that fill alone.
    entry = next(each for said, each in entries.items() if words in said)
    assert entry.others
    assert entry.group not in entry.others


def test_a_count_says_what_it_counts():
    """Indices of one tensor, also where several stand on a strip."""
    x = torch.arange(8)
    diagram = draw({"x": x, "w": x.unfold(0, 4, 1)})
    said = [entry.words for entry in entries_of(diagram.scene)]
    assert "how many indices of one tensor share a slot" in said
