def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = high = storage_offset
    for n, s in zip(size, stride):
        if s < 0:
            low += (n - 1) * s
        else:
            high += (n - 1) * s
    return low >= 0 and high < storage_length
