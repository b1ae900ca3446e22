"""New tensors, against torch."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit.errors import ArgumentError, DTypeError, SizeError
from tests.strategies import agree, sizes

numbers = st.integers(-9, 9) | st.sampled_from((0.5, -0.25, 1.5, 2.0, 7.25))


@given(sizes, st.sampled_from([dtype.name for dtype in sk.dtypes.ALL]))
def test_zeros(size, name):
    """Every dtype, by object and by name."""
    agree(lambda: sk.zeros(size, dtype=name), lambda: torch.zeros(size, dtype=getattr(torch, name)))
    assert sk.zeros(size, dtype=name).dtype.name == name


@given(st.lists(st.integers(-2, 3), min_size=1, max_size=3))
def test_zeros_of_any_size(size):
    """Negative sizes are refused."""
    agree(lambda: sk.zeros(*size), lambda: torch.zeros(*size))


@given(numbers, st.none() | numbers, numbers)
def test_arange(start, end, step):
    """Ints and floats, ranges that lead the wrong way, step 0."""
    bounds = (start,) if end is None else (start, end, step)
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


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: sk.zeros(2, -1), SizeError, "zeros(2, -1): a size counts elements"),
        (lambda: sk.zeros(), ArgumentError, "zeros() needs a size"),
        (lambda: sk.zeros(2**40, 2**40), SizeError, "fit no memory"),
        (lambda: sk.zeros(2, dtype="int128"), DTypeError, "'int128' is not a dtype of stridekit"),
        (lambda: sk.zeros(2, dtype=torch.int64), DTypeError, "torch.int64 is not a dtype"),
        (lambda: sk.arange(0, 5, 0), SizeError, "the step is 0"),
        (lambda: sk.arange(0, 5, -1), SizeError, "leads from 0 away from 5"),
        (lambda: sk.arange(math.inf), SizeError, "the range has to end somewhere"),
        (lambda: sk.arange("a"), ArgumentError, "end is a number, and 'a' is not"),
        (lambda: sk.arange(2, dtype="bool"), DTypeError, "there is no range of bool"),
    ],
)
def test_refusals_say_what_and_why(make, error, sentence):
    """The sentence, not only the exception's type."""
    with pytest.raises(error) as refusal:
        make()
    assert sentence in str(refusal.value)
