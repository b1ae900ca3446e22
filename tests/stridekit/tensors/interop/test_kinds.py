"""Tensors whose memory holds something else than they say, and those made of several."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stridekit import draw, draw_view, explain
from stridekit.errors import InteropError
from stridekit.tensors.subjects import named_subjects_of, subject_of
from tests.stridekit.diagrams.picture_files import tells
from tests.stridekit.strategies import layouts, storage_length

pytestmark = pytest.mark.filterwarnings("ignore")


def only(diagram):
    (section,) = diagram.scene.sections
    (grid,), strips = section.grids, section.strips
    return grid, {slot.address: slot.text for slot in strips[0].slots}


def true_to(x, held, diagram):
    """The grid says what the tensor says, at torch's addresses; the strip what memory holds."""
    grid, slots = only(diagram)
    assert len(grid.cells) == x.numel() or x.numel() > 64
    for cell in grid.cells:
        address = x.storage_offset() + sum(map(int.__mul__, cell.index, x.stride()))
        assert cell.address == address
        assert tells(cell.text, x[cell.index].item())
    for address, text in slots.items():
        assert tells(text, held[address])


@given(layouts, st.sampled_from(["conj", "imag", "neg", "both"]))
def test_lazy_bits(layout, kind):
    """conj() and the negative bit turn signs, and memory stays as it is."""
    n = storage_length(layout)
    z = torch.complex(torch.arange(n).float(), torch.arange(n).float() + 0.5)
    x = z.as_strided(layout.size, layout.stride, layout.storage_offset)
    held = z.tolist()
    if kind in ("imag", "both"):
        x, held = x.conj().imag, torch.view_as_real(z).flatten().tolist()
        x = torch._neg_view(x) if kind == "both" else x
    else:
        x = x.conj() if kind == "conj" else torch._neg_view(x)
    diagram = draw(x)
    if x.numel():
        true_to(x, held, diagram)
    assert ("memory holds other values than the tensor says" in diagram.alt) == (kind != "both")
    assert x.is_conj() == (kind == "conj")


def test_both_lazy_bits_at_once():
    """Each turns a sign, one after the other."""
    z = torch.tensor([1 + 2j, -3 + 0.5j])
    x = torch._neg_view(z.conj())
    assert x.is_conj()
    assert x.is_neg()
    true_to(x, z.tolist(), draw(x))


KINDS = ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e8m0fnu", "complex32"]
KINDS += ["bfloat16", "float16", "bool", "uint16", "uint32", "uint64", "int8", "complex128"]


@pytest.mark.parametrize("name", KINDS)
def test_every_dtype_with_values(name):
    """As torch reads them, strides and all."""
    kind = getattr(torch, name)
    raw = torch.arange(96, dtype=torch.uint8)
    raw = raw % 2 if kind == torch.bool else raw
    whole = raw.view(kind)
    x = whole.as_strided((2, 2), (1, 2), 1)
    true_to(x, [whole[k].item() for k in range(len(whole))], draw(x))
    assert subject_of("draw", x).dtype == name


@pytest.mark.parametrize("name", ["uint1", "uint4", "int3", "bits8", "bits16", "float4_e2m1fn_x2"])
def test_dtypes_without_values_show_bytes(name):
    """In hexadecimal, in the order of memory, and a sentence says so."""
    kind = getattr(torch, name)
    x = torch.arange(8, dtype=torch.uint8).view(kind)
    grid, _ = only(draw(x))
    width = kind.itemsize
    assert [cell.text for cell in grid.cells] == [
        bytes(range(at, at + width)).hex(" ") for at in range(0, 8, width)
    ]
    assert f"torch gives no values for {name}" in draw(x).alt


@pytest.mark.parametrize("kind", [torch.quint8, torch.qint8, torch.qint32])
def test_quantised(kind):
    """Per tensor, transposed and sliced too: the grid as dequantised, the strip in codes."""
    q = torch.quantize_per_tensor(torch.arange(12.0).view(3, 4), 0.5, 3, kind)
    codes = q.int_repr().flatten().tolist()
    for x in (q, q.t(), q[1:, ::2]):
        true_to(Dequantised(x), codes, draw(x))
    assert "scale 0.5 and zero_point 3" in draw(q).alt


def test_quantised_without_a_quantizer():
    """`torch.empty` of such a dtype has codes that stand for nothing, which torch cannot print."""
    x = torch.empty(2, 3, dtype=torch.quint8)
    torch.empty(0, dtype=torch.uint8).set_(x.untyped_storage()).copy_(torch.arange(6))
    grid, slots = only(draw(x, stats=True))
    assert [cell.text for cell in grid.cells] == [*slots.values()]
    assert [cell.text for cell in grid.cells] == ["0", "1", "2", "3", "4", "5"]
    assert "no quantiser says what they stand for" in draw(x).alt


class Dequantised:
    """A quantised tensor, whose items are numbers."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return getattr(self.x, name)

    def __getitem__(self, index):
        return self.x.dequantize()[index]


def test_quantised_by_channel():
    """Each channel has its scale, under another header too."""
    scales, zeros = torch.tensor([0.5, 0.25]), torch.tensor([1, 2])
    q = torch.quantize_per_channel(torch.arange(6.0).view(2, 3), scales, zeros, 0, torch.qint8)
    true_to(Dequantised(q), q.int_repr().flatten().tolist(), draw(q))
    assert "0.5 and 1, 0.25 and 2" in draw(q).alt
    viewed = draw_view(q, 6).scene.sections[0].grids[1]
    assert [cell.text for cell in viewed.cells] == ["0.0", "1.0", "2.0", "3.0", "4.0", "5.0"]


def test_codes_that_share_a_byte():
    """Elements have no slot of their own, so bytes are shown, and that is said."""
    q = torch.quantize_per_tensor(torch.arange(5.0), 0.5, 3, torch.quint4x2)
    grid, _ = only(draw(q))
    assert [cell.text for cell in grid.cells] == ["53", "97", "0b"]
    assert "no slots of their own" in draw(q).alt


def parts(x, name="x"):
    return dict(named_subjects_of("draw", name, x))


def values(subject):
    return [*subject.read([*subject.layout.positions()])]


def dense(seed):
    made = torch.Generator().manual_seed(seed)
    return torch.randint(0, 9, (4, 6), generator=made) * torch.randint(0, 2, (4, 6), generator=made)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "bsc"])
def test_compressed_sparse(kind, seed):
    """The parts are torch's own components, at their addresses, and lead back to the tensor."""
    x = getattr(dense(seed), f"to_sparse_{kind}")(*([(2, 3)] if kind[0] == "b" else []))
    across = ("crow", "col") if kind[2] == "r" else ("ccol", "row")
    components = [getattr(x, f"{word}_indices")() for word in across] + [x.values()]
    found = parts(x)
    assert [*found] == [f"x.{word}_indices()" for word in across] + ["x.values()"]
    for subject, component in zip(found.values(), components, strict=True):
        assert values(subject) == component.flatten().tolist()
        assert subject.storage_address == component.untyped_storage().data_ptr()
        assert subject.layout.size == tuple(component.size())
    scene = draw(x, title="x").scene
    assert scene.title == "x"
    assert f"A sparse {kind.upper()} tensor of size (4, 6)" in scene.notes[0]
    with pytest.raises(
        InteropError, match=r"no stride of its own.*Give one of them, such as x\.va"
    ):
        explain.contiguity(x)


def groups(diagram):
    """The fill of each cell, by the name of its grid and its index; the strip's agree with them."""
    found = {}
    for section in diagram.scene.sections:
        fills = {slot.address: slot.group for slot in section.strips[0].slots}
        for grid in section.grids:
            found[grid.name] = {cell.index: cell.group for cell in grid.cells}
            assert all(fills[cell.address] == cell.group for cell in grid.cells)
    return found


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "bsc"])
@pytest.mark.parametrize("batch", [(), (2,), (2, 2)])
def test_a_fill_for_each_row_of_a_compressed_one(kind, batch):
    """What is stored of a row has its fill: counted by hand, empty rows and batches too."""
    whole = dense(5).clone()
    whole[0] = 0
    x = getattr(whole.expand(*batch, 4, 6), f"to_sparse_{kind}")(
        *([(2, 3)] if kind[0] == "b" else [])
    )
    diagram = draw(x)
    ends, places, stored = groups(diagram).values()
    told = getattr(x, "crow_indices" if kind[2] == "r" else "ccol_indices")()
    lengths = told.reshape(-1, told.size(-1))[0].diff().tolist()
    rows = [row for row, n in enumerate(lengths) for _ in range(n)]
    at = len(batch)
    assert all(group == min(index[at], len(lengths) - 1) for index, group in ends.items())
    for part in (places, stored):
        assert part
        assert all(group == rows[index[at]] for index, group in part.items())
    what = {"csr": "row", "csc": "column", "bsr": "block row", "bsc": "block column"}[kind]
    assert f"each colour: one {what}" in {section.fill_words for section in diagram.scene.sections}


def test_a_fill_for_each_row_of_a_nested_one():
    """Jagged ones along either dim, and those with strides. Coordinates: one for each value."""
    rows = [torch.arange(6.0).view(2, 3), torch.zeros(0, 3), torch.arange(9.0).view(3, 3)]
    x = torch.nested.nested_tensor(rows, layout=torch.jagged)
    for jagged, dim in ((x, 0), (x.transpose(1, 2), 1)):
        data, offsets = groups(draw(jagged)).values()
        assert {index: [0, 0, 2, 2, 2][index[dim]] for index in data} == data
        assert [*offsets.values()] == [0, 1, 2, 2]
    strided = groups(draw(torch.nested.nested_tensor(rows)))
    assert {*strided["[0]"].values()} == {0}
    assert {*strided["[2]"].values()} == {2}
    indices, data = groups(draw(dense(1).to_sparse())).values()
    assert all(group == data[index[1:]] == index[1] for index, group in indices.items())
    # What is asked for comes first.
    asked = draw(dense(1).to_sparse_csr(), color_by="element").scene.sections[0]
    assert asked.fill_words == "each colour: one element"


def test_coordinates():
    """Uncoalesced and hybrid too: column k of indices is the index of values[k]."""
    x = torch.sparse_coo_tensor([[0, 2, 2], [1, 0, 0]], [5.0, 7.0, 8.0], (3, 2))
    found = parts(x)
    index = torch.tensor(values(found["x.indices()"])).view(2, 3)
    again = torch.zeros(3, 2)
    for k, value in enumerate(values(found["x.values()"])):
        again[tuple(index[:, k])] += value
    assert again.equal(x.to_dense())
    assert "It is not coalesced" in draw(x).alt
    assert not x.is_coalesced()
    hybrid = torch.arange(12).view(3, 2, 2).to_sparse(1)
    assert "values[k] is a whole piece of size (2, 2)" in draw(hybrid).alt


def test_jagged():
    """Values and offsets, and lengths where rows leave gaps."""
    rows = [torch.arange(3), torch.arange(10, 12)]
    x = torch.nested.nested_tensor(rows, layout=torch.jagged)
    found = parts(x)
    assert [*found] == ["x.values()", "x.offsets()"]
    data, offsets = map(values, found.values())
    assert [data[a:b] for a, b in pairwise(offsets)] == [row.tolist() for row in rows]
    gaps = torch.nested.narrow(
        torch.arange(10).view(2, 5), 1, torch.tensor([0, 1]), torch.tensor([2, 3]),
        layout=torch.jagged,
    )  # fmt: skip
    data, offsets, lengths = map(values, parts(gaps).values())
    assert [data[a : a + n] for a, n in zip(offsets, lengths, strict=False)] == [
        row.tolist() for row in gaps.unbind()
    ]
    diagram = draw(gaps)
    assert [*map(list, (each.values() for each in groups(diagram).values()))] == [
        [0] * 6 + [1] * 4,
        [0, 1, 1],
        [0, 1],
    ]
    whole = torch.arange(9)
    short = torch.nested.nested_tensor_from_jagged(whole, torch.tensor([1, 3, 8]))
    told = [each.scene.sections[0].fill_words for each in (draw(x), diagram, draw(short))]
    assert told == ["each colour: one row"] + ["each colour: one row, with the gap beside it"] * 2
    assert next(iter(groups(draw(short)).values())) == {(i,): int(i > 2) for i in range(9)}


def test_nested_by_strides():
    """Each row has a header of its own over one buffer: torch's."""
    x = torch.nested.nested_tensor([torch.arange(6).view(2, 3), torch.arange(2).view(1, 2)])
    found = parts(x)
    for row, part in enumerate(x.unbind()):
        subject = found[f"x[{row}]"]
        assert subject.layout.stride == part.stride()
        assert subject.layout.storage_offset == part.storage_offset()
        assert values(subject) == part.flatten().tolist()
    assert draw(x).scene.sections[0].strips[0].lanes


def test_without_rows_or_values():
    """The parts are there, and empty."""
    assert "x: sizes" in parts(torch.nested.nested_tensor([]))
    for kind in ("to_sparse", "to_sparse_csr"):
        scene = draw(getattr(torch.zeros(2, 3), kind)()).scene
        assert scene.sections[-1].grids[0].cells == ()
    hybrid = torch.sparse_csr_tensor([0, 1, 2], [0, 1], torch.ones(2, 3), (2, 2, 3))
    assert "each value is a whole piece of size (3,)" in draw(hybrid).alt


def test_masked_and_wrapped():
    """Data and mask; what __tensor_flatten__ names, also within each other."""
    masked = torch.masked.masked_tensor(torch.arange(3.0), torch.tensor([True, False, True]))
    assert [*parts(masked)] == ["x.get_data()", "x.get_mask()"]
    assert [*parts(Pair(torch.ones(2), Pair(torch.ones(2), torch.zeros(2))))] == [
        "x.left", "x.right.left", "x.right.right",
    ]  # fmt: skip


class Pair(torch.Tensor):
    """A tensor that is made of two."""

    @staticmethod
    def __new__(cls, left, right):
        """Of the first one's size."""
        made = torch.Tensor._make_wrapper_subclass(cls, left.size())
        made.left, made.right = left, right
        return made

    def __tensor_flatten__(self):
        """What it is made of, as torch asks for it."""
        return ["left", "right"], None

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError(func)


class Loud(torch.Tensor):
    """A subclass that lets nobody ask anything."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise AssertionError("what a subclass says is not the header")


def test_subclasses_are_read_as_they_lie():
    """Whatever they make of torch's functions; their name stands in the header."""
    x = torch.arange(6).view(2, 3).t()
    loud = x.as_subclass(Loud)
    assert draw(loud).scene.sections[0].strips == draw(x).scene.sections[0].strips
    assert draw(loud).scene.sections[0].grids[0].header.endswith("int64 · Loud")
