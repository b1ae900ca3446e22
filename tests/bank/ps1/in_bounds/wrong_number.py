# draws: of type int. Return a bool, True or False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return 1
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return int(low >= 0) * int(high < storage_length)
