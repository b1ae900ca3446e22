# draws: hint: this is what you get if a tensor without elements is asked where its elements lie
# draws: has no elements, so nothing can lie outside
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return storage_offset < storage_length
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high < storage_length
