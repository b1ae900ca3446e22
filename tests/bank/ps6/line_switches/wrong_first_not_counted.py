# draws: hint: this is what you get if the first visit is not counted
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return sum(1 for i in range(1, len(lines)) if lines[i] != lines[i - 1])
