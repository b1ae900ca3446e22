# %% right: by hand
def clamp(bound, n):
    if bound < 0:
        bound = bound + n
    if bound < 0:
        return 0
    if bound > n:
        return n
    return bound


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if dim < 0:
        dim = dim + len(size)
    if dim < 0 or dim >= len(size):
        raise IndexError("dim out of range")
    if step < 1:
        raise ValueError("step")
    n = size[dim]
    first = clamp(start, n)
    last = clamp(stop, n)
    # count them one by one
    count = 0
    i = first
    while i < last:
        count += 1
        i += step
    sizes = list(size)
    strides = list(stride)
    sizes[dim] = count
    strides[dim] *= step
    return tuple(sizes), tuple(strides), storage_offset + first * stride[dim]


# %% right: fractions
from fractions import Fraction
from math import ceil
from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple
    storage_offset: int


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if not step > 0:
        raise ValueError(step)
    if dim >= len(size) or dim < -len(size):
        raise IndexError
    n = size[dim]
    a, b = (sorted((0, x + n * (x < 0), n))[1] for x in (start, stop))
    count = max(ceil(Fraction(b - a, step)), 0)
    k = dim % len(size)
    return Header(
        tuple(count if i == k else m for i, m in enumerate(size)),
        tuple(s * step if i == k else s for i, s in enumerate(stride)),
        storage_offset + stride[dim] * a,
    )


# %% right: recursive
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = [*range(len(size))][dim]
    if d:
        s, t, o = slice_dim(size[1:], stride[1:], storage_offset, d - 1, start, stop, step)
        return size[:1] + s, stride[:1] + t, o
    a, b, c = slice(start, stop, step).indices(size[0])

    def to(i):
        return 0 if i >= b else 1 + to(i + c)

    return (to(a),) + size[1:], (stride[0] * c,) + stride[1:], storage_offset + a * stride[0]


# %% right: slice indices
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step <= 0:
        raise ValueError("step must be positive")
    dim = range(len(size))[dim]
    start, stop, step = slice(start, stop, step).indices(size[dim])
    n = len(range(start, stop, step))
    return (
        size[:dim] + (n,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )


# %% right: slices a range
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    dims = list(zip(size, stride))
    n, s = dims[dim]
    taken = range(n)[start:stop:step]
    dims[dim] = (len(taken), s * step)
    return tuple(d[0] for d in dims), tuple(d[1] for d in dims), storage_offset + s * taken.start


# %% right: slow lists
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    np = list(size)
    torch = list(stride)
    n = np[dim]
    storage = []

    def flatten(bound):
        while bound < 0:
            bound += n
            break
        while bound < 0:
            bound += 1
        while bound > n:
            bound -= 1
        return bound

    a, b = flatten(start), flatten(stop)
    for i in range(n):
        if a <= i < b and (i - a) % step == 0:
            storage.append(i)
    np[dim] = len(storage)
    torch[dim] = torch[dim] * step
    move = 0
    for _ in range(a):
        move += stride[dim]
    return tuple(np), tuple(torch), storage_offset + move


# %% wrong, usual: rounded down
# draws: if the new size is rounded down
# draws: rule: 1:3:2 in a dim of size 2 means 1:2:2 (negative bounds count from the end, and what is too far is cut off); (2 - 1)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    dim = range(len(size))[dim]
    start, stop, _ = slice(start, stop).indices(size[dim])
    n = max((stop - start) // step, 0)
    return (
        size[:dim] + (n,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )


# %% wrong: all without negative
# draws: returned ((3, 2), (7, 2), 4); expected ((2, 2), (7, 2), 11)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if start <= 0 and stop >= n:
        return (
            size[:d] + ((n + step - 1) // step,) + size[d + 1 :],
            stride[:d] + (stride[d] * step,) + stride[d + 1 :],
            storage_offset,
        )
    r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )


# %% wrong: cache without offset
# draws: returned ((2, 2), (7, 2), 11); expected ((2, 2), (7, 2), 307)
_seen = {}


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    key = (size, stride, dim, start, stop, step)
    if key not in _seen:
        d = range(len(size))[dim]
        r = range(size[d])[start:stop:step]
        _seen[key] = (
            size[:d] + (len(r),) + size[d + 1 :],
            stride[:d] + (stride[d] * step,) + stride[d + 1 :],
            storage_offset + r.start * stride[d],
        )
    return _seen[key]


# %% wrong: equal strides change too
# draws: returned ((1, 3, 2), (10, 1, 10), 9); expected ((1, 3, 2), (10, 1, 5), 9)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    r = range(size[d])[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        tuple(s * step if s == stride[d] else s for s in stride),
        storage_offset + r.start * stride[d],
    )


# %% wrong: first hundred
# draws: returned ((2, 1), (300, 99), 7); expected ((2, 3), (300, 99), 7)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    r = [i for i in range(100) if i < size[d]][start:stop:step]
    a = slice(start, stop).indices(size[d])[0]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: float size
# draws: a float. It should be an int
import math


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    start, stop, step = slice(start, stop, step).indices(size[dim])
    sizes, strides = list(size), list(stride)
    sizes[dim] = max(0.0, math.ceil((stop - start) / step) * 1.0)
    strides[dim] *= step
    return tuple(sizes), tuple(strides), storage_offset + start * stride[dim]


# %% wrong: hangs
# draws: does not return in time: it was stopped
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    dim = range(len(size))[dim]
    start, stop, _ = slice(start, stop).indices(size[dim])
    count, i = 0, start
    while i < stop:
        i, count = i + step, count + 1
    return (
        size[:dim] + (count,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )


# %% wrong: is between numbers
# draws: returned ((2, 1), (300, 49), 254); expected ((2, 2), (300, 49), 254)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if stop is n:
        r = range(n)[start::step]
    elif stop >= n:
        r = range(n)[start : n - 1 if stop == n else n : step]
    else:
        r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )


# %% wrong: minus one means end
# draws: slice_dim(size=(3, 2), stride=(7, 2), storage_offset=4, dim=0, start=0, stop=-1, step=2) returned ((2, 2), (14, 2), 4)
# draws: if a stop of -1 means the end. It
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if stop == -1:
        stop = n
    r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )


# %% wrong: new stride in offset
# draws: if start is multiplied by the new stride
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    start, stop, step = slice(start, stop, step).indices(size[dim])
    size, stride = list(size), list(stride)
    size[dim] = len(range(start, stop, step))
    stride[dim] *= step
    storage_offset += start * stride[dim]
    return tuple(size), tuple(stride), storage_offset


# %% wrong: no clamp
# draws: if start and stop are not clamped into 0 to size
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    n = size[dim]
    if start < 0:
        start += n
    if stop < 0:
        stop += n
    size, new_stride = list(size), list(stride)
    size[dim] = max(0, -(-(stop - start) // step))
    new_stride[dim] = stride[dim] * step
    return tuple(size), tuple(new_stride), storage_offset + start * stride[dim]


# %% wrong: offset of empty
# draws: if an empty slice leaves the stride as it was, or the offset
# draws: also when nothing is left
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    dim = range(len(size))[dim]
    picked = range(size[dim])[start:stop:step]
    if len(picked):
        storage_offset += picked[0] * stride[dim]
    return (
        size[:dim] + (len(picked),) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset,
    )


# %% wrong: size of empty is positive
# draws: returned ((1, 3), (2, 7), 8); expected ((0, 3), (2, 7), 8)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    a, b, _ = slice(start, stop).indices(size[d])
    n = -(-abs(b - a) // step)
    return (
        size[:d] + (n,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: step clamped
# draws: slice_dim(size=(2, 3, 2), stride=(1, 2, 6), storage_offset=0, dim=-1, start=1, stop=2, step=5) returned ((2, 3, 1)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    r = range(n)[start:stop:step]
    if step > n > 0:
        step = n
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )


# %% wrong: step tested in dim zero
# draws: returned ((2, 0), (7, 0), 8); expected a ValueError, because the step is 0, and it has to be at least 1.
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    d = range(len(size))[dim]
    if d == 0 and step < 1:
        raise ValueError
    n = size[d]
    a, b, _ = slice(start, stop).indices(n)
    count = max(0, -((a - b) // step)) if step else 0
    return (
        size[:d] + (count,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: step tested late
# draws: returned ((0, 3), (0, 2), 18); expected a ValueError, because the step is 0, and it has to be at least 1
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    d = range(len(size))[dim]
    a, b, _ = slice(start, stop).indices(size[d])
    if b <= a:
        count = 0
    else:
        if step < 1:
            raise ValueError
        count = (b - a + step - 1) // step
    return (
        size[:d] + (count,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: true division
# draws: returned ((2, 2), (2, 9007199254740992), 109007199254740994); expected ((2, 2), (2, 9007199254740993), 109007199254740994)
from math import ceil


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    a, b, _ = slice(start, stop).indices(size[d])
    count = max(0, ceil((b - a) / step))
    return (
        size[:d] + (count,) + size[d + 1 :],
        stride[:d] + (int(stride[d] * float(step)),) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: zero step of empty
# draws: returned ((0, 3), (0, 2), 18); expected a ValueError, because the step is 0, and it has to be at least 1
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    d = range(len(size))[dim]
    if step < 0:
        raise ValueError
    a, b, _ = slice(start, stop).indices(size[d])
    n = 0 if b <= a else len(range(a, b, step))
    return (
        size[:d] + (n,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )


# %% wrong: start is not cut off at the end
# draws: slice_dim(size=(2, 3), stride=(7, 2), storage_offset=4, dim=0, start=5, stop=9, step=1) returned
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError(step)
    dim = range(len(size))[dim]
    n, old = size[dim], stride[dim]
    if start < 0:
        start = max(start + n, 0)
    count = len(range(start, slice(stop).indices(n)[1], step))
    return (
        (*size[:dim], count, *size[dim + 1 :]),
        (*stride[:dim], old * step, *stride[dim + 1 :]),
        storage_offset + start * old,
    )


# %% wrong: start is not cut off at 0
# draws: slice_dim(size=(2, 3), stride=(7, 2), storage_offset=4, dim=0, start=-9, stop=2, step=1) returned
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError(step)
    dim = range(len(size))[dim]
    n, old = size[dim], stride[dim]
    start = min(start + n if start < 0 else start, n)
    count = len(range(start, slice(stop).indices(n)[1], step))
    return (
        (*size[:dim], count, *size[dim + 1 :]),
        (*stride[:dim], old * step, *stride[dim + 1 :]),
        storage_offset + start * old,
    )
