# draws: hint: this is what you get if position 0 is taken to be outside
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return 0 < low and high < storage_length
