"""Tensors, against torch: headers, values, aliasing and refusals."""

import struct

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import Layout
from stridekit.errors import ArgumentError, DimError, IndexKindError, LayoutError, ViewError
from stridekit.storage import Storage
from tests.strategies import agree, header, layouts, twins

dims = st.integers(-5, 5)
bounds = st.none() | st.integers(-6, 6)
items = st.one_of(
    st.integers(-5, 4),
    st.builds(slice, bounds, bounds, st.none() | st.integers(-1, 4)),
    st.just(Ellipsis),
    st.none(),
)


@given(layouts)
def test_the_header_reads_as_torch_s(layout):
    """Every name that reads the header."""
    ours, theirs = twins(layout)
    assert header(ours) == header(theirs)
    assert ours.shape == tuple(theirs.shape)
    assert (ours.dim(), ours.ndim, ours.numel()) == (theirs.dim(), theirs.ndim, theirs.numel())
    assert ours.element_size() == theirs.element_size()
    assert ours.is_contiguous() is theirs.is_contiguous()
    assert ours.tolist() == theirs.tolist()


@given(layouts, dims)
def test_size_and_stride_of_one_dim(layout, dim):
    """Negative dims count from the right; others are refused."""
    ours, theirs = twins(layout)
    for name in ("size", "stride"):
        try:
            expected = getattr(theirs, name)(dim)
        except IndexError:
            with pytest.raises(DimError):
                getattr(ours, name)(dim)
        else:
            assert getattr(ours, name)(dim) == expected


@given(layouts, dims, dims)
def test_transpose(layout, dim0, dim1):
    """Any two dims, also those that are not there."""
    ours, theirs = twins(layout)
    agree(lambda: ours.transpose(dim0, dim1), lambda: theirs.transpose(dim0, dim1))


@given(layouts)
def test_t(layout):
    """For at most two dims."""
    ours, theirs = twins(layout)
    agree(ours.t, theirs.t)


@given(layouts, st.data())
def test_permute(layout, data):
    """Permutations, and lists of dims that are none."""
    ours, theirs = twins(layout)
    proper = st.permutations(range(layout.ndim)).map(tuple)
    order = data.draw(proper | st.lists(dims, max_size=4).map(tuple))
    agree(lambda: ours.permute(order), lambda: theirs.permute(order))


@given(layouts, st.lists(st.integers(-2, 6), max_size=4))
def test_view(layout, size):
    """Any size; `tests/test_viewing.py` looks at the possible ones closely."""
    ours, theirs = twins(layout)
    agree(lambda: ours.view(size), lambda: theirs.view(size))


@given(layouts, st.lists(items, max_size=5).map(tuple) | items)
def test_basic_indexing(layout, key):
    """Ints, slices, dots and None, mixed; too many, too far, steps that go nowhere."""
    ours, theirs = twins(layout)
    agree(lambda: ours[key], lambda: theirs[key])


@given(layouts)
def test_contiguous(layout):
    """The same object if it can be, a row-major copy on new storage if it must."""
    ours, theirs = twins(layout)
    result, expected = ours.contiguous(), theirs.contiguous()
    assert header(result) == header(expected)
    assert result.tolist() == expected.tolist()
    assert (result is ours) is (expected is theirs)
    assert (result.untyped_storage() is ours.untyped_storage()) is (result is ours)


@given(layouts, st.data())
def test_views_share_and_remember_their_base(layout, data):
    """A view has its source's storage, and the source's source as its base."""
    ours, _ = twins(layout)
    view = ours.permute(tuple(data.draw(st.permutations(range(layout.ndim)))))
    again = view[...]
    assert view.untyped_storage() is again.untyped_storage() is ours.untyped_storage()
    assert ours.base is None
    assert view.base is again.base is ours


@given(layouts, st.sampled_from((sk.bool, sk.uint8, sk.int16, sk.int32, sk.float16, sk.float64)))
def test_every_itemsize_is_gathered(layout, dtype):
    """What tolist and contiguous move: elements of 1, 2, 4 and 8 bytes."""
    reach = layout.reach
    length = layout.storage_offset if reach is None else reach[1] + 1
    whole = [i % 2 == 0 if dtype is sk.bool else i % 100 for i in range(length)]
    memory = bytearray(struct.pack(f"={length}{dtype.code}", *whole))
    ours = sk.Tensor(layout, Storage.wrap(memory), dtype)
    flat = torch.tensor(whole, dtype=getattr(torch, dtype.name))
    theirs = flat.as_strided(layout.size, layout.stride, layout.storage_offset)
    assert ours.tolist() == theirs.tolist()
    assert ours.contiguous().tolist() == theirs.tolist()
    assert ours.torch().dtype is theirs.dtype


def test_a_header_that_leaves_its_storage_is_refused():
    """So no method can read outside."""
    with pytest.raises(LayoutError) as refusal:
        sk.Tensor(Layout((3, 4), (4, 1), 1), Storage(12 * 8), sk.int64)
    assert "reaches position 12, and the storage holds 12 elements" in str(refusal.value)
    with pytest.raises(LayoutError, match="negative strides"):
        sk.Tensor(Layout((3,), (-1,), 2), Storage(24), sk.int64)
    with pytest.raises(LayoutError):
        sk.Tensor(Layout((0,), (1,), -1), Storage(24), sk.int64)
    assert sk.Tensor(Layout((0, 5), (9, 9), 50), Storage(0), sk.int64).tolist() == []


def test_an_impossible_view_carries_its_reason():
    """As data, and as a sentence."""
    with pytest.raises(ViewError) as refusal:
        sk.arange(8).view(4, 2).t().view(8)
    assert refusal.value.obstacle.expected == 8
    assert "dims 0 and 1 cannot merge" in str(refusal.value)
    assert isinstance(refusal.value, RuntimeError)


@pytest.mark.parametrize("key", [1.0, "a", [0], True, (0, [1])])
def test_other_kinds_of_index_are_refused(key):
    """They would copy; what takes them comes with advanced indexing."""
    with pytest.raises(IndexKindError, match="no basic index"):
        sk.arange(6).view(2, 3)[key]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda x: x.view(), "view() needs a size"),
        (lambda x: x.view(2.0, 3), "a size is an int, and 2.0 is a float"),
        (lambda x: x.view("6"), "a size is an int, and '6' is a str"),
        (lambda x: x[1.5:], "start is an int or nothing, not 1.5"),
        (lambda x: len(x[0, 0]), "len() of a tensor of rank 0"),
    ],
)
def test_arguments_of_the_wrong_type_say_so(call, sentence):
    """As a TypeError, as in torch."""
    with pytest.raises(ArgumentError) as refusal:
        call(sk.arange(6).view(2, 3))
    assert sentence in str(refusal.value)
    assert isinstance(refusal.value, TypeError)


def test_repr_shows_values_and_header():
    """What the prompt prints."""
    assert repr(sk.arange(6).view(2, 3).t()) == (
        "Tensor([[0, 3], [1, 4], [2, 5]], size=(3, 2), stride=(1, 3), storage_offset=0, "
        "dtype=int64)"
    )
