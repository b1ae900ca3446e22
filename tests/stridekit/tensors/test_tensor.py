"""Tensors: sharing, writing, refusing. That each operation agrees with torch is shown elsewhere."""

import inspect
import operator

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import Layout
from stridekit.errors import (
    ArgumentError,
    ConversionError,
    DimError,
    DTypeError,
    IndexKindError,
    IndexRangeError,
    InteropError,
    LayoutError,
    NotOfferedError,
    OverlapError,
    SizeError,
    StorageError,
    StridekitError,
    ValueRangeError,
    ViewError,
    WideIntError,
)
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from tests.stridekit.differential import METHODS, random_case
from tests.stridekit.strategies import header, layouts, twins


@given(layouts)
def test_the_header_reads_as_torch_s(layout):
    """Every name that reads the header."""
    ours, theirs = twins(layout)
    assert header(ours) == header(theirs)
    assert ours.shape == tuple(theirs.shape)
    assert (ours.dim(), ours.ndim, ours.numel()) == (theirs.dim(), theirs.ndim, theirs.numel())
    assert ours.element_size() == theirs.element_size()
    assert ours.is_contiguous() is theirs.is_contiguous()
    assert ours.layout == layout


@given(layouts, st.integers(-5, 5))
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


@given(layouts)
def test_data_ptr_is_the_address_of_the_first_element(layout):
    """The storage's address, and 8 bytes per position; 0 without elements, as in torch."""
    ours, theirs = twins(layout)
    if ours.numel():
        assert ours.data_ptr() - ours.untyped_storage().data_ptr() == 8 * layout.storage_offset
    else:
        assert ours.data_ptr() == theirs.data_ptr() == 0
    assert sk.from_torch(theirs).data_ptr() == theirs.data_ptr()


@given(layouts, st.data())
def test_views_share_and_remember_their_base(layout, data):
    """A view has its source's storage, and the source's source as its base."""
    ours, _ = twins(layout)
    view = ours.permute(data.draw(st.permutations(range(layout.ndim))))
    again = view[...]
    assert view.untyped_storage() is again.untyped_storage() is ours.untyped_storage()
    assert ours.base is None
    assert view.base is again.base is ours
    assert ours.shares_storage_with(again)
    assert not ours.shares_storage_with(ours.clone())
    assert ours.clone().base is None


def test_a_write_is_seen_through_every_alias():
    """In views, in NumPy, in torch, and from them."""
    grid = sk.arange(12).view(3, 4)
    row, column, window = grid[1], grid.t()[2], grid.view(12).unfold(0, 3, 1)
    array, theirs = grid.numpy(), grid.torch()
    grid[1, 2] = 100
    assert row[2].item() == column[1].item() == window[6, 0].item() == window[4, 2].item() == 100
    assert array[1, 2] == theirs[1, 2] == 100
    theirs.t()[0, 0] = -1
    array[2, 3] = -2
    assert grid[0, 0].item() == -1
    assert grid[2, 3].item() == -2


def test_windows_may_be_written_and_stride_0_may_not():
    """As torch has it: each index adds once to what is there."""
    ours, theirs = sk.zeros(6, dtype="int64"), torch.zeros(6, dtype=torch.int64)
    ours.unfold(0, 3, 1).add_(1)
    theirs.unfold(0, 3, 1).add_(1)
    assert ours.tolist() == theirs.tolist() == [1, 2, 3, 3, 2, 1]
    repeated = sk.zeros(1, 3).expand(2, 3)
    for write in (
        lambda: repeated.add_(1),
        lambda: repeated.copy_(sk.ones(2, 3)),
        lambda: repeated.__setitem__(slice(None), 5),
    ):
        with pytest.raises(OverlapError, match="along dim 0 all 2 indices share one position"):
            write()
    assert repeated.tolist() == [[0.0] * 3] * 2
    repeated.fill_(2)
    repeated[0] = 7
    assert repeated.tolist() == [[7.0] * 3] * 2


def test_partial_overlap_is_refused_where_torch_can_tell():
    """A shift along dense memory; the very same elements are fine."""
    ours = sk.arange(6)
    with pytest.raises(OverlapError, match="shifted against each other"):
        ours[1:].add_(ours[:-1])
    assert ours.tolist() == [0, 1, 2, 3, 4, 5]
    assert ours.add_(ours).tolist() == [0, 2, 4, 6, 8, 10]
    assert ours[::2].copy_(ours[1::2]).tolist() == [2, 6, 10]


def test_an_index_of_rank_0_may_lie_on_what_is_written():
    """It is a number before anything is written, as in torch."""
    for library in (sk, torch):
        grid, flags = library.arange(4).view(2, 2), library.tensor([True, False])
        grid[grid[0, 1], [0]] = 7
        flags[flags[0]] = False
        assert (grid.tolist(), flags.tolist()) == ([[0, 1], [7, 3]], [False, False])


def test_resize_marks_what_nobody_has_written():
    """Cells that only growth made, until somebody writes them."""
    ours = sk.arange(4)
    other = ours.view(2, 2)
    ours.resize_(3, 3)
    assert ours.untyped_storage().nbytes() == 72
    assert ours.view(9)[:4].tolist() == [0, 1, 2, 3]
    assert other.tolist() == [[0, 1], [2, 3]]
    assert _written(ours) == [True] * 4 + [False] * 5
    assert all(_written(other))
    ours[1, 1:] = 7
    ours.view(9)[[6, 7]] = 8
    assert _written(ours) == [True] * 8 + [False]
    ours.t().fill_(1)
    assert all(_written(ours))


def _written(x):
    return [x.untyped_storage().is_written(8 * p, 8) for p in x.layout.positions()]


def test_memory_that_others_hold_does_not_grow():
    """NumPy and torch would look at memory that is gone. Nothing is changed by the attempt."""
    shared = sk.from_numpy(np.arange(4))
    for x in (shared, _exported(lambda t: t.numpy()), _exported(lambda t: t.torch())):
        before = header(x), x.untyped_storage().nbytes()
        with pytest.raises(StorageError, match=r"its memory is shared outside.*clone\(\)"):
            x.resize_(100)
        assert (header(x), x.untyped_storage().nbytes()) == before
        assert x.resize_(2).tolist() == [0, 1]


def _exported(export):
    x = sk.arange(4)
    export(x)
    return x


def test_read_only_memory_is_not_written():
    """Each way of writing says so, and changes nothing."""
    array = np.arange(4)
    array.flags.writeable = False
    x = sk.from_numpy(array)
    for write in (
        lambda: x.fill_(1),
        lambda: x.add_(1),
        lambda: x.copy_(sk.ones(4, dtype="int64")),
        lambda: x.__setitem__(0, 1),
        lambda: x.__setitem__([0, 1], 1),
        lambda: x[::2].mul_(2),
    ):
        with pytest.raises(StorageError, match=r"its owner made read-only.*clone\(\)"):
            write()
    assert array.tolist() == [0, 1, 2, 3]
    assert x.clone().add_(1).tolist() == [1, 2, 3, 4]


def test_headers_change_in_place_and_views_do_not_mind():
    """Only the tensor's own header is swapped."""
    grid = sk.arange(6).view(2, 3)
    row = grid[1]
    assert grid.resize_(3, 2) is grid
    assert grid.shape == (3, 2)
    assert row.tolist() == [3, 4, 5]
    assert grid.set_(row).tolist() == [3, 4, 5]
    assert grid.set_(row.untyped_storage(), 1, (2, 2), (2, 1)).tolist() == [[1, 2], [3, 4]]
    assert grid.set_().numel() == 0


@given(layouts, st.sampled_from(dtypes.ALL))
def test_every_dtype_goes_through_torch_and_back(layout, dtype):
    """Values, header and dtype; elements of 1, 2, 4, 8 and 16 bytes."""
    reach = layout.reach
    length = layout.storage_offset if reach is None else reach[1] + 1
    memory = dtype.pack(dtype.cast(i % 100) for i in range(length))
    ours = sk.Tensor(layout, Storage.wrap(memory), dtype)
    theirs = ours.torch()
    assert theirs.dtype is getattr(torch, dtype.name)
    assert ours.tolist() == theirs.tolist()
    assert ours.clone().tolist() == theirs.tolist()
    back = sk.from_torch(theirs)
    assert back.dtype == dtype
    assert header(back) == header(ours)


@pytest.mark.filterwarnings("ignore::stridekit.errors.StridekitWarning")
@given(st.integers(0, 2**32))
def test_nothing_reads_or_writes_outside_the_storage(seed):
    """A storage between guards: whatever is called on it, the guards stay as they were.

    The tensor lies in the middle of a larger memory, and its storage is only that middle. Any
    operation with any arguments either works within it or refuses.
    """
    from random import Random

    chance = Random(seed)
    case = random_case(chance)
    length = max(1, (case.layout.reach or (0, 0))[1] + 1)
    guard = 64
    memory = bytearray(b"\xab" * guard + bytes(8 * length) + b"\xab" * guard)
    middle = memoryview(memory)[guard : guard + 8 * length]
    guarded = Storage.wrap(middle)
    x = sk.Tensor(case.layout, guarded, sk.int64)
    for _ in range(4):
        method = chance.choice([name for name in METHODS if hasattr(sk.Tensor, name)])
        plain = [arg for arg in METHODS[method](chance, x.layout) if not hasattr(arg, "layout")]
        try:
            result = getattr(x, method)(*plain)
        except (StridekitError, TypeError):
            continue
        pieces = result if isinstance(result, tuple) else (result,)
        for piece in pieces:
            if isinstance(piece, sk.Tensor) and piece.numel() < 500:
                assert all(0 <= p < length + 10**6 for p in piece.layout.positions())
                piece.tolist()
                # set_() takes another storage, which may grow.
                if piece.untyped_storage() is guarded:
                    assert all(0 <= p < length for p in piece.layout.positions())
                    x = piece
    assert memory[:guard] == memory[-guard:] == b"\xab" * guard


def test_a_header_that_leaves_its_storage_is_refused():
    """So no method can read outside."""
    with pytest.raises(LayoutError) as refusal:
        sk.Tensor(Layout((3, 4), (4, 1), 1), Storage(12 * 8), sk.int64)
    assert "reaches position 12, and the storage holds 12 elements" in str(refusal.value)
    with pytest.raises(LayoutError, match="negative strides"):
        sk.Tensor(Layout((3,), (-1,), 2), Storage(24), sk.int64)
    with pytest.raises(LayoutError, match="lies before the storage"):
        sk.Tensor(Layout((0,), (1,), -1), Storage(24), sk.int64)
    with pytest.raises(LayoutError, match="nobody can count its elements"):
        sk.Tensor(Layout((2**62, 4), (0, 0)), Storage(8), sk.int64)
    assert sk.Tensor(Layout((0, 5), (9, 9), 50), Storage(0), sk.int64).tolist() == []


def test_as_strided_within_every_small_storage():
    """Every header of rank 0 to 2 over five elements: allowed exactly where torch allows it."""
    ours, theirs = sk.arange(5), torch.arange(5)
    headers = [
        (size, stride, offset)
        for rank in range(3)
        for size in np.ndindex(*(4,) * rank)
        for stride in np.ndindex(*(4,) * rank)
        for offset in range(7)
    ]
    for size, stride, offset in headers:
        try:
            expected = theirs.as_strided(size, stride, offset)
        except RuntimeError:
            with pytest.raises(LayoutError):
                ours.as_strided(size, stride, offset)
        else:
            result = ours.as_strided(size, stride, offset)
            assert header(result) == header(expected)
            assert result.tolist() == expected.tolist()
    assert len(headers) == 7 * (1 + 16 + 256)


def test_an_impossible_view_carries_its_reason():
    """As data, and as a sentence."""
    with pytest.raises(ViewError) as refusal:
        sk.arange(8).view(4, 2).t().view(8)
    assert refusal.value.obstacle.expected == 8
    assert "dims 0 and 1 cannot merge" in str(refusal.value)
    assert isinstance(refusal.value, RuntimeError)


grid = sk.arange(6).view(2, 3)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: grid.view(), ArgumentError, "view() needs a size"),
        (lambda: grid.view(2.0, 3), ArgumentError, "a size is an int, and 2.0 is a float"),
        (lambda: grid.view("6"), ArgumentError, "a size is an int, and '6' is a str"),
        (
            lambda: grid.view(10**30),
            WideIntError,
            "a size is a number of 100 bits",
        ),
        (lambda: grid.permute(), ArgumentError, "permute() needs a dim"),
        (lambda: grid.unsqueeze(0).t(), SizeError, "it is for at most 2 dims"),
        (lambda: sk.arange(3).mT, SizeError, "it exchanges the last two dims, and there is one"),
        (lambda: grid[1.5:], ArgumentError, "start is an int or nothing, not 1.5"),
        (lambda: grid[1.0], IndexKindError, "[1.0] is not an index"),
        (lambda: grid["a"], ArgumentError, "['a'] is not an index"),
        (lambda: grid[[0.5]], IndexKindError, "a list of ints names elements"),
        (lambda: grid[[0, True]], IndexKindError, "a list of bools is a mask"),
        (lambda: grid[sk.zeros(2)], IndexKindError, "[a tensor of float32] is not an index"),
        (
            lambda: grid[[5]],
            IndexRangeError,
            "index 5 is outside a dim of size 2: give one from -2 to 1",
        ),
        (lambda: grid[..., ..., 0], IndexRangeError, "use `...` only once in an index"),
        (lambda: grid[[True]], IndexRangeError, "a mask of size (1,) does not match"),
        (lambda: grid[[0, 1], [0, 1, 2]], IndexRangeError, "do not broadcast against each other"),
        (lambda: grid[0, 0, 0, 0], IndexRangeError, "4 indices on size"),
        (lambda: grid.flatten(1, 0), SizeError, "the first dim comes after the last"),
        (lambda: grid.repeat(1), SizeError, "give one count for each dim"),
        (lambda: grid.flip(), ArgumentError, "flip() needs a dim"),
        (lambda: grid.item(), SizeError, "it is for one element, and there are 6"),
        (lambda: bool(grid), SizeError, "which of its 6 elements is meant"),
        (lambda: len(sk.tensor(1)), ArgumentError, "len() of a tensor of rank 0"),
        (lambda: iter(sk.tensor(1)), ArgumentError, "iteration over a tensor of rank 0"),
        (lambda: grid.shares_storage_with(3), ArgumentError, "give a stridekit tensor"),
        (lambda: grid.fill_(2.5j), ValueRangeError, "int64 has no imaginary part"),
        (lambda: sk.zeros(2, dtype="int8").fill_(128), ValueRangeError, "from -128 to 127"),
        (lambda: sk.zeros(2, dtype="float16").fill_(1e9), ValueRangeError, "greatest float16"),
        (lambda: grid.fill_("a"), ArgumentError, "give a number or a stridekit tensor, not 'a'"),
        (lambda: grid.fill_(sk.ones(2)), SizeError, "one number fills it"),
        (lambda: grid.add_(0.5), ValueRangeError, "the result would be float"),
        (lambda: grid.add_(sk.ones(5, dtype="int64")), SizeError, "does not broadcast to it"),
        (lambda: grid.copy_([1]), ArgumentError, "give a stridekit tensor, not a list"),
        (lambda: grid.__setitem__(0, [1]), ArgumentError, "give a number or a stridekit tensor"),
        (lambda: grid.resize_(-1), SizeError, "it is not negative"),
        (lambda: grid.resize_(2**40, 2**40), SizeError, "so many elements fit no memory"),
        (lambda: grid.set_(sk.zeros(2)), SizeError, "the source has float32"),
        (lambda: grid.set_(3), ArgumentError, "give a stridekit tensor or storage, not an int"),
        (
            lambda: grid.set_(sk.arange(9), stride=(2,)),
            ArgumentError,
            "a storage_offset and a size",
        ),
        (lambda: grid.set_(Storage(8), 2), ArgumentError, "a storage_offset and a size"),
        (lambda: grid.copy_(1, sk.ones(2)), ArgumentError, "non_blocking is True or False, and"),
        (lambda: sk.ones(-1, 2), SizeError, "ones(-1, 2): a size counts elements"),
        (lambda: grid[int], IndexKindError, "[<class 'int'>] is not an index"),
        (lambda: sk.Tensor([1, 2]), ArgumentError, "tensor(...) makes one of numbers"),
        (lambda: sk.Tensor(2, 3, 4), ArgumentError, "zeros(...) one of a size"),
        (lambda: sk.Tensor((2,), Storage(16), sk.int64), ArgumentError, "is made of a Layout"),
        (lambda: sk.Tensor(grid.layout, bytes(48), sk.int64), ArgumentError, "a Storage and a DT"),
        (lambda: f"{grid[0, 0]:zz}", ConversionError, "format 'zz' of an int64: "),
        (lambda: sk.tensor(np.zeros(2, "M8[s]")), InteropError, "tensor: arrays of dtype datetime"),
        (lambda: sk.from_dlpack(np.zeros(2, ">i4")), ConversionError, "from_dlpack: this array is"),
        (lambda: sk.as_tensor(np.zeros(2), "flaot32"), DTypeError, "'flaot32' is not a dtype"),
        (lambda: grid.set_(Storage(8), -1, (1,)), SizeError, "must not be negative"),
    ],
)
def test_bad_input_gets_a_clear_sentence(call, error, sentence):
    """What, why, what to do; and nothing half done."""
    grid.set_(sk.arange(6)).resize_(2, 3)
    before = grid.tolist()
    with pytest.raises(error) as refusal:
        call()
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")
    assert grid.tolist() == before


LONG = "a" * 9999


@pytest.mark.parametrize(
    "call",
    [
        lambda: grid.fill_([0] * 9999),
        lambda: grid.view([LONG]),
        lambda: grid.view(range(2), LONG),
        lambda: grid.permute(dims=LONG),
        lambda: grid[LONG],
        lambda: grid[{*range(9999)}],
        lambda: grid[[0.5] * 9999],
        lambda: grid[slice(LONG, None)],
        lambda: grid.__delitem__(LONG),
        lambda: grid.clone(memory_format=LONG),
        lambda: grid.copy_(grid, LONG),
        lambda: grid.to([0] * 9999),
        lambda: format(grid, LONG),
        lambda: format(grid[0, 0], LONG),
        lambda: sk.tensor([1, [0] * 9999]),
        lambda: sk.tensor(LONG),
        lambda: sk.zeros(2, dtype=LONG),
        lambda: sk.zeros(2, device=LONG),
        lambda: sk.zeros(2, requires_grad=LONG),
        lambda: sk.zeros(2, **{LONG: 1}),
        lambda: sk.Layout(LONG, (1,)),
        lambda: sk.Layout((1,), (1,), LONG),
        lambda: sk.draw_steps(grid, LONG),
    ],
)
def test_a_refusal_is_short_whatever_was_given(call):
    """Of a value that is long its beginning is told: a list of a million is a slip, too."""
    with pytest.raises(StridekitError) as refusal:
        call()
    assert len(str(refusal.value)) < 400


def test_what_torch_has_and_a_tensor_has_not_leads_to_torch():
    """One sentence, which says what to write; a plain AttributeError for what protocols probe."""
    for name in {*dir(torch.Tensor)} - {*dir(sk.Tensor)}:
        with pytest.raises(AttributeError) as refusal:
            getattr(grid, name)
        if not name.startswith("_"):
            assert isinstance(refusal.value, StridekitError)
            said = f"If torch has it, t.torch().{name} works on the same memory."
            assert str(refusal.value).endswith(said)


_PLAIN = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift eq ne lt le gt ge"
_IN_PLACE = "isub itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift"


@pytest.mark.parametrize(
    "other", [2, 2.5, sk.arange(3), np.arange(3), torch.arange(3)], ids=["int", "float", *"snt"]
)
@pytest.mark.parametrize(
    "operate",
    [divmod, operator.contains, *(getattr(operator, n) for n in f"{_PLAIN} {_IN_PLACE}".split())],
)
def test_operators_are_left_to_torch(operate, other):
    """On either side, whatever stands on the other; a sentence says what to write."""
    x = sk.arange(3)
    with pytest.raises(
        NotOfferedError, match=r"t\.torch\(\) gives a torch tensor on the same memory"
    ):
        operate(x, other)
    if operate.__name__ in f"divmod {_PLAIN}".split():
        with pytest.raises(NotOfferedError, match=r"t\.tolist\(\) gives plain numbers"):
            operate(other, x)
    assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("operate", [operator.neg, operator.pos, operator.invert, abs, round])
def test_operators_on_one_tensor_are_left_to_torch(operate):
    """The same sentence."""
    with pytest.raises(NotOfferedError, match="calculates with add_ and mul_ alone"):
        operate(sk.arange(3))


def test_a_tensor_is_found_by_being_the_same_object():
    """In sets, in dicts, and beside what is not a number."""
    x, y = sk.arange(3), sk.arange(3)
    assert {x: 1, y: 2}[y] == 2
    assert len({x, y, x}) == 2
    assert (x == None) is False  # noqa: E711
    assert x != "a"


def test_repr_shows_values_and_header():
    """What the prompt prints; of a large tensor only the beginning."""
    assert repr(sk.arange(6).view(2, 3).t()) == (
        "Tensor([[0, 3], [1, 4], [2, 5]], size=(3, 2), stride=(1, 3), storage_offset=0, "
        "dtype=int64)"
    )
    assert repr(sk.arange(3).expand(10**12, 3)) == (
        "Tensor([0, 1, 2, 0, 1, 2, ...], size=(1000000000000, 3), stride=(0, 1), "
        "storage_offset=0, dtype=int64)"
    )


def test_every_public_method_has_a_docstring_with_its_errors():
    """And says in its first line whether it copies, or writes in place."""
    for kind in sk.Tensor.__mro__[:-1]:
        for name, member in vars(kind).items():
            if name.startswith("_") or not (callable(member) or isinstance(member, property)):
                continue
            text = inspect.getdoc(member)
            assert text, name
            assert text.split("\n")[0].rstrip().endswith((".", ";")), name
            if name.endswith("_"):
                assert "in place" in text or "own header" in text, name
    for name in ("clone", "repeat", "flip"):
        assert "copy" in inspect.getdoc(getattr(sk.Tensor, name)).split("\n")[0].lower()
