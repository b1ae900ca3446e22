from collections import namedtuple
from functools import reduce
from operator import mul

Split = namedtuple("Split", "left right")


class BadSize(ValueError):
    pass


def refuse_if(wrong, why):
    if wrong:
        raise BadSize(why)


def infer_size(numel, size):
    refuse_if(any(n not in range(-1, 10**12) for n in size), "negative")
    refuse_if(len([n for n in size if n == -1]) >= 2, "two holes")
    try:
        i = size.index(-1)
    except ValueError:
        refuse_if(reduce(mul, size, 1) != numel, "wrong product")
        return (*size,)
    parts = Split(size[:i], size[i + 1:])
    rest = reduce(mul, parts.left + parts.right, 1)
    try:
        filled, left_over = divmod(numel, rest)
    except ZeroDivisionError:
        raise BadSize("ambiguous") from None
    refuse_if(left_over, "rest")
    return parts.left + (filled,) + parts.right
