from itertools import product


def positions(size, stride):
    return [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]


def inplace_verdict(size, stride):
    at = positions(size, stride)
    if len(set(at)) == len(at):
        return "safe"
    for n, s in zip(size, stride):
        if s == 0 and n > 1:
            return "refused"
    return "silent"
