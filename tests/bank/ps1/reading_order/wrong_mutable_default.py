# draws: expected [0, 1]
# draws: Called by itself it is right, so what it gives depends on other calls
def reading_order(size, stride, storage_offset, out=[]):
    out.clear()
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    out.extend(positions)
    return out
