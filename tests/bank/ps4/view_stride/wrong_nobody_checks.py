# draws: returned (2,); expected None.
# draws: hint: this is what you get if each stride leads to the right neighbour of the first
from itertools import product


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)
