# draws: hint: this is what you get if storage_offset is forgotten
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [0]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return sum(i == 0 or lines[i] != lines[i - 1] for i in range(len(lines)))
