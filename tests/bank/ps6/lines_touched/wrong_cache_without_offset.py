# draws: so position p is on line
KNOWN = {}


def lines_touched(size, stride, storage_offset, itemsize, line):
    key = size, stride, itemsize, line
    if key not in KNOWN:
        positions = [storage_offset]
        for n, s in zip(size, stride):
            positions = [p + i * s for p in positions for i in range(n)]
        KNOWN[key] = len({p * itemsize // line for p in positions})
    return KNOWN[key]
