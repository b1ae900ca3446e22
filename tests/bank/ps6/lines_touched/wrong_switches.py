# draws: hint: this is line_switches
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in positions:
        now = p * itemsize // line
        count += now != before
        before = now
    return count
