# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p * itemsize >> (line.bit_length() - 1) for p in positions})
