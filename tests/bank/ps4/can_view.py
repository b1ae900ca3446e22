# %% right: class with tensor methods
import itertools


class Tensor:

    def __init__(self, size, stride):
        self.size, self.stride = (size, stride)

    def contiguous(self):
        return [(n, s) for n, s in zip(self.size, self.stride) if n != 1]

    def flatten(self):
        np = self.contiguous()
        out = []
        for n, s in np:
            if out and out[-1][1] == n * s:
                out[-1] = (out[-1][0] * n, s)
            else:
                out.append((n, s))
        return out

    def view(self, new):
        runs = list(itertools.accumulate((n for n, _ in self.flatten()), int.__mul__))
        return set(runs) <= {*itertools.accumulate(new, int.__mul__)}


def can_view(size, stride, new_size):
    return 0 in size or Tensor(size, stride).view(new_size)


# %% right: cut points
import math


def can_view(size, stride, new_size):
    if math.prod(size) == 0:
        return True
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    cuts = set()
    inner = 1
    for left, right in list(zip(dims, dims[1:]))[::-1]:
        inner *= right[0]
        if left[1] != right[0] * right[1]:
            cuts.add(inner)
    return cuts <= {math.prod(new_size[d:]) for d in range(len(new_size))}


# %% right: recursive halves
def walk(size, stride, at=0):
    if not size:
        yield at
        return
    for i in range(size[0]):
        yield from walk(size[1:], stride[1:], at + i * stride[0])


def can_view(size, stride, new_size):
    order = list(walk(size, stride))

    def fits(order, new):
        if not new:
            return len(order) <= 1
        if not order:
            return True
        part = len(order) // new[0]
        first = order[:part]
        hops = {order[i + part] - order[i] for i in range(len(order) - part)}
        return len(hops) <= 1 and fits(first, new[1:])
    return fits(order, new_size)


# %% right: recursive merge
from dataclasses import dataclass


@dataclass
class Run:
    numel: int
    step: int


def runs(dims):
    if not dims:
        return []
    (n, step), *rest = dims
    later = runs(rest)
    if n == 1:
        return later
    if later and step == later[0].numel * later[0].step:
        return [Run(n * later[0].numel, later[0].step)] + later[1:]
    return [Run(n, step)] + later


def fits(numels, sizes):
    if not numels:
        return all(n == 1 for n in sizes)
    if not sizes:
        return False
    first, *others = numels
    if first % sizes[0]:
        return False
    if first == sizes[0]:
        return fits(others, sizes[1:])
    return fits([first // sizes[0]] + others, sizes[1:])


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    return fits([run.numel for run in runs(list(zip(size, stride)))], list(new_size))


# %% right: slow brute force
# Write down every position in reading order; then see whether some strides visit them so.
from itertools import product


def positions(size, stride):
    return [
        sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    ]


def can_view(size, stride, new_size):
    order = positions(size, stride)
    if not order:
        return True
    inner = 1
    new_stride = []
    for n in reversed(new_size):
        new_stride.insert(0, order[inner] if n > 1 else 0)
        inner *= n
    return positions(new_size, new_stride) == order


# %% right: slow recursion per element
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    total = math.prod(size)

    def place(k, size, stride):
        out = 0
        for n, s in zip(size[::-1], stride[::-1]):
            k, i = divmod(k, n)
            out += i * s
        return out
    guess = tuple((place(math.prod(new_size[d + 1:]), size, stride) if n > 1 else 0 for d, n in enumerate(new_size)))

    def same(k):
        return k == total or (place(k, size, stride) == place(k, new_size, guess) and same(k + 1))
    return same(0)


# %% right: slow search over strides
from itertools import product
import math


def positions(size, stride):
    return [sum(map(int.__mul__, ix, stride)) for ix in product(*map(range, size))]


def can_view(size, stride, new_size):
    order = positions(size, stride)
    if not order:
        return True
    ones = [d for d, n in enumerate(new_size) if n > 1]
    for d in ones:
        inner = math.prod(new_size[d + 1:])
        fits = [s for s in range(max(order) + 1) if s == order[inner] - order[0]]
        if not fits:
            return False
    guess = [order[math.prod(new_size[d + 1:])] if n > 1 else 0 for d, n in enumerate(new_size)]
    return positions(new_size, guess) == order


# %% right: torch walk
# As torch does it: gather old dims into chunks from the right, and let new dims fill them.
def can_view(size, stride, new_size):
    for n in size:
        if n == 0:
            return True
    if not size:
        return True
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                filled *= new_size[new]
                new -= 1
            if filled != chunk:
                return False
            if d > 0:
                base = stride[d - 1]
                chunk = 1
    return new == -1


# %% wrong, usual: contiguous
# draws: returned False; expected True
# draws: hint: this is what you get if only contiguous tensors can be viewed
def can_view(size, stride, new_size):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True


# %% wrong: asks torch
# draws: can_view calls torch.empty_strided
import torch


def can_view(size, stride, new_size):
    try:
        torch.empty_strided(size, stride).view(new_size)
    except RuntimeError:
        return False
    return True


# %% wrong: base not updated
# draws: returned False; expected True.
def can_view(size, stride, new_size):
    if 0 in size or not size:
        return True
    new = len(new_size) - 1
    chunk, base = 1, stride[-1]
    for d in reversed(range(len(size))):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                filled *= new_size[new]
                new -= 1
            if filled != chunk:
                return False
            chunk = 1
    return True


# %% wrong: cache without stride
# draws: returned True; expected False.
from itertools import pairwise
import math


def answer(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


known = {}


def can_view(size, stride, new_size):
    return known.setdefault((size, new_size), answer(size, stride, new_size))


# %% wrong: empty walked
# draws: rule: what holds no elements can always be viewed
import math


def can_view(size, stride, new_size):
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    ends = [math.prod(new_size[d:]) for d in range(len(new_size) + 1)]
    inner = 1
    for (_, left), (n, right) in zip(dims[-2::-1], dims[:0:-1]):
        inner *= n
        if left != n * right and inner not in ends:
            return False
    return True and (0 not in size or size == new_size)


# %% wrong: first seam only
# draws: returned True; expected False.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    for a, b in pairwise(kept):
        if stride[a] != size[b] * stride[b]:
            return math.prod(size[b:]) in ends
    return True


# %% wrong: int
# draws: of type int. Return a bool
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return 1
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    bad = 0
    inner = 1
    for (_, left), (n, right) in zip(dims[-2::-1], dims[:0:-1]):
        inner *= n
        if left != n * right:
            bad |= inner not in [math.prod(new_size[k:]) for k in range(len(new_size))]
    return 1 - bad


# %% wrong: is for equal
# draws: returned False; expected True.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] is size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


# %% wrong: last position only
# draws: returned True; expected False.
from itertools import product


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def can_view(size, stride, new_size):
    p = positions(size, stride)
    if not p:
        return True
    g = []
    inner = 1
    for n in new_size[::-1]:
        g.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return positions(new_size, g)[-1] == p[-1]


# %% wrong: last seam only
# draws: returned True; expected False.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    for a, b in list(pairwise(kept))[::-1]:
        if stride[a] != size[b] * stride[b]:
            return math.prod(size[b:]) in ends
    return True


# %% wrong: nearly equal
# draws: returned True; expected False.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all(
        math.isclose(stride[a], size[b] * stride[b], rel_tol=1e-5) or math.prod(size[b:]) in ends
        for a, b in pairwise(kept)
    )


# %% wrong: rank zero
# draws: raised IndexError
# draws: rule: a single element can be viewed in any size
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    inner, step, run = 1, stride[-1], 1
    for d in reversed(range(len(size))):
        if size[d] == 1:
            continue
        if run > 1 and stride[d] != run * step:
            if inner not in [math.prod(new_size[k:]) for k in range(len(new_size))]:
                return False
            run = 1
        if run == 1:
            step = stride[d]
        run *= size[d]
        inner *= size[d]
    return True


# %% wrong: seven new dims
# draws: returned False; expected True.
from itertools import pairwise
import math


def answer(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    s = [n for n in size if n != 1]
    t = [n for n in new_size if n != 1]
    if s == t:
        return True
    return answer(size, stride, new_size) if len(s) < 4 else answer(size, stride, new_size) and len(t) < 7


# %% wrong: size in new size
# draws: returned True; expected False.
from itertools import pairwise


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or size[b] in new_size for a, b in pairwise(kept)))
