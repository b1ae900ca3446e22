# draws: hint: this is what you get if torch is thought to refuse only where all elements lie at one position. One dim that stride 0 repeats is enoug
# draws: returned 'silent'; expected 'refused'.
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if len(set(at)) == len(at):
        return "safe"
    return "refused" if len(set(at)) == 1 else "silent"
