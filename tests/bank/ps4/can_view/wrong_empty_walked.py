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
