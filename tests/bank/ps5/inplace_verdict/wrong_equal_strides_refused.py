# draws: hint: this is what you get if torch is thought to refuse every overlap. It only looks for stride 0.
# draws: returned 'refused'; expected 'silent'.
from itertools import product


def inplace_verdict(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if len(set(at)) == len(at):
        return "safe"
    steps = [s for n, s in zip(size, stride) if n > 1]
    return "refused" if 0 in steps or len(set(steps)) < len(steps) else "silent"
