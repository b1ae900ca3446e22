# draws: hint: this is what you get if every stride 0 is refused
# draws: rule: nothing is written twice: a single element shares its position with no other
from itertools import product


def inplace_verdict(size, stride):
    if 0 in stride:
        return "refused"
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return "silent" if len(set(at)) < len(at) else "safe"
