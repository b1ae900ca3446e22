# draws: hint: this is what you get if the reach is compared with the number of elements.
# draws: so there is a gap
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    return 1 + sum((n - 1) * s for n, s in zip(size, stride)) == prod(size)
