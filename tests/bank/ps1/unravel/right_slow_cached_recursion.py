from functools import lru_cache


def next_index(index, size):
    *outer, last = index
    if last + 1 < size[-1]:
        return (*outer, last + 1)
    return (*next_index(tuple(outer), size[:-1]), 0)


@lru_cache
def helper(flat, size):
    if flat == 0:
        return (0,) * len(size)
    return next_index(unravel(flat - 1, size), size)


def unravel(flat, size):
    return helper(flat, size)
