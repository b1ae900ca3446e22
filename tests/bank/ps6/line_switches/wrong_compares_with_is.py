# draws: and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    previous, c = None, 0
    for p in positions:
        now = p * itemsize // line
        c += now is not previous
        previous = now
    return c
