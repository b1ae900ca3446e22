# draws: hint: this is what you get if distinct lines are counted
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p * itemsize // line for p in positions})
