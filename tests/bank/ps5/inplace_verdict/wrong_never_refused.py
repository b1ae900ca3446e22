# draws: hint: this is what you get if torch is thought to refuse nothing
# draws: rule: torch refuses to write where a dim of size above 1 has stride 0, and dim 0 has size 2
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return "silent" if len(set(at)) < len(at) else "safe"
