# %% right: fractions
from fractions import Fraction


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    ratio = Fraction(itemsize, new_itemsize)
    if ratio == 1:
        return size, stride, storage_offset
    if size == () or stride[-1] != 1:
        raise ValueError("torch cannot")
    numbers = [n * ratio for n in (size[-1], storage_offset) + stride[:-1]]
    if any(number.denominator > 1 for number in numbers):
        raise ValueError("torch cannot: something does not divide")
    last, offset, *steps = (number.numerator for number in numbers)
    return size[:-1] + (last,), tuple(steps) + (1,), offset


# %% right: generator
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    ratio, joined = (
        max(itemsize, new_itemsize) // min(itemsize, new_itemsize),
        new_itemsize > itemsize,
    )

    def scaled(values):
        for value in values:
            if not joined:
                yield value * ratio
            elif value % ratio:
                raise ValueError(value)
            else:
                yield value // ratio

    if ratio == 1:
        return size, stride, storage_offset
    if len(size) == 0 or stride[-1] != 1:
        raise ValueError("last dim")
    return (
        size[:-1] + tuple(scaled(size[-1:])),
        tuple(scaled(stride[:-1])) + (1,),
        next(scaled([storage_offset])),
    )


# %% right: lists
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return (size, stride, storage_offset)
    if len(size) == 0:
        raise ValueError("rank 0")
    if stride[-1] != 1:
        raise ValueError("last stride must be 1")
    size = list(size)
    stride = list(stride)
    if itemsize > new_itemsize:
        r = itemsize // new_itemsize
        size[-1] = size[-1] * r
        for d in range(len(stride) - 1):
            stride[d] = stride[d] * r
        return (tuple(size), tuple(stride), storage_offset * r)
    r = new_itemsize // itemsize
    for number in [storage_offset, size[-1]] + stride[:-1]:
        if number % r != 0:
            raise ValueError(f"{number} does not divide by {r}")
    size[-1] = size[-1] // r
    for d in range(len(stride) - 1):
        stride[d] = stride[d] // r
    return (tuple(size), tuple(stride), storage_offset // r)


# %% right: match shifts
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    shift = itemsize.bit_length() - new_itemsize.bit_length()

    def to(number):
        if shift < 0 and number % (1 << -shift):
            raise ValueError(f"{number} does not divide")
        return number << shift if shift >= 0 else number >> -shift

    match size, stride:
        case _ if shift == 0:
            return size, stride, storage_offset
        case (*outer, last), (*steps, 1):
            return (*outer, to(last)), (*map(to, steps), 1), to(storage_offset)
    raise ValueError("no last dim that goes byte after byte")


# %% right: recursive halving
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if new_itemsize == itemsize:
        return size, stride, storage_offset
    if size == () or stride[-1] != 1:
        raise ValueError
    if new_itemsize < itemsize:
        return view_dtype(
            size[:-1] + (2 * size[-1],),
            tuple(2 * s for s in stride[:-1]) + (1,),
            2 * storage_offset,
            itemsize // 2,
            new_itemsize,
        )
    if size[-1] & 1 or storage_offset & 1 or any(s & 1 for s in stride[:-1]):
        raise ValueError
    return view_dtype(
        size[:-1] + (size[-1] // 2,),
        tuple(s // 2 for s in stride[:-1]) + (1,),
        storage_offset // 2,
        itemsize * 2,
        new_itemsize,
    )


# %% right: through bytes
def _whole(nbytes, itemsize):
    count, rest = divmod(nbytes, itemsize)
    if rest:
        raise ValueError(f"{nbytes} bytes are not a whole number of elements of {itemsize}")
    return count


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if new_itemsize == itemsize:
        return size, stride, storage_offset
    if stride[-1:] != (1,):
        raise ValueError("the last dim does not go byte after byte")
    # Everything in bytes, and then back in the new elements.
    *outer, last = size
    steps = [_whole(step * itemsize, new_itemsize) for step in stride[:-1]]
    return (
        (*outer, _whole(last * itemsize, new_itemsize)),
        (*steps, 1),
        _whole(storage_offset * itemsize, new_itemsize),
    )


# %% wrong, usual: offset kept
# draws: hint: this is what you get if storage_offset is left as it is
# draws: wrong in storage_offset.
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    if itemsize > new_itemsize:
        r = itemsize // new_itemsize
        new = tuple(s * r for s in stride[:-1]) + (1,)
        return size[:-1] + (size[-1] * r,), new, storage_offset
    r = new_itemsize // itemsize
    if size[-1] % r or any(s % r for s in stride[:-1]):
        raise ValueError
    return size[:-1] + (size[-1] // r,), tuple(s // r for s in stride[:-1]) + (1,), storage_offset


# %% wrong: cache without offset
# draws: returned ((2, 8), (6, 1), 0); expected ((2, 8), (6, 1), 2)
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    key = size, stride, itemsize, new_itemsize
    if key not in KNOWN:
        if itemsize == new_itemsize:
            KNOWN[key] = size, stride, storage_offset
        else:
            if not size or stride[-1] != 1:
                raise ValueError
            nums = (size[-1], storage_offset, *stride[:-1])
            if any(x * itemsize % new_itemsize for x in nums):
                raise ValueError
            a, b, *c = [x * itemsize // new_itemsize for x in nums]
            KNOWN[key] = (*size[:-1], a), (*c, 1), b
    return KNOWN[key]


KNOWN = {}


# %% wrong: compares with is
# draws: raised ValueError, in line 9 (`raise ValueError`); expected ((2, 4), (6, 1), 36028797018963970).
# draws: each element becomes
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize is new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    out = [x * itemsize // new_itemsize for x in nums]
    if any(o * new_itemsize is not x * itemsize for o, x in zip(out, nums)):
        raise ValueError
    a, b, *c = out
    return (*size[:-1], a), (*c, 1), b


# %% wrong: empty exempt
# draws: expected a ValueError
# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    if 0 not in size and any(x * itemsize % new_itemsize for x in nums):
        raise ValueError
    a, b, *c = [x * itemsize // new_itemsize for x in nums]
    return (*size[:-1], a), (*c, 1), b


# %% wrong: floats
# draws: returned ((2, 4), (6, 1), 36028797018963968); expected ((2, 4), (6, 1), 36028797018963970)
# draws: each element becomes
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    r = itemsize / new_itemsize
    nums = [x * r for x in (size[-1], storage_offset, *stride[:-1])]
    if any(x != int(x) for x in nums):
        raise ValueError
    a, b, *c = map(int, nums)
    return (*size[:-1], a), (*c, 1), b


# %% wrong: last size through floats
# draws: 9007199254740993
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    ratio = max(new_itemsize // itemsize, 1)
    if any(n % ratio for n in (size[-1], storage_offset, *stride[:-1])):
        raise ValueError
    last = int(size[-1] * (itemsize / new_itemsize))
    steps = (step * itemsize // new_itemsize for step in stride[:-1])
    return (*size[:-1], last), (*steps, 1), storage_offset * itemsize // new_itemsize


# %% wrong: numel divides
# draws: which does not divide by
from math import prod


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    numbers = [prod(size), storage_offset, *stride[:-1]]
    if any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError
    last, offset, *steps = (
        n * itemsize // new_itemsize for n in (size[-1], storage_offset, *stride[:-1])
    )
    return (*size[:-1], last), (*steps, 1), offset


# %% wrong: same itemsize refused
# draws: view_dtype(size=(2, 2), stride=(2, 2), storage_offset=0, itemsize=4, new_itemsize=4)
# draws: the header stays
# draws: raised ValueError: last stride
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if size == ():
        if itemsize != new_itemsize:
            raise ValueError("rank 0")
        return size, stride, storage_offset
    if stride[-1] != 1:
        raise ValueError("last stride")
    numbers = [size[-1], storage_offset, *stride[:-1]]
    if any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError("does not divide")
    last, offset, *steps = [n * itemsize // new_itemsize for n in numbers]
    return (*size[:-1], last), (*steps, 1), offset


# %% wrong: strides of ones exempt
# draws: expected a ValueError
# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    if any(
        x * itemsize % new_itemsize
        for x in (size[-1], storage_offset, *[s for n, s in zip(size[:-1], stride) if n > 1])
    ):
        raise ValueError
    a, b, *c = [x * itemsize // new_itemsize for x in nums]
    return (*size[:-1], a), (*c, 1), b


# %% wrong: sum divides
# draws: expected a ValueError
# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    nums = (size[-1], storage_offset, *stride[:-1])
    if sum(nums) * itemsize % new_itemsize or size[-1] * itemsize % new_itemsize:
        raise ValueError
    a, b, *c = [x * itemsize // new_itemsize for x in nums]
    return (*size[:-1], a), (*c, 1), b


# %% wrong: three strides only
# draws: which does not divide by
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size or stride[-1] != 1:
        raise ValueError
    if any(n * itemsize % new_itemsize for n in (size[-1], storage_offset, *stride[-4:-1])):
        raise ValueError
    last, offset, *steps = (
        n * itemsize // new_itemsize for n in (size[-1], storage_offset, *stride[:-1])
    )
    return (*size[:-1], last), (*steps, 1), offset


# %% wrong: without offset
# draws: a tuple of 2 items. Return the tuple (size, stride, storage_offset)
def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    if itemsize == new_itemsize:
        return size, stride
    numbers = [storage_offset, *size[-1:], *stride[:-1]]
    if stride[-1:] != (1,) or any(n * itemsize % new_itemsize for n in numbers):
        raise ValueError
    _, last, *steps = [n * itemsize // new_itemsize for n in numbers]
    return (*size[:-1], last), (*steps, 1)
