"""What a diagram shows is true: every address is torch's."""

import numpy as np
import pytest
import torch
from hypothesis import given

import stridekit as sk
from stridekit import Layout, draw
from stridekit.diagrams.scene import Break, Slot, compose, value_text
from stridekit.errors import ArgumentError
from tests.strategies import layouts, twins

flat_layouts = layouts.filter(lambda layout: layout.ndim <= 2)


@given(flat_layouts)
def test_every_cell_shows_the_address_that_torch_reads(layout):
    """The values of the twin are its addresses."""
    _, theirs = twins(layout)
    grid = compose("draw", theirs).grid
    assert len(grid.cells) == layout.numel
    for cell in grid.cells:
        assert cell.address == theirs[cell.index].item()
        assert cell.text == str(cell.address)


@given(flat_layouts)
def test_the_strip_shows_the_whole_storage_and_what_is_reached(layout):
    """Each position once, in order; reached exactly if some index lies there."""
    ours, _ = twins(layout)
    slots = compose("draw", ours).strip.slots
    positions = set(layout.positions())
    assert [slot.address for slot in slots] == list(range(ours.untyped_storage().nbytes() // 8))
    assert {slot.address for slot in slots if slot.group is not None} == positions


@given(flat_layouts)
def test_a_group_belongs_to_the_address(layout):
    """One address, one group, in the grid and in the strip."""
    ours, _ = twins(layout)
    scene = compose("draw", ours)
    group_at = {slot.address: slot.group for slot in scene.strip.slots}
    assert all(group_at[cell.address] == cell.group for cell in scene.grid.cells)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x[1:],
        lambda x: x[:, ::2],
        lambda x: x.t()[1:, :2],
        lambda x: x[:, 1:2].expand(3, 5),
    ],
)
def test_a_view_shows_the_fills_of_its_source_in_other_places(view):
    """A transpose is visible because the groups stay where they are."""
    grid = torch.arange(12).view(3, 4)
    whole = {slot.address: slot.group for slot in compose("draw", grid).strip.slots}
    for cell in compose("draw", view(grid)).grid.cells:
        assert cell.group == whole[cell.address]


def test_the_three_libraries_give_the_same_scene():
    """But for nothing: values, header and storage are the same."""
    scenes = [
        compose("draw", sk.arange(12).view(3, 4).t()),
        compose("draw", torch.arange(12).view(3, 4).t()),
        compose("draw", np.arange(12).reshape(3, 4).T),
    ]
    assert scenes[0] == scenes[1] == scenes[2]


@pytest.mark.parametrize(
    ("x", "rows", "columns"),
    [
        (torch.tensor(5), 1, 1),
        (torch.arange(3), 1, 3),
        (torch.zeros(3, 0), 3, 0),
        (torch.zeros(100, 3), 11, 3),
        (torch.zeros(8, 8), 8, 8),
        (torch.zeros(1000, 1000), 11, 11),
    ],
)
def test_the_grid_s_shape(x, rows, columns):
    """Whole up to 64 elements; beyond, both ends of each dim."""
    grid = compose("draw", x).grid
    assert (grid.rows, grid.columns) == (rows, columns)


def test_a_vast_tensor_is_drawn_by_its_ends():
    """Nothing depends on the number of elements."""
    scene = compose("draw", torch.ones(3).expand(10**13, 3))
    assert {cell.index[0] for cell in scene.grid.cells} == {
        *range(5),
        *range(10**13 - 5, 10**13),
    }
    assert [slot.address for slot in scene.strip.slots] == [0, 1, 2]
    assert "size (10,000,000,000,000, 3)" in scene.alt


def test_a_long_strip_says_what_it_leaves_out():
    """Slots and breaks together are the storage, without a gap."""
    scene = compose("draw", torch.arange(10_000).view(100, 100)[50:52, 3:6])
    follows = 0
    for item in scene.strip.slots:
        if isinstance(item, Break):
            assert item.first == follows
            follows += item.count
        else:
            assert item.address == follows
            follows += 1
    assert follows == 10_000
    shown = {item.address for item in scene.strip.slots if isinstance(item, Slot)}
    assert {5003, 5004, 5005, 5103, 5104, 5105} <= shown


def test_the_alt_text_says_what_is_seen():
    """Header, storage, and the way that reading takes."""
    assert draw(torch.arange(12).view(3, 4).t(), title="b").alt == (
        "Tensor b, size (4, 3), stride (1, 4), offset 0, not contiguous, over a storage of 12 "
        "elements; reading order visits positions 0, 4, 8, 1, 5, 9, 2, 6, …."
    )
    assert draw(torch.zeros(2, 0)).alt.endswith("it has no elements.")


def test_values_can_give_way_to_addresses():
    """With values=False nothing is read."""
    cells = compose("draw", torch.full((2, 2), 7.5), values=False).grid.cells
    assert [cell.text for cell in cells] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-12345, "-12345"),
        (10**12, "1.0e+12"),
        (1.0, "1.0"),
        (-0.5, "-0.5"),
        (1 / 3, "0.333"),
        (1e-20, "1e-20"),
        (123456.7, "1.2e+05"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (True, "True"),
    ],
)
def test_values_are_short(value, text):
    """A cell has room for seven characters."""
    assert value_text(value) == text
    assert len(text) <= 7


def test_more_dims_are_refused_with_a_way_out():
    """Until they have a picture of their own."""
    with pytest.raises(ArgumentError, match=r"has 3 dims.*Pick a slice, such as x\[0\]"):
        draw(torch.zeros(2, 2, 2))


def test_layouts_alone_are_no_tensors():
    """There is nothing to read."""
    with pytest.raises(ArgumentError, match="a Layout has no size and stride"):
        draw(Layout((2,), (1,)))
