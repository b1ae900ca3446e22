# draws: hint: this is what you get if only the highest position is checked
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    highest = storage_offset
    for n, s in zip(size, stride):
        highest += max((n - 1) * s, 0)
    return highest < storage_length
