# draws: hint: this is what you get if only the last element is checked
# draws: returned True; expected False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    last = storage_offset + sum((n - 1) * s for n, s in zip(size, stride))
    return 0 <= last < storage_length
