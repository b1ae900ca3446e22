# draws: raised ValueError: max() arg is an empty sequence, in line 7 (`hit = [False] * (max(positions) * itemsize // line + 1)`); expected 0.
# draws: there are no elements, so no line is visited
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    hit = [False] * (max(positions) * itemsize // line + 1)
    for p in positions:
        hit[p * itemsize // line] = True
    return sum(hit)
