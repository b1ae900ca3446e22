# draws: expected 3
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    per = line // itemsize
    rows = [storage_offset]
    for n, s in zip(size[:-1], stride[:-1]):
        rows = [p + i * s for p in rows for i in range(n)]
    if 0 in size:
        return 0
    if not size:
        return 1
    return sum(len({(r + i * stride[-1]) // per for i in range(size[-1])}) for r in set(rows))
