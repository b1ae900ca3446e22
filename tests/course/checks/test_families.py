"""Families of functions that are wrong, or right, in a way that has little to do with layout."""

import contextlib
import io
import re
from functools import lru_cache
from itertools import count

import numpy as np
import pytest
import torch

from stridekit_course import check
from stridekit_course.checks.calling import Local
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.limits import Limits
from stridekit_course.exercises import EXERCISES, CheckFailed
from tests.bank import solutions
from tests.course.checks.ours import OneOfOurs


def c_strides(size):
    """Right."""
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


def position(index, stride, storage_offset):
    """Right."""
    return storage_offset + sum(i * step for i, step in zip(index, stride, strict=True))


def reading_order(size, stride, storage_offset):
    """Right."""
    positions = [storage_offset]
    for n, step in zip(size, stride, strict=True):
        positions = [start + i * step for start in positions for i in range(n)]
    return positions


def is_contiguous(tensor):
    """Right."""
    expected = 1
    for n, step in list(zip(tensor.size(), tensor.stride(), strict=True))[::-1]:
        if n != 1 and step != expected:
            return tensor.numel() == 0
        expected *= n
    return True


def contiguous(tensor):
    """Right."""
    if is_contiguous(tensor):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


def message(name, function, **options):
    """What a learner is told."""
    with pytest.raises(CheckFailed) as failure:
        check(name, function, **options)
    return str(failure.value)


def passes(name, function):
    """Whether it is right."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        check(name, function)
    return "right on all" in said.getvalue()


# Answers that depend on earlier calls.


def mutable_default(size, stride, storage_offset, positions=[]):  # noqa: B006 - that is the mistake
    """The list lives on."""
    positions.clear()
    positions.extend(reading_order(size, stride, storage_offset))
    return positions


def growing_default(size, stride, storage_offset, positions=[]):  # noqa: B006 - as above
    """And grows."""
    positions += reading_order(size, stride, storage_offset)
    return positions


BUFFER = torch.empty(4096, dtype=torch.int64)


def reused_buffer(tensor):
    """One piece of memory for all copies."""
    if is_contiguous(tensor) or tensor.dtype != torch.int64 or tensor.numel() > len(BUFFER):
        return contiguous(tensor)
    return BUFFER[: tensor.numel()].view(tensor.size()).copy_(tensor)


KNOWN = {}


def coarse_cache(index, stride, storage_offset):
    """Keyed by half of what counts."""
    return KNOWN.setdefault((index, stride), position(index, stride, storage_offset))


@lru_cache
def _as_list(size, stride, storage_offset):
    return reading_order(size, stride, storage_offset)


def turned_round_each_time(size, stride, storage_offset):
    """A cached list that is changed."""
    positions = _as_list(size, stride, storage_offset)
    positions.reverse()
    return positions[::-1] if len(positions) < 2 else positions


COPIES = {}


def copies_by_header(tensor):
    """Keyed by all that a header tells, and by where it lies."""
    if is_contiguous(tensor):
        return tensor
    key = tensor.size(), tensor.stride(), tensor.storage_offset(), tensor.dtype, tensor.data_ptr()
    if key not in COPIES:
        COPIES[key] = contiguous(tensor)
    return COPIES[key]


CALLS = []
PREPARED = []


def counts_its_calls(index, stride, storage_offset):
    """Right for the first time only."""
    CALLS.append(index)
    return position(index, stride, storage_offset) + (len(CALLS) > 400)


def prepares(index, stride, storage_offset):
    """Makes a table when it is called first, and forgets to look into it."""
    if PREPARED:
        return position(index, stride, storage_offset)
    PREPARED.append(position)
    return -1


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("reading_order", mutable_default),
        ("reading_order", growing_default),
        ("contiguous", reused_buffer),
        ("contiguous", copies_by_header),
        ("position", coarse_cache),
        ("reading_order", turned_round_each_time),
        ("position", counts_its_calls),
        ("position", prepares),
    ],
)
def test_an_answer_that_depends_on_other_calls_is_wrong(name, function):
    """Though each is right when it is called by itself."""
    assert "expected" in message(name, function)


def test_it_is_told_that_it_is_right_by_itself():
    """So that nobody looks for the mistake in the arithmetic."""
    said = message("reading_order", mutable_default)
    assert "Called again, by itself, it is right, so what it gives depends on other calls." in said


def test_it_is_told_that_it_gives_another_answer_each_time():
    """It is wrong by itself, too, once it was called: a list grows from the first call on."""

    def all_so_far(size, stride, storage_offset, positions=[]):  # noqa: B006 - the mistake
        positions += reading_order(size, stride, storage_offset)
        return positions[:]

    said = message("reading_order", all_so_far)
    assert "Called again it gives another answer, so what it gives depends on other calls." in said
    assert "depends on other calls" not in message("reading_order", lambda *_: [0])


def test_of_what_is_of_another_type_no_other_answer_is_told():
    """A set of addresses is another one each time, and its type says all that is wrong."""
    address = count()
    said = message("shares_memory", lambda *_: {next(address)})
    assert "of type set. Return a bool" in said
    assert "depends on other calls" not in said


def test_memory_that_is_held_now_and_then_is_no_other_answer():
    """Such as that of threads: what it gives is right each time."""
    held = []

    def holds_at_first(image):
        if image.size > 10_000 and len(held) < 2:
            held.append(np.zeros(image.size, np.uint8))
        return torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))

    said = message("load_image", holds_at_first)
    assert "bytes of new memory" in said
    assert "depends on other calls" not in said


def test_it_is_told_what_it_gave_among_others():
    """Also if it raises by itself, and rightly so."""
    calls = []

    def refuses_late(byte_strides, itemsize):
        calls.append(byte_strides)
        if len(calls) > 300 and any(step < 0 or step % itemsize for step in byte_strides):
            raise ValueError
        return tuple(step // itemsize for step in byte_strides)

    said = " ".join(message("element_strides", refuses_late).split())
    assert re.search(
        r"returned \(.+; expected a ValueError, .+ Called again, by itself, it is right", said
    )


def digits(argument):
    """A number, or all of a tuple or a tensor, as a text without anything between."""
    if isinstance(argument, tuple):
        return "".join(map(digits, argument))
    if isinstance(argument, np.ndarray):
        return digits((*argument.shape, *argument.strides))
    if isinstance(argument, int):
        return str(argument)
    return digits((*argument.size(), *argument.stride()))


@pytest.mark.parametrize("name", EXERCISES)
def test_an_answer_that_is_kept_under_its_digits_is_wrong(name):
    """So that (1, 23) is (12, 3), of one argument: whoever mixes several mixes these up, too."""
    known = {}
    right = next(each for each in solutions(function=name) if each.kind == "right").load()

    def remembering(*arguments):
        key = "/".join(map(digits, arguments))
        if key not in known:
            try:
                known[key] = True, right(*arguments)
            except (IndexError, ValueError) as error:
                known[key] = False, error
        returns, answer = known[key]
        if returns:
            return answer
        raise type(answer)(*answer.args)

    assert "expected" in message(name, remembering, hidden=True, seed=1)


def test_identity_is_no_equality():
    """Numbers beyond the small ones that Python keeps."""

    def by_identity(size, stride):
        expected = 1
        for n, step in zip(reversed(size), reversed(stride), strict=True):
            if n != 1 and step is not expected:
                return False
            expected *= n
        return True

    def is_f(size, stride):
        return 0 in size or by_identity(size[::-1], stride[::-1])

    assert "returned False; expected True" in message("is_f_contiguous", is_f, hidden=True)


# Exceptions by class, not by name.


def test_an_exception_is_its_class():
    """One of the same name is another one; a subclass is one."""
    own = type("IndexError", (Exception,), {})
    sub = type("Mine", (IndexError,), {})

    def raising(kind):
        def select(size, stride, storage_offset, dim, index):
            if not -len(size) <= dim < len(size):
                raise kind("no such dim")
            if not -size[dim] <= index < size[dim]:
                raise kind("no such index")
            dim, index = dim % len(size), index % size[dim]
            return (
                size[:dim] + size[dim + 1 :],
                stride[:dim] + stride[dim + 1 :],
                storage_offset + index * stride[dim],
            )

        return select

    assert passes("select", raising(IndexError))
    assert passes("select", raising(sub))
    said = message("select", raising(own))
    assert "raised IndexError (not Python's own): no such" in said
    assert "expected an IndexError" in said


# What is not written.


def stub(size):
    """As it is handed out."""
    raise NotImplementedError


def with_a_stub_of_a_helper(size):
    """Written, but its helper is not."""
    return half_written(size)


def half_written(size):
    """A helper."""
    raise NotImplementedError("later")


def written_for_some(size):
    """One branch is left."""
    if len(size) > 2:
        raise NotImplementedError
    return c_strides(size)


def torch_refuses(tensor):
    """torch raises NotImplementedError of its own."""
    return torch.empty(2, device="meta").item() == tensor.dim()


def test_only_the_stub_itself_is_not_written_yet():
    """Not one whose helper is a stub, nor one in which torch raises."""
    assert message("c_strides", stub).startswith("c_strides is not written yet")
    said = message("c_strides", with_a_stub_of_a_helper)
    assert "raised NotImplementedError: later, in line " in said
    assert 'of its helper half_written (`raise NotImplementedError("later")`)' in said
    assert "raised NotImplementedError, in line" in message("c_strides", written_for_some)
    assert "not written yet" not in message("load_image", torch_refuses)


def test_the_line_that_raised_stands_in_the_message():
    """With its text, and the helper that it stands in."""

    def divides(size):
        return (len(size) / 0,)

    line = divides.__code__.co_firstlineno + 1
    said = message("c_strides", divides)
    assert f"raised ZeroDivisionError: division by zero, in line {line}" in said
    assert "(`return (len(size) / 0,)`); expected (3, 1)." in said


# What is not a function.


def test_a_result_is_told_from_a_name_that_means_something_else():
    """check.f(f(x)), and a name that a later cell has used."""
    said = message("c_strides", c_strides((2, 3)))
    assert said == (
        "check.c_strides was given (3, 1), a tuple, and a function is asked for. Was the function "
        "called? Give its name alone: check.c_strides(c_strides)."
    )
    f_strides = (1, 2)
    with pytest.raises(CheckFailed) as failure:
        check.f_strides(f_strides)
    assert str(failure.value) == (
        "f_strides is (1, 2), a tuple, and a function is asked for. Did a later cell give the name "
        "to something else?"
    )
    assert message("c_strides", "c_strides") == (
        "check.c_strides was given 'c_strides', a str, and a function is asked for. Without quotes "
        "it is the function: check.c_strides(c_strides)."
    )
    assert "was given np.uint8(3), a uint8, and" in message("position", np.uint8(3))
    assert message("position", [c_strides]).endswith(
        ", a list, and a function is asked for. Was the function called? Give its name alone: "
        "check.position(position)."
    )


def test_a_class_is_told_from_a_function():
    """What a call of it gives is one of its objects."""

    class Strides:
        """Holds a size."""

        def __init__(self, size):
            self.size = size

    Strides.__name__ = "c_strides"
    assert "for c_strides is a class. Write `def c_strides(size):`" in message("c_strides", Strides)


class Busy:
    """A callable with names that a check might take for its own."""

    def read(self):
        """Nothing of the check's."""
        raise RuntimeError

    def run(self, *_, **__):
        """Nor this."""
        raise RuntimeError

    def __call__(self, size):
        """Right."""
        return c_strides(size)


class Vain:
    """A callable that answers to every name, and is equal to everything."""

    def __call__(self, size):
        """Right."""
        return c_strides(size)

    def __getattr__(self, name):
        return self

    def __eq__(self, other):
        return True

    __hash__ = None


def test_odd_callables_are_called():
    """They are not callees of ours."""
    assert passes("c_strides", Busy())
    assert passes("c_strides", Vain())


def test_what_is_equal_to_everything_is_not_right():
    """Types are compared by identity, and learners' own == is never asked."""

    class Meta(type):
        """Its classes are equal to bool."""

        def __eq__(cls, other):
            return True

        __hash__ = type.__hash__

    class Always(metaclass=Meta):
        """Equal to all."""

        def __eq__(self, other):
            return True

        __hash__ = None

    class Tuple(tuple):
        """A tuple that is."""

        def __eq__(self, other):
            return True

        __hash__ = None

    assert "Return a tuple of ints" in message("c_strides", lambda size: Always())
    assert "expected (3, 1)" in message("c_strides", lambda size: Tuple((7,) * len(size)))
    assert "Return a bool" in message("isContiguous", lambda tensor: Always())


# Arguments that are changed.


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.requires_grad_() if t.is_floating_point() else t.fill_(3),
        lambda t: t.t_() if t.dim() == 2 else None,
        lambda t: t.unsqueeze_(0),
        lambda t: setattr(t, "mine", 1),
        lambda t: t.as_strided_((1,), (1,)) if t.numel() else None,
    ],
)
def test_a_tensor_that_is_changed_in_any_way_is_seen(change):
    """Its elements, its header, its flags, what hangs on it."""

    def wrong(tensor):
        result = contiguous(tensor)
        change(tensor)
        return result

    assert "changed tensor itself" in message("contiguous", wrong)


def load_image(image):
    """Right."""
    return torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))


@pytest.mark.parametrize(
    "change",
    [
        lambda image: image.setflags(write=False),
        lambda image: image.__setitem__(0, 1) if image.flags.writeable else None,
        lambda image: setattr(image, "strides", (0, 0, 0)) if image.size == 1 else None,
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_array_that_is_changed_in_any_way_is_seen(change):
    """Flags too."""

    def wrong(image):
        result = load_image(image)
        change(image)
        return result

    assert "changed image itself" in message("load_image", wrong)


# Limits.


def test_a_slow_repr_is_stopped_too():
    """What is looked at after the calls is under the clock as well."""

    class Slow:
        """Its repr never ends."""

        def __repr__(self):
            while True:
                pass

    local = Local(lambda size: Slow(), Limits(computing=0.3, wall=1))
    with pytest.raises(CheckFailed, match="does not return in time: it was stopped"):
        run_check(EXERCISES["c_strides"], local)


def test_wrong_before_slow_is_told_as_wrong():
    """Who is wrong on small cases hears of these."""

    def slow_and_wrong(size):
        if len(size) > 2:
            while True:
                pass
        return size

    local = Local(slow_and_wrong, Limits(computing=0.3, wall=1))
    with pytest.raises(CheckFailed, match="returned"):
        run_check(EXERCISES["c_strides"], local)


def test_the_number_of_cases_is_that_of_the_exercise(capsys):
    """Nobody passes on none."""
    for hidden in (False, True):
        check.c_strides(c_strides, hidden=hidden)
        distinct = EXERCISES["c_strides"].batch(hidden=hidden, seed=20261120).distinct
        assert capsys.readouterr().out == f"c_strides: right on all {distinct:,} cases.\n"
        assert distinct > 100


# What is said of a wrong function is true of it.


@pytest.mark.parametrize(
    "name", ["c_strides", "storage_needed", "slice_dim", "is_dense", "view_stride", "bytes_saved"]
)
def test_a_hint_is_for_who_made_that_mistake_throughout(name):
    """Who answers as one mistake on some cases, and as another on others, is told of neither."""
    exercise = EXERCISES[name]
    one, other = (mistake.function for mistake in exercise.mistakes[:2])

    def by_turns(*arguments):
        return (one if sum(map(len, map(repr, arguments))) % 2 else other)(*arguments)

    for wrong, is_told in ((one, True), (other, True), (by_turns, False)):
        with pytest.raises(CheckFailed) as failure:
            run_check(exercise, OneOfOurs(wrong), hidden=True)
        assert ("\n  hint: " in str(failure.value)) is is_told


def test_a_list_s_own_copy_is_not_blamed_for_a_tensor_s():
    """The line is that of the call that is forbidden, whatever has its name before it."""

    def contiguous(t):
        order = [*range(t.dim())].copy()
        return t.permute(order).clone()

    line = contiguous.__code__.co_firstlineno + 2
    assert f" called Tensor.clone in line {line}. " in message("contiguous", contiguous)
