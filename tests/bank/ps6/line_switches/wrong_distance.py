# draws: the first counts, and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    far = sum(abs(b - a) * itemsize >= line for a, b in zip(positions, positions[1:]))
    return far + bool(positions)
