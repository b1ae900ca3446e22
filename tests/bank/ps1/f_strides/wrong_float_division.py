# draws: returned (1, 999983, 999966000289, 999949000866995072); expected (1, 999983, 999966000289, 999949000866995087)
from math import prod


def f_strides(size):
    whole = prod(n or 1 for n in size)
    return tuple(int(whole / prod(n or 1 for n in size[d:])) for d in range(len(size)))
