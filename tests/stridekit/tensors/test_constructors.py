"""New tensors, against torch."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit.errors import (
    ArgumentError,
    ConversionError,
    DTypeError,
    LayoutError,
    NoNumberError,
    SizeError,
    StorageError,
    UnorderedError,
    ValueRangeError,
    WideIntError,
)
from stridekit.tensors.dtypes import ALL
from tests.stridekit.strategies import agree, sizes

numbers = st.integers(-9, 9) | st.sampled_from((0.5, -0.25, 1.5, 2.0, 7.25))
dtypes = st.sampled_from([dtype.name for dtype in ALL])


@given(sizes, dtypes)
def test_zeros_and_ones(size, name):
    """Every dtype, by object and by name."""
    agree(lambda: sk.zeros(size, dtype=name), lambda: torch.zeros(size, dtype=getattr(torch, name)))
    agree(lambda: sk.ones(size, dtype=name), lambda: torch.ones(size, dtype=getattr(torch, name)))
    assert sk.zeros(size, dtype=name).dtype is getattr(sk, name)


@given(st.lists(st.integers(-2, 3), min_size=1, max_size=3))
def test_zeros_of_any_size(size):
    """Negative sizes are refused."""
    agree(lambda: sk.zeros(*size), lambda: torch.zeros(*size))


nested = st.recursive(
    st.integers(-100, 100) | st.booleans() | st.floats(-8, 8, width=16),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(nested)
def test_tensor_of_nested_lists(values):
    """The widest kind of number wins; ragged lists, and numbers beside lists, are refused."""
    try:
        theirs = torch.tensor(values)
        # torch takes [[], [5]] and [[], [[]]] for the size of their first part.
        loses = theirs.numel() == 0 and theirs.tolist() != values
    except (ValueError, TypeError):
        loses = True
    if loses:
        with pytest.raises((ConversionError, ArgumentError)):
            sk.tensor(values)
    else:
        agree(lambda: sk.tensor(values), lambda: theirs)
        assert sk.tensor(values).dtype.name == str(theirs.dtype).removeprefix("torch.")


@given(st.lists(st.integers(-300, 300), min_size=1, max_size=4), dtypes)
def test_tensor_of_a_dtype(values, name):
    """Whole numbers that do not fit are refused; negative ones wrap into unsigned dtypes."""
    if name == "uint64" and min(values) < 0:
        return  # torch lets Python's OverflowError through
    agree(
        lambda: sk.tensor(values, dtype=name),
        lambda: torch.tensor(values, dtype=getattr(torch, name)),
    )


@given(numbers, st.none() | numbers, numbers)
def test_arange(start, end, step):
    """Ints and floats, ranges that lead the wrong way, step 0."""
    bounds = (start,) if end is None else (start, end, step)
    agree(lambda: sk.arange(*bounds), lambda: torch.arange(*bounds))


@pytest.mark.parametrize(
    "bounds", [(2**63 - 3, 2**63 - 1), (2**63 - 1, 2**63 + 2), (-(2**63), 3 - 2**63)]
)
def test_arange_at_the_ends_of_int64(bounds):
    """What int64 cannot hold is refused, as in torch."""
    agree(lambda: sk.arange(*bounds), lambda: torch.arange(*bounds))


@given(
    st.integers(-300, 300),
    st.sampled_from(("uint8", "int8", "int16", "int32", "float16", "float32", "float64")),
)
def test_arange_of_a_dtype(start, name):
    """Integers wrap around, as in torch."""
    theirs = torch.arange(start, start + 5, dtype=getattr(torch, name))
    ours = sk.arange(start, start + 5, dtype=name)
    assert ours.tolist() == theirs.tolist()
    assert ours.dtype.name == name


def test_as_tensor_shares_what_it_can():
    """Arrays and tensors are shared, lists are copied, another dtype copies."""
    array, theirs, ours = np.zeros(2), torch.zeros(2), sk.zeros(2)
    shared = [sk.as_tensor(x) for x in (array, theirs, ours)]
    copied = sk.as_tensor(array, dtype="float32")
    listed = sk.as_tensor([0.0, 0.0])
    array[0] = theirs[0] = ours[0] = 5
    assert [x.tolist() for x in shared] == [[5.0, 0.0]] * 3
    assert shared[2] is ours
    assert copied.tolist() == listed.tolist() == [0.0, 0.0]


class Lends:
    """An object with DLPack, and nothing else."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_what_lends_its_memory_is_shared():
    """By DLPack: whatever the library, and by either name. A copy is a copy."""
    array = np.zeros(2)
    shared = [share(Lends(array)) for share in (sk.as_tensor, sk.from_dlpack)]
    copied = sk.tensor(Lends(array))
    array[0] = 5
    assert [x.tolist() for x in (*shared, copied)] == [[5.0, 0.0], [5.0, 0.0], [0.0, 0.0]]
    # NumPy has no bfloat16, and torch has.
    halves = torch.zeros(2, dtype=torch.bfloat16)
    shared = [share(Lends(halves)) for share in (sk.as_tensor, sk.from_dlpack)]
    halves[0] = 5
    assert [x.tolist() for x in shared] == [[5.0, 0.0], [5.0, 0.0]]


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: sk.zeros(2, -1), SizeError, "zeros(2, -1): a size counts elements"),
        (lambda: sk.zeros(), ArgumentError, "zeros() needs a size"),
        (lambda: sk.zeros(2**40, 2**40), LayoutError, "goes past 64 bits"),
        (lambda: sk.zeros(2, dtype="int128"), DTypeError, "'int128' is not a dtype of stridekit"),
        (lambda: sk.zeros(2, dtype=torch.int64), DTypeError, "torch.int64 is not a dtype"),
        (lambda: sk.arange(0, 5, 0), SizeError, "the step is 0"),
        (lambda: sk.arange(0, 5, -1), SizeError, "leads from 0 away from 5"),
        (lambda: sk.arange(math.inf), SizeError, "the range has to end somewhere"),
        (lambda: sk.arange(10**15), StorageError, "more memory than this computer gives"),
        (lambda: sk.arange("a"), ArgumentError, "end: give a number"),
        (lambda: sk.arange(2, -2, 0.5, dtype="int64"), SizeError, "0.5 leads from 2 away from -2"),
        (lambda: sk.tensor(range(10**15)), StorageError, "more memory than this computer gives"),
        (lambda: sk.tensor([[1], *range(10**6)]), ArgumentError, "mixes numbers and lists"),
        (
            lambda: sk.tensor(memoryview(bytes(4)).cast("B", (2, 2))),
            NoNumberError,
            "is not a number",
        ),
        (lambda: sk.zeros(2, dtype=np.eye(2)), DTypeError, "array([[1., 0.], [0., 1.]]) is not"),
        (lambda: sk.zeros(np.eye(2)), ArgumentError, "array([[1., 0.], [0., 1.]]) is an ndarray"),
        (lambda: sk.arange(2, dtype="bool"), UnorderedError, "there is no range of bool"),
        (lambda: sk.tensor([[1], [2, 3]]), ConversionError, "one part has size (1,), another (2,)"),
        (lambda: sk.tensor([1, [2]]), ArgumentError, "mixes numbers and lists"),
        (lambda: sk.tensor("a"), ArgumentError, "'a' is not a number"),
        (lambda: sk.tensor([None]), NoNumberError, "None is not a number"),
        (lambda: sk.tensor([2**70]), WideIntError, "does not fit the 64 bits of int64"),
        (lambda: sk.tensor([math.nan], dtype="int64"), ValueRangeError, "int64 holds numbers from"),
        (lambda: sk.as_tensor({}), NoNumberError, "{} is not a number"),
    ],
)
def test_refusals_say_what_and_why(make, error, sentence):
    """The sentence, not only the exception's type."""
    with pytest.raises(error) as refusal:
        make()
    assert sentence in str(refusal.value)
