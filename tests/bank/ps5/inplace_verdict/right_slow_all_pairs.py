from itertools import combinations, product


def position(index, stride):
    return 0 if not index else index[0] * stride[0] + position(index[1:], stride[1:])


def inplace_verdict(size, stride):
    storage = [position(index, stride) for index in product(*map(range, size))]
    if not any(one == other for one, other in combinations(storage, 2)):
        return "safe"
    return "refused" if any(n > 1 and s == 0 for n, s in zip(size, stride)) else "silent"
