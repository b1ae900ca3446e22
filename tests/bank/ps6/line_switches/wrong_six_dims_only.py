# draws: and each that is another than the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in list(zip(size, stride))[-6:]:
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return 0 if 0 in size else sum(a != b for a, b in zip([None, *lines], lines))
