# draws: returned (999949000866995072, 999966000289, 999983, 1); expected (999949000866995087, 999966000289, 999983, 1)
from math import prod


def c_strides(size):
    step = prod(max(n, 1) for n in size)
    stride = []
    for n in size:
        step = int(step / max(n, 1))
        stride.append(step)
    return tuple(stride)
