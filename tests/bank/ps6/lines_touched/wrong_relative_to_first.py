# draws: hint: this is what you get if storage_offset is forgotten
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [(p - storage_offset) * itemsize // line for p in positions]
    return len(set(lines))
