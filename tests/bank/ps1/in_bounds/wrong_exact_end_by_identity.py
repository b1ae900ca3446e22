# draws: returned True; expected False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high <= storage_length and high is not storage_length
