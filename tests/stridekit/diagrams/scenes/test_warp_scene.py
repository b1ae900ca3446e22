"""Pictures of a warp: each thread stands over the sector that holds its element."""

import json
from math import prod

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit.errors import ArgumentError, DimError, InteropError, SizeError
from stridekit.layouts.warps import warp_sectors


def parts_of(picture):
    """The threads' grid and the sectors' strip."""
    (section,) = picture.scene.sections
    return section.grids[0], section.strips[0]


shapes = st.lists(st.integers(1, 40), min_size=1, max_size=3).filter(lambda size: prod(size) < 4000)
dtypes = st.sampled_from((torch.uint8, torch.float16, torch.float32, torch.int64, torch.complex128))


@given(shapes, dtypes, st.data())
def test_threads_read_what_torch_has_there(size, dtype, data):
    """Thread t has the address of element t of the reordered tensor."""
    x = torch.empty(size, dtype=dtype)
    x = x.permute(data.draw(st.permutations(range(x.dim()))))[data.draw(st.integers(0, 1)) :]
    along = data.draw(st.integers(-x.dim(), x.dim() - 1))
    if not x.numel():
        return
    places = torch.arange(prod(size)).as_strided(x.size(), x.stride(), x.storage_offset())
    expected = places.movedim(along, -1).flatten()[:32].tolist()
    grid, strip = parts_of(sk.draw_warp(x, along=along))
    assert [cell.address for cell in grid.cells] == expected
    slots = {slot.address: slot for slot in strip.slots}
    wanted = {address for address, slot in slots.items() if slot.group is not None}
    assert wanted == set(expected)
    assert all(slots[cell.address].group == cell.group for cell in grid.cells)
    sectors = {address * x.itemsize // 32 for address in expected}
    assert len(slots) * x.itemsize == 32 * len(sectors)
    assert {cell.group for cell in grid.cells} == {*range(len(sectors))}


def test_it_says_what_is_counted():
    """Of this request, and of all of them; in the picture, in its text, in words."""
    picture = sk.draw_warp({"x": torch.empty(64, 64)}, along=0)
    count = warp_sectors((64, 64), (64, 1), 4, along=0)
    assert picture.scene.notes == (
        "The threads want 128 bytes. 32 sectors come, 1,024 bytes in 32 lines: 12.5% is wanted.",
        f"Together, 128 warps want {count.wanted:,} bytes. {count.sectors:,} sectors come, "
        f"{count.fetched:,} bytes in {count.lines:,} lines: 12.5% is wanted.",
    )
    for note in picture.scene.notes:
        assert note in picture.text()
        assert note in picture.alt
    assert picture.text().startswith("x\nsize (64, 64) · stride (64, 1) · offset 0 · float32\n")
    assert "32 threads, neighbours along dim 0" in picture.text()
    assert picture.alt.startswith("x: size (64, 64)")


def test_fewer_elements_than_threads():
    """Then the others of the warp have nothing to read."""
    grid, strip = parts_of(sk.draw_warp(np.zeros(8, "f4")))
    assert len(grid.cells) == len(strip.slots) == 8
    assert parts_of(sk.draw_warp(sk.zeros(())))[0].dims[0].text.startswith("1 thread, ")


def test_nothing_is_read():
    """So a tensor without memory, and one larger than any, are drawn as well."""
    assert "device meta" in sk.draw_warp(torch.empty(64, device="meta")).text()
    huge = sk.ones(1, 2).expand(5 * 10**12, 2)
    assert "312,500,000,000 warps" in sk.draw_warp(huge).text()


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("step", [1, 2, 8, 100])
def test_all_ways_to_look_at_it(theme, step):
    """No page is wider than the others, and each cell can be pointed at."""
    picture = sk.draw_warp(torch.empty(40 * step)[::step])
    assert picture.svg(theme).startswith("<svg")
    assert picture._page.width <= 900
    data = json.loads(picture._touch_data())
    threads, slots = data["parts"]
    assert threads["n"] == "thread"
    assert threads["i"] == [*range(32)]
    assert set(threads["a"]) <= set(slots["a"])
    assert len(slots["x"]) == len(slots["a"])


@pytest.mark.parametrize(
    ("x", "named", "error", "said"),
    [
        ("abc", {}, ArgumentError, "draw_warp: an object of type str"),
        (3, {}, ArgumentError, "draw_warp: "),
        (
            [torch.zeros(3), torch.zeros(3)],
            {},
            ArgumentError,
            "give one tensor, and not 2. draw takes",
        ),
        (torch.zeros(3), {"along": 1}, DimError, "there is no dim 1"),
        (torch.zeros(3), {"along": "x"}, ArgumentError, "a dim is an int"),
        (torch.zeros(0), {}, SizeError, "size (0,) has no elements"),
        (torch.zeros(3), {"title": 5}, ArgumentError, "title is a text"),
        (torch.zeros(3).to_sparse(), {}, InteropError, "has no stride of its own"),
        (np.zeros(3, "i4,i8"), {}, ArgumentError, "reads 1, 2, 4, 8 or 16 bytes at once"),
        (np.zeros(26, "u1")[1:25].view("f8"), {}, InteropError, "Copy it first"),
    ],
)
def test_what_is_no_picture_of_a_warp(x, named, error, said):
    """One sentence for each."""
    with pytest.raises(error) as raised:
        sk.draw_warp(x, **named)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
