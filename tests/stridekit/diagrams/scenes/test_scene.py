"""What a diagram shows is true: every address is torch's."""

from collections import Counter
from math import isfinite, prod

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import stridekit as sk
from stridekit import Layout, draw
from stridekit.diagrams.scenes import arguments, memory
from stridekit.diagrams.scenes.captions import number_text, value_text
from stridekit.diagrams.scenes.elision import dim_directions
from stridekit.diagrams.scenes.scene import Break
from tests.stridekit.diagrams.picture_files import tells
from tests.stridekit.strategies import any_layouts, layouts, twins


def only(diagram):
    """The one grid and the one strip of a diagram."""
    (section,) = diagram.scene.sections
    (grid,), (strip,) = section.grids, section.strips
    return grid, strip


def slots_of(strip):
    """The slots of a strip by address."""
    return {slot.address: slot for slot in strip.slots}


# Addresses


@given(any_layouts)
def test_every_cell_shows_the_address_that_torch_reads(layout):
    """The values of the twin are its addresses."""
    _, theirs = twins(layout)
    grid, _ = only(draw(theirs))
    for cell in grid.cells:
        assert cell.address == theirs[cell.index].item()
        assert cell.text == value_text(cell.address)
    assert len({cell.index for cell in grid.cells}) == len(grid.cells)


@given(any_layouts, st.data())
def test_what_must_be_shown_is_shown(layout, data):
    """All of a small tensor; of a large one the ends, the lowest, the highest, the selected."""
    ours, _ = twins(layout)
    if not layout.numel:
        assert only(draw(ours))[0].cells == ()
        return
    index = tuple(data.draw(st.integers(0, n - 1)) for n in layout.size)
    grid, strip = only(draw(ours, select=index))
    shown = {cell.index for cell in grid.cells}
    assert {index, (0,) * layout.ndim, tuple(n - 1 for n in layout.size)} <= shown
    assert len(grid.cells) <= 500
    across = [n for n, place in zip(layout.size, dim_directions(layout.ndim), strict=True)
              if place.way == "across"]  # fmt: skip
    if layout.numel <= 64 and prod(across) <= 32 and prod(layout.size[:-4]) <= 6:
        assert shown == set(layout.indices())
    assert layout.position(index) in slots_of(strip)


@given(any_layouts)
def test_a_cell_stands_where_its_index_belongs(layout):
    """Right of it and below it indices grow, the last dim fastest across."""
    grid, _ = only(draw(twins(layout)[0]))
    at = {(cell.block, cell.row, cell.column): cell.index for cell in grid.cells}
    assert len(at) == len(grid.cells)
    for (block, row, column), index in at.items():
        right, below = at.get((block, row, column + 1)), at.get((block, row + 1, column))
        assert right is None or right > index
        assert below is None or below > index
    across = [dim for dim in grid.dims if dim.way == "across"]
    assert not layout.ndim or across[-1].dim == layout.ndim - 1


@given(any_layouts)
def test_the_strip_is_the_storage(layout):
    """Slots and breaks together are every position once, in order; reached are the positions."""
    ours, _ = twins(layout)
    grid, strip = only(draw(ours))
    follows = 0
    for item in sorted([*strip.slots, *strip.breaks], key=lambda each: each[0]):
        assert item[0] == follows
        follows += item.length if isinstance(item, Break) else 1
    assert follows == ours.untyped_storage().nbytes() // 8
    slots = slots_of(strip)
    assert len(slots) <= 256
    positions = Counter(layout.positions()) if layout.numel < 10_000 else None
    for address, slot in slots.items():
        assert slot.text == value_text(address)
        if positions is not None:
            assert (slot.group is not None) == (address in positions)
            shared = positions[address]
            assert slot.badge == (f"×{shared:,}" if shared > 1 else "")
    addresses = {cell.address for cell in grid.cells}
    if len(addresses) <= 50:
        assert addresses <= set(slots)
    elif addresses:
        assert {min(addresses), max(addresses), 0, follows - 1} <= set(slots)


# Fills


@given(any_layouts)
def test_a_group_belongs_to_the_address(layout):
    """One address, one group, in the grid and in the strip."""
    grid, strip = only(draw(twins(layout)[0]))
    slots = slots_of(strip)
    for cell in grid.cells:
        if cell.address in slots:
            assert slots[cell.address].group == cell.group
    groups = {cell.address: cell.group for cell in grid.cells}
    assert all(groups[cell.address] == cell.group >= 0 for cell in grid.cells)


VIEWS = {
    "t": lambda x: x.t(),
    "rows": lambda x: x[1:],
    "columns": lambda x: x[:, 1:],
    "every second column": lambda x: x[:, ::2],
    "a corner, transposed": lambda x: x.t()[1:, :2],
    "expand": lambda x: x[:, 1:2].expand(4, 5),
    "diagonal": lambda x: x.diagonal(),
    "unfold": lambda x: x.unfold(1, 2, 1),
    "a part of one row": lambda x: x[2:3, 1:],
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("library", ["torch", "numpy", "stridekit"])
def test_a_view_shows_the_fills_of_its_source_in_other_places(view, library):
    """Drawn alone or beside it. A transpose is visible because the fills stay where they are."""
    source = {
        "torch": lambda: torch.zeros(4, 4),
        "numpy": lambda: torch.zeros(4, 4),
        "stridekit": lambda: sk.zeros(4, 4),
    }[library]()
    seen = view(source)
    if library == "numpy":
        array = np.zeros((4, 4))
        source, seen = (
            array,
            np.lib.stride_tricks.as_strided(
                array.reshape(-1)[seen.storage_offset() :],
                seen.size(),
                [s * 8 for s in seen.stride()],
            ),
        )
    whole = {cell.address: cell.group for cell in only(draw(source))[0].cells}
    assert set(whole.values()) == {0, 1, 2, 3}
    beside = draw(source, seen).scene.sections[0].grids[1]
    grids = [beside] if library == "numpy" else [only(draw(seen))[0], beside]
    for grid in grids:
        for cell in grid.cells:
            assert cell.group == whole[cell.address]


@settings(max_examples=50)
@given(st.lists(layouts, min_size=1, max_size=4))
def test_fills_are_one_for_all_tensors_of_a_storage(several):
    """Whatever they look at."""
    memory = torch.arange(200)
    views = [
        memory.as_strided(layout.size, layout.stride, layout.storage_offset)
        for layout in several
        if layout.reach is None or layout.reach[1] < 200
    ]
    if not views:
        return
    (section,) = draw(*views).scene.sections
    groups = {slot.address: slot.group for slot in slots_of(section.strips[0]).values()}
    for grid in section.grids:
        for cell in grid.cells:
            assert groups[cell.address] == cell.group


def test_slices_that_begin_anywhere_are_not_cut_in_two():
    """Each row has one fill, also where no row begins at a multiple of the stride."""
    grid, _ = only(draw(torch.arange(20)[5:17].view(3, 4)))
    assert [cell.group for cell in grid.cells] == [2] * 4 + [3] * 4 + [4] * 4


def test_elements_of_a_short_vector_have_a_fill_each():
    """So that windows show; of a long one all look the same."""
    windows, _ = only(draw(torch.arange(10).unfold(0, 3, 1)))
    assert [cell.group for cell in windows.cells] == [cell.address for cell in windows.cells]
    assert {cell.group for cell in only(draw(torch.arange(13)))[0].cells} == {0}


# Several tensors


def test_tensors_are_grouped_by_storage():
    """In the order in which they are given; whoever shares memory stands together."""
    x, y = torch.arange(6), torch.arange(4)
    sections = draw({"x": x, "y": y, "tail": x[3:], "head": x[:2].numpy()}).scene.sections
    assert [[grid.name for grid in section.grids] for section in sections] == [
        ["x", "tail", "head"],
        ["y"],
    ]
    lanes = {lane.name: set(lane.addresses) for lane in sections[0].strips[0].lanes}
    assert lanes == {"x": {0, 1, 2, 3, 4, 5}, "tail": {3, 4, 5}, "head": {0, 1}}
    assert sections[1].strips[0].lanes == ()


def test_views_of_one_storage_are_not_compared_with_each_other(monkeypatch):
    """Thousands of them would be compared millions of times."""
    compared = []
    monkeypatch.setattr(memory, "_meet", lambda *both: compared.append(both))
    monkeypatch.setattr(arguments, "_names_in", lambda *both: compared.append(both))
    (section,) = draw([*sk.arange(400)]).scene.sections
    assert (section.more_grids, compared) == (392, [])


@settings(max_examples=50)
@given(st.lists(layouts, min_size=2, max_size=4))
def test_a_lane_is_what_its_tensor_reaches(several):
    """And nothing else."""
    memory = torch.arange(200)
    fitting = [layout for layout in several if layout.reach is None or layout.reach[1] < 200]
    if len(fitting) < 2:
        return
    views = [memory.as_strided(x.size, x.stride, x.storage_offset) for x in fitting]
    (section,) = draw(*views).scene.sections
    for lane, layout in zip(section.strips[0].lanes, fitting, strict=True):
        assert lane.addresses == set(layout.positions())


def test_many_tensors_are_counted():
    """Four lanes, eight grids, and how many more there are."""
    x = torch.arange(20)
    (section,) = draw([x[n:] for n in range(20)]).scene.sections
    assert [lane.name for lane in section.strips[0].lanes] == ["a", "b", "c", "d"]
    assert (len(section.grids), section.more_grids, section.strips[0].more_lanes) == (8, 12, 16)
    assert "+16 more" in draw([x[n:] for n in range(20)]).text()


def test_alt_text_is_as_long_as_the_picture():
    """Of many on one storage it says those that have a grid, and how many more there are."""
    views = torch.zeros(300, 2).unbind()
    alt = draw(views).alt
    assert alt.count("Tensor ") == 8
    assert "Tensor h, size (2,), stride (1,), offset 14, contiguous, shares storage with" in alt
    assert "shares storage with b, c, d, e, f, g, h and 292 more, over a storage of" in alt
    whole = draw(views[:20], all=True).alt
    assert whole.count("Tensor ") == 20
    assert " more, over" not in whole


def test_a_part_of_a_storage_knows_where_it_lies():
    """NumPy sees only its own part; beside torch it stands where it belongs."""
    x = torch.arange(10)
    (section,) = draw({"x": x, "part": x[4:7].numpy()}).scene.sections
    assert [cell.address for cell in section.grids[1].cells] == [4, 5, 6]
    assert [cell.text for cell in section.grids[1].cells] == ["4", "5", "6"]


def test_storages_that_meet_in_the_middle_of_an_element_stay_apart():
    """No slots would fit both."""
    memory = np.zeros(24, np.uint8)
    whole, shifted = memory.view(np.int64), memory[4:20].view(np.int64)
    # As arrays they share the bytes that they are drawn in.
    (section,) = draw(whole, shifted).scene.sections
    assert [cell.address for cell in section.grids[1].cells] == [4, 12]
    own = sk.from_numpy(whole), sk.from_numpy(shifted)
    assert len(draw(*own).scene.sections) == 2


def test_the_three_libraries_give_the_same_picture():
    """Values, addresses and fills are the same; NumPy tells its header in bytes."""
    ours, theirs, numpys = (
        only(draw(x))
        for x in (
            sk.arange(12).view(3, 4).t(),
            torch.arange(12).view(3, 4).t(),
            np.arange(12).reshape(3, 4).T,
        )
    )
    assert ours == theirs
    assert ours[0].cells == numpys[0].cells
    assert ours[1].slots == numpys[1].slots
    assert numpys[0].header == "shape (4, 3) · byte_strides (8, 32) · byte offset 0 · int64"
    assert [dim.text for dim in numpys[0].dims] == [
        "axis 0 · size 4 · byte_stride 8",
        "axis 1 · size 3 · byte_stride 32",
    ]


# Bytes


@pytest.mark.parametrize(
    ("x", "views"),
    [
        (torch.tensor([1, -2, 300], dtype=torch.int32), [torch.int16, torch.uint8]),
        (torch.tensor([1.5, -2.0]), [torch.int32, torch.float16]),
        (torch.arange(3, dtype=torch.int16)[1:], []),
    ],
)
def test_bytes_stand_under_their_elements(x, views):
    """Each strip shows the memory as one dtype sees it, the last one as it is."""
    tensors = [x, *(x.view(dtype) for dtype in views)]
    (section,) = draw(*tensors, bytes=True).scene.sections
    memory = bytes(x.untyped_storage().tolist())
    dtypes = dict.fromkeys(tensor.dtype for tensor in tensors)
    for dtype, strip in zip(dtypes, section.strips, strict=False):
        values = torch.frombuffer(bytearray(memory), dtype=dtype).tolist()
        assert all(tells(slot.text, v) for slot, v in zip(strip.slots, values, strict=True))
    if torch.uint8 not in dtypes:
        assert [slot.text for slot in section.strips[-1].slots] == [f"{b:02x}" for b in memory]
    assert section.strips[-1].unit == 1


def test_elements_do_not_fill_the_memory():
    """Bytes at its end that are no whole element are shown as bytes."""
    memory = torch.arange(7, dtype=torch.uint8)
    (section,) = draw(memory, memory[:6].view(torch.int16)).scene.sections
    assert [len(strip.slots) for strip in section.strips] == [7, 3]
    (section,) = draw(memory[:6].view(torch.int16), memory, bytes=True).scene.sections
    assert [len(strip.slots) for strip in section.strips] == [3, 7]


# Selected, written, visited


@given(any_layouts, st.data())
def test_hops_lead_to_the_selected_element(layout, data):
    """From the offset on, one for each dim that moves, and the sum says so."""
    _, theirs = twins(layout)
    if not layout.numel:
        return
    index = tuple(data.draw(st.integers(0, n - 1)) for n in layout.size)
    diagram = draw(theirs, select=index)
    (section,) = diagram.scene.sections
    at = layout.storage_offset
    for hop in section.hops:
        assert hop.start == at
        at = hop.end
    assert at == theirs[index].item()
    assert f"lies at position {number_text(at)} = offset " in diagram.scene.notes[0]
    moving = [i * step for i, step in zip(index, layout.stride, strict=True) if i * step]
    assert [hop.end - hop.start for hop in section.hops] == [0, *moving]
    assert all(hop.start in slots_of(section.strips[0]) for hop in section.hops)
    marked = [cell.index for cell in section.grids[0].cells if "selected" in cell.marks]
    assert marked == [index]
    assert "selected" in slots_of(section.strips[0])[at].marks


def test_a_selected_index_is_selected_in_tensors_of_equal_size():
    """On other storages by the index, on the same one by the address."""
    x = torch.arange(6).view(2, 3)
    y = x.t().contiguous().t()
    sections = draw({"x": x, "t": x.t(), "y": y}, select=(1, 2)).scene.sections
    chosen = {
        grid.name: [cell.index for cell in grid.cells if "selected" in cell.marks]
        for section in sections
        for grid in section.grids
    }
    assert chosen == {"x": [(1, 2)], "t": [(2, 1)], "y": [(1, 2)]}


def test_a_write_is_seen_in_all_tensors():
    """At the same address, under every index."""
    x = torch.arange(12).view(3, 4)
    (section,) = draw(x, x[1], x.t(), x[:1].expand(3, 4), written=[(1, 2), (0, 0)]).scene.sections
    for grid in section.grids:
        for cell in grid.cells:
            assert ("written" in cell.marks) == (cell.address in (0, 6))
    marked = [slot.address for slot in section.strips[0].slots if "written" in slot.marks]
    assert marked == [0, 6]


@settings(max_examples=50)
@given(layouts, st.data())
def test_visits_and_line_switches(layout, data):
    """As a loop over the dims in that order makes them."""
    _, theirs = twins(layout)
    order = data.draw(st.permutations(range(layout.ndim)))
    line = data.draw(st.sampled_from((8, 16, 64)))
    diagram = draw(theirs, traverse=tuple(order), line=line)
    (section,) = diagram.scene.sections
    walked = theirs.permute(order).contiguous().reshape(-1)
    numbers = torch.arange(layout.numel).view(theirs.permute(order).size())
    numbers = numbers.permute([order.index(dim) for dim in range(layout.ndim)])
    lines = [address * 8 // line for address in walked.tolist()]
    switches = {n for n, at in enumerate(lines) if n == 0 or at != lines[n - 1]}
    for cell in section.grids[0].cells:
        number = numbers[cell.index].item()
        assert cell.visit == str(number)
        assert ("switch" in cell.marks) == (number in switches)
    word = "line switch" if len(switches) == 1 else "line switches"
    counted = f": {len(switches)} {word}, the first visit included, over {len(set(lines))} cache"
    assert counted in diagram.scene.notes[0]


# What is shown of what there is


@pytest.mark.parametrize(
    ("x", "rows", "columns"),
    [
        (torch.tensor(5), 1, 1),
        (torch.arange(3), 1, 3),
        (torch.zeros(100, 3), 11, 3),
        (torch.zeros(8, 8), 8, 8),
        (torch.zeros(16, 16), 16, 16),
        (torch.zeros(1000, 1000), 11, 11),
        (torch.arange(32), 1, 32),
        (torch.arange(64), 1, 11),
        (torch.zeros(2, 3, 4), 3, 8),
        (torch.zeros(2, 2, 3, 4), 6, 8),
    ],
)
def test_the_grid_s_shape(x, rows, columns):
    """Whole up to 256 elements where the page is wide enough; beyond, both ends of each dim."""
    grid, _ = only(draw(x))
    assert len(grid.blocks) == 1
    assert (len(grid.rows), len(grid.columns)) == (rows, columns)


def test_a_vast_tensor_is_drawn_by_its_ends():
    """Nothing depends on the number of elements; what repeats is soon seen."""
    diagram = draw(torch.ones(3).expand(10**13, 3))
    grid, strip = only(diagram)
    assert {cell.index[0] for cell in grid.cells} == {0, 1, 10**13 - 1}
    assert [slot.address for slot in strip.slots] == [0, 1, 2]
    assert strip.slots[0].badge == "×1e13"
    assert "size (10_000_000_000_000, 3)" in diagram.alt


def test_only_what_is_shown_is_read():
    """However long the storage is."""
    x = sk.zeros(1000, 1000)
    from stridekit.tensors.subjects import subject_of

    subject = subject_of("draw", x)
    asked = []

    def bytes_at(places, width):
        asked.extend(places)
        return subject.bytes_at(places, width)

    from dataclasses import replace

    draw(replace(subject, bytes_at=bytes_at))
    assert 0 < len(asked) < 400


def test_leading_dims_go_from_block_to_block():
    """Blocks are labelled with their index; the ones between are left out."""
    labels = only(draw(torch.zeros(2, 2, 1, 1, 1, 1)))[0].blocks
    assert labels == ("[0, 0, ...]", "[0, 1, ...]", "[1, 0, ...]", "[1, 1, ...]")
    labels = only(draw(torch.zeros(50, 1, 1, 1, 1)))[0].blocks
    assert labels == ("[0, ...]", "[1, ...]", "⋯", "[49, ...]")


# Words


def test_the_alt_text_says_what_is_seen():
    """Header, company, storage, and the way that reading takes."""
    x = torch.arange(12).view(3, 4)
    assert draw(x.t(), title="b").alt == (
        "Tensor b, size (4, 3), stride (1, 4), offset 0, not contiguous, over a storage of 12 "
        "elements; reading order visits positions 0, 4, 8, 1, 5, 9, 2, 6, …."
    )
    assert "not contiguous, shares storage with a, over" in draw({"a": x, "b": x.t()}).alt
    assert draw(torch.zeros(2, 0)).alt.endswith("it has no elements.")
    assert "(byte_strides (32, 8))" in draw(x.numpy()).alt
    assert "+ 1×4 + 2×1. In bytes: 6×8 = 48. Tensor" in draw(x, select=(1, 2)).alt


def test_values_can_give_way_to_addresses():
    """With values=False nothing is read."""
    grid, strip = only(draw(torch.full((2, 2), 7.5), values=False))
    assert [cell.text for cell in grid.cells] == ["0", "1", "2", "3"]
    assert [slot.text for slot in strip.slots] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-12345, "-12345"),
        (16_777_217, "16777217"),
        (-16_777_217, "-16777217"),
        (10**9, "1.0e+09"),
        (10**12, "1.0e+12"),
        (1.0, "1.0"),
        (-0.5, "-0.5"),
        (1 / 3, "0.3333"),
        (1e-20, "1e-20"),
        (123456.7, "123456.7"),
        (-12345.0, "-12345."),
        (1000.5, "1000.5"),
        (-999999.5, "-1e+06"),
        (1e6, "1e+06"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (True, "True"),
        (1 + 2j, "1+2j"),
    ],
)
def test_values_are_short(value, text):
    """A cell has room for few characters."""
    dtype = {int: torch.int64, float: torch.float64, bool: torch.bool, complex: torch.complex128}
    grid, strip = only(draw(torch.tensor([value], dtype=dtype[type(value)])))
    assert [grid.cells[0].text, strip.slots[0].text] == [text, text]


FLOATS = st.one_of(
    st.floats(width=32), st.floats(-100, 100), st.sampled_from([0.0, 1e-5, 1 / 3, 12.5])
)


@given(st.lists(FLOATS, min_size=1, max_size=12), st.sampled_from([torch.float32, torch.float64]))
def test_the_floats_of_a_section_have_one_notation(values, dtype):
    """As many places after the point in each text, or an exponent in each; short, and true.

    Equal values have equal texts, and values that differ in their first digits have others.
    """
    x = torch.tensor([*values, 0.25], dtype=dtype)
    (section,) = draw({"x": x, "part": x[::2]}).scene.sections
    texts = {slot.address: slot.text for slot in section.strips[0].slots}
    for grid in section.grids:
        assert all(cell.text == texts[cell.address] for cell in grid.cells)
    known = [(value, texts[i]) for i, value in enumerate(x.tolist()) if isfinite(value)]
    assert len({"e" in text for _, text in known}) == 1
    assert len({len(text.split("e")[0].partition(".")[2]) for _, text in known}) == 1
    for value, text in known:
        assert len(text) <= 12
        assert "e" in text or sum(map(str.isdigit, text)) <= 8
        assert float(text) or not value
        for other, its_text in known:
            assert text == its_text or repr(value) != repr(other)
            larger = max(abs(value), abs(other))
            fourth = 10.0 ** (int(f"{larger:e}".split("e")[1]) - 3)
            assert text != its_text or abs(value - other) <= fourth


def test_before_and_after_have_one_notation():
    """Also behind a copy, and row by row in a chain; storages of their own have their own."""
    x = torch.tensor([0.5, 12.5])
    change = sk.draw_change(x, lambda t: t.div_(3))
    steps = sk.draw_steps(torch.tensor([0.5, 12.5]), "div(3)")
    for diagram in (change, steps):
        rows = [
            [slot.text for slot in section.strips[0].slots] for section in diagram.scene.sections
        ]
        assert rows == [["0.50", "12.50"], ["0.17", "4.17"]]
    apart = draw(torch.tensor([0.5]), torch.tensor([1e-20])).scene.sections
    assert [section.grids[0].cells[0].text for section in apart] == ["0.5", "1e-20"]


def test_a_copy_is_one_whose_values_are_equal():
    """What rounds to the same text is another value; nan is itself."""
    x = torch.tensor([[1.0, float("nan")], [0.25, 1e-9]]).t()
    assert sk.draw_change(x, lambda t: t.contiguous()).scene.change == "copy"
    assert sk.draw_change(x, lambda t: t.contiguous() * (1 + 1e-6)).scene.change != "copy"


def test_uninitialised_memory_is_not_read_out():
    """It holds whatever was there before."""
    grid, strip = only(draw(sk.arange(2).resize_(3)))
    assert [cell.text for cell in grid.cells] == ["0", "1", "?"]
    assert [slot.text for slot in strip.slots] == ["0", "1", "?"]
    assert "unwritten" in strip.slots[2].marks
    assert "unwritten" in grid.cells[2].marks


def test_layouts_alone_are_no_tensors():
    """There is nothing to read."""
    with pytest.raises(sk.errors.ArgumentError, match="of type Layout has no size and stride"):
        draw(Layout((2,), (1,)))
