# %% right: bit mask
from math import prod


def has_overlap(size, stride):
    storage = 1
    for n, step in zip(size, stride):
        rows = [storage << i * step for i in range(n)]
        storage = 0
        for row in rows:
            storage |= row
    return f"{storage:b}".count("1") != prod(size)


# %% right: differences
def has_overlap(size, stride):
    # Two indices meet when the dims' differences cancel out and not all are 0.
    if any(n == 0 for n in size):
        return False

    def cancel(rest, total, moved):
        if not rest:
            return moved and total == 0
        (n, s), *others = rest
        return any(cancel(others, total + d * s, moved or d != 0) for d in range(1 - n, n))

    return bool(cancel(list(zip(size, stride)), 0, False))


# %% right: dim by dim
def has_overlap(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    return sorted(set(at)) != sorted(at)


# %% right: recursive in one set
def has_overlap(size, stride):
    visited = set()

    def visit(dim, position):
        if dim == len(size):
            known = position in visited
            visited.add(position)
            return known
        return any(visit(dim + 1, position + i * stride[dim]) for i in range(size[dim]))

    return visit(0, 0)


# %% right: set
from itertools import product


def has_overlap(size, stride):
    seen = set()
    for index in product(*(range(n) for n in size)):
        position = 0
        for i, s in zip(index, stride):
            position += i * s
        if position in seen:
            return True
        seen.add(position)
    return False


# %% right: slow all pairs
from itertools import product


def has_overlap(size, stride):
    indices = list(product(*map(range, size)))
    positions = [sum(i * s for i, s in zip(index, stride)) for index in indices]
    for one, position in enumerate(positions):
        for other, same in enumerate(positions):
            if one != other and position == same:
                return True
    return False


# %% wrong, usual: only stride zero
# draws: hint: this is what you get if only stride 0 is taken for overlap
# draws: rule: it overlaps if two indices share a position, and the indices
def has_overlap(size, stride):
    if 0 in size:
        return False
    return any(n > 1 and s == 0 for n, s in zip(size, stride))


# %% wrong: cache by sorted dims
# draws: returned False; expected True.
from itertools import product

known = {}


def has_overlap(size, stride):
    key = tuple(sorted(size)), tuple(sorted(stride))
    if key not in known:
        at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
        known[key] = len(set(at)) < len(at)
    return known[key]


# %% wrong: count
# draws: of type int. Return a bool, True or False
from itertools import product


def has_overlap(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(at) - len(set(at))


# %% wrong: empty
# draws: raised ValueError
# draws: rule: without elements there is no index, and so no two that share a position
from itertools import product


def has_overlap(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    counts = [0] * (max(at) + 1)
    for p in at:
        counts[p] += 1
    return max(counts) > 1


# %% wrong: intervals
# draws: returned True; expected False.
from itertools import pairwise, product


def has_overlap(size, stride):
    if not size or 0 in size:
        return False
    starts = sorted(
        sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size[:-1]))
    )
    length = (size[-1] - 1) * stride[-1]
    stays = size[-1] > 1 and stride[-1] == 0
    return stays or any(after <= before + length for before, after in pairwise(starts))


# %% wrong: one dim against the rest
# draws: hint: this is what you get if each dim is compared with all the others. Two of them can meet two others: strides 3 and 6 lead as far as 4 an
# draws: returned False; expected True.
from itertools import product


def reached(dims):
    indices = product(*(range(n) for n, _ in dims))
    return {sum(i * s for i, (_, s) in zip(index, dims)) for index in indices}


def has_overlap(size, stride):
    if 0 in size:
        return False
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    for d, (n, step) in enumerate(dims):
        rest = reached(dims[:d] + dims[d + 1 :])
        if any(i * step in rest for i in range(1, n)):
            return True
    return False


# %% wrong: table of 1024
# draws: returned True; expected False.
from itertools import product


def has_overlap(size, stride):
    table = [False] * 1024
    for index in product(*map(range, size)):
        slot = sum(i * s for i, s in zip(index, stride)) % 1024
        if table[slot]:
            return True
        table[slot] = True
    return False


# %% wrong: zero on size one
# draws: hint: this is what you get if every stride 0 counts
# draws: rule: its 2 indices lie at 2 different positions, 0, 1 (a dim of size 1 repeats nothing, even with stride 0).
from itertools import product


def has_overlap(size, stride):
    if 0 in stride:
        return True
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(set(at)) != len(at)


# %% wrong: ends of each dim
# draws: has_overlap((6, 5), (2, 3)) returned False; expected True.
from itertools import product


def has_overlap(size, stride):
    visited = set()
    for index in product(*({0, 1, n - 1} & {*range(n)} for n in size)):
        position = sum(i * step for i, step in zip(index, stride, strict=True))
        if position in visited:
            return True
        visited.add(position)
    return False


# %% wrong: gives up beyond 100,000
# draws: has_overlap((20, 18), (5100, 5700)) returned False; expected True.
def has_overlap(size, stride):
    positions = {0}
    for n, step in zip(size, stride):
        positions = {position + i * step for position in positions for i in range(n)}
    count = 1
    for n in size:
        count *= n
    return max(positions, default=0) < 100_000 and len(positions) < count
