# draws: hint: this is what you get if only the first stride of 0 is looked at. It may be on a dim of size 1, and another one not.
# draws: returned 'silent'; expected 'refused'.
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if len(set(at)) == len(at):
        return "safe"
    if 0 in stride and size[stride.index(0)] > 1:
        return "refused"
    return "silent"
