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
