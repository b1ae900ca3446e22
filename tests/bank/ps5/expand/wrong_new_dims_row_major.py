# draws: hint: this is what you get if a new dim of size 1 gets the product of all sizes to its right. It gets size × stride of its neighbour, and th
# draws: returned (2, 0); expected (0, 0).
from math import prod


def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or -1 in new_size[:lead]:
        raise ValueError("no")
    sizes = list(new_size)
    result = [0] * lead
    for n, step, wanted in zip(size, stride, new_size[lead:]):
        if wanted not in (-1, n) and n != 1:
            raise ValueError("no")
        sizes[len(result)] = n if wanted == -1 else wanted
        result.append(step if wanted in (-1, n) else 0)
    if min(sizes) < 0:
        raise ValueError("no")
    for dim in range(lead):
        if sizes[dim] == 1:
            result[dim] = prod(sizes[dim + 1 :])
    return tuple(result)
