# draws: returned True; expected False.
# draws: hint: this is what you get if the reach is compared with the number of elements.
from itertools import product
from math import prod


def is_dense(size, stride):
    positions = [
        sum(i * step for i, step in zip(index, stride))
        for index in product(*(range(n) for n in size))
    ]
    numel = prod(size)
    return sum(positions) == numel * (numel - 1) // 2
