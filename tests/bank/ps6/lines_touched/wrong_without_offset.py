# draws: hint: this is what you get if storage_offset is forgotten
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [0]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p * itemsize // line for p in positions})
