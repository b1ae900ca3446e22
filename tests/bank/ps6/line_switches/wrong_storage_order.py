# draws: the first counts, and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in sorted(positions):
        if p * itemsize // line != before:
            count += 1
        before = p * itemsize // line
    return count
