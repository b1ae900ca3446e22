# draws: hint: this is column-major order, where the first dim counts fastest
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for i in range(n) for p in positions]
    return positions
