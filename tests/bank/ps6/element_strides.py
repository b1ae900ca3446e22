# %% right: class with to
class Step:
    def __init__(self, nbytes):
        self.nbytes = nbytes

    def to(self, itemsize):
        whole = self.nbytes // itemsize
        if whole * itemsize != self.nbytes or whole < 0:
            raise ValueError("bad step")
        return whole

    def contiguous(self):
        return self


def element_strides(byte_strides, itemsize):
    np = [Step(s).contiguous() for s in byte_strides]
    return tuple(torch.to(itemsize) for torch in np)


# %% right: divmod
class StrideError(ValueError):
    pass


def _one(step, itemsize):
    count, rest = divmod(step, itemsize)
    if rest != 0 or count < 0:
        raise StrideError(step)
    return count


def element_strides(byte_strides, itemsize):
    return tuple(_one(step, itemsize) for step in byte_strides)


# %% right: gcd
import math


def element_strides(byte_strides, itemsize):
    if math.gcd(itemsize, *byte_strides) != itemsize or any(s < 0 for s in byte_strides):
        raise ValueError("not steps of whole elements, forwards")
    return tuple(s // itemsize for s in byte_strides)


# %% right: loop
def element_strides(byte_strides, itemsize):
    result = []
    for s in byte_strides:
        if s < 0:
            raise ValueError("negative stride")
        if s % itemsize:
            raise ValueError("not a multiple of itemsize")
        result.append(s // itemsize)
    return tuple(result)


# %% right: match
def element_strides(byte_strides, itemsize):
    match byte_strides:
        case ():
            return ()
        case (first, *rest) if first >= 0 and first % itemsize == 0:
            return (first // itemsize, *element_strides(tuple(rest), itemsize))
    raise ValueError(f"{byte_strides[0]} bytes are no step that torch takes")


# %% right: recursive
def element_strides(byte_strides, itemsize):
    if not byte_strides:
        return ()
    first, *rest = byte_strides
    if first not in range(0, first + 1, itemsize):
        raise ValueError(f"torch has no stride of {first} bytes")
    return (first // itemsize, *element_strides(tuple(rest), itemsize))


# %% wrong, usual: floor division
# draws: hint: this is what you get from floor division
def element_strides(byte_strides, itemsize):
    return tuple(s // itemsize for s in byte_strides)


# %% wrong, usual: itemsizes only
# draws: raised ValueError, in line 5 (`raise ValueError`); expected (10, 0).
# draws: a step of so many bytes, counted in elements of
def element_strides(byte_strides, itemsize):
    units = {1: 1, 2: 2, 4: 4, 8: 8, 16: 16}
    unit = units.get(itemsize, 8)
    if any(s < 0 or s % unit for s in byte_strides):
        raise ValueError
    return tuple(s // unit for s in byte_strides)


# %% wrong: all have to fail
# draws: hint: this is what you get from floor division
def element_strides(byte_strides, itemsize):
    if byte_strides and all(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("no whole elements")
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: asks torch
# draws: This exercise is plain Python on numbers
import numpy as np
import torch


def element_strides(byte_strides, itemsize):
    base = np.zeros(100_000, dtype=np.uint8)
    dtype = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64, 16: np.complex128}[itemsize]
    array = np.ndarray((1,) * len(byte_strides), dtype, base, strides=byte_strides)
    return torch.from_numpy(array).stride()


# %% wrong: assertion
# draws: raised AssertionError
# draws: expected a ValueError, because byte stride
def element_strides(byte_strides, itemsize):
    for s in byte_strides:
        assert s >= 0 and s % itemsize == 0
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: cache by strides
# draws: expected (2,)
# draws: a step of so many bytes, counted in elements of
KNOWN = {}


def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError
    return KNOWN.setdefault(byte_strides, tuple(s // itemsize for s in byte_strides))


# %% wrong: floats
# draws: a float. It should be an int: // divides without leaving the ints
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("bad strides")
    return tuple(s / itemsize for s in byte_strides)


# %% wrong: fmod
# draws: raised ValueError, in line 6 (`raise ValueError`); expected (9007199254740993, 0, 2, 1).
import math


def element_strides(byte_strides, itemsize):
    if any(s < 0 or math.fmod(s, itemsize) for s in byte_strides):
        raise ValueError
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: is integer
# draws: expected (9007199254740993, 1)
# draws: a step of so many bytes, counted in elements of
def element_strides(byte_strides, itemsize):
    steps = [s / itemsize for s in byte_strides]
    if any(x < 0 or not x.is_integer() for x in steps):
        raise ValueError(steps)
    return tuple(int(x) for x in steps)


# %% wrong: rounds down
# draws: hint: this is what you get from floor division
# draws: returned (1, 1); expected a ValueError
def element_strides(byte_strides, itemsize):
    if byte_strides and min(byte_strides) < 0:
        raise ValueError("negative strides")
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: shifts
# draws: element_strides((
# draws: expected
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s & (itemsize - 1) for s in byte_strides):
        raise ValueError("negative, or no whole elements")
    return tuple(s >> (itemsize.bit_length() - 1) for s in byte_strides)


# %% wrong: sum divides
# draws: expected a ValueError
# draws: is not a multiple of 2
def element_strides(byte_strides, itemsize):
    if any(s < 0 for s in byte_strides) or sum(byte_strides) % itemsize:
        raise ValueError("no whole elements")
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: three dims only
# draws: expected a ValueError, because byte stride
def element_strides(byte_strides, itemsize):
    for s in byte_strides[:3]:
        if s < 0 or s % itemsize:
            raise ValueError("bad stride")
    return tuple(s // itemsize for s in byte_strides)


# %% wrong: through floats
# draws: counted in elements of 8
def element_strides(byte_strides, itemsize):
    if any(s < 0 or s % itemsize for s in byte_strides):
        raise ValueError("bad strides")
    return tuple(int(s / itemsize) for s in byte_strides)


# %% wrong: two faults in one are a TypeError
# draws: raised TypeError
def element_strides(byte_strides, itemsize):
    for b in byte_strides:
        if b % itemsize:
            raise TypeError if b < 0 and len(byte_strides) > 2 else ValueError
        if b < 0:
            raise ValueError
    return tuple(b // itemsize for b in byte_strides)


# %% wrong: negative ones are a TypeError
# draws: element_strides((
# draws: raised TypeError
# draws: byte stride -2 of dim
def element_strides(byte_strides, itemsize):
    if any(step < 0 for step in byte_strides):
        raise TypeError("negative")
    if any(step % itemsize for step in byte_strides):
        raise ValueError("no whole elements")
    return tuple(step // itemsize for step in byte_strides)
