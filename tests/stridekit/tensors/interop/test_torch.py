"""torch: the same bytes on both sides, and what has no such bytes."""

import pytest
import torch
from hypothesis import given

import stridekit as sk
from stridekit.errors import ArgumentError, InteropError
from stridekit.tensors.constructors import from_torch
from stridekit.tensors.subjects import subject_of
from tests.stridekit.strategies import header, layouts, twins


@given(layouts)
def test_in_and_out_keep_header_and_values(layout):
    """from_torch, then torch()."""
    _, theirs = twins(layout)
    ours = from_torch(theirs)
    assert header(ours) == header(theirs)
    assert ours.tolist() == theirs.tolist()
    assert header(ours.torch()) == header(theirs)
    assert ours.torch().tolist() == theirs.tolist()


@given(layouts)
def test_the_subject_reads_what_torch_reads(layout):
    """Header, storage and values, the tensor left as it is."""
    _, theirs = twins(layout)
    subject = subject_of("test", theirs)
    assert subject.layout == layout
    assert subject.read(list(layout.positions())) == theirs.flatten().tolist()
    assert subject.storage_length * 8 == theirs.untyped_storage().nbytes()


def test_writes_are_seen_on_both_sides():
    """One memory, whatever the offset."""
    theirs = torch.arange(12).view(3, 4)
    ours = from_torch(theirs[1:].t())
    theirs[1, 0] = 99
    assert ours[0, 0].tolist() == 99
    ours.torch()[3, 1] = -5
    assert theirs[2, 3] == -5
    assert ours.untyped_storage().data_ptr() == theirs.untyped_storage().data_ptr()


def test_looking_leaves_the_torch_storage_resizable():
    """Drawing a tensor must not change what it can do; sharing it does, as x.numpy() does."""
    theirs = torch.arange(4)
    subject_of("draw", theirs).read([0, 3])
    theirs.resize_(8)
    from_torch(theirs)
    with pytest.raises(RuntimeError, match="not resizable"):
        theirs.resize_(16)


def test_a_tensor_that_requires_grad_can_be_looked_at():
    """Only sharing its memory is refused."""
    weights = torch.ones(2, 2, requires_grad=True)
    assert subject_of("draw", weights).read([0]) == [1.0]
    with pytest.raises(InteropError, match=r"requires grad.*x\.detach\(\)"):
        from_torch(weights)


class Wrapper(torch.Tensor):
    """A tensor whose memory lies in others, as a distributed one's does."""

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError(func)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: torch.eye(2).to_sparse(),
            "a sparse_coo tensor has no single stride. Give x.to_dense().",
        ),
        (
            lambda: torch.nested.nested_tensor([torch.ones(2)]),
            "a nested tensor has no single stride",
        ),
        (lambda: torch.zeros(2).to_mkldnn(), "a mkldnn tensor has no single stride"),
        (lambda: torch.empty(2, device="meta"), "lies on device meta"),
        (lambda: torch.zeros(2, dtype=torch.complex64).conj(), "lazy conjugate"),
        (lambda: torch.zeros(2, dtype=torch.float8_e5m2), "stridekit has no torch.float8_e5m2"),
        (lambda: torch.nn.LazyLinear(3).weight, "this UninitializedParameter has no size yet"),
        (lambda: torch.Tensor._make_wrapper_subclass(Wrapper, (2,)), "Wrapper has no storage"),
    ],
)
def test_what_cannot_be_shared_is_refused_with_a_sentence(make, sentence):
    """What, why, and what to do."""
    with pytest.raises(InteropError) as refusal:
        from_torch(make())
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("thing", [3, [1, 2], "x", None])
def test_what_is_no_tensor_is_refused(thing):
    """With a sentence that says what is."""
    with pytest.raises(ArgumentError, match="has no size and stride"):
        subject_of("draw", thing)
    with pytest.raises(ArgumentError, match="give a torch tensor"):
        sk.from_torch(thing)


@pytest.mark.parametrize("places", [range(10), range(2, 9), range(4, 5), range(6, 9), range(0)])
def test_bytes_beyond_a_storage_are_none_and_leave_it_as_long_as_it_is(places):
    """A header may reach beyond its storage; memory is not."""
    storage = torch.arange(4, dtype=torch.uint8).untyped_storage()
    found = subject_of("draw", storage).bytes_at(places, 1)
    assert found == bytes(range(4))[places.start : places.stop]
    assert storage.nbytes() == 4
