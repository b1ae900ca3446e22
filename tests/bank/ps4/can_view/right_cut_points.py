import math


def can_view(size, stride, new_size):
    if math.prod(size) == 0:
        return True
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    cuts = set()
    inner = 1
    for left, right in list(zip(dims, dims[1:]))[::-1]:
        inner *= right[0]
        if left[1] != right[0] * right[1]:
            cuts.add(inner)
    return cuts <= {math.prod(new_size[d:]) for d in range(len(new_size))}
