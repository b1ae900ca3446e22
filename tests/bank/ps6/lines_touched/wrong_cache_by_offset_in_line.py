# draws: expected 2
# draws: so position p is on line
K = {}


def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return K.setdefault((size, stride, storage_offset % 8, line // itemsize), len(set(lines)))
