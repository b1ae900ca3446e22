# draws: returned True; expected False.
from math import prod


def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    order = [dim for dim in (1, 3, 2, 0) if size[dim] != 1]
    steps = [stride[dim] for dim in order]
    if 0 in size:
        return steps == [prod(size[d] for d in order[:k]) for k in range(len(order))]
    reach = 1 + sum((size[dim] - 1) * stride[dim] for dim in order)
    return steps == sorted(set(steps)) and reach == prod(size)
