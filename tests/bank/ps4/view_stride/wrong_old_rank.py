# draws: returned (2,); expected None.
import math


def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    result = [stride[-1]]
    for n in reversed(new_size[1:]):
        result.insert(0, result[0] * n)
    return tuple(result)
