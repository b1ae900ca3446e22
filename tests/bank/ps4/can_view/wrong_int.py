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
