# %% right: itemgetter
from collections import Counter
from operator import itemgetter


def permute(size, stride, dims):
    rank = len(size)
    dims = [*map(range(rank).__getitem__, dims)]
    if Counter(dims) != Counter(range(rank)):
        raise ValueError
    if not dims:
        return (), ()
    if rank == 1:
        return size, stride
    return itemgetter(*dims)(size), itemgetter(*dims)(stride)


# %% right: own exceptions
import enum


class Fault(ValueError):
    pass


class Missing(IndexError):
    pass


def permute(size, stride, dims):
    lookup = {}
    for d, pair in enumerate(zip(size, stride)):
        lookup[d] = lookup[d - len(size)] = (d, *pair)
    try:
        picked = [lookup[d] for d in dims]
    except KeyError as e:
        raise Missing(e) from None
    match sorted(p[0] for p in picked):
        case l if l == [*range(len(size))]:
            pass
        case _:
            raise Fault
    return tuple(p[1] for p in picked), tuple(p[2] for p in picked)


# %% right: range and sorted
def permute(size, stride, dims):
    everything = range(len(size))
    order = [everything[d] for d in dims]
    if sorted(order) != list(everything):
        raise ValueError(f"{dims} is not a permutation")
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)


# %% right: removes what is used
from collections import Counter


def permute(size, stride, dims):
    pairs = list(enumerate(zip(size, stride)))
    chosen = [pairs[d] for d in dims]
    times = Counter(number for number, _ in chosen)
    if any(times[number] != 1 for number, _ in pairs):
        raise ValueError("every dim exactly once, please")
    return tuple(pair[0] for _, pair in chosen), tuple(pair[1] for _, pair in chosen)


# %% right: set of seen
def permute(size, stride, dims):
    rank = len(size)
    for d in dims:
        if d >= rank or d < -rank:
            raise IndexError(d)
    seen = set()
    new_size, new_stride = [], []
    for d in dims:
        if d < 0:
            d += rank
        if d in seen:
            raise ValueError("twice")
        seen.add(d)
        new_size.append(size[d])
        new_stride.append(stride[d])
    if len(seen) < rank:
        raise ValueError("too few")
    return tuple(new_size), tuple(new_stride)


# %% right: slow all permutations
from itertools import permutations


def permute(size, stride, dims):
    r = len(size)
    for d in dims:
        if d >= r or d < -r:
            raise IndexError
    wanted = tuple(d + r if d < 0 else d for d in dims)
    for o in permutations(range(r)):
        if o == wanted:
            return tuple(size[d] for d in o), tuple(stride[d] for d in o)
    raise ValueError


# %% wrong, usual: inverse
# draws: from the inverse permutation
# draws: new dim 0 is old dim 1
def permute(size, stride, dims):
    rank = len(size)
    order = [range(rank)[d] for d in dims]
    if sorted(order) != list(range(rank)):
        raise ValueError
    new_size, new_stride = [0] * rank, [0] * rank
    for i, d in enumerate(order):
        new_size[d] = size[i]
        new_stride[d] = stride[i]
    return tuple(new_size), tuple(new_stride)


# %% wrong: cache validity by dims
# draws: returned ((), ()); expected a ValueError, because dim 0 is not named
_ok = set()


def permute(size, stride, dims):
    if dims not in _ok:
        o = [range(len(size))[d] for d in dims]
        if sorted(o) != list(range(len(size))):
            raise ValueError
        _ok.add(dims)
    return tuple(size[d] for d in dims), tuple(stride[d] for d in dims)


# %% wrong: fills missing
# draws: returned ((2, 3), (60, 7)); expected a ValueError, because dim 0 is not named.
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if len(set(o)) != len(o):
        raise ValueError
    o += [d for d in range(r) if d not in o]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: generators
# draws: of type generator. It should be a tuple of ints: tuple(...) makes one
def permute(size, stride, dims):
    return (size[d] for d in dims), (stride[d] for d in dims)


# %% wrong: looks at as many as rank
# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the
def permute(size, stride, dims):
    r = len(size)
    for d in dims[:r]:
        if not -r <= d < r:
            raise IndexError
    if len(dims) != r:
        raise ValueError
    o = [d % r for d in dims]
    if len(set(o)) != r:
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: negative not sorted
# draws: if negative dims are sorted as they are
# draws: raised ValueError
def permute(size, stride, dims):
    for d in dims:
        if not -len(size) <= d < len(size):
            raise IndexError
    if sorted(dims) != list(range(len(size))):
        raise ValueError
    return tuple(size[d] for d in dims), tuple(stride[d] for d in dims)


# %% wrong: product
# draws: returned ((3, 3, 3, 1), (7, 7, 7, 7)); expected a ValueError, because dim 0 is not named
from math import prod


def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if len(o) != r or prod(d + 1 for d in o) != prod(range(1, r + 1)):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: same pairs as before
# draws: returned ((2, 2), (3, 3)); expected a ValueError, because dim 0 is not named.
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    s = [(size[d], stride[d]) for d in o]
    if sorted(s) != sorted(zip(size, stride)):
        raise ValueError
    return tuple(x for x, _ in s), tuple(x for _, x in s)


# %% wrong: size only
# draws: if only the size is reordered
def permute(size, stride, dims):
    if sorted(range(len(size))[d] for d in dims) != list(range(len(size))):
        raise ValueError
    return tuple(size[d] for d in dims), stride


# %% wrong: sorts by dims
# draws: returned ((4, 2, 3), (1, 12, 4)); expected ((3, 4, 2), (4, 1, 12))
# draws: from the inverse permutation. dims[i] says where new dim
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if sorted(o) != list(range(r)):
        raise ValueError
    return tuple(n for _, n in sorted(zip(o, size))), tuple(s for _, s in sorted(zip(o, stride)))


# %% wrong: stops at repeat
# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the
def permute(size, stride, dims):
    r = len(size)
    seen = []
    for d in dims:
        if not -r <= d < r:
            raise IndexError
        d %= r
        if d in seen:
            raise ValueError
        seen.append(d)
    if len(seen) != r:
        raise ValueError
    return tuple(size[d] for d in seen), tuple(stride[d] for d in seen)


# %% wrong: sum and squares
# draws: returned ((2, 2, 4, 2, 2, 3, 3), (60, 60, 1, 0, 0, 12, 12)); expected a ValueError, because dim 0 is named more than once
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if (
        len(o) != r
        or sum(o) != sum(range(r))
        or sum(d * d for d in o) != sum(d * d for d in range(r))
    ):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: too many of five or six dims
# draws: expected a ValueError, because dim
def permute(size, stride, dims):
    rank = len(size)
    order = [range(rank)[d] for d in dims]
    if rank in (5, 6):
        order = order[:rank]
    if sorted(order) != list(range(rank)):
        raise ValueError
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)


# %% wrong: too short first
# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the dims has been looked at
def permute(size, stride, dims):
    r = len(size)
    if len(dims) < r:
        raise ValueError
    o = [range(r)[d] for d in dims]
    if sorted(o) != list(range(r)):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: rank 0 has its answer at once
# draws: permute(size=(), stride=(), dims=(
# draws: returned ((), ()); expected an IndexError, because a tensor of rank 0 has no dims.
def permute(size, stride, dims):
    if not size:
        return (), ()
    order = [range(len(size))[dim] for dim in dims]
    if sorted(order) != list(range(len(size))):
        raise ValueError("dims")
    return tuple(size[dim] for dim in order), tuple(stride[dim] for dim in order)


# %% wrong: absent dims are a ValueError
# draws: if there is a ValueError before each of the dims has been looked at
def permute(size, stride, dims):
    rank = len(size)
    order = [dim + rank if dim < 0 else dim for dim in dims]
    if set(order) != set(range(rank)) or len(order) != rank:
        raise ValueError
    return tuple(size[dim] for dim in order), tuple(stride[dim] for dim in order)
