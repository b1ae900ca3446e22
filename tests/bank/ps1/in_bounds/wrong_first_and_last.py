# draws: hint: this is what you get if only the first and the last element are checked
# draws: index (0, 1) lies lowest, at 0 + 0×2 + 1×(-1) = -1
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    last = storage_offset + sum((n - 1) * s for n, s in zip(size, stride))
    return 0 <= last < storage_length and 0 <= storage_offset < storage_length
