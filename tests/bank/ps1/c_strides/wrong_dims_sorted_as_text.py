# draws: returned (1024, 512, 1, 256, 128, 64, 32, 16, 8, 4, 2); expected (1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
from math import prod


def c_strides(size):
    steps = {str(d): prod(max(n, 1) for n in size[d + 1 :]) for d in range(len(size))}
    return tuple(steps[d] for d in sorted(steps))
