# %% right: positions
from itertools import product


def is_dense(size, stride):
    positions = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return sorted(positions) == list(range(len(positions)))


# %% right: slow bits
from itertools import product


def is_dense(size, stride):
    used = 0
    for index in product(*(range(n) for n in size)):
        bit = 1 << sum(i * step for i, step in zip(index, stride))
        if used & bit:
            return False
        used |= bit
    # Ones only: no gap.
    return used & (used + 1) == 0


# %% right: sorted
def is_dense(size, stride):
    if 0 in size:
        return True
    pairs = sorted((s, n) for s, n in zip(stride, size) if n > 1)
    expected = 1
    for s, n in pairs:
        if s != expected:
            return False
        expected *= n
    return True


# %% right: takes any order
def is_dense(size, stride):
    dims = {dim for dim, n in enumerate(size) if n != 1}

    def flatten(rows, expected):
        if not rows:
            return True
        nexts = [dim for dim in rows if stride[dim] == expected]
        return any(flatten(rows - {dim}, expected * size[dim]) for dim in nexts)

    return 0 in size or flatten(dims, 1)


# %% right: takes away
# Looks for the dim that continues the run, takes it away, and so on.
def is_dense(size, stride):
    if any(n == 0 for n in size):
        return True
    left = [(n, s) for n, s in zip(size, stride) if n != 1]
    run = 1
    while left:
        fitting = [pair for pair in left if pair[1] == run]
        if len(fitting) != 1:
            return False
        left.remove(fitting[0])
        run *= fitting[0][0]
    return True


# %% wrong, usual: gaps
# draws: hint: this is what you get if gaps are ignored.
# draws: so there is a gap.
def is_dense(size, stride):
    # Non-overlapping: no dim steps back into what the faster dims have covered.
    covered = 1
    for s, n in sorted(zip(stride, size)):
        if n > 1:
            if s < covered:
                return 0 in size
            covered = s * n
    return True


# %% wrong: c or f
# draws: hint: this is what you get if only row-major and column-major order are accepted.
# draws: by ascending stride
def one_way(pairs):
    expected = 1
    for n, s in pairs:
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True


def is_dense(size, stride):
    pairs = list(zip(size, stride))
    return 0 in size or one_way(pairs) or one_way(pairs[::-1])


# %% wrong: divisible chain
# draws: returned True; expected False.
from itertools import pairwise
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    steps = sorted(step for n, step in zip(size, stride) if n > 1)
    # From 1 upwards, each a multiple of the one before, and as long as there are elements.
    if steps[:1] not in ([], [1]) or any(b == a or b % a for a, b in pairwise(steps)):
        return False
    return 1 + sum((n - 1) * step for n, step in zip(size, stride)) == prod(size)


# %% wrong: four dims at a time
# draws: returned True; expected False.
from itertools import combinations, product
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n != 1]
    if 1 + sum((n - 1) * step for n, step in kept) != prod(size):
        return False
    # Four dims at a time will be enough to find every overlap.
    for some in combinations(kept, min(4, len(kept))):
        indices = product(*(range(n) for n, _ in some))
        positions = [sum(i * s for i, (_, s) in zip(index, some)) for index in indices]
        if len(set(positions)) < len(positions):
            return False
    return True


# %% wrong: pairs of dims
# draws: returned True; expected False.
# draws: hint: this is what you get if the reach is compared with the number of elements.
from itertools import combinations, product
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n != 1]
    reach = 1 + sum((n - 1) * step for n, step in kept)
    if reach != prod(size):
        return False
    # No two dims may overlap.
    for (n, a), (m, b) in combinations(kept, 2):
        positions = [i * a + j * b for i, j in product(range(n), range(m))]
        if len(set(positions)) < len(positions):
            return False
    return all(step for _, step in kept)


# %% wrong: returns list
# draws: returned [2], a list. Return a bool. Expected here: False.
def is_dense(size, stride):
    gaps, expected = [], 1
    for s, n in sorted((s, n) for s, n in zip(stride, size) if n != 1):
        if s != expected:
            gaps.append(s)
        expected *= n
    return gaps


# %% wrong: strides of 16 bits
# draws: is_dense((2,), (65537,)) returned True
def is_dense(size, stride):
    if 0 in size:
        return True
    expected = 1
    for step, n in sorted((step & 0xFFFF, n) for step, n in zip(stride, size) if n > 1):
        if step != expected:
            return False
        expected *= n
    return True


# %% wrong: ties
# draws: returned True; expected False.
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n > 1]
    return all(step == prod(n for n, other in kept if other < step) for _, step in kept)


# %% wrong: transposes only
# draws: returned False; expected True.
# draws: rule: walk the dims by ascending stride
def walk(pairs):
    expected = 1
    for n, step in pairs:
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


def is_dense(size, stride):
    pairs = list(zip(size, stride))[::-1]
    if 0 in size or walk(pairs):
        return True
    # The other orders: two dims have changed places.
    for a in range(len(pairs)):
        for b in range(a):
            turned = list(pairs)
            turned[a], turned[b] = turned[b], turned[a]
            if walk(turned):
                return True
    return walk(pairs[::-1])
