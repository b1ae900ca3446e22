# draws: hint: these are the right positions in storage order
# draws: list a position for each index, in row-major order of the indices, the last dim fastest
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return sorted(positions)
