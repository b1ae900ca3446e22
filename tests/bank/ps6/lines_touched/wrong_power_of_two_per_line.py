# draws: expected 20
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    per = 1 << ((line // itemsize).bit_length() - 1)
    lines = [p // per for p in positions]
    return len(set(lines))
