"""Assignment ps6 against NumPy and torch themselves."""

import asyncio
import gc
import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from stridekit.layouts.layout import Layout
from stridekit_course import check
from stridekit_course.checks import limits, peak_memory
from stridekit_course.checks.callee import Foreign, Outcome, TensorData
from stridekit_course.checks.calling import Local
from stridekit_course.exercises import EXERCISES, CheckFailed
from stridekit_course.exercises.ps6 import load_image
from stridekit_course.exercises.ps6.load_image import LARGE, SLACK
from tests.course.checks.ours import picture_of, wrong_with

NUMPY = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64, 16: np.complex128}
TORCH = {
    1: torch.uint8,
    2: torch.int16,
    4: torch.int32,
    8: torch.int64,
    16: torch.complex128,
}

both_scopes = pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])


def agree(name, oracle, hidden):
    """Every case of the exercise has the oracle's answer: its result, or that it refuses."""
    exercise = EXERCISES[name]
    cases = exercise.all_cases(hidden=hidden, seed=6306)
    outcomes = Local(oracle).run(cases, exercise.rules.watch).outcomes
    for case, outcome in zip(cases, outcomes, strict=True):
        assert wrong_with(exercise, case, outcome) is None, (case.arguments, outcome)


def array_of(shape, byte_strides, itemsize):
    """An array with that header, over no memory of its own: it must not be read."""
    one = np.zeros(1, NUMPY.get(itemsize, f"V{itemsize}"))
    return np.lib.stride_tricks.as_strided(one, shape, byte_strides)


@both_scopes
@pytest.mark.parametrize("n", [0, 1, 2])
def test_element_strides_is_what_from_numpy_does(hidden, n):
    """Results and refusals, whatever the sizes are."""

    def oracle(byte_strides, itemsize):
        if itemsize not in TORCH:
            # No dtype of torch has such elements; as bytes it takes them, and refuses what it must.
            array = array_of((n,) * len(byte_strides), byte_strides, 1)
            steps = [Fraction(step, itemsize) for step in torch.from_numpy(array).stride()]
            if any(step.denominator > 1 for step in steps):
                raise ValueError(byte_strides)
            return tuple(map(int, steps))
        array = array_of((n,) * len(byte_strides), byte_strides, itemsize)
        return torch.from_numpy(array).stride()

    agree("element_strides", oracle, hidden)


@both_scopes
def test_numpy_flags_are_numpys(hidden):
    """The two flags of every case."""

    def oracle(shape, byte_strides, itemsize):
        flags = array_of(shape, byte_strides, itemsize).flags
        return flags.c_contiguous, flags.f_contiguous

    agree("numpy_flags", oracle, hidden)


def as_array(x):
    """NumPy's array on the same bytes: it has no bfloat16."""
    return x.view(torch.int16).numpy() if x.dtype == torch.bfloat16 else x.numpy()


@both_scopes
def test_shares_memory_is_what_numpy_finds_out(hidden):
    """By solving for it, on the very tensors."""
    agree("shares_memory", lambda a, b: np.shares_memory(as_array(a), as_array(b)), hidden)


@both_scopes
def test_view_dtype_is_what_view_does(hidden):
    """Headers and refusals."""

    def oracle(size, stride, storage_offset, itemsize, new_itemsize):
        last = sum((n - 1) * step for n, step in zip(size, stride, strict=True) if n)
        length = (storage_offset + last + 16) * itemsize
        memory = torch.empty(length, dtype=torch.uint8, device="meta")
        x = memory.view(TORCH[itemsize]).as_strided(size, stride, storage_offset)
        try:
            y = x.view(TORCH[new_itemsize])
        except RuntimeError as error:
            raise ValueError from error
        return tuple(y.size()), y.stride(), y.storage_offset()

    agree("view_dtype", oracle, hidden)


def lines_in_reading_order(size, stride, storage_offset, itemsize, line):
    """The lines that torch reads, where every element holds its position."""
    last = sum((n - 1) * step for n, step in zip(size, stride, strict=True) if n)
    memory = torch.arange(storage_offset + last + 1)
    positions = memory.as_strided(size, stride, storage_offset).flatten()
    return positions * itemsize // line


@both_scopes
def test_lines_touched_counts_the_lines_of_what_torch_reads(hidden):
    """Each once."""
    agree("lines_touched", lambda *a: lines_in_reading_order(*a).unique().numel(), hidden)


@both_scopes
def test_line_switches_counts_changes_in_what_torch_reads(hidden):
    """As runs of equal lines."""

    def oracle(*arguments):
        return lines_in_reading_order(*arguments).unique_consecutive().numel()

    agree("line_switches", oracle, hidden)


@both_scopes
def test_a_line_holds_whole_elements(hidden):
    """What the text promises of itemsize and line."""
    for name in ("lines_touched", "line_switches"):
        for case in EXERCISES[name].all_cases(hidden=hidden, seed=1):
            *_, itemsize, line = case.arguments
            assert line % itemsize == 0


def images(*, hidden=False):
    """The images of load_image."""
    return EXERCISES["load_image"].all_cases(hidden=hidden, seed=6306)


def outcome_of(function, case):
    """What one call of load_image did."""
    # As in the check, what is set up when torch is first measured does not count.
    first = next(case for case in images() if case.measured)
    *_, outcome = Local(function).run([first, case], "nothing").outcomes
    return outcome


def arrays():
    """The small images, as a learner's function is given them."""
    seen = []
    small = [case for case in images() if not case.measured]
    outcomes = Local(seen.append).run(small, "nothing").outcomes
    assert all(outcome.kind == "value" for outcome in outcomes)
    return seen


def test_images_come_in_every_state():
    """Flipped along each set of axes, read-only, with gaps, and as planes already."""
    data = [case.arguments[0] for case in images(hidden=True)]
    flips = {tuple(step < 0 for step in image.stride) for image in data}
    assert flips == set(itertools.product((False, True), repeat=3))
    assert {image.read_only for image in data} == {True, False}
    assert any(len(image.storage) > image.layout.numel for image in data)
    assert {image.flags.writeable for image in arrays()} == {True, False}


def test_from_numpy_refuses_some_and_planes_are_contiguous_in_others():
    """So that the usual mistakes have something to fail on."""
    assert sum(min(image.strides) < 0 for image in arrays()) > 100
    assert sum(image.transpose(2, 0, 1).flags.c_contiguous for image in arrays()) > 40


def large(*, hidden=False):
    """The images on which memory is judged."""
    return [case for case in images(hidden=hidden) if case.arguments[0].size == LARGE]


def test_measured_images_are_large_beside_the_slack():
    """One copy fits, two do not."""
    assert len(large()) == 2
    assert len(large(hidden=True)) == 3
    one = LARGE[0] * LARGE[1] * LARGE[2]
    assert one > 1.3 * SLACK
    for hidden in (False, True):
        # A tiny image beside all that Python allocates would say nothing.
        assert [case for case in images(hidden=hidden) if case.measured] == large(hidden=hidden)


def copy_order_c(image):
    return torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C", copy=True))


def into_torch_memory(image):
    height, width, channels = image.shape
    out = torch.empty((channels, height, width), dtype=torch.uint8)
    out.numpy()[...] = image.transpose(2, 0, 1)
    return out


def copy_method(image):
    return torch.from_numpy(image.transpose(2, 0, 1).copy())


def turned_to_positive_and_copied(image):
    """torch does the copying, of an array whose strides are not negative."""
    planes = image.transpose(2, 0, 1)
    if min(planes.strides) < 0:
        return copy_method(image)
    out = torch.empty(planes.shape, dtype=torch.uint8)
    return out.copy_(torch.from_numpy(planes))


def row_by_row(image):
    height, width, channels = image.shape
    out = torch.empty((channels, height, width), dtype=torch.uint8)
    for row in range(height):
        out[:, row] = torch.from_numpy(image[row].T.copy())
    return out


def in_an_event_loop(image):
    async def copy():
        return copy_order_c(image)

    return asyncio.run(copy())


def in_a_thread(image):
    async def copy():
        return await asyncio.to_thread(copy_order_c, image)

    return asyncio.run(copy())


ONCE = [
    *(copy_order_c, into_torch_memory, copy_method, turned_to_positive_and_copied, row_by_row),
    *(in_an_event_loop, in_a_thread),
]


@pytest.fixture
def no_loop():
    """A browser that an earlier test opened keeps an event loop running here."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.mark.usefixtures("no_loop")
@pytest.mark.parametrize("function", ONCE)
def test_one_copy_is_measured_as_one(function):
    """Whether NumPy holds the memory or torch does; and what runs it does not count."""
    for case in large(hidden=True):
        outcome = outcome_of(function, case)
        one = case.arguments[0].layout.numel
        assert 0.9 * one < outcome.peak <= one + SLACK
        assert wrong_with(EXERCISES["load_image"], case, outcome) is None


def byte_by_byte(image):
    height, width, channels = image.shape
    places = itertools.product(range(channels), range(height), range(width))
    memory = bytearray(image.item(y, x, k) for k, y, x in places)
    return torch.frombuffer(memory, dtype=torch.uint8).view(channels, height, width)


def in_another_thread(function, case):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(outcome_of, function, case).result()


@pytest.mark.parametrize("asked", [outcome_of, in_another_thread])
def test_to_look_at_the_clock_takes_no_memory(asked, monkeypatch):
    """On a busy machine that is done in each call of a slow function, by a signal or a thread."""
    monkeypatch.setattr(limits, "TICK", 0.002)
    case = large()[0]
    assert asked(byte_by_byte, case).peak <= case.arguments[0].layout.numel + SLACK


def numpy_then_torch(image):
    return torch.from_numpy(image.copy()).permute(2, 0, 1).contiguous()


def torch_tensor(image):
    return torch.tensor(image.transpose(2, 0, 1).copy())


def clone(image):
    return copy_order_c(image).clone()


def through_floats(image):
    return (
        torch.from_numpy(image.transpose(2, 0, 1).astype(np.float32)).to(torch.uint8).contiguous()
    )


def with_a_plane_beside(image):
    planes = [torch.from_numpy(image[..., k].copy()) for k in range(image.shape[2])]
    return torch.stack(planes)


def of_bytes(image):
    """Both are held while one line runs."""
    planes = image.transpose(2, 0, 1)
    return torch.frombuffer(bytearray(planes.tobytes()), dtype=torch.uint8).view(planes.shape)


def bytes_added(image):
    planes, memory = image.transpose(2, 0, 1), bytearray()
    memory += planes.tobytes()
    return torch.frombuffer(memory, dtype=torch.uint8).view(planes.shape)


MORE = [
    *(numpy_then_torch, torch_tensor, clone, through_floats, with_a_plane_beside),
    *(of_bytes, bytes_added),
]


@pytest.mark.parametrize("function", MORE)
def test_more_than_one_copy_is_noticed(function):
    """And told with the numbers."""
    case = large()[0]
    outcome = outcome_of(function, case)
    assert outcome.peak > case.arguments[0].layout.numel + SLACK
    said = wrong_with(EXERCISES["load_image"], case, outcome)
    assert said.startswith(f"held {outcome.peak:,} bytes of new memory at its peak")


def test_what_is_garbage_later_is_found_after_a_call_that_raises():
    """Measuring sets aside what was there before, and gives it back."""

    def raises(image):
        raise ValueError

    gc.unfreeze()
    peak_memory._is_frozen.cache_clear()
    for case in large():
        outcome_of(raises, case)
        assert gc.get_freeze_count() == 0
    # As tests have it.
    gc.freeze()
    peak_memory._is_frozen.cache_clear()


def test_an_image_on_its_own_memory_is_noticed_wherever_it_begins():
    """A view of the result's storage, also one that is longer than the image."""
    for case in images():
        image = case.arguments[0]
        if case.measured or min(image.stride) < 0:
            continue
        outcome = outcome_of(
            lambda image: torch.from_numpy(np.asarray(image)).permute(2, 0, 1), case
        )
        assert "on the image's own memory" in wrong_with(EXERCISES["load_image"], case, outcome)


def test_the_recipes_make_the_two_tensors():
    """They lie on one storage, each with its own offset and dtype."""
    seen = []

    def wrong_on_two_dtypes(a, b):
        answer = np.shares_memory(as_array(a), as_array(b))
        if a.dtype == b.dtype or a.storage_offset() == 0 or not answer:
            return bool(answer)
        seen.append((a, b))
        return False

    # What it calls is not the point here.
    exercise = EXERCISES["shares_memory"]
    from stridekit_course.checks.messages import recipes

    cases = exercise.all_cases(hidden=False, seed=1)
    outcomes = Local(wrong_on_two_dtypes).run(cases, "tensors").outcomes
    case = next(
        case for case, outcome in zip(cases, outcomes, strict=True)
        if wrong_with(exercise, case, outcome)
    )  # fmt: skip
    names = {"torch": torch}
    for recipe in recipes(exercise, case):
        exec(recipe, names)
    a, b = seen[0]
    for made, given in ((names["a"], a), (names["b"], b)):
        assert torch.equal(made, given)
        assert made.dtype == given.dtype
        assert made.stride() == given.stride()
        assert made.storage_offset() == given.storage_offset()
    assert np.shares_memory(names["a"].numpy(), names["b"].numpy())


def test_the_recipes_make_two_storages_wherever_they_begin():
    """Also where the memory ends inside of an element, or is long; and where nothing is in it."""
    from stridekit_course.checks.messages import recipes

    exercise, tried = EXERCISES["shares_memory"], 0
    cases = (exercise.all_cases(hidden=True, seed=seed) for seed in (1, 2, 3))
    for case in itertools.chain(*cases):
        names = {"torch": torch}
        if len({each.apart for each in case.tensors}) > 1:
            for recipe in recipes(exercise, case):
                exec(recipe, names)
        for name, data in zip("ab", case.tensors, strict=True):
            if name in names:
                made = names[name]
                tried += 1
                assert (tuple(made.size()), made.stride()) == (data.size, data.stride)
                values = made.clone(memory_format=torch.contiguous_format).untyped_storage()
                assert bytes(values) == data.values()
    assert tried > 20


ODD = [
    None, True, -3, 1.5, "x", (), (1,), (0, -1), ((2,), (1,), 0), ((2, 2), (9, 1), 10**9),
    ((2,), (-1,), 0), ((1, 2), 3, None), [1, 2], (True, "x"), Foreign("set", "{1}"),
    TensorData("torch", "uint8", (2, 1), (1, 1), 0, b"ab"),
    TensorData("torch", "float64", (), (), 0, bytes(8)),
    TensorData("torch", "uint8", (0,), (1,), 5, b""),
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in EXERCISES if name in {
    "element_strides", "numpy_flags", "shares_memory", "view_dtype",
    "lines_touched", "line_switches", "load_image",
}])  # fmt: skip
def test_rules_and_pictures_stand_on_every_case(name):
    """Whatever came back; every odd value on some of them."""
    exercise = EXERCISES[name]
    for number, case in enumerate(exercise.all_cases(hidden=False, seed=6306)):
        rule = exercise.rule(*case.arguments)
        assert rule.endswith(".")
        assert rule.count("\n") == 0
        if number % 5 == 0:
            odd = ODD[number // 5 % len(ODD)]
            for outcome in (Outcome("value", value=odd), Outcome("raised", bases=("KeyError",))):
                picture = picture_of(exercise, case, outcome)
                if picture is not None and number % 25 == 0:
                    assert picture.text()


def test_what_is_expected_is_drawn_beside_what_came():
    """For headers, and for an image."""
    with pytest.raises(CheckFailed) as failure:
        check("view_dtype", lambda size, stride, offset, *_: (size, stride, offset + 1))
    for heading in ("given", "expected", "yours"):
        assert f"{heading} · size" in str(failure.value)
    with pytest.raises(CheckFailed) as failure:
        check("load_image", lambda image: torch.from_numpy(image.T.copy()))
    for heading in ("image · shape", "expected · size", "yours · size"):
        assert heading in str(failure.value)


def test_what_is_measured_is_named_in_the_text():
    """Learners know the sizes."""
    text = Path("source/ps6/interop-and-speed.ipynb").read_text("utf-8")
    assert SLACK == 8 * 1024
    assert LARGE == (72, 56, 3)
    assert "72 × 56 × 3, which are 12,096 bytes" in text
    assert "8 KiB for everything else" in text
    right = load_image.copied(load_image._planes(*large()[0].arguments))
    said = wrong_with(EXERCISES["load_image"], large()[0], Outcome("value", right, peak=10**6))
    assert "12,096 bytes, and 8,192 for the rest" in said


# Of elements that a text names, and that are on each page: dims, elements.
LARGEST = {
    "element_strides": (7, None),
    "numpy_flags": (7, 600),
    "shares_memory": (6, 64),
    "view_dtype": (7, None),
    "lines_touched": (7, 400),
    "line_switches": (7, 400),
    "load_image": (3, 15_000),
}


@pytest.mark.parametrize("name", LARGEST)
def test_no_case_is_larger_than_the_text_says(name):
    """In dims and in elements, whatever the chance."""
    rank, most = LARGEST[name]
    exercise = EXERCISES[name]
    batches = [exercise.batch(hidden=hidden, seed=s) for hidden in (False, True) for s in (1, 4, 7)]
    for case in (case for batch in batches for case in batch.cases):
        sizes = [each.size for each in case.tensors] or [case.arguments[0]]
        assert all(len(size) <= rank for size in sizes)
        assert most is None or all(math.prod(size) <= most for size in sizes)
        if name.startswith("line"):
            reach = Layout(*case.arguments[:3]).reach
            assert reach is None or reach[1] < 200_000


def test_some_elements_and_lines_are_no_powers_of_two():
    """Itemsizes from 1 to 24, and lines of 3 and 5 elements."""
    for name in ("element_strides", "numpy_flags"):
        itemsizes = {case.arguments[-1] for case in EXERCISES[name].all_cases(hidden=False, seed=1)}
        assert {3, 12} < itemsizes
    for name in ("lines_touched", "line_switches"):
        units = {case.arguments[-2:] for case in EXERCISES[name].all_cases(hidden=False, seed=1)}
        assert {(3, 12), (12, 36), (1, 5), (24, 48), (6, 6)} < units


def storage_addresses(a, b):
    return a.untyped_storage().data_ptr(), b.untyped_storage().data_ptr()


def test_storages_lie_apart_on_one_memory():
    """Two storages at two addresses, with a byte in common and without; of many dtypes."""
    exercise = EXERCISES["shares_memory"]
    for hidden in (False, True):
        cases = exercise.all_cases(hidden=hidden, seed=1)
        apart = [case for case in cases if len({each.apart for each in case.tensors}) == 2]
        on_one = [case for case in apart if len({each.memory for each in case.tensors}) == 1]
        answers = [exercise.reference(*case.arguments) for case in on_one]
        assert min(answers.count(True), answers.count(False)) > 10
        outcomes = Local(storage_addresses).run(on_one, "nothing").outcomes
        for case, outcome in zip(on_one, outcomes, strict=True):
            first, second = outcome.value
            begins = [each.apart for each in case.tensors]
            if all(each.layout.numel for each in case.tensors):
                assert second - first == begins[1] - begins[0]
    dtypes = {
        each.dtype for case in exercise.all_cases(hidden=True, seed=1) for each in case.tensors
    }
    assert {"bool", "bfloat16", "float16", "complex64", "complex128"} < dtypes
