# draws: hint: this is what you get if torch is thought to refuse every overlap
# draws: both lie at position 1, which is written twice
# draws: returned 'refused'; expected 'silent'
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return "refused" if len(set(at)) < len(at) else "safe"
