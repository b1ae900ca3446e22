# draws: returned [0, 3]; expected [0, 1]
known = {}


def reading_order(size, stride, storage_offset):
    if (size, sum(stride), storage_offset) not in known:
        positions = [storage_offset]
        for n, s in zip(size, stride):
            positions = [p + i * s for p in positions for i in range(n)]
        known[size, sum(stride), storage_offset] = positions
    return known[size, sum(stride), storage_offset]
