"""Before and after, views that are possible or not, headers that leave their storage."""

import re
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw, draw_as_strided, draw_change, draw_resize, draw_view
from stridekit.errors import ArgumentError, IndexRangeError, LayoutError, SizeError, StorageError
from tests.stridekit.strategies import any_layouts, layouts, twins


def slots_of(section):
    """The slots of a section's first strip by address."""
    return {slot.address: slot for slot in section.strips[0].slots}


def marked(section, mark):
    """The addresses of the slots with a mark."""
    return {address for address, slot in slots_of(section).items() if mark in slot.marks}


# Changes


def test_a_copy_in_another_order_is_followed_by_its_values():
    """Heads that are merged keep their colours; what is not the same values does not."""
    heads = torch.arange(48).view(2, 4, 3, 2).transpose(1, 2).contiguous()
    merged = draw_change(heads, lambda t: t.transpose(1, 2).reshape(2, 4, 6)).scene
    before, after = merged.sections
    fill = {cell.text: cell.group for cell in before.grids[0].cells}
    assert {cell.text: cell.group for cell in after.grids[0].cells} == fill
    assert len({*fill.values()}) == 3
    # Whether they were copied or worked out, the values alone do not say.
    assert merged.notes[0].startswith("The same values lie in another order")
    assert not merged.moves
    for other in (lambda t: t * 2, lambda t: t // 2, lambda t: t[:1].clone()):
        scene = draw_change(heads, other).scene
        assert not any(note.startswith("The same values") for note in scene.notes)


def test_values_that_become_another_dtype_are_no_copy_in_another_order():
    """Each keeps its place and its colour, and the note says what it became."""
    x = torch.arange(6).view(2, 3)
    for tensor in (x, x.t(), x > 2, torch.ones(3)):
        scene = draw_change(tensor, lambda t: t.double()).scene
        assert scene.notes == ("The same values as float64, in a storage of their own.",)
        # Where numbers are the same ones, arrows lead to where each went; 3 is not 3.0.
        assert len(scene.moves) == (tensor.numel() if tensor.is_floating_point() else 0)
        before, after = (section.grids[0].cells for section in scene.sections)
        assert [cell.group for cell in before] == [cell.group for cell in after]
    turned = draw_change(x, lambda t: t.flip(0).double()).scene
    assert turned.notes[0].startswith("The same values lie in another order")


@settings(max_examples=50)
@given(layouts, st.sampled_from(["contiguous", "clone", "reshape"]), st.booleans())
def test_a_copy_shows_where_each_element_went(layout, how, in_bytes):
    """Each arrow leads from where torch read it to where torch wrote it, bytes shown or not."""
    _, theirs = twins(layout)
    copy = {
        "contiguous": lambda t: t.contiguous(),
        "clone": lambda t: t.clone(),
        "reshape": lambda t: t.reshape(-1),
    }[how]
    made = copy(theirs)
    scene = draw_change(theirs, copy, bytes=in_bytes).scene
    if made.untyped_storage()._cdata == theirs.untyped_storage()._cdata:
        assert len(scene.sections) == 1
        assert scene.moves == ()
        return
    before, after = scene.sections
    flat = torch.empty(0, dtype=made.dtype).set_(made.untyped_storage()).tolist()
    # Values are the addresses that they were read from. What is left out has no arrow.
    ways = [
        (flat[position], position)
        for position, slot in slots_of(after).items()
        if slot.group is not None and flat[position] in slots_of(before)
    ]
    if not any(section.strips[0].breaks for section in scene.sections):
        assert len(ways) == layout.numel
    assert [(move.start, move.end) for move in scene.moves] == (ways if len(ways) <= 64 else [])
    for start, position in ways:
        assert slots_of(after)[position].group == slots_of(before)[start].group


def test_a_copy_of_other_values_has_no_arrows():
    """No element went anywhere: new ones were made."""
    scene = draw_change(torch.arange(4), lambda t: t + 1).scene
    assert scene.moves == ()
    assert len(scene.sections) == 2


@settings(max_examples=50)
@given(layouts, st.sampled_from(["torch", "stridekit"]))
def test_a_write_shows_what_has_changed(layout, library):
    """In the strip and in every grid, and nothing else."""
    ours, theirs = twins(layout)
    t = ours if library == "stridekit" else theirs
    whole = t.as_strided((3,), (1,), 0) if _length(t) >= 3 else None
    tensors = {"t": t} | ({"first": whole} if whole is not None else {})
    before = [value + 1000 for value in range(_length(t))]
    scene = draw_change(tensors, lambda t, *_: t.fill_(-1)).scene
    if not layout.numel:
        assert not any(marked(section, "written") for section in scene.sections)
        return
    positions = set(layout.positions())
    assert marked(scene.sections[-1], "written") == positions
    for grid in scene.sections[-1].grids:
        for cell in grid.cells:
            assert ("written" in cell.marks) == (cell.address in positions)
    assert len(before) == _length(t)


def _length(t):
    return t.untyped_storage().nbytes() // 8


def test_a_write_of_not_a_number_is_seen_as_what_it_is():
    """Bytes are compared, not values: writing the same NaN again changes nothing."""
    x = torch.tensor([float("nan"), 1.0])
    assert "The very same tensor" in draw_change(x, lambda t: t.mul_(1)).scene.notes[0]
    scene = draw_change(x, lambda t: t.copy_(torch.tensor([float("nan"), 3.0]))).scene
    assert marked(scene.sections[-1], "written") == {1}


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.t(),
        lambda t: t[1:],
        lambda t: t.view(-1),
        lambda t: t.expand(2, 3, 4),
        lambda t: t.numpy(),
        lambda t: t.view(torch.int32),
        lambda t: t.view(torch.complex128),
    ],
)
def test_a_new_header_shares_the_strip(change):
    """One storage, two grids, and nothing has moved."""
    x = torch.arange(12).view(3, 4)
    scene = draw_change(x, change).scene
    (section,) = scene.sections
    assert [grid.name for grid in section.grids] == ["before", "after"]
    assert scene.notes == ("Another header over the same storage: in memory, nothing has moved.",)


def test_a_write_by_another_dtype_marks_the_slots_it_went_to():
    """The same bytes are no change, however many of them a slot has."""

    def write(x):
        halves = x.view(torch.int32)
        halves[3] = 7
        return halves

    scene = draw_change(torch.arange(4), write).scene
    assert marked(scene.sections[-1], "written") == {3}


@pytest.mark.parametrize("field", ["a", "b"])
def test_a_write_to_what_lies_at_any_byte_marks_its_bytes(field):
    """Of records, and of one of their fields: 2.0 is a byte that is not 0, and the last one."""
    records = np.zeros(3, [("a", "i1"), ("b", "f8")])
    places = {9 * row + (8 if field == "b" else 0) for row in (1, 2)}
    for x, write in (
        (records.copy(), lambda x: x[field].__setitem__(slice(1, None), 2)),
        (records.copy()[field], lambda x: x.__setitem__(slice(1, None), 2)),
    ):
        scene = draw_change(x, write).scene
        after = scene.sections[-1]
        assert marked(after, "written") == places
        assert [
            cell.marks for cell in after.grids[field == "b" and len(after.grids) > 1].cells
        ] == [
            (),
            ("written",),
            ("written",),
        ]
        assert f"Changed: positions {min(places)}, " in scene.alt


def test_what_is_not_shown_is_not_called_the_same():
    """Nor is what was worked out called a copy: in a picture both have the same values."""
    x = torch.ones(1000, 1000)
    x[500, 500] = -1
    told, own = "The same values", "in a storage of their own."
    for change, tensor, words in (
        (torch.relu, x, f"{told}, as far as is shown, {own}"),
        (torch.relu, x[:3, :3], f"{told}, {own}"),
        (torch.clone, x[:3, :3], f"{told}, {own}"),
        (torch.Tensor.double, x, f"{told} as float64, as far as is shown, {own}"),
    ):
        assert draw_change(tensor, change).scene.notes == (words,)


def test_a_header_changed_in_place():
    """t_() gives the same tensor another header."""
    x = torch.arange(12).view(3, 4)
    before, after = draw_change(x, lambda t: t.t_()).scene.sections[0].grids
    assert (before.header[:11], after.header[:11]) == ("size (3, 4)", "size (4, 3)")


def test_nothing_happens():
    """contiguous() of a contiguous tensor is the tensor."""
    x = torch.arange(4)
    scene = draw_change(x, lambda t: t.contiguous()).scene
    assert len(scene.sections) == 1
    told = "The very same tensor comes back: nothing is copied, "
    assert scene.notes == (f"{told}nothing changes.",)
    # A write that the picture leaves out is not denied.
    large = draw_change(torch.zeros(1000), lambda t: t.__setitem__(500, 7)).scene
    assert large.notes == (f"{told}and nothing that is shown changes.",)


def test_a_storage_that_grows_in_place():
    """The old slots stay; stridekit knows that the new ones are uninitialised."""
    x = sk.arange(4)
    before, after = draw_change(x, lambda t: t.resize_(6)).scene.sections
    assert (len(slots_of(before)), len(slots_of(after))) == (4, 6)
    assert marked(after, "unwritten") == {4, 5}
    y = torch.arange(4)
    before, after = draw_change(y, lambda t: t.resize_(6).fill_(7)).scene.sections
    assert [slot.text for slot in slots_of(after).values()] == ["7"] * 6
    for each in (sk.arange(4), torch.arange(4)):
        (note,) = draw_change(each, lambda t: t.resize_(6)).scene.notes
        assert note.startswith("The storage grows from 4 to 6 elements. What resize_ adds")


def test_a_tensor_over_another_storage():
    """It is another one, whatever its length: nothing has grown, and nothing was written."""

    def put(x, source):
        x.data = source

    for act in (torch.Tensor.set_, put):
        for n in (2, 4, 9):
            other = torch.zeros(n, dtype=torch.int64)
            scene = draw_change(torch.arange(4), partial(act, source=other)).scene
            assert scene.notes[-1] == "The very same tensor, over another storage."
            assert {*map(len, map(slots_of, scene.sections))} == {4, n}
            assert not marked(scene.sections[1], "written")


def test_several_results():
    """A list of views is shown whole."""
    x = torch.arange(6)
    scene = draw_change(x, lambda t: t.split(2)).scene
    (before, after) = scene.sections
    assert [grid.name for grid in after.grids] == ["result 0", "result 1", "result 2"]
    assert [len(grid.cells) for grid in before.grids] == [6]


def test_the_change_is_carried_out():
    """On the very tensor."""
    x = torch.arange(3)
    draw_change(x, lambda t: t.add_(1))
    assert x.tolist() == [1, 2, 3]


def test_what_a_change_raises_passes_through():
    """It is the learner's own error."""
    with pytest.raises(ZeroDivisionError):
        draw_change(torch.arange(3), lambda t: 1 / 0)


def test_a_change_that_gives_no_tensor():
    """There would be nothing to draw."""
    with pytest.raises(ArgumentError, match="the change gave a float"):
        draw_change(torch.arange(3.0), lambda t: t.sum().item())
    for nothing in ((), [], {}):
        with pytest.raises(ArgumentError, match=f"the change gave an? {type(nothing).__name__}"):
            draw_change(torch.arange(3), lambda t: nothing)  # noqa: B023
    with pytest.raises(ArgumentError, match="change is a function, such as lambda"):
        draw_change(torch.arange(3), "contiguous")


# resize_


@settings(max_examples=50)
@given(any_layouts, st.lists(st.integers(0, 4), max_size=3))
def test_resize_is_drawn_as_torch_does_it(layout, size):
    """Header, storage length and old values; and the tensor itself stays as it is."""
    ours, theirs = twins(layout)
    for t in (theirs, ours.clone()):
        if isinstance(t, sk.Tensor):
            expected = theirs.clone()
        else:
            length = _length(t)
            expected = torch.arange(length).as_strided(t.size(), t.stride(), t.storage_offset())
        old = expected.untyped_storage().nbytes() // 8
        values = torch.empty(0, dtype=torch.int64).set_(expected.untyped_storage()).tolist()
        expected.resize_(size)
        kept = (tuple(t.size()), tuple(t.stride()), _length(t))
        before, after = draw_resize(t, *size or [()]).scene.sections
        assert (tuple(t.size()), tuple(t.stride()), _length(t)) == kept
        (grid,) = after.grids
        assert tuple(label.size for label in grid.dims) == expected.size()
        assert tuple(label.stride for label in grid.dims) == expected.stride()
        assert f"· offset {expected.storage_offset():,} ·" in grid.header
        (strip,) = after.strips
        ends = [
            0,
            *(s.address + 1 for s in strip.slots),
            *(b.first + b.length for b in strip.breaks),
        ]
        assert max(ends) == expected.untyped_storage().nbytes() // 8
        for address, slot in slots_of(after).items():
            assert ("unwritten" in slot.marks) == (address >= old)
            assert slot.text == ("?" if address >= old else str(values[address]))
        fills = {address: slot.group for address, slot in slots_of(before).items()}
        for cell in grid.cells:
            assert fills.get(cell.address) in (None, cell.group)


def test_resize_where_the_storage_may_not_grow():
    """As torch refuses it; what fits is drawn."""
    array = np.arange(4)
    shared = torch.from_numpy(array)
    with pytest.raises(StorageError, match=r"would have to grow from 4 to 6 elements.*clone\(\)"):
        draw_resize(shared, 6)
    assert draw_resize(shared, 2).scene.notes[0].startswith("The storage keeps its 4 elements")
    for size in 1, 2, 3:
        with pytest.raises(StorageError, match=r"refuses what requires grad.*x\.detach\(\)"):
            draw_resize(torch.ones(2, requires_grad=True), size)
    assert draw_resize(torch.ones(2, requires_grad=True).detach(), 1)
    with pytest.raises(ArgumentError, match="a NumPy array has none"):
        draw_resize(array, 2)
    with pytest.raises(SizeError, match="is not negative"):
        draw_resize(torch.ones(2), -1)
    with pytest.raises(ArgumentError, match="needs a size"):
        draw_resize(torch.ones(2))


# view


@settings(max_examples=50)
@given(layouts, st.data())
def test_views_are_possible_just_where_torch_makes_them(layout, data):
    """And then both headers are torch's; otherwise the hops are those that do not agree."""
    _, theirs = twins(layout)
    numel = layout.numel
    sizes = [(-1,), (numel,), (1, numel), (numel, 1), (2, -1), (-1, 2), (3, -1), layout.size[::-1]]
    size = data.draw(st.sampled_from(sizes))
    try:
        viewed = theirs.view(size)
    except RuntimeError as refusal:
        if "is invalid for input of size" in str(refusal) or "ambiguous" in str(refusal):
            with pytest.raises(SizeError):
                draw_view(theirs, size)
            return
        scene = draw_view(theirs, size).scene
        (section,) = scene.sections
        seams = [label for label in section.grids[0].dims if label.seam]
        assert len(seams) == 2
        left, right = seams
        actual, needed = section.hops
        assert actual.end - actual.start == theirs.stride(left.dim)
        assert needed.end - needed.start == theirs.size(right.dim) * theirs.stride(right.dim)
        assert actual.end != needed.end
        assert "is impossible. reshape(" in scene.notes[0]
    else:
        scene = draw_view(theirs, size).scene
        (section,) = scene.sections
        grid = section.grids[1]
        assert tuple(label.stride for label in grid.dims) == viewed.stride()
        for cell in grid.cells:
            assert cell.address == viewed[cell.index].item()
        assert not section.hops


def test_the_slot_where_a_step_would_have_to_lead_is_marked():
    """Inside the storage or beyond its end; that is not why the view fails."""
    x = torch.arange(12).view(3, 4)
    (section,) = draw_view(x.t(), 12).scene.sections
    assert marked(section, "needed") == {12}
    # It is told as what it is: nothing was to be read there.
    assert slots_of(section)[12].text == ""
    assert "outside of the storage" not in draw_view(x.t(), 12).text()
    (section,) = draw_view(x[:, :2], 6).scene.sections
    assert marked(section, "needed") == {2}
    assert slots_of(section)[2].text == "2"


def test_an_impossible_view_says_why():
    """The comparison, the reason, the way out."""
    scene = draw_view(torch.arange(12).view(3, 4).t(), 12, title="t").scene
    assert scene.notes == (
        "view(12) is impossible. reshape(12) copies instead.",
        "stride[0] = 1 ≠ size[1] × stride[1] = 3 × 4 = 12",
        "In one dim, elements lie evenly spaced. Dim 1 has 3 elements, 4 slots apart, so a step in "
        "dim 0 would have to lead 12 slots on. It leads 1 on: the two dims cannot merge.",
    )
    assert all(note in scene.alt for note in scene.notes)
    assert scene.alt.startswith(scene.notes[0])


# as_strided


@settings(max_examples=50)
@given(st.lists(st.integers(0, 4), max_size=4), st.data(), st.integers(-3, 9), st.integers(0, 12))
def test_any_header_is_drawn_and_nothing_outside_is_read(size, data, offset, length):
    """A cell is outside just if its position is; torch refuses just those headers."""
    stride = [data.draw(st.integers(-4, 6)) for _ in size]
    x = torch.arange(100, 100 + length)
    scene = draw_as_strided(x, size, stride, offset).scene
    (section,) = scene.sections
    outside = False
    for cell in section.grids[0].cells:
        position = offset + sum(i * s for i, s in zip(cell.index, stride, strict=True))
        assert cell.address == position
        is_outside = not 0 <= position < length
        assert ("outside" in cell.marks) == is_outside
        # What is never read is nobody's memory once more.
        assert not (is_outside and "ghost" in cell.marks)
        assert cell.text == ("×" if is_outside else str(100 + position))
        assert (cell.group is None) == is_outside
        outside = outside or is_outside
    assert scene.notes[0].startswith("Out of bounds" if outside else "In bounds")
    if min(stride, default=0) >= 0 and offset >= 0:
        try:
            x.as_strided(size, stride, offset)
        except RuntimeError:
            assert outside
        else:
            assert not outside
    if outside:
        index, position = re.match(
            r"Out of bounds: index \(([\d, ]*)\) lies at position (-?\d+)", scene.notes[0]
        ).groups()
        index = [int(i) for i in index.split(",") if i.strip()]
        assert int(position) == offset + sum(i * s for i, s in zip(index, stride, strict=True))


def test_a_header_on_both_sides_of_its_storage_is_told_as_text():
    """None of the bytes between is shown, and the text says how many they are."""
    diagram = draw_as_strided(torch.arange(6), (4, 2, 5), (-4, -4, 9), 3, bytes=True)
    elements, in_bytes = diagram.scene.sections[0].strips
    assert all("outside" in slot.marks for slot in elements.slots)
    assert not in_bytes.slots
    title = "the same bytes, in hexadecimal (little-endian)"
    assert f"{title}\nvalue ⋯ 48 more ⋯\n" in diagram.text()


def test_positions_of_bytes_are_not_called_hexadecimal():
    """Without values the strip of bytes says where each lies."""
    (section,) = draw(torch.arange(2), values=False, bytes=True).scene.sections
    assert [slot.text for slot in section.strips[1].slots] == [*map(str, range(16))]
    assert section.strips[1].title == "the same bytes"


def test_far_out_of_bounds_is_drawn_as_quickly():
    """Strips leave out what is between."""
    (section,) = draw_as_strided(torch.arange(3), (2, 2), (10**12, -(10**9))).scene.sections
    assert len(section.strips[0].slots) < 30


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        (
            ((2, 2), (1,)),
            LayoutError,
            r"^size \(2, 2\) has 2 dims.* Each dim needs a size and a stride",
        ),
        (((2, -1), (1, 1)), LayoutError, r"^size \(2, -1\) has a negative entry"),
        ((5, (1,)), ArgumentError, "a size stands in a tuple or list of ints, and 5"),
        (((2,), (1.5,)), ArgumentError, "a stride is an int"),
        (((2,), (1,), "0"), ArgumentError, "storage_offset is an int"),
    ],
)
def test_what_is_no_header(arguments, error, match):
    """A clear sentence."""
    with pytest.raises(error, match=match):
        draw_as_strided(torch.arange(3), *arguments)
    with pytest.raises(IndexRangeError, match="leaves the tensor"):
        draw_as_strided(torch.arange(3), (2,), (1,), select=(2,))
