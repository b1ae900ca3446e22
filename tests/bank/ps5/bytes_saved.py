# %% right: bit mask
def bytes_saved(size, stride, itemsize):
    # Bit p is set if position p is reached.
    count, reached = 1, 1
    for n, step in zip(size, stride):
        count *= n
        shifted = 0
        for i in range(n):
            shifted |= reached << i * step
        reached = shifted
    return itemsize * (count - reached.bit_count())


# %% right: counts repeats
from collections import Counter


def positions(size, stride):
    if not size:
        yield 0
        return
    for p in positions(size[1:], stride[1:]):
        for i in range(size[0]):
            yield p + i * stride[0]


def bytes_saved(size, stride, itemsize):
    return itemsize * sum(times - 1 for times in Counter(positions(size, stride)).values())


# %% right: set of positions
import itertools


def bytes_saved(size, stride, itemsize):
    seen = set()
    count = 0
    for index in itertools.product(*map(range, size)):
        count += 1
        seen.add(sum(i * s for i, s in zip(index, stride)))
    return (count - len(seen)) * itemsize


# %% right: slow byte by byte
from itertools import product


def bytes_saved(size, stride, itemsize):
    copied, held = 0, []
    for index in product(*map(range, size)):
        position = sum(i * step for i, step in zip(index, stride))
        copied += itemsize
        if position not in held:
            held.append(position)
    for _ in held:
        for _byte in range(itemsize):
            copied -= 1
    return copied


# %% right: sums dim by dim
from math import prod


def bytes_saved(size, stride, itemsize):
    reached = {0}
    for n, step in zip(size, stride):
        reached = {p + k for p in reached for k in range(0, n * step, step)} if step else (
            reached if n else set()
        )
    return itemsize * (prod(size) - len(reached))


# %% wrong, usual: counts storage
# draws: hint: this is what you get if the storage is counted up to the last position
# draws: (gaps between them hold none of its elements)
from math import prod


def bytes_saved(size, stride, itemsize):
    if 0 in size:
        return 0
    storage = 1 + sum((n - 1) * s for n, s in zip(size, stride))
    return itemsize * (prod(size) - storage)


# %% wrong: cache without itemsize
# draws: returned 4; expected 8.
from itertools import product

saved = {}


def bytes_saved(size, stride, itemsize):
    if (size, stride) not in saved:
        at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
        saved[size, stride] = itemsize * (len(at) - len(set(at)))
    return saved[size, stride]


# %% wrong: float
# draws: a float. Return an int
from itertools import product


def bytes_saved(size, stride, itemsize):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if not at:
        return 0
    return len(at) * itemsize * (1 - len(set(at)) / len(at))


# %% wrong: neighbours in reading order
# draws: returned 0; expected 4.
from itertools import pairwise, product


def bytes_saved(size, stride, itemsize):
    positions = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return itemsize * sum(a == b for a, b in pairwise(positions))


# %% wrong: numpy number
# draws: of NumPy's type int64. Return an int: int(...) makes one
import numpy as np


def bytes_saved(size, stride, itemsize):
    at = {0}
    count = np.int64(1)
    for n, s in zip(size, stride):
        at = {p + i * s for p in at for i in range(n)}
        count = count * n
    return (count - len(at)) * itemsize


# %% wrong: shifts itemsize
# draws: returned 2; expected 3.
from itertools import product


def bytes_saved(size, stride, itemsize):
    positions = [sum(map(int.__mul__, i, stride)) for i in product(*map(range, size))]
    return (len(positions) - len({*positions})) << (itemsize.bit_length() - 1)


# %% wrong: sixteen bits
# draws: returned 1; expected 0.
from itertools import product


def bytes_saved(size, stride, itemsize):
    seen, saved = bytearray(65536), 0
    for index in product(*map(range, size)):
        position = sum(i * step for i, step in zip(index, stride)) & 0xFFFF
        saved += seen[position] * itemsize
        seen[position] = 1
    return saved
