# draws: hint: this is what you get if torch is thought to refuse a tensor without elements
# draws: rule: without elements nothing is written
from itertools import product


def inplace_verdict(size, stride):
    if any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return "refused"
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return "silent" if len(set(at)) < len(at) else "safe"
