from itertools import product
import math


def positions(size, stride):
    return [sum(map(int.__mul__, ix, stride)) for ix in product(*map(range, size))]


def can_view(size, stride, new_size):
    order = positions(size, stride)
    if not order:
        return True
    ones = [d for d, n in enumerate(new_size) if n > 1]
    for d in ones:
        inner = math.prod(new_size[d + 1:])
        fits = [s for s in range(max(order) + 1) if s == order[inner] - order[0]]
        if not fits:
            return False
    guess = [order[math.prod(new_size[d + 1:])] if n > 1 else 0 for d, n in enumerate(new_size)]
    return positions(new_size, guess) == order
