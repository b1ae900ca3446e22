# draws: hint: this is what you get if positions are taken for bytes
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p // line for p in positions})
