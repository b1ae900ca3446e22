# draws: returned False; expected True.
from math import prod

KNOWN = {}


def is_f_contiguous(size, stride):
    key = prod(size), stride
    if key not in KNOWN:
        expected, ok = 1, True
        for n, step in zip(size, stride):
            ok = ok and (n == 1 or step == expected)
            expected *= n
        KNOWN[key] = ok or 0 in size
    return KNOWN[key]
