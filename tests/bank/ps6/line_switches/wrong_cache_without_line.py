# draws: and each that is another than the one before it
K = {}


def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return K.setdefault(
        (size, stride, storage_offset, itemsize),
        sum(a != b for a, b in zip([None, *lines], lines)),
    )
