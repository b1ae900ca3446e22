# draws: rule: (4,) would need one dim across two that do not merge
# draws: returned (1,); expected None
from itertools import product


def visits(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def c_strides(size):
    out, step = [], 1
    for n in reversed(size):
        out.insert(0, step)
        step *= max(n, 1)
    return tuple(out)


def view_stride(size, stride, new_size):
    order = visits(size, stride)
    if not order:
        return c_strides(new_size)
    guess = tuple(
        order[inner] if n > 1 else 1 for n, inner in zip(new_size, c_strides(new_size))
    )
    if visits(new_size, guess) == order:
        return guess
    return c_strides(new_size)
