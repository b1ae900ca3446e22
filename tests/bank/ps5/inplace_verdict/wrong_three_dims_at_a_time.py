# draws: hint: this is what you get if some dims are looked at, and never all together. All can meet where fewer do not: four of size 2 with strides 
# draws: returned 'safe'; expected 'silent'.
from itertools import combinations, product


def inplace_verdict(size, stride):
    if 0 in size:
        return "safe"
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    if any(s == 0 for _, s in dims):
        return "refused"
    for count in (2, 3):
        for some in combinations(dims, count):
            at = [sum(parts) for parts in product(*(range(0, n * s, s) for n, s in some))]
            if len(set(at)) < len(at):
                return "silent"
    return "safe"
