# %% right: dataclass
from dataclasses import dataclass


@dataclass(frozen=True)
class Dim:
    number: int
    size: int
    stride: int

    def follows_on(self, right):
        return self.stride == right.size * right.stride


def seams(size, stride):
    dims = [Dim(*each) for each in zip(range(len(size)), size, stride)]
    dims = list(filter(lambda dim: dim.size > 1, dims))
    return [a.number for a, b in zip(dims, dims[1:]) if not a.follows_on(b)]


# %% right: from the right
def seams(size, stride):
    found = set()
    waiting = None
    for d in reversed(range(len(size))):
        if size[d] != 1:
            # One step of the left dim must lead as far as all of the right dim.
            if waiting is not None and stride[d] != waiting:
                found.add(d)
            waiting = size[d] * stride[d]
    return sorted(found)


# %% right: hides names
def seams(size, stride):
    def rows():
        np = None
        for check in range(len(size)):
            if size[check] == 1:
                continue
            if np is not None and stride[np] ^ size[check] * stride[check]:
                yield np
            np = check
    return list(rows())


# %% right: loop
def seams(size, stride):
    result = []
    left = None
    for d in range(len(size)):
        if size[d] == 1:
            continue
        if left is not None and stride[left] != size[d] * stride[d]:
            result.append(left)
        left = d
    return result


# %% right: recursive
def seams(size, stride, first=0):
    if len(size) < 2:
        return []
    if size[0] == 1:
        return seams(size[1:], stride[1:], first + 1)
    if size[1] == 1:
        # Pull the left dim over the one that does not matter; it keeps its own number.
        inner = seams((size[0],) + size[2:], (stride[0],) + stride[2:], first + 1)
        return [first if d == first + 1 else d for d in inner]
    here = [] if stride[0] == size[1] * stride[1] else [first]
    return here + seams(size[1:], stride[1:], first + 1)


# %% right: reduce
import functools


def seams(size, stride):
    def step(acc, d):
        found, last = acc
        if size[d] == 1:
            return acc
        if last is not None and stride[last] != size[d] * stride[d]:
            found = found + [last]
        return (found, d)
    return functools.reduce(step, range(len(size)), ([], None))[0]


# %% right: slow positions
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    out = []
    for a, b in zip(kept, kept[1:]):
        walk = [i * stride[a] + j * stride[b] for i in range(2) for j in range(size[b])]
        if len({y - x for x, y in zip(walk, walk[1:])}) > 1:
            out.append(a)
    return out


# %% wrong, usual: right dim
# draws: returned [1]; expected [0]
# draws: hint: this is what you get if the right dim of each pair is listed
def seams(size, stride):
    kept = [d for d in range(len(size)) if size[d] != 1]
    return [b for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b]]


# %% wrong: cache by stride
# draws: returned []; expected [0].
from itertools import pairwise


def answer(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]


known = {}


def seams(size, stride):
    return known.setdefault(stride, answer(size, stride))


# %% wrong: found by size
# draws: returned [0, 0]; expected [0, 1].
from itertools import pairwise


def answer(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]


def seams(size, stride):
    return [size.index(size[d]) for d in answer(size, stride)]


# %% wrong: is for equal
# draws: returned [0]; expected [].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] is not size[b] * stride[b]]


# %% wrong: less than
# draws: returned []; expected [0].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] > size[b] * stride[b]]


# %% wrong: one digit
# draws: is 1, and not 10.
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [int(str(a)[0]) for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]


# %% wrong: pairs
# draws: returned [(0, 1)]
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [(a, b) for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b]]


# %% wrong: rank zero
# draws: raised IndexError
# draws: rule: a seam lies between two dims of size 2 or more, and there are fewer than two
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    left, found = kept[0], []
    for d in kept[1:]:
        if stride[left] != size[d] * stride[d]:
            found.append(left)
        left = d
    return found


# %% wrong: true division
# draws: returned []; expected [0].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[b] == 0 and stride[a] != 0 or (stride[b] and stride[a] / stride[b] != size[b])]


# %% wrong: tuple
# draws: a tuple. Return a list of ints
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return tuple(a for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b])


# %% wrong: two ones at most
# draws: returned []; expected [0].
def seams(size, stride):
    out = []
    for d in range(len(size) - 1):
        if size[d] == 1:
            continue
        e = d + 1
        while e < min(len(size), d + 3) and size[e] == 1:
            e += 1
        if e < len(size) and size[e] != 1 and (stride[d] != size[e] * stride[e]):
            out.append(d)
    return out


# %% wrong: zero stride merges
# draws: returned []; expected [0].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] and stride[a] != size[b] * stride[b]]


# %% wrong: divides strides
# draws: seams((3, 2), (5, 2)) returned []; expected [0]
def seams(size, stride):
    kept = [dim for dim, n in enumerate(size) if n != 1]
    return [
        left
        for left, right in zip(kept, kept[1:])
        if not stride[right] or stride[left] // stride[right] != size[right]
    ]
