"""Assignment ps3, held against torch and NumPy themselves."""

import re
import warnings
from collections import Counter
from math import prod

import numpy as np
import pytest
import torch

from stridekit.layouts.layout import Layout
from stridekit_course.checks.call_arguments import Arguments
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.calling import Local
from stridekit_course.checks.strategies import tensor_data
from stridekit_course.checks.tensor_results import DTYPES
from stridekit_course.exercises import ASSIGNMENTS, EXERCISES, CheckFailed, check
from stridekit_course.exercises.ps3 import DIMS_MOST, ELEMENTS_MOST, walk
from tests.course.checks.ours import picture_of, wrong_with

SCOPES = pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
CHANNELS_LAST = torch.channels_last


def cases(name, hidden, seed=3303):
    return EXERCISES[name].all_cases(hidden=hidden, seed=seed)


def complaint(name, case, value):
    return wrong_with(EXERCISES[name], case, Outcome("value", value=value))


def empty(size, stride):
    return torch.empty_strided(size, stride)


def assert_expected(name, hidden, answer):
    """That the exercise wants what `answer` says, and the opposite is wrong."""
    seen = set()
    for case in cases(name, hidden):
        truth = answer(*case.arguments)
        assert complaint(name, case, truth) is None, case
        assert complaint(name, case, not truth), case
        seen.add(truth)
    assert seen == {True, False}


@SCOPES
def test_is_contiguous(hidden):
    """torch's is_contiguous."""
    assert_expected(
        "isContiguous", hidden, lambda data: empty(data.size, data.stride).is_contiguous()
    )


@SCOPES
def test_is_f_contiguous(hidden):
    """NumPy's F flag, and torch's is_contiguous with the dims reversed."""

    def f_flag(size, stride):
        byte_strides = [8 * step for step in stride]
        array = np.lib.stride_tricks.as_strided(np.empty(1), size, byte_strides)
        turned = empty(size, stride).permute([*reversed(range(len(size)))])
        assert array.flags.f_contiguous == turned.is_contiguous()
        return turned.is_contiguous()

    assert_expected("is_f_contiguous", hidden, f_flag)


@SCOPES
def test_is_channels_last(hidden):
    """torch's is_contiguous for that memory format, in every rank and without elements too."""
    assert_expected(
        "is_channels_last",
        hidden,
        lambda size, stride: empty(size, stride).is_contiguous(memory_format=CHANNELS_LAST),
    )


@SCOPES
def test_is_dense(hidden):
    """torch's own answer, and what is so plain that one can count it."""

    def dense(size, stride):
        positions = sorted(Layout(size, stride).positions())
        counted = positions == [*range(len(positions))]
        own = torch.ops.aten.is_non_overlapping_and_dense(empty(size, stride))
        assert own == counted
        return own

    assert_expected("is_dense", hidden, dense)


@SCOPES
def test_contiguity_trace(hidden):
    """What torch's strides for a new tensor of that size say, dim by dim."""
    for case in cases("contiguity_trace", hidden):
        size, stride = case.arguments
        expected = torch.empty(size).stride()
        items = [
            (dim, stride[dim], expected[dim], stride[dim] == expected[dim])
            for dim in reversed(range(len(size)))
            if size[dim] != 1
        ]
        failed = [number for number, item in enumerate(items) if not item[3]]
        trace = items[: failed[0] + 1] if failed else items
        assert complaint("contiguity_trace", case, trace) is None, case
        assert empty(size, stride).is_contiguous() is all(item[3] for item in trace)


NAMES = [exercise.name for exercise in ASSIGNMENTS["ps3"]]


@SCOPES
@pytest.mark.parametrize("name", NAMES)
def test_the_sizes_of_cases_are_as_the_text_says(name, hidden):
    """So many dims and elements at most; at least 1 where the text says so; rank 4 for images."""
    dims = 12 if name == "contiguity_trace" else DIMS_MOST
    for case in cases(name, hidden):
        given = case.arguments[0]
        size = given.size if isinstance(given, TensorData) else given
        assert len(size) <= dims
        assert prod(size) <= ELEMENTS_MOST
        if name in ("contiguity_trace", "to_channels_last"):
            assert min(size, default=1) >= 1
        if name == "to_channels_last":
            assert len(size) == 4


@pytest.mark.parametrize("name", NAMES)
def test_cases_go_beyond_small_ones(name):
    """Ranks above 4, sizes and strides with several digits."""
    sizes, strides = set(), set()
    for case in cases(name, hidden=True):
        given = case.arguments[0]
        size, stride = (
            (given.size, given.stride) if isinstance(given, TensorData) else case.arguments
        )
        sizes.add(size)
        strides.add(stride)
    assert name == "to_channels_last" or {5, 6, 7} <= {*map(len, sizes)}
    assert any(max(size, default=0) > 9 for size in sizes)
    assert any(max(stride, default=0) > 256 for stride in strides)


COPIES = {
    "contiguous": [
        lambda t: t.contiguous(),
        lambda t: t if t.is_contiguous() else t.clone(memory_format=torch.contiguous_format),
    ],
    "to_channels_last": [
        lambda t: t.contiguous(memory_format=CHANNELS_LAST),
        lambda t: t.clone(memory_format=CHANNELS_LAST),
        lambda t: t.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2),
    ],
}


@SCOPES
@pytest.mark.parametrize(
    ("name", "copy"), [(name, copy) for name, copies in COPIES.items() for copy in copies]
)
def test_torchs_own_copies_are_right(name, copy, hidden):
    """But for the calls, which are forbidden."""
    exercise = EXERCISES[name]
    given = cases(name, hidden)
    for case, outcome in zip(given, Local(copy).run(given, "nothing").outcomes, strict=True):
        assert wrong_with(exercise, case, outcome) is None, case
        assert outcome.changed is None


def test_torchs_to_is_not_always_enough():
    """It takes the suggested format for the real one: a reason to ask is_contiguous."""
    image = torch.arange(32).view(1, 4, 4, 2).permute(0, 3, 1, 2)[:, :, ::2, ::2]
    assert image.to(memory_format=CHANNELS_LAST) is image
    assert not image.is_contiguous(memory_format=CHANNELS_LAST)


@pytest.mark.parametrize("name", COPIES)
def test_copies_come_in_every_dtype_of_the_text(name):
    """Most are int64. Of the others, some values change on the way through another dtype."""
    for hidden in (False, True):
        given = [case.arguments[0] for case in cases(name, hidden)]
        dtypes = [data.dtype for data in given]
        assert {*dtypes} == {"int64", *DTYPES}
        assert dtypes.count("int64") > len(dtypes) / 2
        changed = {data.dtype for data in given if data.values() != on_the_way(data)}
        assert changed == {*dtypes} - {"bool"}
        assert any({*data.values()} == {0, 1} for data in given if data.dtype == "bool")


def on_the_way(data):
    """The values after a stay in a dtype that has no room for some of them."""
    other = {
        "complex64": torch.float32,
        "complex128": torch.complex64,
        "float64": torch.float32,
        "int64": torch.float64,
    }.get(data.dtype, torch.bool)
    (given,) = Arguments(Case((data,))).values
    tensor = torch.empty(data.size, dtype=given.dtype)
    with warnings.catch_warnings():
        # That the imaginary part goes is what is wanted.
        warnings.simplefilter("ignore")
        tensor.copy_(given.to(other))
    return tensor.flatten().view(torch.uint8).numpy().tobytes()


@pytest.mark.parametrize("name", COPIES)
def test_the_same_header_comes_with_other_values(name):
    """So a copy that is kept for the next tensor of that size, stride and dtype is found out."""
    for hidden in (False, True):
        headers = Counter(
            (data.size, data.stride, data.dtype)
            for data in (case.arguments[0] for case in cases(name, hidden))
            if data.layout.numel
        )
        assert headers.most_common(1)[0][1] >= 3


def outcome_of(name, function, layout):
    case = Case((tensor_data(layout),))
    (outcome,) = Local(function).run([case], EXERCISES[name].rules.watch).outcomes
    return case, outcome


def test_dims_of_size_1_of_a_copy_may_have_any_stride():
    """As in torch: nobody steps along them."""
    odd = torch.empty_strided((1, 3, 1, 2), (50, 2, 7, 1), dtype=torch.int64)
    layout = Layout((1, 3, 1, 2), (6, 1, 6, 3))
    case, outcome = outcome_of("contiguous", odd.copy_, layout)
    assert wrong_with(EXERCISES["contiguous"], case, outcome) is None
    odd = torch.empty_strided((1, 3, 1, 2), (50, 1, 7, 3), dtype=torch.int64)
    case, outcome = outcome_of("to_channels_last", odd.copy_, layout)
    assert wrong_with(EXERCISES["to_channels_last"], case, outcome) is None


def shrunk(tensor):
    """A copy whose storage has half of the bytes."""
    copy = torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
    copy.untyped_storage().resize_(copy.untyped_storage().nbytes() // 2)
    return copy


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_may_lie_in_a_storage_of_gigabytes(name):
    """No more of it is read than the elements reach."""
    long = torch.empty(2**28 + 1, dtype=torch.int64)
    layout = Layout((2, 2, 2, 2), (1, 2, 4, 8))
    stride = EXERCISES[name].reference(tensor_data(layout)).stride
    case, outcome = outcome_of(name, lambda t: long.as_strided(t.size(), stride).copy_(t), layout)
    assert wrong_with(EXERCISES[name], case, outcome) is None
    assert len(outcome.value.storage) == 16 * 8


def test_a_tensor_on_half_of_its_storage_is_told():
    """What it has lost cannot be read."""
    case, outcome = outcome_of("contiguous", shrunk, Layout((2, 2), (1, 2)))
    assert wrong_with(EXERCISES["contiguous"], case, outcome) == (
        "returned stride (2, 1), which leads out of the 16 bytes that are read of its storage."
    )


def test_channels_last_may_alias():
    """A tensor that is so already may come back, itself or as a view."""
    layout = Layout((2, 3, 2, 2), (12, 1, 6, 3), 5)
    for function in (lambda t: t, lambda t: t[:], lambda t: t.as_strided(t.size(), t.stride())):
        case, outcome = outcome_of("to_channels_last", function, layout)
        assert outcome.aliases == 0
        assert wrong_with(EXERCISES["to_channels_last"], case, outcome) is None


ODD_TENSORS = [
    lambda t: t.to(torch.bfloat16),
    lambda t: t.to(torch.complex64),
    lambda t: t.new_empty(0),
    lambda t: t.new_empty((2, 0, 3)),
    lambda t: t.new_zeros(1).expand(10**9),
    lambda t: t.new_zeros(10_000),
    lambda t: t.as_strided((), (), 0),
    lambda t: t.view(torch.float64),
    lambda t: torch.empty_strided(t.size(), (8, 2**28, 2, 1), dtype=t.dtype),
    lambda t: torch.empty(3, device="meta"),
    lambda t: torch.nn.Parameter(t.float()),
    lambda t: t.to_sparse(),
    lambda t: t.numpy(),
]


@pytest.mark.parametrize("function", ODD_TENSORS)
@pytest.mark.parametrize("name", COPIES)
def test_whatever_tensor_comes_back_there_is_a_sentence_and_a_picture(name, function):
    """Of another dtype, without elements, huge, on no memory at all."""
    layout = Layout((1, 2, 2, 2), (8, 1, 2, 4))
    exercise = EXERCISES[name]
    case, outcome = outcome_of(name, function, layout)
    assert wrong_with(exercise, case, outcome).startswith("returned ")
    assert picture_of(exercise, case, outcome).text()


def test_a_picture_of_a_copy_shows_it_beside_the_expected_one():
    """Each on its own storage."""
    case, outcome = outcome_of("contiguous", lambda t: t + 0, Layout((2, 2), (1, 2)))
    text = picture_of(EXERCISES["contiguous"], case, outcome).text()
    for header in (
        "tensor · size (2, 2) · stride (1, 2)",
        "expected · size (2, 2) · stride (2, 1)",
    ):
        assert header in text
    assert "yours · size (2, 2) · stride (1, 2)" in text
    assert re.findall(r"storage (\w) ·", text) == ["A", "B", "C"]


def test_a_tensor_without_elements_has_no_picture():
    """There is nothing to see."""
    case, outcome = outcome_of("contiguous", lambda t: t + 0, Layout((0, 2), (1, 2)))
    assert picture_of(EXERCISES["contiguous"], case, outcome) is None


@pytest.mark.parametrize(
    ("name", "function", "called"),
    [
        ("contiguous", lambda t: t.contiguous(), "contiguous"),
        ("contiguous", lambda t: t.clone(), "clone"),
        ("contiguous", lambda t: t.reshape(t.size()), "reshape"),
        ("contiguous", lambda t: t.reshape_as(t), "reshape_as"),
        ("contiguous", lambda t: t.flatten(), "flatten"),
        ("contiguous", lambda t: torch.ravel(t), "torch.ravel"),
        ("contiguous", lambda t: np.ascontiguousarray(t), "numpy.ascontiguousarray"),
        ("contiguous", lambda t: torch.where(t == t, t, t), "torch.where"),
        ("contiguous", lambda t: torch.empty(t.size()).slice_scatter(t), "Tensor.slice_scatter"),
        ("contiguous", lambda t: torch.expand_copy(t, t.size()), "torch.expand_copy"),
        ("contiguous", lambda t: torch._conj_copy(t), "torch._conj_copy"),
        ("contiguous", lambda t: torch._neg_view_copy(-t), "torch._neg_view_copy"),
        ("to_channels_last", lambda t: t.contiguous(memory_format=CHANNELS_LAST), "contiguous"),
        ("to_channels_last", lambda t: torch.clone(t, memory_format=CHANNELS_LAST), "torch.clone"),
        ("to_channels_last", lambda t: t.to(memory_format=CHANNELS_LAST), "to"),
        ("to_channels_last", lambda t: t.cpu(memory_format=CHANNELS_LAST), "cpu"),
        ("isContiguous", lambda t: t.storage_offset() == 0, "Tensor.storage_offset"),
    ],
)
def test_what_the_text_forbids_is_named(name, function, called):
    """By what it is called in the source, or as it runs."""
    with pytest.raises(CheckFailed, match=rf"(calls|called) {called}\b"):
        check(name, function)


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        (
            "contiguity_trace",
            ((3, 1, 2), (4, 9, 1)),
            "walk the dims from the last to the first and skip dim 1, of size 1: dim 0 has stride "
            "4, and 1 × 2 = 2 is expected. So its item has ok False, and it ends the list.",
        ),
        (
            "is_f_contiguous",
            ((2, 3), (1, 2)),
            "walk the dims from the first to the last: the strides 1 and 2 are as expected.",
        ),
        (
            "is_channels_last",
            ((2, 0, 3, 4), (0, 1, 0, 5)),
            "a tensor without elements is walked like any other. Walk the dims C, W, H, N "
            "(1, 3, 2, 0): dim 3 has stride 5, and 1 × 0 = 0 is expected.",
        ),
        (
            "is_dense",
            ((2, 2), (1, 3)),
            "walk the dims by ascending stride: dim 1 has stride 3, and 1 × 2 = 2 is expected, so "
            "there is a gap.",
        ),
        (
            "is_dense",
            ((1, 1), (4, 0)),
            "nothing steps along a dim of size 1, so here any stride will do, (4, 0) too.",
        ),
    ],
)
def test_rules_give_the_numbers(name, arguments, sentence):
    """One sentence that says which dim decides, and why."""
    assert EXERCISES[name].rule(*arguments) == sentence


def test_a_walk_ends_at_the_first_stride_that_is_wrong():
    """Dims that are not visited are not in it."""
    steps = walk((2, 3, 4), (99, 5, 1), (2, 1, 0))
    assert [(step.dim, step.expected, step.ok) for step in steps] == [(2, 1, True), (1, 4, False)]


def test_values_are_compared_by_index():
    """The message names the index, which a learner can look up."""
    with pytest.raises(CheckFailed, match=r"returned 0 at index \(0, 1\); expected 2"):
        check.contiguous(lambda t: t if t.is_contiguous() else torch.zeros(t.size(), dtype=t.dtype))
