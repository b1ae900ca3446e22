# %% right: loop
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in [1, 3, 2, 0]:
        if size[dim] != 1:
            if stride[dim] != expected:
                return False
            expected *= size[dim]
    return True


# %% right: match
def in_order(pairs, expected=1):
    match pairs:
        case []:
            return True
        case [(1, _), *rest]:
            return in_order(rest, expected)
        case [(n, step), *rest]:
            return step == expected and in_order(rest, expected * n)


def is_channels_last(size, stride):
    match size, stride:
        case (n, c, h, w), (sn, sc, sh, sw):
            return in_order([(c, sc), (w, sw), (h, sh), (n, sn)])
    return False


# %% right: permutes
def contiguous(size, stride):
    if not size:
        return lambda expected: True
    (*rest, n), (*steps, step) = size, stride
    inner = contiguous(rest, steps)
    return lambda expected: (n == 1 or step == expected) and inner(expected * n)


def is_channels_last(size, stride):
    def permute(numbers):
        return [numbers[dim] for dim in (0, 2, 3, 1)]

    return len(size) == 4 and contiguous(permute(size), permute(stride))(1)


# %% right: products
def is_channels_last(size, stride):
    try:
        n, c, h, w = size
    except ValueError:
        return False
    wanted = (h * w * c, 1, w * c, c)
    return all(m == 1 or s == want for m, s, want in zip(size, stride, wanted))


# %% right: try
from functools import reduce


class Image:
    def __init__(self, size, stride):
        (_, self.c, self.h, self.w), (*_,) = pairs = list(zip(size, stride)), stride
        self.pairs = pairs[0]

    def permute(self):
        n, c, h, w = self.pairs
        return c, w, h, n


def is_channels_last(size, stride):
    try:
        np = Image(size, stride).permute()
    except ValueError:
        return False

    def check(expected, pair):
        n, step = pair
        if expected is None or n not in (1,) and step != expected:
            return None
        return expected * n

    return reduce(check, np, 1) is not None


# %% wrong, usual: exempts empty
# draws: hint: this is what you get if tensors without elements are exempt.
# draws: rule: a tensor without elements is walked like any other.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    if 0 in size:
        return True
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: any rank
# draws: raised IndexError
# draws: rule: channels_last is for the four dims N, C, H, W, and here is rank 1.
def is_channels_last(size, stride):
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: asks torch
# draws: This exercise is plain Python on numbers
import torch


def is_channels_last(size, stride):
    t = torch.empty_strided(size, stride)
    return t.is_contiguous(memory_format=torch.channels_last)


# %% wrong: batch is free
# draws: returned True; expected False.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    # Each image is looked at by itself.
    for dim in (1, 3, 2):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return size[0] == 1 or expected == 0 or stride[0] % expected == 0


# %% wrong: dims of 1 do not count
# draws: returned True; expected False.
def is_channels_last(size, stride):
    # An image is what has four dims, and a dim of size 1 is none.
    kept = [dim for dim, n in enumerate(size) if n != 1]
    if len(size) > 4:
        size, stride = [size[dim] for dim in kept], [stride[dim] for dim in kept]
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: image without batch
# draws: returned True; expected False.
def is_channels_last(size, stride):
    if len(size) == 3:
        # A batch of one image.
        size, stride = (1, *size), (0, *stride)
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: rank 5
# draws: rule: channels_last is for the four dims N, C, H, W, and here is rank 5.
# draws: returned True; expected False.
def is_channels_last(size, stride):
    if len(size) < 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: sorted and dense
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


# %% wrong: zero ends the walk
# draws: returned True; expected False.
# draws: hint: this is what you get if tensors without elements are exempt.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 0:
            # Nothing lies behind a dim without elements.
            return True
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


# %% wrong: image without N
# draws: is_channels_last((3, 2, 2), (1, 6, 3)) returned True; expected False.
def is_channels_last(size, stride):
    if len(size) == 3:
        size, stride = (1, *size), (0, *stride)
    if len(size) != 4:
        return False
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
