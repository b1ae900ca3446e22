# draws: returned None; expected (4, 2)
# draws: hint: this is what you get if only contiguous tensors can be viewed
import math


def view_stride(size, stride, new_size):
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1 and s != expected and 0 not in size:
            return None
        expected *= n
    return tuple(math.prod(new_size[d + 1:]) for d in range(len(new_size)))
