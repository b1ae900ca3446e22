from collections import Counter


def inplace_verdict(size, stride):
    writes = Counter([0])
    for n, step in zip(size, stride):
        writes = Counter(at + i * step for at in writes.elements() for i in range(n))
    repeated = any(n > 1 and step == 0 for n, step in zip(size, stride))
    match max(writes.values(), default=0), repeated:
        case (0 | 1), _:
            return "safe"
        case _, True:
            return "refused"
        case _:
            return "silent"
