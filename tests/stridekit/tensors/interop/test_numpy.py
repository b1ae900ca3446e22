"""NumPy: the same bytes on both sides, and torch's refusals."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit.errors import (
    ArgumentError,
    ConversionError,
    InteropError,
    StorageError,
)
from stridekit.tensors.constructors import from_numpy
from stridekit.tensors.subjects import subject_of
from tests.stridekit.strategies import layouts, twins


@st.composite
def arrays(draw):
    """A view of a row-major array of any rank: sliced (also backwards), permuted, broadcast."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=0, max_size=3)))
    whole = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    step = st.sampled_from((1, 1, 2, -1, -2))
    # Dots, for of rank 0 [()] would be a number.
    view = whole[(..., *(slice(None, None, draw(step)) for _ in shape))]
    view = view.transpose(draw(st.permutations(range(view.ndim))))
    return np.broadcast_to(view, (2, *view.shape)) if draw(st.booleans()) else view


@given(arrays())
def test_from_numpy_takes_and_refuses_what_torch_does(array):
    """The header, the values, and the refusal of negative strides."""
    copied = array if array.flags.writeable else array.copy()
    try:
        theirs = torch.from_numpy(copied)
    except ValueError:
        with pytest.raises(ConversionError, match="negative") as refusal:
            from_numpy(copied)
        assert isinstance(refusal.value, ValueError)
    else:
        ours = from_numpy(copied)
        assert ours.size() == tuple(theirs.size())
        assert ours.stride() == theirs.stride()
        assert ours.tolist() == theirs.tolist()


@given(arrays())
def test_the_header_of_any_array_reads_its_values(array):
    """Positions count from the lowest address of the memory that the array looks at."""
    subject = subject_of("test", array)
    positions = list(subject.layout.positions())
    assert subject.read(positions) == array.flatten().tolist()
    reach = subject.layout.reach
    assert reach is None or 0 <= reach[0] <= reach[1] < subject.storage_length


@given(layouts)
def test_numpy_out_has_the_same_header_and_values(layout):
    """Strides times itemsize."""
    ours, _ = twins(layout)
    array = ours.numpy()
    assert array.shape == ours.shape
    assert array.strides == tuple(8 * step for step in ours.stride())
    assert array.tolist() == ours.tolist()


def test_writes_are_seen_on_all_sides():
    """One memory, three libraries."""
    array = np.arange(12.0).reshape(3, 4)
    tensor = from_numpy(array)
    array[1, 2] = 100
    assert tensor[1, 2].tolist() == 100
    tensor.t().numpy()[0, 0] = -1
    tensor.torch()[2, 3] = 7
    assert array[0, 0] == -1
    assert array[2, 3] == 7


def test_a_view_s_storage_is_its_owner_s_memory():
    """So that what is drawn has the right offset, and a base."""
    whole = np.zeros((3, 4), dtype=np.int32)
    subject = subject_of("test", whole[1:, ::2])
    assert subject.layout == sk.Layout((2, 2), (4, 2), 4)
    assert subject.storage_length == 12
    assert subject.storage_address == whole.__array_interface__["data"][0]
    assert subject.base == sk.Layout((3, 4), (4, 1))


def test_an_array_of_rank_0_that_owns_its_memory():
    """Its one element lies at position 0."""
    array = np.array(5)
    subject = subject_of("test", array)
    assert subject.layout == sk.Layout((), ())
    assert subject.storage_length == 1
    assert subject.storage_address == array.__array_interface__["data"][0]
    assert subject.read([0]) == [5]


def test_a_read_only_array_stays_read_only():
    """torch warns and then writes through; here the write is refused."""
    array = np.arange(3)
    array.flags.writeable = False
    tensor = from_numpy(array)
    assert tensor.tolist() == [0, 1, 2]
    with pytest.raises(StorageError, match="read-only"):
        tensor.fill_(5)
    with pytest.raises(InteropError, match="torch would write through it"):
        tensor.torch()
    assert not tensor.numpy().flags.writeable


@pytest.mark.parametrize(
    ("array", "error", "sentence"),
    [
        ([1, 2], ArgumentError, "give a NumPy array, not a list"),
        (np.array(["a"]), InteropError, "dtype <U1 have no counterpart"),
        (np.array([None]), InteropError, "dtype object have no counterpart"),
        (np.array([1.0], dtype=np.longdouble), InteropError, "int64, float16, float32, float64"),
        (np.arange(3, dtype=">i4"), ConversionError, "foreign byte order"),
        (
            np.zeros(4, dtype=[("a", np.int32), ("b", np.int8)])["a"],
            ConversionError,
            "not all multiples of the itemsize 4",
        ),
    ],
)
def test_what_cannot_be_shared_is_refused_with_a_sentence(array, error, sentence):
    """What, why, and what to do."""
    with pytest.raises(error) as refusal:
        from_numpy(array)
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


@given(layouts)
def test_flags_agree_with_contiguity(layout):
    """C from the right, and F is C of the reversed dims."""
    ours, _ = twins(layout)
    flags = ours.numpy().flags
    assert ours.is_contiguous() is flags.c_contiguous
    assert ours.permute(tuple(reversed(range(ours.ndim)))).is_contiguous() is flags.f_contiguous


@given(layouts)
def test_numpy_s_as_strided_reads_the_same(layout):
    """The same header on the same memory; numpy checks nothing, so it is given what fits."""
    ours, _ = twins(layout)
    flat = ours.as_strided((ours.untyped_storage().nbytes() // 8,), (1,), 0).numpy()
    theirs = np.lib.stride_tricks.as_strided(
        flat[layout.storage_offset :],
        layout.size,
        tuple(8 * step for step in layout.stride),
    )
    assert theirs.tolist() == ours.tolist()
