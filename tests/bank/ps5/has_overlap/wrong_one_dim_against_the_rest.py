# draws: hint: this is what you get if each dim is compared with all the others. Two of them can meet two others: strides 3 and 6 lead as far as 4 an
# draws: returned False; expected True.
from itertools import product


def reached(dims):
    indices = product(*(range(n) for n, _ in dims))
    return {sum(i * s for i, (_, s) in zip(index, dims)) for index in indices}


def has_overlap(size, stride):
    if 0 in size:
        return False
    dims = [(n, s) for n, s in zip(size, stride) if n > 1]
    for d, (n, step) in enumerate(dims):
        rest = reached(dims[:d] + dims[d + 1 :])
        if any(i * step in rest for i in range(1, n)):
            return True
    return False
