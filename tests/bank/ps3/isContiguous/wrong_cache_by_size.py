# draws: returned False; expected True.
KNOWN = {}


def isContiguous(tensor):
    size = tuple(tensor.shape)
    if size not in KNOWN:
        expected, ok = 1, True
        for n, step in zip(reversed(size), reversed(tensor.stride())):
            ok = ok and (n == 1 or step == expected)
            expected *= n
        KNOWN[size] = ok or 0 in size
    return KNOWN[size]
