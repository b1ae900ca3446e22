# draws: returned None. Return an int. Is a `return` missing?
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in positions:
        if p * itemsize // line != before:
            count += 1
        before = p * itemsize // line
    print(count)
