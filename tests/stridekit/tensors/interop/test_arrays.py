"""Arrays of every dtype, wherever their elements lie, and what offers its memory by a protocol."""

import array
import ctypes
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import (
    draw,
    draw_as_strided,
    draw_change,
    draw_pixels,
    draw_steps,
    draw_view,
    explain,
)
from stridekit.diagrams.scenes.captions import short_text, value_text
from stridekit.errors import InteropError, MissingPackageError, StorageError, StridekitError
from stridekit.tensors.subjects import named_subjects_of, subject_of
from tests.stridekit.diagrams.picture_files import tells


def section_of(diagram):
    (section,) = diagram.scene.sections
    return section


def true_to(x, **options):
    """Every cell shows the value at its index, and its address is NumPy's."""
    section = section_of(draw(x, **options))
    (grid,) = section.grids
    subject = subject_of("draw", x)
    start = x.__array_interface__["data"][0] - subject.storage_address
    shown = {cell.index for cell in grid.cells}
    assert x.size > 64 or shown == {*np.ndindex(x.shape)}
    for cell in grid.cells:
        byte = start + sum(i * step for i, step in zip(cell.index, x.strides, strict=True))
        assert cell.address * grid.unit == byte
        assert not cell.marks or cell.marks == ("ghost",)
    if not all(tells(cell.text, x[cell.index].item()) for cell in grid.cells):
        # Complex numbers are told shorter where they would not fit.
        assert max(len(value_text(value.item())) for value in x.flat) > 11
        shown = [cell.text for cell in grid.cells]
        assert shown == [short_text(x[cell.index].item()) for cell in grid.cells]
    return section


@st.composite
def records(draw_):
    """A structured dtype: fields of all sizes, packed, aligned, or with gaps, within each other."""
    kinds = st.sampled_from(["u1", "<i2", ">i2", "f4", "f8", "S3", "U2", "c8", "?", "M8[D]", "V2"])
    kinds = st.one_of(kinds, st.tuples(kinds, st.just((2,))))
    fields = draw_(st.lists(kinds, min_size=1, max_size=4))
    dtype = [
        (f"f{number}", *each) if isinstance(each, tuple) else (f"f{number}", each)
        for number, each in enumerate(fields)
    ]
    inner = np.dtype(dtype, align=draw_(st.booleans()))
    return np.dtype([("a", "i2"), ("in", inner)]) if draw_(st.booleans()) else inner


@st.composite
def arrays_of_records(draw_):
    dtype = draw_(records())
    shape = tuple(draw_(st.lists(st.integers(1, 3), max_size=2)))
    n = int(np.prod(shape)) * dtype.itemsize
    raw = np.frombuffer(bytes(i % 2 for i in range(n)), np.uint8)
    x = raw.view(dtype).reshape(shape) if shape else raw.view(dtype).reshape(())
    steps = [slice(None, None, draw_(st.sampled_from((1, 2, -1)))) for _ in shape]
    return x[(..., *steps)].T


def fields(x, path=""):
    for name in x.dtype.names:
        field = x[name]
        if field.dtype.names:
            yield from fields(field, f"{path}[{name!r}]")
        else:
            yield f"{path}[{name!r}]", field


@given(arrays_of_records())
def test_records_are_drawn_field_by_field(x):
    """Each field under its name, at NumPy's addresses, with NumPy's values, over one memory."""
    expected = dict(fields(x))
    found = dict(named_subjects_of("draw", "", x))
    assert [*found] == [*expected]
    section = section_of(draw(x))
    for grid, (name, field) in zip(section.grids, expected.items(), strict=True):
        assert grid.name == name
        start = field.__array_interface__["data"][0] - found[name].storage_address
        for cell in grid.cells:
            steps = zip(cell.index, field.strides, strict=True)
            assert cell.address * grid.unit == start + sum(i * step for i, step in steps)
            value = field[cell.index]
            if field.dtype.kind in "biufc?":
                assert tells(cell.text, value.item())
    # All that fields take is reached, and padding is not.
    if section.strips[0].unit == 1 and section.strips[-1].unit == 1:
        taken = set()
        for field in expected.values():
            start = (
                field.__array_interface__["data"][0] - found[next(iter(expected))].storage_address
            )
            for index in np.ndindex(field.shape):
                at = start + sum(i * s for i, s in zip(index, field.strides, strict=True))
                taken |= set(range(at, at + field.itemsize))
        slots = section.strips[-1].slots
        assert {slot.address for slot in slots if slot.group is not None} == {
            slot.address for slot in slots if slot.address in taken
        }


def test_fields_named_and_padding_told():
    """The note says where each field begins, the lanes which bytes it takes."""
    x = np.zeros(3, np.dtype([("a", "i1"), ("b", "i4")], align=True))
    diagram = draw(x, title="x")
    assert diagram.scene.title == "x"
    assert diagram.scene.notes == (
        "A record takes 8 bytes: ['a'] from byte 0 on, ['b'] from byte 4 on.",
        "3 bytes of each record belong to no field: padding.",
    )
    (strip,) = section_of(diagram).strips
    assert strip.title == "storage · 24 bytes, in hexadecimal"
    assert section_of(draw(x, values=False)).strips[0].title == "storage · 24 bytes"
    assert [sorted(lane.addresses)[:5] for lane in strip.lanes] == [[0, 8, 16], [4, 5, 6, 7, 12]]


def test_each_row_of_a_strip_names_its_lanes():
    """In a strip of many rows, too: a line without a name might be any."""
    x = np.zeros((3, 6), [("a", "f4"), ("b", "f4"), ("c", "f4"), ("d", "f4")])
    svg = draw({"x": x["a"], "y": x["b"]}).svg()
    rows = 5
    assert "in 5 rows" in svg
    # Once at each grid, and once in each row.
    assert [svg.count(f">{name}</text>") for name in "xy"] == [rows + 1, rows + 1]


def test_complex_numbers_that_would_not_fit_are_told_shorter():
    """As NumPy does: both parts to one place. So all columns are there, and the strip agrees."""
    x = (np.arange(153.0) / 700 - 0.481 - 0.00123j).reshape(17, 9)
    (grid,), (strip,) = section_of(draw(x)).grids, section_of(draw(x)).strips
    assert {cell.index for cell in grid.cells} == {*np.ndindex(17, 9)}
    assert [slot.text for slot in strip.slots] == [cell.text for cell in grid.cells]
    assert grid.cells[0].text == "-0.48-0.00j"
    # Where there is room they are told as ever.
    assert section_of(draw(x[:2, :3])).grids[0].cells[0].text == "-0.48-0.0012j"


@given(
    st.sampled_from(["<i2", ">i4", "<f8", "<c16", "<u8", "<i1", ">f4", "<f2"]),
    st.integers(0, 3),
    st.lists(st.tuples(st.integers(1, 3), st.integers(-9, 9)), max_size=3),
)
def test_elements_at_any_byte(kind, start, dims):
    """Byte strides that are not multiples of anything, backwards, over each other."""
    dtype = np.dtype(kind)
    reach = [(n - 1) * step for n, step in dims]
    first = start - sum(min(r, 0) for r in reach)
    raw = np.frombuffer(bytes(i * 7 % 60 for i in range(first + sum(map(abs, reach)) + 40)), "u1")
    shape, strides = tuple(n for n, _ in dims), tuple(step for _, step in dims)
    x = np.ndarray(shape, dtype, raw, first, strides)
    section = true_to(x)
    strip = section.strips[-1]
    for slot in strip.slots:
        if strip.unit == 1 and strip.title.endswith("hexadecimal"):
            assert slot.text == f"{raw[slot.address]:02x}"
    subject = subject_of("draw", x)
    assert subject.is_contiguous == x.flags.c_contiguous
    assert explain.contiguity(x).holds == x.flags.c_contiguous


@pytest.mark.parametrize("start", range(5))
@pytest.mark.parametrize("kind", ["<u2", "<u4", "<u8"])
@pytest.mark.parametrize("padding", [0, 3])
def test_the_bytes_of_an_element_have_one_fill(kind, start, padding):
    """Slices begin where an element does, at whichever byte that is."""
    width = np.dtype(kind).itemsize
    raw = np.arange(80, dtype=np.uint8)
    x = np.ndarray((2, 3), kind, raw, start, (3 * width + padding, width))
    section = section_of(draw(x, bytes=True))
    fills = {slot.address: slot.group for slot in section.strips[-1].slots}
    (grid,) = section.grids
    for cell in grid.cells:
        first = cell.address * grid.unit
        assert {fills[byte] for byte in range(first, first + width)} == {cell.group}


def test_a_field_alone_and_an_element_selected():
    """All bytes of the element are outlined, and the way to it is in bytes."""
    x = np.zeros(3, [("a", "i4"), ("b", "f8"), ("c", "i1")])["b"]
    section = true_to(x)
    diagram = draw(x, select=2, written=[1])
    section = section_of(diagram)
    slots = section.strips[0].slots
    assert [s.address for s in slots if "selected" in s.marks] == [*range(30, 38)]
    assert [s.address for s in slots if "written" in s.marks] == [*range(17, 25)]
    assert section.hops[-1].end == 30
    assert draw_view(x, 3, 1).scene.sections[0].grids[1].dims[0].stride == 13
    with pytest.raises(InteropError, match="strides in elements cannot say where"):
        draw_as_strided(x, (2,), (1,))


@pytest.mark.parametrize(
    ("x", "texts"),
    [
        (np.arange(3, dtype=">i4"), ["0", "1", "2"]),
        (np.array(["2024-01-01", "NaT"], "M8[D]"), ["2024-01-01", "NaT"]),
        (np.array(["2024-01-01T12:30"], "M8[s]"), ["2024-01-01T12:30:00"]),
        (np.array([1, 2], "m8[h]"), ["1 hours", "2 hours"]),
        (np.array([b"ab", b""]), ["b'ab'", "b''"]),
        (np.array([["x", "yz"]]), ["'x'", "'yz'"]),
        (np.array(["x"], ">U2"), ["'x'"]),
        (np.array([0.5, 1e4], np.longdouble), ["0.5", "10000.0"]),
        (np.array([np.longdouble("1e4000")]), ["1.e+4000"]),
        (np.array([1 + 2j], np.clongdouble), ["1+2j"]),
        (np.array([b"\1\2\3"], "V3"), ["01 02 03"]),
        (np.array([1, "x", None, [2]], object), ["1", "'x'", "None", "list"]),
        (np.array(["long" * 9, b"17 bytes of these"], object),
         ["'longlonglonglongl…", "b'17 bytes of thes…"]),
        (np.array([10**5000, -(10**25)], object), ["a number of 16610 …", "a number of 84 bits"]),
        (np.array(["ab", "long" * 9], np.dtypes.StringDType()), ["'ab'", "'longlonglonglongl…"]),
        (np.arange(1, 5).reshape(2, 2).T.view(np.matrix), ["1", "3", "2", "4"]),
        (np.array(2.5), ["2.5"]),
        (np.float64(2.5), ["2.5"]),
        (np.int16(7), ["7"]),
        (np.datetime64("2024-02-03"), ["2024-02-03"]),
        (np.str_("hi"), ["'hi'"]),
    ],
)  # fmt: skip
def test_dtypes_without_a_counterpart(x, texts):
    """Values as NumPy says them; everything else holds too."""
    grid = section_of(draw(x)).grids[0]
    assert [cell.text for cell in grid.cells] == texts
    assert draw(x).svg()
    assert draw(x, bytes=True).text()


def test_objects_are_told_apart_by_their_addresses():
    """One object twice has one address; nothing of its own code is run."""

    class Rude:
        def __repr__(self):
            raise AssertionError("nobody asked")

    rude = Rude()
    x = np.array([rude, 1000, rude], object)
    section = section_of(draw(x))
    first, second, third = (slot.text for slot in section.strips[0].slots)
    assert first == third != second
    assert first.removeprefix("…") == f"{id(rude):x}"[-6:]
    assert [cell.text for cell in section.grids[0].cells] == ["Rude", "1000", "Rude"]
    # Another header over the same memory asks no address for an object.
    draw_as_strided(x[:1], (3,), (1,))


def test_foreign_byte_order_and_garbage():
    """Bytes as they lie; what is nothing in a dtype is told as bytes."""
    x = np.arange(2, dtype=">i4")
    diagram = draw(x, bytes=True)
    assert [slot.text for slot in section_of(diagram).strips[1].slots] == [*["00"] * 7, "01"]
    assert "order to this machine's, as bytes=True shows." in diagram.alt
    assert "int32 big-endian" in section_of(diagram).grids[0].header
    garbage = np.frombuffer(b"\xff" * 8, "U1")
    assert [cell.text for cell in section_of(draw(garbage)).grids[0].cells] == ["ff ff ff ff"] * 2


def test_masked_arrays():
    """The data and the mask, each on its memory."""
    x = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    scene = draw(x, title="x").scene
    assert [grid.name for s in scene.sections for grid in s.grids] == ["x.data", "x.mask"]
    assert "where the mask is True" in scene.notes[0]
    assert draw(np.ma.array([1, 2])).scene.notes == ("A masked array without a mask.",)


def test_what_is_said_of_elements_at_any_byte_counts_bytes():
    """And counts no elements of a cache line, which holds parts of others, too."""
    field = np.zeros((4, 6), [("tag", "u1"), ("level", "i4")])["level"]
    (_, note) = draw(field, traverse=True).scene.notes
    assert note.endswith("over 2 cache lines of 64 bytes, if the storage begins on a line.")
    _, row = draw_steps(field, np.ascontiguousarray).scene.sections
    assert row.told == "Copied, 96 bytes: dim 1 has stride 5, and 4 is expected."


def test_a_view_by_as_strided_lies_in_its_source():
    """Also where it leaves a slice of it."""
    x = np.arange(8)
    as_strided = np.lib.stride_tricks.as_strided
    windows = np.lib.stride_tricks.sliding_window_view(x[1:], 3)
    for view in (windows, as_strided(x[1:3], (4,), (8,)), as_strided(windows, (3,), (8,))):
        assert subject_of("draw", view).layout.storage_offset == 1
        assert subject_of("draw", view).storage_length == 8
    part = np.frombuffer(bytes(16), np.int8, count=4)
    assert draw(as_strided(part, (9,), (1,))).scene.sections[0].grids[0].cells[8].text == "0"


@pytest.mark.parametrize(
    ("shape", "byte_strides", "furthest"),
    [
        ((8,), (8,), 7),
        ((10**6,), (8 * 10**6,), 999_999 * 10**6),
        ((3,), (-(10**12),), -25 * 10**10),
    ],
)
def test_what_leaves_its_memory_is_never_read(shape, byte_strides, furthest):
    """NumPy's as_strided checks no bounds: to read there ends Python, at worst."""
    x = np.lib.stride_tricks.as_strided(np.arange(4), shape, byte_strides)
    said = f"reaches position {furthest}, and its storage holds 4 elements: .*other memory"
    for ask in (draw, draw_pixels, lambda x: draw(x, stats=True), lambda x: draw_view(x, -1),
                lambda x: draw_change(x, np.copy), lambda x: draw_steps(x, "copy()")):  # fmt: skip
        with pytest.raises(StorageError, match=said):
            ask(x)
    for share in (sk.from_numpy, sk.tensor):
        with pytest.raises(StridekitError, match=r"outside of the array's memory|negative"):
            share(x)
    assert "reaches" not in str(explain.contiguity(x))


def test_a_large_memory_map(tmp_path):
    """Only what is shown is read."""
    path = tmp_path / "data"
    x = np.memmap(path, np.int32, "w+", shape=(10**6,))
    x[:3] = 1, 2, 3
    section = section_of(draw(x[:3]))
    assert [cell.text for cell in section.grids[0].cells] == ["1", "2", "3"]
    assert "memmap" in section.grids[0].header


class Offers:
    """An object with NumPy's array interface, and nothing else."""

    def __init__(self, x):
        self.x = x

    @property
    def __array_interface__(self):
        return self.x.__array_interface__


class Lends:
    """An object with DLPack, and nothing else."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


@pytest.mark.parametrize(
    ("make", "texts", "offset"),
    [
        (lambda: array.array("i", [1, 2, 3]), ["1", "2", "3"], 0),
        (lambda: b"hi", ["104", "105"], 0),
        (lambda: memoryview(bytearray(b"hello"))[1:4:2], ["101", "108"], 1),
        (lambda: memoryview(array.array("d", [1, 2, 3]))[::-1], ["3.0", "2.0", "1.0"], 2),
        (lambda: (ctypes.c_int16 * 2)(4, 5), ["4", "5"], 0),
        (lambda: Offers(np.arange(3)), ["0", "1", "2"], 0),
        (lambda: Lends(np.arange(3.0)), ["0.0", "1.0", "2.0"], 0),
        (lambda: Lends(torch.arange(2, dtype=torch.bfloat16)), ["0.0", "1.0"], 0),
    ],
)
def test_what_offers_its_memory(make, texts, offset):
    """By the buffer protocol, the array interface, DLPack."""
    thing = make()
    assert [cell.text for cell in section_of(draw(thing)).grids[0].cells] == texts
    assert subject_of("draw", thing).layout.storage_offset == offset


def test_an_exporter_that_breaks_is_refused_with_what_it_says():
    """Whatever it raises: what a library's own errors are nobody can know."""

    class Closed:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **_options):
            raise OSError("the device is gone")

    with pytest.raises(InteropError, match=r"over: the device is gone\. Make a NumPy array"):
        draw(Closed())


def test_a_buffer_of_a_format_that_numpy_does_not_know_has_bytes():
    """Pointers, and characters of C: the line to paste works."""
    thing = (ctypes.c_void_p * 2)(1, 2)
    with pytest.raises(InteropError, match=r"bytes are numpy.frombuffer\(x, numpy.uint8\)\."):
        draw(thing)
    (cells,) = [grid.cells for grid in section_of(draw(np.frombuffer(thing, np.uint8))).grids]
    assert len(cells) == ctypes.sizeof(thing)


def test_without_numpy(monkeypatch):
    """In a browser's kernel, say: a sentence."""
    monkeypatch.delitem(sys.modules, "stridekit.tensors.interop.numpy", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(
        MissingPackageError, match="draw: reading the memory of a bytes needs numpy"
    ):
        draw(b"abc")
