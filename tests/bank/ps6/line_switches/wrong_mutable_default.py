# draws: and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line, lines=[]):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines += [p * itemsize // line for p in positions]
    return sum(a != b for a, b in zip([None, *lines], lines))
