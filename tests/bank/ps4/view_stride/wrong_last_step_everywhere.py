# draws: hint: this is what you get if the step of the last dim is used everywhere
import math


def view_stride(size, stride, new_size):
    if 0 in size:
        return new_size
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    ends = [math.prod(new_size[d:]) for d in range(len(new_size))]
    for d in range(1, len(dims)):
        seam = dims[d - 1][1] != dims[d][0] * dims[d][1]
        if seam and math.prod(n for n, _ in dims[d:]) not in ends:
            return None
    step = dims[-1][1] if dims else 1
    return tuple(step * math.prod(new_size[d + 1:]) for d in range(len(new_size)))
