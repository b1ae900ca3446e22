# draws: hint: this is what you get if every row counts its first visit
def line_switches(size, stride, storage_offset, itemsize, line):
    per = line // itemsize
    if 0 in size:
        return 0
    if not size:
        return 1
    from math import prod

    row = [(storage_offset + i * stride[-1]) // per for i in range(size[-1])]
    return prod(size[:-1]) * (1 + sum(a != b for a, b in zip(row, row[1:])))
