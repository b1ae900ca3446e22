# draws: True, a bool. Return an int
def line_switches(size, stride, storage_offset, itemsize, line):
    if size == ():
        return True
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in positions:
        if p * itemsize // line != before:
            count += 1
        before = p * itemsize // line
    return count
