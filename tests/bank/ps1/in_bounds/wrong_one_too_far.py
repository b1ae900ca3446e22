# draws: storage_length=1) returned True; expected False
# draws: the storage has the positions 0 to 0
# draws: hint: this is what you get if a position may be equal to storage_length
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high <= storage_length
