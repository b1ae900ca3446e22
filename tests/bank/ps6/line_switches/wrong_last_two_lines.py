# draws: the first counts, and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, kept = 0, []
    for p in positions:
        here = p * itemsize // line
        count += here not in kept
        kept = [*kept, here][-2:]
    return count
