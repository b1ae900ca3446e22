# %% right: match
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    match (size == new_size, 0 in new_size):
        case [True, _]:
            return (size, stride, storage_offset, storage_length)
        case [_, empty]:
            check = [1]
            for np in new_size[:0:-1]:
                check.append(check[-1] * (np or 1))
            rows = tuple(check[::-1]) if new_size else ()
            if not empty:
                storage_length = max(storage_length, storage_offset + math.prod(new_size))
            return (new_size, rows, storage_offset, storage_length)


# %% right: named tuple
from functools import reduce
from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple
    storage_offset: int
    storage_length: int

    def last_position(self):
        if 0 in self.size:
            return -1
        return self.storage_offset + sum((n - 1) * s for n, s in zip(self.size, self.stride))

    def grown(self):
        return self._replace(storage_length=max(self.storage_length, self.last_position() + 1))


def row_major(size):
    return reduce(lambda done, n: ((n or 1) * done[0],) + done, size[:0:-1], (1,)) if size else ()


def resize(size, stride, storage_offset, storage_length, new_size):
    old = Header(size, stride, storage_offset, storage_length)
    if old.size == new_size:
        return old
    return old._replace(size=new_size, stride=row_major(new_size)).grown()


# %% right: recursive while
def strides(size):
    if not size:
        return ()
    rest = strides(size[1:])
    step = rest[0] * (size[1] if size[1] != 0 else 1) if rest else 1
    return (step, *rest)


def resize(size, stride, storage_offset, storage_length, new_size):
    same = len(size) == len(new_size) and all(a == b for a, b in zip(size, new_size))
    if not same:
        size, stride = new_size, strides(new_size)
        wanted = 1
        for n in new_size:
            wanted *= n
        while wanted and storage_length < storage_offset + wanted:
            storage_length += 1
    return (size, stride, storage_offset, storage_length)


# %% right: slow positions
import itertools


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    out = []
    step = 1
    for n in reversed(new_size):
        out.append(step)
        step *= n if n else 1
    st = tuple(reversed(out))
    positions = [storage_offset + sum((i * s for i, s in zip(ix, st))) for ix in itertools.product(*map(range, new_size))]
    return (new_size, st, storage_offset, max([storage_length, *(p + 1 for p in positions)]))


# %% right: straight
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return size, stride, storage_offset, storage_length
    new_stride = []
    step = 1
    for n in reversed(new_size):
        new_stride.insert(0, step)
        step *= max(n, 1)
    if 0 not in new_size:
        storage_length = max(storage_length, storage_offset + math.prod(new_size))
    return new_size, tuple(new_stride), storage_offset, storage_length


# %% wrong, usual: same size
# draws: wrong in stride
# draws: rule: the size stays
# draws: hint: this is what you get if the strides are written anew although the size is the same
import math


def c_strides(size):
    return tuple(math.prod(max(n, 1) for n in size[d + 1:]) for d in range(len(size)))


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if size != new_size and numel:
        storage_length = max(storage_length, storage_offset + numel)
    return new_size, c_strides(new_size), storage_offset, storage_length


# %% wrong, usual: shrinks
# draws: wrong in storage_length
# draws: hint: this is what you get if the storage shrinks with the tensor
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if new_size == size:
        return size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[d + 1:]) for d in range(len(new_size))
    )
    return new_size, new_stride, storage_offset, storage_offset + math.prod(new_size)


# %% wrong: asks torch
# draws: resize calls
# draws: plain Python on numbers
import torch


def resize(size, stride, storage_offset, storage_length, new_size):
    tensor = torch.arange(storage_length).as_strided(size, stride, storage_offset)
    tensor.resize_(new_size)
    length = tensor.untyped_storage().nbytes() // 8
    return tuple(tensor.size()), tensor.stride(), tensor.storage_offset(), length


# %% wrong: cache without length
# draws: returned ((3, 4), (4, 1), 2, 14); expected ((3, 4), (4, 1), 2, 15)
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def answer(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


known = {}


def resize(size, stride, storage_offset, storage_length, new_size):
    return known.setdefault((size, new_size, storage_offset), answer(size, stride, storage_offset, storage_length, new_size))


# %% wrong: column major
# draws: returned ((3, 4), (1, 3), 2, 14); expected ((3, 4), (4, 1), 2, 14)
# draws: hint: this is what you get if the first dim runs fastest
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size[::-1])[::-1], storage_offset, storage_length)


# %% wrong: doubles
# draws: returned ((3, 4), (4, 1), 2, 26); expected ((3, 4), (4, 1), 2, 14)
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n and storage_offset + n > storage_length:
        storage_length = max(2 * storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


# %% wrong: empty strides of one
# draws: (1, 1, 1), 2, 1); expected ((
# draws: : wrong in stride.
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def answer(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


def resize(size, stride, storage_offset, storage_length, new_size):
    g = answer(size, stride, storage_offset, storage_length, new_size)
    return (g[0], (1,) * len(new_size), *g[2:]) if 0 in new_size and new_size != size else g


# %% wrong: grows by difference
# draws: returned ((3, 4), (4, 1), 2, 21); expected ((3, 4), (4, 1), 2, 14)
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size) - math.prod(size)
    return (new_size, c_strides(new_size), storage_offset, storage_length + max(n, 0))


# %% wrong: keeps strides of the same sizes in six dims
# draws: : wrong in stride.
# draws: rule: another size gets the row-major stride
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if new_size == size:
        return size, stride, storage_offset, storage_length
    if len(size) != 6 or sorted(size) != sorted(new_size):
        sizes = [max(n, 1) for n in new_size]
        stride = tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))
    needed = storage_offset + numel if numel else 0
    return new_size, stride, storage_offset, max(storage_length, needed)


# %% wrong: no length
# draws: a tuple of 3 items. Return the tuple (size, stride, storage_offset, storage_length)
def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return size, stride, storage_offset
    new_stride, step = [], 1
    for n in reversed(new_size):
        new_stride.insert(0, step)
        step *= max(n, 1)
    return new_size, tuple(new_stride), storage_offset


# %% wrong: one short
# draws: returned ((3, 4), (4, 1), 2, 13); expected ((3, 4), (4, 1), 2, 14)
# draws: hint: this is what you get if the storage ends at the last element's position
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n - 1)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


# %% wrong: same digits
# draws: wrong in stride
import math


def key(size):
    return "".join(map(str, size))


def resize(size, stride, storage_offset, storage_length, new_size):
    if key(size) == key(new_size):
        return new_size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[dim + 1:]) for dim in range(len(new_size))
    )
    if 0 not in new_size:
        storage_length = max(storage_length, storage_offset + math.prod(new_size))
    return new_size, new_stride, storage_offset, storage_length


# %% wrong: same numel
# draws: wrong in stride
# draws: rule: another size gets the row-major stride
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if numel == math.prod(size) and len(size) == len(new_size):
        return new_size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[d + 1:]) for d in range(len(new_size))
    )
    if numel:
        storage_length = max(storage_length, storage_offset + numel)
    return new_size, new_stride, storage_offset, storage_length


# %% wrong: same object
# draws: returned ((2,), (1,), 1, 6); expected ((2,), (2,), 1, 6)
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size is new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


# %% wrong: sorted sizes
# draws: : wrong in stride.
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def answer(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


def resize(size, stride, storage_offset, storage_length, new_size):
    if sorted(size) == sorted(new_size):
        return (new_size, stride, storage_offset, storage_length)
    return answer(size, stride, storage_offset, storage_length, new_size)


# %% wrong: strides of ones stay 0
# draws: returned ((1, 1, 1), (0, 0, 0), 1, 2); expected ((1, 1, 1), (1, 1, 1), 1, 2): wrong in
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if new_size == size:
        return size, stride, storage_offset, storage_length
    sizes = [max(n, 1) for n in new_size]
    new_stride = tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))
    if len(sizes) > 2 and set(new_size) == {1} and set(stride) == {0}:
        new_stride = (0,) * len(sizes)
    needed = storage_offset + numel if numel else 0
    return new_size, new_stride, storage_offset, max(storage_length, needed)
