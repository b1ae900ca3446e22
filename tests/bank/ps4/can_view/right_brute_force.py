# Write down every position in reading order; then see whether some strides visit them so.
from itertools import product


def positions(size, stride):
    return [
        sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    ]


def can_view(size, stride, new_size):
    order = positions(size, stride)
    if not order:
        return True
    inner = 1
    new_stride = []
    for n in reversed(new_size):
        new_stride.insert(0, order[inner] if n > 1 else 0)
        inner *= n
    return positions(new_size, new_stride) == order
