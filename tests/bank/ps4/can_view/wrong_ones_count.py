# draws: returned False; expected True
# draws: hint: this is what you get if strides of dims of size 1 are looked at
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = [math.prod(new_size[d:]) for d in range(len(new_size) + 1)]
    for d in range(1, len(size)):
        if stride[d - 1] != size[d] * stride[d] and math.prod(size[d:]) not in ends:
            return False
    return True
