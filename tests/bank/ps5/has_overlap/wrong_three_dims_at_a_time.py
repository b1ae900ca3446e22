# draws: hint: this is what you get if some dims are looked at, and never all together. All can meet where fewer do not: four of size 2 with strides 
# draws: returned False; expected True.
from itertools import combinations, product


def has_overlap(size, stride):
    if 0 in size:
        return False
    dims = list(zip(size, stride))
    for count in (1, 2, 3):
        for some in combinations(dims, count):
            ranges = [range(0, n * step, step) if step else [0] * n for n, step in some]
            at = [sum(parts) for parts in product(*ranges)]
            if len(at) > len(set(at)):
                return True
    return False
