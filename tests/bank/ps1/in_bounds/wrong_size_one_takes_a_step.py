# draws: returned False; expected True
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min(max(n - 1, 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high < storage_length
