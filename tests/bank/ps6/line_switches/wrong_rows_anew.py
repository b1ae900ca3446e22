# draws: hint: this is what you get if every row counts its first visit
def line_switches(size, stride, storage_offset, itemsize, line):
    rows = [storage_offset]
    for n, s in zip(size[:-1], stride[:-1]):
        rows = [p + i * s for p in rows for i in range(n)]
    count = 0
    for row in rows:
        before = None
        for i in range(size[-1] if size else 1):
            now = (row + i * (stride[-1] if size else 0)) * itemsize // line
            if now != before:
                count += 1
            before = now
    return count
