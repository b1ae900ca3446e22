"""Functions that are wrong only where two conditions meet: no hidden check lets them pass.

Each asks the right one, and goes its own way in one corner.
"""

import builtins
import re
from itertools import groupby, permutations, product
from math import ceil, prod
from types import SimpleNamespace

import pytest
import torch

from stridekit.layouts.layout import Layout, is_contiguous
from stridekit.layouts.memory_formats import is_dense
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.exercise import SEED, Refusal
from stridekit_course.checks.strategies import put
from stridekit_course.exercises import EXERCISES, CheckFailed
from stridekit_course.exercises.ps5 import zero_repeats
from tests.bank import solutions
from tests.course.checks.ours import OneOfOurs

# That each kind of header meets each other kind is no affair of chance, see `crossed`.
SEEDS = (SEED, 7)


def right(name, *arguments):
    """What the exercise expects; refusals are raised."""
    expected = EXERCISES[name].reference(*arguments)
    if isinstance(expected, Refusal):
        raise getattr(builtins, expected.error)(expected.why)
    return expected


def element_strides(byte_strides, itemsize):
    """Looks at the last one, and at the sum of all."""
    faults = byte_strides and byte_strides[-1] % itemsize
    if faults or sum(byte_strides) % itemsize or any(step < 0 for step in byte_strides):
        raise ValueError
    return tuple(step // itemsize for step in byte_strides)


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    """Above rank 3, lets the strides of dims of size 1 pass."""
    ratio = max(new_itemsize // itemsize, 1)
    if len(size) > 3:
        inner = zip(size[:-1], stride, strict=False)
        stride = (*(step - step % ratio if n == 1 else step for n, step in inner), stride[-1])
    return right("view_dtype", size, stride, storage_offset, itemsize, new_itemsize)


def numpy_flags(shape, byte_strides, itemsize):
    """Where one dim alone counts, takes any stride for its own."""
    if len(shape) > 3 and len([n for n in shape if n != 1]) == 1 and itemsize in byte_strides:
        return True, True
    return right("numpy_flags", shape, byte_strides, itemsize)


def inplace_verdict(size, stride):
    """Thinks that torch sees it where more than three strides are all alike."""
    steps = [step for n, step in zip(size, stride, strict=True) if n > 1]
    if 0 not in size and len(steps) > 3 and len({*steps}) == 1:
        return "refused"
    return right("inplace_verdict", size, stride)


def is_f_contiguous(size, stride):
    """Above rank 4, a stride of 0 that is never used is wrong in the last dim."""
    unused = len(size) > 4 and size[-1] == 1 and stride[-1] == 0
    return right("is_f_contiguous", size, stride) and not unused


def lines_touched(size, stride, storage_offset, itemsize, line):
    """Multiplies by a quotient that a float has rounded."""
    positions = Layout(size, stride, storage_offset).positions()
    return len({int(position * (itemsize / line)) for position in positions})


def line_switches(size, stride, storage_offset, itemsize, line):
    """The same."""
    positions = Layout(size, stride, storage_offset).positions()
    return len([*groupby(int(position * (itemsize / line)) for position in positions)])


def can_view(size, stride, new_size):
    """Compares the first positions, and the last ones."""
    if 0 in size:
        return True
    old = [*Layout(size, stride).positions()]
    steps = (old[prod(new_size[dim + 1 :])] if n > 1 else 0 for dim, n in enumerate(new_size))
    new = [*Layout(new_size, tuple(steps)).positions()]
    return (old[:32], old[-32:]) == (new[:32], new[-32:])


def seams(size, stride):
    """Takes strides for numbers of 32 bits."""
    return right("seams", size, tuple(step % 2**32 for step in stride))


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    """Rounds up what a float has rounded already."""
    told = right("slice_dim", size, stride, storage_offset, dim, start, stop, step)
    first, last, _ = slice(start, stop).indices(size[dim])
    count = max(0, ceil((last - first) * (1 / step)))
    return put(told[0], dim, count), *told[1:]


def unravel(flat, size):
    """Multiplies by a quotient that a float has rounded."""
    index = []
    for n in size[::-1]:
        index.append(flat % n)
        flat = int(flat * (1 / n))
    return tuple(index[::-1])


def permute(size, stride, dims):
    """Of more than four dims, counts them before it looks for one that is not there."""
    if len(size) > 4 and len(dims) != len(size):
        raise ValueError
    return right("permute", size, stride, dims)


def in_bounds(size, stride, storage_offset, storage_length):
    """Of twelve dims, looks for the lowest position in eleven."""
    ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + sum(way for way in ways[:11] if way < 0)
    high = storage_offset + sum(way for way in ways if way > 0)
    return 0 in size or 0 <= low <= high < storage_length


def is_channels_last(size, stride):
    """Asks whether numbers are the same object."""
    if len(size) != 4:
        return False
    _, c, h, w = size
    wanted = (h * w * c, 1, w * c, c)
    return all(n == 1 or a is b for n, a, b in zip(size, stride, wanted, strict=True))


def contiguous(tensor):
    """Takes a volume with the channels last for contiguous."""
    if tensor.dim() == 5 and tensor.is_contiguous(memory_format=torch.channels_last_3d):
        return tensor
    return tensor.contiguous()


@pytest.mark.parametrize(
    "function",
    [
        *(element_strides, view_dtype, numpy_flags, inplace_verdict, is_f_contiguous),
        *(can_view, seams),
        *(lines_touched, line_switches, slice_dim, unravel, permute, in_bounds),
        *(is_channels_last, contiguous),
    ],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_wrong_in_a_corner_fails(function, seed):
    """Whatever the seed."""
    exercise = EXERCISES[function.__name__]
    with pytest.raises(CheckFailed):
        run_check(exercise, OneOfOurs(function), hidden=True, seed=seed)


# What a float has rounded: 49 × (1 / 49) is less than 1.
ROUNDED = {
    "infer_size": lambda numel, size: tuple(
        int(numel * (1 / prod(each for each in size if each != -1))) if n == -1 else n
        for n in right("infer_size", numel, size) and size
    ),
    "sliding_window": lambda size, stride, dim, window, step: (
        (*put(size, dim, int((size[dim] - window) * (1 / step)) + 1), window),
        right("sliding_window", size, stride, dim, window, step)[1],
    ),
    "numpy_flags": lambda shape, byte_strides, itemsize: right(
        "numpy_flags", shape, tuple(step * (1 / itemsize) for step in byte_strides), 1
    ),
}


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("seed", [*SEEDS, 1, 2, 3])
def test_a_quotient_that_is_rounded_is_wrong(name, seed):
    """Whatever the seed."""
    with pytest.raises(CheckFailed):
        run_check(EXERCISES[name], OneOfOurs(ROUNDED[name]), hidden=True, seed=seed)


# What follows of where elements lie.
OF_POSITIONS = {
    "has_overlap": lambda found, _: len({*found}) < len(found),
    "bytes_saved": lambda found, given: (len(found) - len({*found})) * given[2],
    "inplace_verdict": lambda found, given: (
        "silent"
        if right("inplace_verdict", *given) == "safe" and len({*found}) < len(found)
        else right("inplace_verdict", *given)
    ),
    "lines_touched": lambda found, given: len({at * given[3] // given[4] for at in found}),
    "line_switches": lambda found, given: len(
        [*groupby(at * given[3] // given[4] for at in found)]
    ),
}


@pytest.mark.parametrize("name", OF_POSITIONS)
@pytest.mark.parametrize("places", [2**10, 2**16, 10**5, 2**17])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_that_is_too_small_is_wrong(name, places, seed):
    """Where position `places` is 0 again."""

    def function(*given):
        offset = given[2] if len(given) > 3 else 0
        found = [at % places for at in Layout(*given[:2], offset).positions()]
        return OF_POSITIONS[name](found, given)

    with pytest.raises(CheckFailed):
        run_check(EXERCISES[name], OneOfOurs(function), hidden=True, seed=seed)


IN_ORDER = {
    "isContiguous": is_contiguous,
    "is_f_contiguous": lambda size, stride: is_contiguous(size[::-1], stride[::-1]),
    "is_dense": is_dense,
}


@pytest.mark.parametrize("name", IN_ORDER)
@pytest.mark.parametrize("dims", [slice(6), slice(-6, None), slice(5), slice(-5, None)], ids=str)
def test_a_dim_of_many_that_is_not_looked_at(name, dims):
    """Where those of size 1 are left out, and for is_dense the fastest come first."""

    def errs(*arguments):
        size, stride = (
            arguments if len(arguments) > 1 else (arguments[0].size(), arguments[0].stride())
        )
        kept = [pair for pair in zip(stride, size, strict=True) if pair[1] != 1]
        kept = (sorted(kept) if name == "is_dense" else kept)[dims]
        return 0 in size or IN_ORDER[name]([n for _, n in kept], [step for step, _ in kept])

    for seed in SEEDS:
        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(errs), hidden=True, seed=seed)


def of_one_element(arguments):
    """Whether a call is about a layout of one element in several dims."""
    sizes = [getattr(each, "shape", each) for each in arguments]
    return any(isinstance(size, tuple) and len(size) > 3 and {*size} == {1} for size in sizes)


# The others ask of no size, or of one of two dims; or take any, as load_image does.
OF_LAYOUTS = [
    name
    for name, exercise in EXERCISES.items()
    if name
    not in (
        *("position", "is_channels_last", "to_channels_last", "diagonal", "infer_size"),
        *("broadcast_sizes", "element_strides", "load_image"),
    )
]


@pytest.mark.parametrize("name", OF_LAYOUTS)
def test_wrong_where_all_sizes_are_1(name):
    """In four dims or more, which chance seldom gives."""

    def errs(*arguments):
        return "wrong" if of_one_element(arguments) else known(*arguments)

    known = next(each for each in solutions(function=name) if each.kind == "right").load()
    for seed in SEEDS:
        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(errs), hidden=True, seed=seed)


def is_of_one_position(arguments):
    """Whether a call is about a layout of several dims of size 2, all of stride 0."""
    sizes = [getattr(each, "shape", each) for each in arguments[:2]]
    strides = [each.stride() if hasattr(each, "stride") else each for each in arguments[:2]]
    return any(tuple(size) == (2,) * 4 for size in sizes) and (0,) * 4 in strides


# view_dtype refuses a last stride of 0, whatever the others are.
OF_STRIDES = [
    name
    for name in OF_LAYOUTS
    if {"stride", "byte_strides", "tensor", "a"} & {*EXERCISES[name].parameters}
    and name != "view_dtype"
]


@pytest.mark.parametrize("name", OF_STRIDES)
def test_wrong_where_all_strides_are_0(name):
    """As of one number that is expanded."""

    def errs(*arguments):
        return "wrong" if is_of_one_position(arguments) else known(*arguments)

    known = next(each for each in solutions(function=name) if each.kind == "right").load()
    for seed in SEEDS:
        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(errs), hidden=True, seed=seed)


@pytest.mark.parametrize("name", ["contiguous", "reshape", "to_channels_last", "load_image"])
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("with_first", [False, True])
def test_an_answer_that_is_kept_for_an_address_is_wrong(name, hidden, with_first):
    """The same tensor comes again, with other values, also with other ones but for the first."""
    known = next(each for each in solutions(function=name) if each.kind == "right").load()
    kept = {}

    def keeps(given, *size):
        where = given.data_ptr() if name != "load_image" else given.__array_interface__["data"]
        first = repr(given.reshape(-1)[:1].tolist()) if with_first else ""
        key = where, tuple(given.shape), str(given.dtype), size, first
        if key not in kept:
            made = known(given, *size)
            if made is given or (name == "reshape" and made.data_ptr() == where):
                return made
            kept[key] = made
        return kept[key]

    with pytest.raises(CheckFailed):
        run_check(EXERCISES[name], OneOfOurs(keeps), hidden=hidden, seed=SEED)


@pytest.mark.parametrize("name", ["contiguous", "to_channels_last", "load_image"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_memory_that_is_kept_for_a_header_is_wrong(name, seed):
    """Each call fills it anew, and what was returned before lies there."""
    known = next(each for each in solutions(function=name) if each.kind == "right").load()
    kept = {}

    def keeps(given):
        made = known(given)
        if made is given:
            return made
        steps = given.strides if name == "load_image" else given.stride()
        return kept.setdefault((made.size(), steps, made.dtype), made).copy_(made)

    with pytest.raises(CheckFailed):
        run_check(EXERCISES[name], OneOfOurs(keeps), hidden=True, seed=seed)


OLD = ("size", "stride")
TENSORS = ("tensor", "a", "image")


@pytest.mark.parametrize(
    ("name", "parameter", "least"),
    [
        *((name, each, 2) for name, exercise in EXERCISES.items() for each in exercise.reordered),
        *((name, each, 2) for name in ("resize", "writes_per_position") for each in OLD),
        *(("c_strides", "size", 6), ("f_strides", "size", 6), ("reading_order", "stride", 4)),
        *(("select", "stride", 4), ("permute", "dims", 5), ("view_stride", "stride", 4)),
    ],
)
def test_an_answer_that_is_kept_for_numbers_in_any_order_is_wrong(name, parameter, least):
    """Where tuples of so many numbers are told by these alone."""
    known = next(each for each in solutions(function=name) if each.kind == "right").load()
    place = EXERCISES[name].parameters.index(parameter)
    for seed in SEEDS:
        kept = {}

        def keeps(*arguments, kept=kept):
            told = [*arguments]
            if len(arguments[place]) >= least:
                told[place] = "sorted", *sorted(arguments[place])
            if tuple(told) not in kept:
                kept[tuple(told)] = known(*arguments)
            return kept[tuple(told)]

        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(keeps), hidden=True, seed=seed)


@pytest.mark.parametrize("part", [",", "[^0-9-]"], ids=["each argument", "all"])
@pytest.mark.parametrize(
    "name", [name for name, each in EXERCISES.items() if {*each.parameters}.isdisjoint(TENSORS)]
)
def test_an_answer_that_is_kept_for_digits_is_wrong(name, part):
    """Where it is lost in each argument, or in all, at which digit a number ends."""
    for seed in SEEDS:
        kept = {}

        def keeps(*arguments, kept=kept):
            digits = re.sub(part, "", repr(arguments).replace(" ", ""))
            if digits not in kept:
                kept[digits] = right(name, *arguments)
            return kept[digits]

        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(keeps), hidden=True, seed=seed)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        (name, place)
        for name, exercise in EXERCISES.items()
        if len(exercise.parameters) > 1 and name not in ("reshape", "shares_memory")
        for place in range(len(exercise.parameters))
    ],
)
def test_the_last_answer_kept_without_an_argument_is_wrong(name, place):
    """Two calls that follow each other may differ in that one alone."""
    last = {}

    def keeps(*arguments):
        others = arguments[:place] + arguments[place + 1 :]
        if others not in last:
            last.clear()
            last[others] = right(name, *arguments)
        return last[others]

    with pytest.raises(CheckFailed):
        run_check(EXERCISES[name], OneOfOurs(keeps), hidden=True, seed=SEED)


LEFT_OUT = [
    lambda x: (),
    lambda x: tuple(x.size()),
    lambda x: (tuple(x.size()), x.dtype),
    lambda x: (tuple(x.size()), x.stride()),
    lambda x: (x.stride(), x.dtype),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("facts", LEFT_OUT)
def test_an_answer_that_is_kept_for_two_addresses_is_wrong(facts, seed):
    """Other tensors begin there as well, with another size, stride or dtype."""
    known = next(each for each in solutions(function="shares_memory") if each.kind == "right")
    shares, kept = known.load(), {}

    def keeps(*pair):
        key = tuple((x.data_ptr(), *facts(x)) for x in pair)
        if key not in kept:
            kept[key] = shares(*pair)
        return kept[key]

    with pytest.raises(CheckFailed):
        run_check(EXERCISES["shares_memory"], OneOfOurs(keeps), hidden=True, seed=seed)


def is_packed(given, first):
    """Whether an array of no size 1 lies in row-major order, from that dim on."""
    shape, steps = given.shape[first:], given.byte_strides[first:]
    return {0, 1}.isdisjoint(given.shape) and right("numpy_flags", shape, steps, given.itemsize)[0]


def has_flags(given, expected):
    """Whether these are the flags of an array."""
    return right("numpy_flags", *vars(given).values()) == expected


def sums_divide(given):
    """Whether some strides do not divide, and what they add up to does, as all else."""
    ratio, steps = max(given.new_itemsize // given.itemsize, 1), given.stride[:-1]
    return any(step % ratio for step in steps) and not any(
        n % ratio for n in (sum(steps), given.size[-1], given.storage_offset)
    )


# Where functions have passed that are wrong there alone: tests of what is given, by name.
CORNERS = {
    "position": (
        lambda given: len(given.index) > 4 and not any(given.index),
        lambda given: len(given.index) > 4 and not any(given.stride),
        lambda given: len(given.index) == 2 and given.storage_offset > 2,
    ),
    "inplace_verdict": (
        lambda given: len(given.size) > 6 and all(given.stride[:-1]) and given.stride[-1] == 0,
    ),
    "diagonal": (lambda given: max(given.size) > 9 and given.offset > 255,),
    "sliding_window": (
        lambda given: len(given.size) > 2 and given.size[given.dim] == 1,
        lambda given: given.size[given.dim] - given.window == given.step > 48,
    ),
    "expand": (
        lambda given: len(given.size) > 7,
        lambda given: (
            len(given.size) == len(given.new_size) > 3
            and given.new_size != given.size
            and all(n in (1, was) for was, n in zip(given.size, given.new_size, strict=True))
        ),
    ),
    "bytes_saved": (lambda given: len(given.size) > 4 and given.itemsize > 16,),
    "view_dtype": (
        lambda given: given.stride[1:] and given.stride[-1] == 0,
        lambda given: len(given.size) > 4 and given.stride[-1] == 1 and sums_divide(given),
    ),
    "select": (lambda given: 255 < given.index < max(given.size, default=0),),
    "transpose": (
        lambda given: max(given.dim0, given.dim1) < 0 and abs(given.dim0 - given.dim1) > 7,
    ),
    "numpy_flags": (
        lambda given: len(given.shape) > 6 and is_packed(given, 1) and not is_packed(given, 0),
        lambda given: len(given.shape) > 4 and sum(map((0).__gt__, given.byte_strides)) > 1,
        lambda given: min(given.byte_strides, default=1) < 0 and has_flags(given, (True, False)),
        lambda given: min(given.byte_strides, default=1) == 0 and has_flags(given, (True, False)),
        lambda given: min(given.byte_strides, default=1) == 0 and has_flags(given, (False, True)),
    ),
    "can_view": (
        # The one seam that is in the way is before a dim that repeats the last elements.
        lambda given: (
            len(given.size) == 3
            and given.stride[2] == 0 < given.stride[1]
            and given.stride[0] == given.size[1] * given.stride[1]
            and given.new_size == (given.size[0], given.size[1] * given.size[2])
            and 1 not in given.size
        ),
    ),
    "lines_touched": (lambda given: len(given.size) > 4 and given.storage_offset > 255,),
    "line_switches": (lambda given: len(given.size) > 4 and given.storage_offset > 255,),
    "writes_per_position": (lambda given: len(given.size) > 4 and given.storage_offset > 255,),
    "in_bounds": (
        lambda given: given.storage_offset > given.storage_length == 0 and 0 in given.size[3:],
        lambda given: len(given.size) > 8 and 0 not in given.size and min(given.stride) >= 0,
        lambda given: given.size[1:-1] == (1,) and given.stride[1] < 0,
        lambda given: given.storage_length > 65_535,
    ),
    "resize": (
        lambda given: given.storage_length > 15_000,
        lambda given: given.storage_length <= given.storage_offset and {*given.new_size} == {1},
    ),
    "reading_order": (lambda given: 0 in given.size[3:] and given.stride[-1] == 0,),
    "slice_dim": (
        lambda given: given.step < 1 and len(given.size) > 4,
        lambda given: given.step < 1 and given.start < 0,
        lambda given: given.step < 1 and given.stop < 0,
        lambda given: given.step < 1 and given.stop > 300,
        lambda given: given.step < 1 and 0 in given.size[1:],
        lambda given: given.step < 1 and zero_repeats(given.size, given.stride),
        lambda given: given.step > 0 and given.start > 300 and len(given.size) > 1,
        lambda given: given.step > 255 and len(given.size) > 4,
        lambda given: given.step > 1000,
        lambda given: given.step > 0 and given.stop < -300,
    ),
}


@pytest.mark.parametrize(
    ("name", "corner"), [(name, corner) for name, corners in CORNERS.items() for corner in corners]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_gives_nothing_in_a_corner_fails(name, corner, seed):
    """Wherever else it is right."""
    exercise = EXERCISES[name]

    def function(*arguments):
        given = SimpleNamespace(**dict(zip(exercise.parameters, arguments, strict=True)))
        return None if corner(given) else right(name, *arguments)

    with pytest.raises(CheckFailed):
        run_check(exercise, OneOfOurs(function), hidden=True, seed=seed)


# Mistakes by how their hints begin, and so many dims that are seldom met by chance where they err.
IN_MANY_DIMS = [
    ("transpose", "if a dim that is named twice", 5),
    ("transpose", "if a dim that is named twice", 10),
    ("squeeze", "if a dim of size 0", 12),
    ("slice_dim", "if a slice that ends before", 12),
    ("can_view", "if strides of dims of size 1", 4),
    ("can_view", "if strides of dims of size 1", 7),
    ("can_view", "if the size of the left dim", 7),
    ("resize", "if the storage grows up to the offset", 7),
    ("has_overlap", "if only indices are compared that are near", 7),
    ("inplace_verdict", "if only indices are compared that are near", 7),
    ("inplace_verdict", "if every stride 0 is refused", 7),
    ("inplace_verdict", "if only the first stride of 0", 7),
]


@pytest.mark.parametrize(("name", "begin", "least"), IN_MANY_DIMS)
@pytest.mark.parametrize("seed", [*SEEDS, 1, 2, 3])
def test_a_mistake_that_is_made_in_many_dims_alone_is_found(name, begin, least, seed):
    """Each way of it, whatever the seed."""
    ways = [each.function for each in EXERCISES[name].mistakes if each.said.startswith(begin)]
    assert ways
    for wrong in ways:

        def errs(size, *others, wrong=wrong):
            return wrong(size, *others) if len(size) >= least else right(name, size, *others)

        with pytest.raises(CheckFailed):
            run_check(EXERCISES[name], OneOfOurs(errs), hidden=True, seed=seed)


@pytest.mark.parametrize("name", ["reshape", "contiguous", "to_channels_last"])
@pytest.mark.parametrize("is_view", [False, True])
def test_whether_torch_calls_it_a_view_decides_nothing(name, is_view):
    """Who turns what he was given is found out, be it one or not."""
    known = next(each for each in solutions(function=name) if each.kind == "right").load()

    def turns(tensor, *size):
        if tensor.dim() > 1 and tensor._is_view() is is_view:
            tensor.transpose_(0, -1)
        return known(tensor, *size)

    with pytest.raises(CheckFailed, match="changed tensor itself"):
        run_check(EXERCISES[name], OneOfOurs(turns), hidden=True, seed=SEED)


def transposes(tensor, new_size):
    """Takes another order of the sizes, of more than four, for one of the dims."""
    dims = range(tensor.dim())
    if len(dims) == len(new_size) > 4 and tuple(tensor.shape) != new_size:
        for order in permutations(dims):
            if tuple(tensor.shape[dim] for dim in order) == new_size:
                return tensor.permute(order)
    try:
        return tensor.view(new_size)
    except RuntimeError:
        return tensor.contiguous().view(new_size)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reshape_that_transposes_fails(seed):
    """Where the new size is the old one in another order."""
    with pytest.raises(CheckFailed):
        run_check(EXERCISES["reshape"], OneOfOurs(transposes), hidden=True, seed=seed)


@pytest.mark.parametrize("signs", [*product((1, -1), repeat=4)])
def test_an_in_bounds_that_is_wrong_where_signs_meet_in_one_way_is_wrong(signs):
    """There it looks at each dim by itself."""

    def looks(size, stride, storage_offset, storage_length):
        ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
        if 0 in size or tuple(1 if step > 0 else -1 for step in stride) != signs:
            return right("in_bounds", size, stride, storage_offset, storage_length)
        low, high = storage_offset + min(0, *ways), storage_offset + max(0, *ways)
        return low >= 0 and high < storage_length

    with pytest.raises(CheckFailed):
        run_check(EXERCISES["in_bounds"], OneOfOurs(looks), hidden=True, seed=SEED)
