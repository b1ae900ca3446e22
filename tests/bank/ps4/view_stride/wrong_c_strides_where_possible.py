# draws: hint: this is what you get if every view gets row-major strides
import math


def possible(size, stride, new_size):
    if 0 in size:
        return True
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    ends = [math.prod(new_size[d:]) for d in range(len(new_size))]
    return all(
        dims[d][1] == dims[d + 1][0] * dims[d + 1][1]
        or math.prod(n for n, _ in dims[d + 1:]) in ends
        for d in range(len(dims) - 1)
    )


def view_stride(size, stride, new_size):
    if possible(size, stride, new_size):
        return tuple(math.prod(new_size[d + 1:]) for d in range(len(new_size)))
    return None
