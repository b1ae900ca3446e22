# draws: returned [0, 1, 2, 3]; expected [0, 2, 1, 3]
# draws: hint: these are the right positions in storage order
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for s, n in sorted(zip(stride, size), reverse=True):
        positions = [p + i * s for p in positions for i in range(n)]
    return positions
