"""Warps: what is counted in blocks, against each thread of each request counted one by one."""

from itertools import product
from unittest.mock import patch

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import Layout
from stridekit.errors import ArgumentError, DimError, LayoutError
from stridekit.layouts import warps
from stridekit.layouts.warps import (
    LINE,
    SECTOR,
    WORDS,
    SectorCount,
    touched_at,
    warp_sectors,
)
from tests.stridekit.strategies import layouts


def counted(size, stride, itemsize, storage_offset=0, *, along=-1, threads=32):
    """The same by hand: every thread's address, request after request."""
    dims = [*range(len(size))]
    if dims:
        dims.append(dims.pop(along))
    addresses = []
    for index in product(*(range(size[dim]) for dim in dims)):
        position = storage_offset + sum(i * stride[dim] for i, dim in zip(index, dims, strict=True))
        addresses.append(position * itemsize)
    requests = wanted = sectors = lines = 0
    for first in range(0, len(addresses), threads):
        reached = {
            address + byte
            for address in addresses[first : first + threads]
            for byte in range(itemsize)
        }
        requests += 1
        sectors += len({byte // SECTOR for byte in reached})
        wanted += len(reached)
        lines += len({byte // LINE for byte in reached})
    return SectorCount(requests, wanted, sectors, lines)


words = st.sampled_from(WORDS)


@given(layouts, words, st.sampled_from((1, 2, 3, 4, 6, 8, 32)), st.integers(-2, 1))
def test_any_layout(layout, itemsize, threads, along):
    """Small warps are as good a test as large ones: then even small sizes fill many."""
    along = along if -layout.ndim <= along < max(layout.ndim, 1) else -1
    given_ = layout.size, layout.stride, itemsize, layout.storage_offset
    with patch.object(warps, "WARP", threads):
        warps._touched.cache_clear()
        count = warp_sectors(*given_, along=along)
    warps._touched.cache_clear()
    assert count == counted(*given_, along=along, threads=threads)
    assert count.wanted <= count.fetched == SECTOR * count.sectors
    assert count.sectors <= layout.numel
    assert count.lines <= count.sectors <= 4 * count.lines
    assert count.requests == -(-layout.numel // threads)


around = st.sampled_from((1, 2, 3, 5, 16, 24, 31, 32, 33, 64))
sizes = (
    st.tuples(around)
    | st.tuples(around, around)
    | st.tuples(st.sampled_from((1, 2, 3)), around, around)
)
steps = st.lists(st.sampled_from((-33, -1, 0, 1, 2, 3, 8, 31, 32, 100, 1024)), min_size=3)


@given(sizes, steps, words, st.integers(0, 40), st.integers(-1, 0))
def test_sizes_about_a_warp(size, stride, itemsize, storage_offset, along):
    """Those that fill whole warps, those that nearly do, and strides of any kind."""
    given_ = size, tuple(stride[: len(size)]), itemsize, storage_offset
    assert warp_sectors(*given_, along=along) == counted(*given_, along=along)


@pytest.mark.parametrize("itemsize", WORDS)
def test_neighbours_want_all_that_comes(itemsize):
    """A contiguous tensor that ends with a sector."""
    count = warp_sectors((64, 32), (32, 1), itemsize)
    assert (count.requests, count.sectors) == (64, 64 * itemsize)
    assert count.wanted == count.fetched == 64 * 32 * itemsize


@pytest.mark.parametrize(
    ("stride", "offset", "sectors"),
    [
        ((1,), 0, 4),  # neighbours: 128 bytes
        ((1,), 1, 5),  # one element further on, they hang over at the end
        ((1,), 8, 4),  # a whole sector further on
        ((2,), 0, 8),  # every other element: half of what comes
        ((8,), 0, 32),  # one for each thread, and no stride makes more of it
        ((1024,), 0, 32),
        ((0,), 0, 1),  # all read the same element
        ((-1,), 31, 4),  # backwards, as NumPy may
    ],
)
def test_what_a_request_of_floats_costs(stride, offset, sectors):
    """The numbers that everybody should know; those for steps 1 and 2 are in the guide."""
    count = warp_sectors((32,), stride, 4, offset)
    assert (count.requests, count.sectors) == (1, sectors)
    assert touched_at([*Layout((32,), stride, offset).positions()], 4) == count


def test_a_transpose_reads_well_or_writes_well():
    """Never both: whichever way the threads go, one side touches a sector for each thread."""
    x = torch.empty(64, 64)
    for along in (0, 1):
        read = warp_sectors(x.size(), x.stride(), 4, along=along)
        written = warp_sectors(x.size(), x.t().contiguous().t().stride(), 4, along=along)
        assert {read.sectors, written.sectors} == {128 * 4, 128 * 32}


def test_channels_last_asks_for_threads_along_the_channels():
    """There, neighbours are what lies side by side."""
    x = torch.empty(2, 32, 8, 8).to(memory_format=torch.channels_last)
    assert warp_sectors(x.size(), x.stride(), 4, along=1).sectors == 4 * 128
    assert warp_sectors(x.size(), x.stride(), 4, along=-1).sectors == 32 * 128


def test_a_tensor_larger_than_any_memory():
    """The cost follows the smallest part that fills whole warps."""
    huge = Layout.of((10**13, 3, 2))
    count = warp_sectors(huge.size, huge.stride, 4)
    requests = 60 * 10**12 // 32
    assert count == SectorCount(requests, 240 * 10**12, 4 * requests, requests)
    assert warp_sectors((2**40 + 5,), (1,), 1).sectors == 2**35 + 1
    assert warp_sectors((10**13, 3, 2), (0, 2, 1), 4).requests == 60 * 10**12 // 32


def test_without_elements_nobody_asks():
    """And rank 0 is one thread."""
    assert warp_sectors((0, 3), (3, 1), 4) == SectorCount(0, 0, 0, 0)
    assert warp_sectors((), (), 8, 5) == SectorCount(1, 8, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "named", "error", "said"),
    [
        (((4,), (1,), 12), {}, ArgumentError, "reads 1, 2, 4, 8 or 16 bytes at once"),
        (((4,), (1,), 0), {}, ArgumentError, "and itemsize is 0"),
        (((4,), (1,), "4"), {}, ArgumentError, "itemsize is an int, and '4' is a str"),
        (((4,), (1, 1), 4), {}, LayoutError, "Each dim needs a size and a stride"),
        (((-4,), (1,), 4), {}, LayoutError, "has a negative entry. Sizes count"),
        ((torch.zeros(4), (1,), 4), {}, ArgumentError, "a size stands in a tuple or list of ints"),
        (((4,), 1, 4), {}, ArgumentError, "a stride stands in a tuple or list of ints, and 1"),
        (((4,), (1,), 4), {"along": 1}, DimError, "there is no dim 1 in a tensor of 1 dim."),
        (((2.5,), (1,), 4), {}, ArgumentError, "a size is an int, and 2.5 is a float"),
    ],
)
def test_what_is_no_request(arguments, named, error, said):
    """One sentence for each."""
    with pytest.raises(error) as raised:
        warp_sectors(*arguments, **named)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
